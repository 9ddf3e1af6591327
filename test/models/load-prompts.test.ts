import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { loadPrompts } from "../../src/models/prompt-library.ts";
import { renderPrompt } from "../../src/models/render-prompt.ts";
import { PROMPTS_FOLDER } from "../fakes/open-prompts.ts";

describe("loadPrompts", () => {
  const HEADER = "id: x01-say\npaper: none\nrole: Manager\ntier: fast\nmaxTokens: 1000\nsystem: system\ninputs: [name]";
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "magis-prompts-"));
    await mkdir(path.join(folder, "partials"));
    await mkdir(path.join(folder, "lean"));
    await writeFile(path.join(folder, "partials", "system.liquid"), "You are asked.");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function loaded(body: string, header = HEADER, name = "x01-say.liquid") {
    await writeFile(path.join(folder, "lean", name), `---\n${header}\n---\n${body}`);
    return loadPrompts(folder);
  }

  it("splits a prompt into parts and marks all but the last for caching", async () => {
    const library = await loaded("One {{ name }}\n%% cache\nTwo\n");
    expect(await renderPrompt(library, "x01-say", { name: "A" })).toEqual({
      promptId: "x01-say",
      tier: "fast",
      maxTokens: 1000,
      system: "You are asked.",
      earlier: [],
      parts: [{ text: "One A", cache: true }, { text: "MAGIS prompt x01-say\n\nTwo" }],
    });
  });

  it.each([
    ["no header", "", "x01-say.liquid", "Hello"],
    ["an unknown key", `${HEADER}\nmodel: some`, "x01-say.liquid", "Hello"],
    ["a missing key", HEADER.replace("tier: fast\n", ""), "x01-say.liquid", "Hello"],
    ["another file's id", HEADER, "x02-other.liquid", "Hello"],
    ["an unclosed tag", HEADER, "x01-say.liquid", "{% if name %}Hello"],
    ["an unknown filter", HEADER, "x01-say.liquid", "{{ name | shout }}"],
  ])("refuses a prompt with %s, and names its file", async (_, header, name, body) => {
    await expect(loaded(body, header, name)).rejects.toMatchObject({
      code: "PROMPT_INVALID",
      message: expect.stringContaining(name),
    });
  });

  it("refuses two prompts with the same id", async () => {
    await loaded("Hello");
    await mkdir(path.join(folder, "paper"));
    await writeFile(path.join(folder, "paper", "x01-say.liquid"), `---\n${HEADER}\n---\nHello`);
    await expect(loadPrompts(folder)).rejects.toMatchObject({
      code: "PROMPT_INVALID",
      message: "There are two prompts x01-say.liquid.",
    });
  });

  it("throws PROMPT_INVALID for a missing prompt", async () => {
    await expect(renderPrompt(await loaded("Hello"), "x09-none", {})).rejects.toMatchObject({ code: "PROMPT_INVALID" });
  });

  it("refuses to render an undeclared variable", async () => {
    await expect(renderPrompt(await loaded("{{ other }}"), "x01-say", { name: "A" })).rejects.toThrow("other");
  });
});

describe("the folders of prompts", () => {
  const SOURCE = path.join(PROMPTS_FOLDER, "..", "src");

  /** The ids of the prompts in a folder. */
  async function idsIn(folder: string): Promise<string[]> {
    const names = await readdir(path.join(PROMPTS_FOLDER, folder));
    return names.map((name) => name.replace(".liquid", "")).sort();
  }

  /** The ids that the code in a file or folder of `src` asks for. */
  async function askedIn(place: string): Promise<string[]> {
    const files = (await readdir(SOURCE, { recursive: true })).filter(
      (name) => name.startsWith(place) && /\.ts$/.test(name),
    );
    const texts = await Promise.all(files.map((name) => readFile(path.join(SOURCE, name), "utf8")));
    const ids = texts.flatMap((text) => [...text.matchAll(/\.(?:ask|write)\(\s*"([a-z]\d\d-[a-z-]+)"/g)]);
    return ids.map(([, id = ""]) => id).sort();
  }

  it.each([
    ["lean", "agents/lean/"],
    ["paper", "agents/paper/"],
    ["pull-request", "models/"],
  ])("%s holds exactly the prompts that src/%s asks", async (folder, place) => {
    expect(await askedIn(place)).toEqual(await idsIn(folder));
  });

  it("hold exactly the prompts that the code asks", async () => {
    const folders = await Promise.all(["lean", "paper", "pull-request"].map(idsIn));
    expect(await askedIn("")).toEqual(folders.flat().sort());
  });
});
