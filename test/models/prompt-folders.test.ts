import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "@jest/globals";
import { PROMPTS_FOLDER } from "../fakes/open-prompts.ts";

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

describe("the folders of prompts", () => {
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
