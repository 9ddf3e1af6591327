import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { loadPrompts } from "../../src/models/prompt-library.ts";
import { renderPrompt } from "../../src/models/render-prompt.ts";

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

describe("loadPrompts", () => {
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
