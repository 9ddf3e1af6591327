import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { gradeInstance } from "../../eval/grade-instance.ts";
import { gradePredictions } from "../../eval/grade-predictions.ts";
import { type EvalInstance, instanceSchema } from "../../eval/instance-schema.ts";
import { readJsonLines } from "../../eval/read-json-lines.ts";
import { runInGroup } from "../../eval/run-in-group.ts";
import { startEvalProcess } from "./start-eval-process.ts";

let scratch: string;
let files: { instances: string; mirrors: string };
let keepdays: { instance: EvalInstance; mirror: string };

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "magis-grading-"));
  const { work, stop } = startEvalProcess();
  const { instancesFile: instances, mirrors } = await work.buildInstances(scratch).finally(stop);
  files = { instances, mirrors };
  const instance = (await readJsonLines(instances, instanceSchema)).find(({ repo }) => repo === "smoke/keepdays");
  if (!instance) throw new Error("no smoke/keepdays");
  keepdays = { instance, mirror: join(mirrors, "smoke__keepdays.git") };
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

/** A patch that makes a new file of one line. */
const creating = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;

describe("gradeInstance", () => {
  it("says that a patch does not apply, and why", async () => {
    const modelPatch = keepdays.instance.patch.replace("rm -f -- $file", "rm -- $file");
    const grade = await gradeInstance({ ...keepdays, modelPatch });
    expect(grade).toMatchObject({ applied: false, resolved: false, log: expect.stringContaining("lib/delete.sh") });
  });

  it("says which tools are missing instead of passing", async () => {
    const { instance, mirror } = keepdays;
    const grade = { ...instance.grade, needs: ["bash", "no-such-tool"] };
    const result = await gradeInstance({ instance: { ...instance, grade }, mirror, modelPatch: instance.patch });
    expect(result).toMatchObject({ resolved: false, skipped: "not graded: no-such-tool not installed" });
  });

  it("overwrites a model's changes to the tests", async () => {
    const cheat = creating("tests/spaces.test.sh", 'ok "deletes copies with a space in their name" true');
    expect(await gradeInstance({ ...keepdays, modelPatch: cheat })).toMatchObject({ applied: true, resolved: false });
    const honest = keepdays.instance.patch + cheat;
    expect(await gradeInstance({ ...keepdays, modelPatch: honest })).toMatchObject({ applied: true, resolved: true });
  });

  it("is not resolved when another test fails", async () => {
    const modelPatch = keepdays.instance.patch + creating("tests/more.test.sh", 'ok "more" false');
    const grade = await gradeInstance({ ...keepdays, modelPatch });
    expect([grade.resolved, grade.tests.get("more")]).toEqual([false, false]);
  });

  it("hides the caller's environment from the programs it runs, and leaves nothing behind", async () => {
    const { instance, mirror } = keepdays;
    const grade = { ...instance.grade, command: ["sh", "-c", "env; echo checkout $PWD; echo ok 1 - x"] };
    process.env.SMOKE_SECRET = "hush";
    try {
      const { log } = await gradeInstance({ instance: { ...instance, grade }, mirror, modelPatch: "" });
      expect(log).toContain("ok 1 - x");
      expect(log).not.toContain("hush");
      const [, checkout = ""] = /^checkout (.+)$/m.exec(log) ?? [];
      expect([checkout.startsWith(tmpdir()), existsSync(checkout)]).toEqual([true, false]);
    } finally {
      delete process.env.SMOKE_SECRET;
    }
  });
});

describe("runInGroup", () => {
  const run = (script: string, timeoutMs: number) =>
    runInGroup(["sh", "-c", script], { folder: scratch, environment: { PATH: process.env.PATH ?? "" }, timeoutMs });

  it("ends the processes that a program leaves running", async () => {
    // The output ends only when the last process that could write to it has ended.
    const { code, output } = await run("sleep 1000 & echo done", 60_000);
    expect([code, output.trim()]).toEqual([0, "done"]);
  });

  it("ends a program that takes too long", async () => {
    expect((await run("echo begun; sleep 1000", 300)).code).toBe(-1);
  });

  it("says that a program could not start", async () => {
    const result = await runInGroup(["no-such-program"], { folder: scratch, environment: {}, timeoutMs: 60_000 });
    expect(result).toMatchObject({ code: -1, output: expect.stringContaining("ENOENT") });
  });
});

describe("gradePredictions", () => {
  it("says which instances applied and which are resolved", async () => {
    const predictions = join(scratch, "predictions.jsonl");
    const lines = [
      { instance_id: keepdays.instance.instance_id, model_patch: keepdays.instance.patch, model_name_or_path: "x" },
      { instance_id: "smoke__envguard-23", model_patch: "", model_name_or_path: "x" },
      { instance_id: "smoke__chorelist-16", model_patch: "no patch", model_name_or_path: "x" },
    ];
    await writeFile(predictions, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(await gradePredictions({ ...files, predictions })).toEqual({
      "smoke__keepdays-9": { applied: true, resolved: true },
      "smoke__envguard-23": { applied: true, resolved: false },
      "smoke__chorelist-16": { applied: false, resolved: false },
    });
  });

  it("names a line that is no prediction, and an unknown instance", async () => {
    const predictions = join(scratch, "wrong.jsonl");
    await writeFile(predictions, '\n{"instance_id": 3}\n');
    await expect(gradePredictions({ ...files, predictions })).rejects.toThrow(/wrong\.jsonl, line 2: /);
    await writeFile(predictions, '{"instance_id":"a","model_patch":null}\n');
    await expect(gradePredictions({ ...files, predictions })).rejects.toThrow("has no a");
  });
});
