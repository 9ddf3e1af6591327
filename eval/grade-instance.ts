import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { applyTestPatch } from "./apply-test-patch.ts";
import { checkOutBase } from "./check-out-base.ts";
import type { EvalInstance } from "./instance-schema.ts";
import { missingTools } from "./missing-tools.ts";
import { parseTestReport } from "./parse-test-report.ts";
import { runGit } from "./run-git.ts";
import { runInGroup } from "./run-in-group.ts";

const TIMEOUT_MS = 120_000;

export interface Grade {
  /** `git apply` takes the model's patch on the base commit; an empty patch applies */
  applied: boolean;
  /** every test of FAIL_TO_PASS and PASS_TO_PASS passes and the command ends well: SWE-bench's "resolved" */
  resolved: boolean;
  /** why nothing was run: tools that this machine does not have */
  skipped?: string;
  /** by name, whether each test passed */
  tests: ReadonlyMap<string, boolean>;
  log: string;
}

/**
 * Grades a model's patch as SWE-bench does: the base commit of `mirror` in a temporary folder, the patch, the test
 * patch over it, then the instance's own test command. The command runs what the model wrote with the caller's rights
 * and without the caller's environment; for models that are not trusted run all of it in a container.
 */
export async function gradeInstance(job: {
  instance: EvalInstance;
  mirror: string;
  modelPatch: string;
}): Promise<Grade> {
  const scratch = await mkdtemp(join(tmpdir(), "magis-grade-"));
  try {
    return await gradeIn(scratch, job);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function gradeIn(scratch: string, { instance, mirror, modelPatch }: Parameters<typeof gradeInstance>[0]) {
  const target = join(scratch, "checkout");
  await checkOutBase(instance, mirror, target);
  const patch = join(scratch, "model.patch");
  await writeFile(patch, modelPatch);
  const none = { resolved: false, tests: new Map<string, boolean>() };
  if (modelPatch.trim() !== "") {
    const refused = await runGit(target, ["apply", "--check", patch]).then(
      () => undefined,
      (error: { stderr?: string }) => error.stderr ?? String(error),
    );
    if (refused !== undefined) return { ...none, applied: false, log: refused };
    await runGit(target, ["apply", "--whitespace=nowarn", patch]);
  }
  const environment = await testEnvironment(scratch);
  const missing = await missingTools(instance.grade.needs, environment.PATH ?? "");
  if (missing.length > 0) {
    const skipped = `not graded: ${missing.join(", ")} not installed`;
    return { ...none, applied: true, skipped, log: skipped };
  }
  const testPatch = join(scratch, "test.patch");
  await writeFile(testPatch, instance.test_patch);
  if (instance.test_patch.trim() !== "") await applyTestPatch(target, testPatch);
  const { code, output } = await runInGroup(instance.grade.command, {
    folder: target,
    environment,
    timeoutMs: TIMEOUT_MS,
  });
  const tests = parseTestReport(output, instance.grade.report);
  const wanted = [...instance.FAIL_TO_PASS, ...instance.PASS_TO_PASS];
  const resolved = code === 0 && wanted.length > 0 && wanted.every((name) => tests.get(name) === true);
  return { applied: true, resolved, tests, log: `${output}\nexit code ${code}\n` };
}

/** Little enough that no key of the caller is in it. The Node that grades is the one that runs. */
async function testEnvironment(scratch: string): Promise<Record<string, string>> {
  const { PATH = "", HOME = scratch } = process.env;
  const temporary = join(scratch, "tmp");
  const programs = join(scratch, "bin");
  await mkdir(temporary);
  await mkdir(programs);
  await symlink(process.execPath, join(programs, "node"));
  return {
    PATH: [programs, PATH].join(delimiter),
    HOME,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
    PYTHONDONTWRITEBYTECODE: "1",
  };
}
