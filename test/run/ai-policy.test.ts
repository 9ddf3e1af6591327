import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import { obeyAiPolicy, readAiPolicy, stoppedBy } from "../../src/run/ai-policy.ts";
import { openWorkshop } from "../workflow/open-workshop.ts";

const FORBIDS = "We do not accept contributions that were generated in whole or in part by AI.";

interface Said {
  readonly files: Readonly<Record<string, string>>;
  readonly answer?: object;
  /** documents of the owner's `.github` repository */
  readonly owners?: Readonly<Record<string, string>>;
}

async function read({ files, answer = {}, owners = {} }: Said) {
  const shop = await openWorkshop({ files: { "a.txt": "a\n", ...files }, script: { "c01-judge-policy": answer } });
  for (const [path, text] of Object.entries(owners)) shop.state.otherFiles.set(`.github/${path}`, text);
  const { repository, host, prompts } = shop.tools;
  return { ...shop, policy: await readAiPolicy(repository, host, prompts) };
}

describe("a repository's policy on AI", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["no document", {}],
    ["documents about other things", { "CONTRIBUTING.md": "Please add a test to your pull request.\n" }],
    ["a product that uses AI", { "README.md": `# AI\n\n${FORBIDS}\n`, "src/CONTRIBUTING.md": FORBIDS }],
    ["no word about changes", { "CONTRIBUTING.md": "This library wraps a large language model.\n" }],
  ])("costs no call with %s", async (_what, files) => {
    const { policy, calls } = await read({ files });
    expect(policy).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it.each([
    "AI_POLICY.md",
    ".github/AI-policy.md",
    "CONTRIBUTING.rst",
    "docs/contributing.md",
    "AGENTS.md",
    "SECURITY.md",
    ".github/PULL_REQUEST_TEMPLATE.md",
  ])("is found in %s, with its line", async (path) => {
    const files = { [path]: `# Contributing\n\nAdd tests.\n\n## AI\n\nHello.\n${FORBIDS}\n` };
    const { policy } = await read({ files, answer: { answer: "forbidden", passage: 1, quote: FORBIDS } });
    expect(policy).toMatchObject({ asks: "forbidden", quote: FORBIDS, path, line: 8 });
  });

  it.each(["CONTRIBUTING.md", "AI_POLICY.md", ".github/CONTRIBUTING.md", ".github/AI_POLICY.md"])(
    "is found in %s of the owner's .github repository",
    async (path) => {
      const { policy } = await read({
        files: {},
        owners: { [path]: FORBIDS, "README.md": FORBIDS },
        answer: { answer: "forbidden", passage: 1, quote: FORBIDS },
      });
      expect(policy).toMatchObject({ asks: "forbidden", path: `.github:${path}`, line: 1 });
    },
  );

  it("takes one request where the owner has no such repository", async () => {
    const shop = await openWorkshop({ files: { "a.txt": "a\n" } });
    const { repository, prompts } = shop.tools;
    const asked: string[] = [];
    const host = {
      readFile: async () => undefined,
      async listFolder(name: string, path: string) {
        asked.push(`${name}:${path}`);
        return [];
      },
    };
    expect(await readAiPolicy(repository, host, prompts)).toBeUndefined();
    expect(asked).toEqual([".github:"]);
  });

  it("is not taken for none where the owner's documents cannot be read", async () => {
    const shop = await openWorkshop({ files: { "a.txt": "a\n" } });
    const failing = (code: "HOST_REFUSED" | "HOST_UNREACHABLE") => ({
      ...shop.tools,
      host: {
        ...shop.host,
        readFile: async () => undefined,
        listFolder: () => Promise.reject(new MagisError(code, "GitHub refused to read the root of ana/.github.")),
      },
    });
    const { stopped } = await obeyAiPolicy(failing("HOST_REFUSED"));
    expect(stopped).toContain("I could not look what the owner's `.github` repository asks");
    expect(stopped).toContain("/magis resolve anyway");
    expect((await obeyAiPolicy(failing("HOST_REFUSED"), { anyway: true })).stopped).toBeUndefined();
    await expect(obeyAiPolicy(failing("HOST_UNREACHABLE"), { anyway: true })).rejects.toThrow("GitHub refused");
  });

  it("is nothing where the passages are about something else", async () => {
    const files = { "CONTRIBUTING.md": "Our AI reviews each pull request.\n" };
    expect((await read({ files, answer: { answer: "none" } })).policy).toBeUndefined();
  });

  it("counts as a wish for a person when the answer cannot be used", async () => {
    const made = { answer: "forbidden", passage: 1, quote: "Nothing of the kind stands there." };
    const { policy } = await read({ files: { "CONTRIBUTING.md": FORBIDS }, answer: made });
    expect(policy).toMatchObject({ asks: "supervised", quote: FORBIDS });
  });

  it.each<[string, object, object]>([
    [
      "Add `Assisted-by: NAME:MODEL` to commits that AI wrote.",
      { form: "trailer", mark: "Assisted-by" },
      { trailer: "Assisted-by" },
    ],
    [
      "Add `Co-authored-by:` to commits that AI wrote.",
      { form: "trailer", mark: "Co-authored-by" },
      { trailer: undefined },
    ],
    [
      "Put <!-- ai-assisted --> in your pull request if AI wrote it.",
      { form: "marker", mark: "<!-- ai-assisted -->" },
      { marker: "<!-- ai-assisted -->" },
    ],
    [
      "Put a mark in your pull request if AI wrote it.",
      { form: "marker", mark: "<!-- made up -->" },
      { marker: undefined },
    ],
    ["Put Fixes #1 in your pull request if AI wrote it.", { form: "marker", mark: "Fixes #1" }, { marker: undefined }],
    [
      "Put <!-- @ana fixes #1 --> in your pull request if AI wrote it.",
      { form: "marker", mark: "<!-- @ana fixes #1 -->" },
      { marker: undefined },
    ],
  ])("takes over only forms that can do no harm: %s", async (text, form, taken) => {
    const { policy } = await read({
      files: { "CONTRIBUTING.md": text },
      answer: { answer: "disclose", passage: 1, quote: text, ...form },
    });
    expect(policy).toEqual({ asks: "disclose", quote: text, path: "CONTRIBUTING.md", line: 1, ...taken });
  });

  it("passes on that the model cannot be reached", async () => {
    const down = new MagisError("MODEL_UNAVAILABLE", "It does not answer.");
    const shop = await openWorkshop({ files: { "CONTRIBUTING.md": FORBIDS } });
    const prompts = { ...shop.tools.prompts, ask: () => Promise.reject(down) };
    await expect(readAiPolicy(shop.tools.repository, shop.tools.host, prompts)).rejects.toBe(down);
  });

  it("stops the bot, or has a maintainer asked, and names the line", () => {
    const said = { quote: "No\n*bots*, @ana.", path: "CONTRIBUTING.md", line: 3 } as const;
    const stops = (asks: "forbidden" | "no-bots" | "supervised" | "disclose", anyway = false) =>
      stoppedBy({ asks, ...said }, { anyway });
    expect(stops("forbidden", true)).toMatch(/^`CONTRIBUTING\.md`, line 3, says: "No .*ai-policy: ignore/);
    expect(stops("forbidden")).not.toMatch(/(?<!`)@ana/);
    expect(stops("no-bots")).toContain("`/magis resolve anyway`");
    expect([
      stops("no-bots", true),
      stops("supervised"),
      stops("disclose"),
      stoppedBy(undefined, { anyway: false }),
    ]).toEqual(Array(4).fill(undefined));
  });
});
