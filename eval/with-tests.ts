import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyTestPatch } from "./apply-test-patch.ts";
import { checkOutBase } from "./check-out-base.ts";
import type { EvalInstance } from "./instance-schema.ts";
import type { SmokeFolder } from "./read-smoke-folders.ts";
import { runGit } from "./run-git.ts";

/** The same folder, whose scripted model also writes the tests of the instance's own test patch, as tasks of their own. */
export async function withTests(folder: SmokeFolder, instance: EvalInstance, mirror: string): Promise<SmokeFolder> {
  const scratch = await mkdtemp(join(tmpdir(), "magis-tests-"));
  try {
    const target = join(scratch, "checkout");
    await checkOutBase(instance, mirror, target);
    const patch = join(scratch, "test.patch");
    await writeFile(patch, instance.test_patch);
    if (instance.test_patch.trim() === "") return folder;
    await applyTestPatch(target, patch);
    const paths = [...instance.test_patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = ""]) => path);
    const written = await Promise.all(paths.map(async (path) => [path, await answerFor(path, target)] as const));
    return {
      ...folder,
      answers: { ...folder.answers, files: { ...folder.answers.files, ...Object.fromEntries(written) } },
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function answerFor(path: string, target: string): Promise<SmokeFolder["answers"]["files"][string]> {
  const task = { title: "Test it", description: "Show the fault.", summary: "It tests what the issue says." };
  const after = await readFile(join(target, path), "utf8");
  const before = await runGit(target, ["show", `HEAD:${path}`]).catch(() => undefined);
  if (before === undefined) return { action: "create", ...task, content: after };
  const [start, end, text] = changed(before.split("\n"), after.split("\n"));
  return { action: "modify", ...task, edits: [{ start, end, text }] };
}

/** What lies between the lines that two versions begin and end with alike: lines of the first, from 1, and their new text. */
function changed(before: readonly string[], after: readonly string[]): readonly [number, number, string] {
  let head = 0;
  while (head < before.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++;
  return [head + 1, before.length - tail, after.slice(head, after.length - tail).join("\n")];
}
