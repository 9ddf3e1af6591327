import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "../test/world/project-root.ts";
import { answersSchema, type SmokeAnswers } from "./answers-schema.ts";
import { type EvalInstance, instanceSchema } from "./instance-schema.ts";

/** One folder of `eval/smoke`: its instance, but for the commit that building its repository gives. */
export interface SmokeFolder {
  instance: Omit<EvalInstance, "base_commit">;
  /** what the scripted model answers */
  answers: SmokeAnswers;
  /** the folder with the files of the base commit */
  repository: string;
}

/** Reads every folder of `eval/smoke`, sorted by name. Throws a ZodError for a file that is not as it should be. */
export async function readSmokeFolders(): Promise<SmokeFolder[]> {
  const root = join(projectRoot(), "eval", "smoke");
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => readSmokeFolder(join(root, name))));
}

async function readSmokeFolder(folder: string): Promise<SmokeFolder> {
  const read = (name: string) => readFile(join(folder, name), "utf8");
  const [fields, patch, test_patch, answers] = await Promise.all(
    ["instance.json", "solution.patch", "test.patch", "answers.json"].map(read),
  );
  return {
    instance: instanceSchema.omit({ base_commit: true }).parse({ ...JSON.parse(fields ?? ""), patch, test_patch }),
    answers: answersSchema.parse(JSON.parse(answers ?? "")),
    repository: join(folder, "repository"),
  };
}
