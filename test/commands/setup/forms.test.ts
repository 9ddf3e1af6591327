import { afterEach, describe, expect, it } from "@jest/globals";
import type { Finding } from "../../../src/commands/findings.ts";
import type { SetupOptions } from "../../../src/commands/setup/setup-flow.ts";
import { type SetupServer, startSetup } from "../../../src/commands/setup/setup-server.ts";
import { createVisitor } from "./create-visitor.ts";

const REPOSITORY = { owner: "acme", name: "widget", installationId: 1 };

const APP = {
  id: 7,
  slug: "magis",
  page: "https://host.example/apps/magis",
  privateKey: "pem",
  webhookSecret: "hook",
  clientId: "Iv1",
  clientSecret: "client",
};

let server: SetupServer;
afterEach(() => server.close());

type Changes = Partial<Pick<SetupOptions, "provider" | "becomesBot">> & {
  app?: Partial<SetupOptions["app"]>;
  world?: Partial<SetupOptions["world"]>;
};

/** A setup with a host that knows one repository, and a browser that has opened it; `changes` to its world. */
async function opened(changes: Changes = {}) {
  const kept: Record<string, string> = {};
  const labels: string[] = [];
  const paid: boolean[] = [];
  server = await startSetup(
    {
      app: { manifest: {}, webUrl: "https://host.example", webhookPath: "/hook", ...changes.app },
      label: "magis",
      provider: changes.provider,
      commands: { start: "magis start", magis: "magis" },
      becomesBot: changes.becomesBot ?? false,
      world: {
        registration: {
          exchange: async () => APP,
          repositories: async () => [REPOSITORY],
          createLabel: async (_, { owner, name }, label) => void labels.push(`${label} in ${owner}/${name}`),
        },
        openChannel: async () => "https://smee.example/abc",
        tell: () => undefined,
        async keep(values) {
          Object.assign(kept, values);
          return [".env"];
        },
        async examine(isPaid) {
          paid.push(isPaid);
          return [{ check: "all of it", level: "ok", text: "It works." }];
        },
        ...changes.world,
      },
    },
    { host: "127.0.0.1", port: 0 },
  );
  const visit = createVisitor();
  const base = new URL(server.address).origin;
  await visit(server.address);
  return { visit, base, kept, labels, paid };
}

/** The same at its last form. */
async function lastForm(provider: SetupOptions["provider"], changes: Changes = {}) {
  const { visit, base, kept, labels, paid } = await opened({ provider, ...changes });
  const handed = await visit(`${base}/setup/register`, { url: "https://bot.example" });
  const [, state = ""] = /state=([\w-]+)/.exec(handed.text) ?? [];
  await visit(`${base}/setup/registered?code=c&state=${state}`);
  const page = (await visit(`${base}/setup`)).text;
  for (const name of Object.keys(kept)) delete kept[name];
  const send = async (form: Readonly<Record<string, string>>) => {
    await visit(`${base}/setup/finish`, { repository: "acme/widget", ...form });
    return (await visit(`${base}/setup`)).text;
  };
  return { page, send, kept, labels, paid };
}

const ON_OPENAI = { provider: "openai", "base-url": "http://localhost:11434/v1", model: "big-1", price: "2/8" };

describe("the last form of magis setup", () => {
  it("asks for the models' provider, with Anthropic preselected, so that a key is enough", async () => {
    const { page, send, kept, labels, paid } = await lastForm("anthropic");
    expect(page).toContain('value="anthropic" checked');
    for (const name of ["openai", "bedrock", "vertex"]) expect(page).toContain(`value="${name}">`);
    expect(await send({ provider: "anthropic", key: " sk-1 " })).toContain("MAGIS is set up");
    expect({ kept, labels, paid }).toEqual({
      kept: { ANTHROPIC_API_KEY: "sk-1" },
      labels: ["magis in acme/widget"],
      paid: [false],
    });
    expect(await server.done).toMatchObject({
      starts: false,
      next: "Start the bot with magis start. Then set the label magis on an issue.",
    });
  });

  it.each([
    [
      { ...ON_OPENAI, key: "sk-2", "small-model": "small-1", "small-price": "0.2/0.8", prove: "yes" },
      {
        MAGIS_PROVIDER: "openai",
        OPENAI_API_KEY: "sk-2",
        OPENAI_BASE_URL: "http://localhost:11434/v1",
        MAGIS_MODEL_STRONG: "big-1",
        MAGIS_MODEL_FAST: "small-1",
        MAGIS_PRICES: "big-1=2/8,small-1=0.2/0.8",
      },
    ],
    [
      { ...ON_OPENAI, price: "0/0" },
      {
        MAGIS_PROVIDER: "openai",
        OPENAI_API_KEY: "none",
        OPENAI_BASE_URL: "http://localhost:11434/v1",
        MAGIS_MODEL_STRONG: "big-1",
        MAGIS_MODEL_FAST: "big-1",
        MAGIS_PRICES: "big-1=0/0",
      },
    ],
    [
      { provider: "vertex", model: "claude-opus-5-5", "small-model": "claude-haiku-5-5" },
      { MAGIS_PROVIDER: "vertex", MAGIS_MODEL_STRONG: "claude-opus-5-5", MAGIS_MODEL_FAST: "claude-haiku-5-5" },
    ],
  ])("keeps %j as variables", async (form, variables) => {
    const { send, kept, paid } = await lastForm("anthropic");
    expect(await send(form)).toContain("MAGIS is set up");
    expect(kept).toEqual(variables);
    expect(paid).toEqual(["prove" in form]);
  });

  it("says how to start the bot when a file may not choose the credentials", async () => {
    const { send } = await lastForm("anthropic");
    await send({ provider: "bedrock", model: "eu.anthropic.big-1", price: "4/20" });
    expect((await server.done).next).toContain(
      "MAGIS_PROVIDER='bedrock' MAGIS_MODEL_STRONG='eu.anthropic.big-1' MAGIS_MODEL_FAST='eu.anthropic.big-1' MAGIS_PRICES='eu.anthropic.big-1=4/20' magis start",
    );
  });

  it.each(["http://localhost:3000", "http://127.0.0.1", "https://[::1]:1", "http://magis.localhost"])(
    "refuses an address that GitHub cannot reach: %s",
    async (url) => {
      const { visit, base } = await opened({});
      await visit(`${base}/setup/register`, { url });
      expect((await visit(`${base}/setup`)).text).toContain("GitHub cannot reach an address of this machine alone");
    },
  );

  it.each([
    [{ provider: "anthropic", key: "two words" }, "ANTHROPIC_API_KEY must be one word"],
    [{ provider: "elsewhere" }, "Choose where the models are"],
    [{ ...ON_OPENAI, model: "" }, "Name the model"],
    [{ ...ON_OPENAI, price: "" }, "Give each model"],
    [{ ...ON_OPENAI, "small-model": "small-1" }, "Give each model"],
    [{ ...ON_OPENAI, price: "cheap" }, "MAGIS_PRICES must"],
    [{ ...ON_OPENAI, model: "two words" }, "MAGIS_MODEL_STRONG must"],
    [{ ...ON_OPENAI, "base-url": "localhost" }, "OPENAI_BASE_URL must"],
    [{ ...ON_OPENAI, "base-url": "" }, "Enter the key"],
  ])("shows the form again, with what was entered but no key, for %j", async (form, words) => {
    const { send, kept, labels } = await lastForm("anthropic");
    const page = await send({ key: words === "Enter the key" ? "" : "sk-secret", ...form });
    expect(page).toContain(words);
    expect(page).not.toContain("sk-secret");
    if ("model" in form && form.model !== "") expect(page).toContain(`value="${form.model}"`);
    expect({ kept, labels }).toEqual({ kept: {}, labels: [] });
    expect(await send({ provider: "anthropic", key: "sk-1" })).toContain("MAGIS is set up");
  });

  it("does not ask for what is known already", async () => {
    const { page, send, kept } = await lastForm(undefined);
    expect(page).not.toContain('name="key"');
    expect(await send({ provider: "openai", key: "ignored" })).toContain("MAGIS is set up");
    expect(kept).toEqual({});
  });
});

describe("the end of magis setup", () => {
  const FOUND: readonly Finding[] = [
    { check: "Node.js", level: "ok", text: "Version <v24>." },
    { check: "clock", level: "warning", text: "It is 30 s behind.", remedy: "Set it." },
    { check: "app events", level: "fault", text: "Two are missing.", remedy: "Tick them." },
  ];

  it("says in its heading how things stand, and shows faults first", async () => {
    const { send } = await lastForm("anthropic", { world: { examine: async () => FOUND } });
    const page = await send({ provider: "anthropic", key: "sk-1" });
    expect(page).toContain("<h1>One thing does not work yet</h1>");
    expect(page).not.toContain("MAGIS is set up");
    const order = ["app events", "Tick them.", "clock", "Version &lt;v24&gt;."].map((text) => page.indexOf(text));
    expect(order.every((at, index) => at > (order[index - 1] ?? 0))).toBe(true);
    expect(await server.done).toMatchObject({
      heading: "One thing does not work yet",
      findings: [{ level: "fault" }, { level: "warning" }, { level: "ok" }],
      next: expect.stringMatching(/^magis doctor looks again when that is mended\. Start the bot with magis start\./),
    });
  });

  it("starts the bot on request, and asks for the key that it needs", async () => {
    const { page, send } = await lastForm("anthropic");
    expect(page).toMatch(/name="start" value="yes" checked/);
    expect(await send({ provider: "anthropic", start: "yes" })).toContain("Enter the key");
    expect(await send({ provider: "anthropic", start: "yes", key: "sk-1" })).toContain("The bot starts now.");
    expect(await server.done).toMatchObject({ starts: true });
  });

  it("does not ask when the process goes on as the bot, and starts no bot with a faulty configuration", async () => {
    const examine = async (): Promise<readonly Finding[]> => [
      { check: "configuration", level: "fault", text: "PORT must be a number." },
    ];
    const { page, send } = await lastForm("anthropic", { becomesBot: true, world: { examine } });
    expect(page).not.toContain('name="start"');
    expect(await send({ provider: "anthropic", key: "sk-1" })).toContain("Start the bot with magis start.");
    expect(await server.done).toMatchObject({ starts: false });
  });
});

describe("the first form of magis setup", () => {
  it("is skipped when the address was given, and asks for the organisation that was named", async () => {
    const { visit, base } = await opened({ app: { url: "https://bot.example", organisation: "acme & co" } });
    const { text } = await visit(`${base}/setup`);
    expect(text).toContain('action="https://host.example/organizations/acme%20%26%20co/settings/apps/new?state=');
    expect(text).toContain("https://bot.example/hook");
  });

  it("reports that no channel could be opened, and goes on", async () => {
    const { visit, base, kept } = await opened({ world: { openChannel: async () => undefined } });
    await visit(`${base}/setup/register`, { url: "", channel: "yes" });
    expect((await visit(`${base}/setup`)).text).toContain("Could not open a channel");
    expect(kept).toEqual({});
    expect((await visit(`${base}/setup/register`, { url: "https://bot.example" })).text).toContain(
      "Register on GitHub",
    );
  });

  it("prints an error that it cannot explain to the terminal", async () => {
    const printed: string[] = [];
    const failure = new Error("disk full");
    const world = { openChannel: () => Promise.reject(failure), tell: (text: string) => void printed.push(text) };
    const { visit, base } = await opened({ world });
    const page = await visit(`${base}/setup/register`, { url: "", channel: "yes" });
    expect(page).toMatchObject({ status: 500, text: expect.stringContaining("look at the terminal") });
    expect(printed).toEqual(["A page of the setup failed: Error: disk full"]);
  });
});

it("names in a sentence a port that another program has", async () => {
  await opened();
  const port = Number(new URL(server.address).port);
  const started = startSetup({ world: { tell: () => undefined } } as unknown as SetupOptions, {
    host: "127.0.0.1",
    port,
  });
  await expect(started).rejects.toThrow(`Port ${port} is in use by another program: choose another port.`);
});
