import { symlink } from "node:fs/promises";
import { join } from "node:path";
import type { EvalInstance } from "./instance-schema.ts";
import { runGit } from "./run-git.ts";
import { typescriptModules } from "./typescript-modules.ts";

/** Checks an instance's base commit out of its mirror to `target`, with node_modules where it compiles TypeScript. */
export async function checkOutBase(instance: EvalInstance, mirror: string, target: string): Promise<void> {
  await runGit(".", ["clone", "--quiet", "--shared", "--no-checkout", "--template=", mirror, target]);
  await runGit(target, ["-c", "advice.detachedHead=false", "checkout", "--quiet", instance.base_commit]);
  const modules = instance.grade.needs.includes("tsc") ? typescriptModules() : undefined;
  if (modules !== undefined) await symlink(modules, join(target, "node_modules"));
}
