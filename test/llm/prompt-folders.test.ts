import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "@jest/globals";
import { loadPrompts } from "../../src/llm/prompt-library.ts";
import { renderPrompt } from "../../src/llm/render-prompt.ts";
import { PROMPTS_FOLDER } from "../fakes/open-prompts.ts";
import { typicalInputs } from "./typical-inputs.ts";

const SOURCE = path.join(PROMPTS_FOLDER, "..", "src");

/** The ids in one of the prompts' folders. */
async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(path.join(PROMPTS_FOLDER, folder));
  return names.map((name) => name.replace(".liquid", "")).sort();
}

/** The prompts that the code in a file or folder of `src` asks, by what the code says. */
async function askedIn(place: string): Promise<string[]> {
  const files = (await readdir(SOURCE, { recursive: true })).filter(
    (name) => name.startsWith(place) && /\.ts$/.test(name),
  );
  const texts = await Promise.all(files.map((name) => readFile(path.join(SOURCE, name), "utf8")));
  const ids = texts.flatMap((text) => [...text.matchAll(/\.(?:ask|write)\(\s*"([a-z]\d\d-[a-z-]+)"/g)]);
  return ids.map(([, id = ""]) => id).sort();
}

describe("the prompts' folders", () => {
  it.each([
    ["lean", "workflow/strategy/lean/"],
    ["paper", "workflow/strategy/paper/"],
    ["pull-request", "llm/agents.ts"],
    ["evaluation", "evaluation/"],
  ])("%s has all that the code of src/%s asks, and nothing else", async (folder, place) => {
    expect(await askedIn(place)).toEqual(await idsIn(folder));
  });

  it("are all that code asks", async () => {
    const folders = await Promise.all(["lean", "paper", "pull-request", "evaluation"].map(idsIn));
    expect(await askedIn("")).toEqual(folders.flat().sort());
  });

  it("can lose the paper's: the others render the same", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "magis-prompts-"));
    try {
      await cp(PROMPTS_FOLDER, folder, { recursive: true });
      await rm(path.join(folder, "paper"), { recursive: true });
      const [all, without] = [await loadPrompts(PROMPTS_FOLDER), await loadPrompts(folder)];
      expect(without.prompts.size).toBe(all.prompts.size - (await idsIn("paper")).length);
      for (const id of without.prompts.keys()) {
        const inputs = typicalInputs()[id] ?? {};
        expect(await renderPrompt(without, id, inputs)).toEqual(await renderPrompt(all, id, inputs));
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
