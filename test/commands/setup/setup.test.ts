import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { copyStarted } from "../../bot/copy-database.ts";
import { startChatEndpoint } from "../../contracts/start-chat-endpoint.ts";
import { findChromium } from "../../report/run/find-chromium.ts";
import { startChromium } from "../../report/run/start-chromium.ts";
import { createScript } from "../../scripted-model/script.ts";
import { startScriptedModel } from "../../scripted-model/start-scripted-model.ts";
import { serve } from "../../serve.ts";
import { startWorld } from "../../world/start-world.ts";
import type { World } from "../../world/world-handle.ts";
import { type StartedCommand, startMagis, startMagisHere } from "../start-magis.ts";
import { createVisitor } from "./create-visitor.ts";
import { freePort } from "./free-port.ts";

const unescaped = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));

const WIDGET = {
  owner: "acme",
  name: "widget",
  private: true,
  files: { "src/greet.js": "export function greet(name) {\n  return 'Helo ' + name;\n}\n" },
  roles: { alice: "write" as const },
};

const FILES = {
  "src/greet.js": { rounds: [{ edits: [{ start: 2, end: 2, text: "  return 'Hello ' + name;" }] }] },
};

describe("magis setup", () => {
  let world: World;
  let folder: string;
  let command: StartedCommand;
  let address: string;

  beforeEach(async () => {
    world = await startWorld({ registered: false, repositories: [WIDGET] });
    folder = await mkdtemp(join(tmpdir(), "magis-setup-"));
  });
  afterEach(async () => {
    command?.interrupt();
    await command?.ended;
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(...words: string[]): Promise<void> {
    const environment = { GHE_HOST: world.url.replace("http://", ""), GHE_PROTOCOL: "http", HOME: folder };
    command = startMagisHere(["setup", ...words], { environment, cwd: folder });
    await command.said("/setup?token=");
    [address = ""] = /http:\S+token=\S+/.exec(await command.errors()) ?? [];
  }

  const environmentFile = async () => parseEnv(await readFile(join(folder, ".env"), "utf8"));
  const modeOf = async (name: string) => (await stat(join(folder, name))).mode & 0o777;

  /** What a person does on the host's pages, from the one that asks for the app to its installation. */
  async function registerOnHost(visit: ReturnType<typeof createVisitor>, handed: string): Promise<string> {
    const [, action = ""] = /action="([^"]+)"/.exec(handed) ?? [];
    const [, manifest = ""] = /name="manifest" value="([^"]+)"/.exec(handed) ?? [];
    const page = await visit(action, { manifest: unescaped(manifest) });
    const [, create = ""] = /action="([^"]+)"/.exec(page.text) ?? [];
    const back = await visit(`${world.url}${create}`, {});
    expect(await visit(back.location)).toMatchObject({ status: 303, location: "/setup" });
    return unescaped(manifest);
  }

  it("registers the app, keeps its keys for the owner alone, makes the label, and lets the doctor look", async () => {
    await writeFile(join(folder, ".env"), "# mine\nLOG_LEVEL=warn\n");
    await start("--url", "https://magis.example.test");
    const visit = createVisitor();
    const base = new URL(address).origin;
    expect(await visit(address)).toMatchObject({ status: 303, location: "/setup" });
    // The address was said, so that nothing is left to ask.
    const handed = await visit(`${base}/setup`);
    expect(JSON.parse(await registerOnHost(visit, handed.text))).toMatchObject({
      hook_attributes: { url: "https://magis.example.test/api/github/webhooks", active: true },
      default_permissions: { contents: "write" },
      redirect_url: `${base}/setup/registered`,
    });
    expect(await environmentFile()).toMatchObject({
      LOG_LEVEL: "warn",
      APP_ID: "12345",
      WEBHOOK_SECRET: world.webhookSecret,
    });
    expect([await modeOf(".env"), await modeOf("magis.private-key.pem")]).toEqual([0o600, 0o600]);

    expect((await visit(`${base}/setup`)).text).toContain(`${world.url}/apps/magis/installations/new`);
    await visit(`${world.url}/apps/magis/installations/new`, {});
    expect((await visit(`${base}/setup`)).text).toContain("acme/widget");
    await visit(`${base}/setup/finish`, { repository: "acme/widget", key: "a-key" });
    const end = await visit(`${base}/setup`);
    expect(end.text).toContain("app registration");
    const { exitCode, out } = await command.ended;
    expect({ exitCode, out: out.toString() }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/^ok .*app registration/m),
    });
    // Whoever starts the bot later need not say again where GitHub is.
    expect(await environmentFile()).toMatchObject({
      ANTHROPIC_API_KEY: "a-key",
      GHE_HOST: new URL(world.url).host,
      GHE_PROTOCOL: "http",
    });
    const labels = await fetch(`${world.url}/repos/acme/widget/labels`, {
      headers: { authorization: `Bearer ${world.tokenOf("alice")}` },
    });
    expect(await labels.json()).toContainEqual(expect.objectContaining({ name: "magis" }));
    // The doctor asks more than the bot does.
    expect(
      world.contract.violations.filter((one) => !one.endsWith("not in the slice of the published description")),
    ).toEqual([]);
  });

  it("opens a channel where there is no address", async () => {
    const service = await serve(
      (_, response) => void response.writeHead(307, { location: "https://smee.example/abc" }).end(),
    );
    await start("--channels", `${service.url}/new`);
    const visit = createVisitor();
    await visit(address);
    const handed = await visit(`${new URL(address).origin}/setup/register`, { url: "", channel: "yes" });
    expect(unescaped(handed.text)).toContain('"url":"https://smee.example/abc"');
    expect((await environmentFile()).WEBHOOK_PROXY_URL).toBe("https://smee.example/abc");
    await service.close();
  });

  it("is served by a server without an app, which then runs with the chosen settings", async () => {
    const endpoint = await startChatEndpoint(["ok"]);
    const environment = { GHE_HOST: world.url.replace("http://", ""), GHE_PROTOCOL: "http", HOME: folder, PORT: "0" };
    copyStarted(join(folder, "data"));
    // Whoever wrote the file does not get the keys.
    await writeFile(join(folder, ".env"), "MAGIS_URL=https://evil.example\n");
    command = startMagis(["start"], { environment, cwd: folder });
    await command.said("/setup?token=");
    [address = ""] = /http:\S+token=\S+/.exec(await command.errors()) ?? [];
    expect(await command.errors()).not.toContain("evil");
    expect(await command.errors()).toMatch(/^No GitHub App is configured yet/);
    const base = new URL(address).origin;
    const visit = createVisitor();
    await visit(address);
    const handed = await visit(`${base}/setup/register`, { url: "https://magis.example.test" });
    await registerOnHost(visit, handed.text);
    await visit(`${world.url}/apps/magis/installations/new`, {});
    await visit(`${base}/setup`);
    const models = { provider: "openai", "base-url": `${endpoint.url}/v1`, model: "big-1", price: "2/8", prove: "yes" };
    await visit(`${base}/setup/finish`, { repository: "acme/widget", ...models });
    expect((await visit(`${base}/setup`)).text).toMatch(/call of big-1<\/b> \(ok\): It answered: \d+ tokens in, 1 out/);
    await command.said('"msg":"listening on port');
    command.interrupt();
    const { exitCode, out } = await command.ended;
    expect(exitCode).toBe(0);
    expect(out.toString()).toMatch(/"msg":"MAGIS \S+ for http\S+, models big-1 and big-1, embedded database in /);
    expect(endpoint.faults).toEqual([]);
    await endpoint.close();
  });

  it("replaces a configured app only on request", async () => {
    command = startMagisHere(["setup"], { environment: { APP_ID: "7" }, cwd: folder });
    expect(await command.ended).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("--replace registers another"),
    });
  });

  it("writes no keys beside a stranger's .env", async () => {
    await writeFile(join(folder, ".env"), "ANTHROPIC_BASE_URL=http://127.0.0.1:9\n");
    command = startMagisHere(["setup"], { cwd: folder });
    const { exitCode, err } = await command.ended;
    expect(exitCode).toBe(1);
    expect(err).toContain("There is a .env here that the server did not write");
    expect(err).toContain("ANTHROPIC_BASE_URL in .env does not count");
  });

  const chromium = findChromium();
  const inBrowser = chromium === undefined ? it.skip : it;
  inBrowser("takes a person at a browser four actions and less than three minutes to a pull request", async () => {
    const model = await startScriptedModel({ answer: createScript({ files: FILES }) });
    const browser = await startChromium(chromium as string);
    const port = await freePort();
    copyStarted(join(folder, "data"));
    const began = performance.now();
    try {
      const environment = {
        GHE_HOST: world.url.replace("http://", ""),
        GHE_PROTOCOL: "http",
        HOME: folder,
        PORT: String(port),
        ANTHROPIC_BASE_URL: model.url,
      };
      command = startMagis(["setup", "--url", `http://127.0.0.1:${port}`], { environment, cwd: folder });
      await command.said("/setup?token=");
      [address = ""] = /http:\S+token=\S+/.exec(await command.errors()) ?? [];
      const visitor = await openPerson(browser);
      await visitor.go(address);
      // Register the app.
      await visitor.click("document.getElementById('register')");
      await visitor.click("document.getElementById('create')");
      // Install it on a repository, in the tab that the link opens.
      await visitor.shown("document.getElementById('install-link')");
      const other = await openPerson(browser);
      await other.go(await visitor.text("document.getElementById('install-link').href"));
      await other.click("document.getElementById('install')");
      // Say where the models are.
      const field = (name: string) => `document.querySelector('input[name=${name}]')`;
      await visitor.shown(`${field("key")}?.offsetParent`);
      expect(await visitor.evaluate(`${field("model")}.offsetParent === null`)).toBe(true);
      await visitor.click("document.querySelector('input[value=bedrock]')");
      await visitor.shown(`${field("model")}.offsetParent && !${field("key")}.offsetParent`);
      await visitor.click("document.querySelector('input[value=anthropic]')");
      await visitor.evaluate(`${field("key")}.value = "scripted"`);
      await visitor.click("document.querySelector('form[action=\"/setup/finish\"] button')");
      await visitor.shown("document.querySelector('h1')?.textContent === 'MAGIS is set up'");
      expect(await visitor.evaluate("document.body.innerText")).toContain("The bot starts now.");
      await command.said('"msg":"listening on port');
      // Label an issue.
      const alice = world.person("alice");
      const issue = await alice.openIssue({ title: "Typo in src/greet.js", body: "It says `Helo`." });
      await alice.label(issue, "magis");
      const pull = await world.until(async () => (await world.pullRequests())[0], {
        what: "a pull request",
        ms: 120_000,
      });
      expect(pull.head.ref).toContain(`magis/issue-${issue}`);
      expect(performance.now() - began).toBeLessThan(180_000);
      command.interrupt();
      const { exitCode, err } = await command.ended;
      expect({ exitCode, faults: model.faults }).toEqual({ exitCode: 0, faults: [] });
      expect(err).toContain("MAGIS is set up\n");
    } finally {
      await browser.close();
      await model.stop();
    }
  });
});

it.each(["65536", "-1", "x"])("no port is %s", async (port) => {
  const ended = await startMagisHere(["setup", `--port=${port}`], { cwd: tmpdir() }).ended;
  expect(ended).toMatchObject({ exitCode: 2, err: expect.stringContaining("must be a port, 0 to 65535") });
});

type Browser = Awaited<ReturnType<typeof startChromium>>;

/** Somebody before a tab of the browser, who waits for what is to be clicked. */
async function openPerson(browser: Browser) {
  const { send } = await browser.openTab();
  await send("Page.enable");
  const giveUp = Date.now() + 120_000;
  const evaluate = async (expression: string) => {
    const { result } = await send("Runtime.evaluate", { expression, returnByValue: true });
    return (result as { value?: unknown }).value;
  };
  const shown = async (expression: string) => {
    for (;;) {
      if ((await evaluate(`Boolean(${expression})`).catch(() => false)) === true) return;
      if (Date.now() > giveUp)
        throw new Error(`never shown: ${expression} in ${await evaluate("document.body.innerText")}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return {
    evaluate,
    shown,
    text: async (expression: string) => String(await evaluate(expression)),
    go: (url: string) => send("Page.navigate", { url }),
    async click(element: string) {
      await shown(element);
      await evaluate(`${element}.click()`);
    },
  };
}
