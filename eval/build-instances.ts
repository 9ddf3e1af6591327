import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createBaseRepository } from "./create-base-repository.ts";
import type { EvalInstance } from "./instance-schema.ts";
import { readSmokeFolders } from "./read-smoke-folders.ts";

/**
 * Makes what `npm run eval` reads of the folders in `eval/smoke`: `folder`/instances.jsonl in SWE-bench's form and, under
 * `folder`/mirrors, one bare repository for each instance, named OWNER__NAME.git. The same files give the same commits.
 */
export async function buildInstances(folder: string): Promise<{ instancesFile: string; mirrors: string }> {
  const mirrors = resolve(folder, "mirrors");
  const instancesFile = resolve(folder, "instances.jsonl");
  await mkdir(mirrors, { recursive: true });
  const lines: string[] = [];
  for (const { instance, repository } of await readSmokeFolders()) {
    const base_commit = await createBaseRepository(
      repository,
      join(mirrors, `${instance.repo.replace("/", "__")}.git`),
    );
    lines.push(JSON.stringify({ ...instance, base_commit } satisfies EvalInstance));
  }
  await writeFile(instancesFile, `${lines.join("\n")}\n`);
  return { instancesFile, mirrors };
}
