import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { SmokeAnswers } from "../../eval/answers-schema.ts";
import { type EvalInstance, instanceSchema } from "../../eval/instance-schema.ts";
import { missingTools } from "../../eval/missing-tools.ts";
import { readJsonLines } from "../../eval/read-json-lines.ts";
import { readSmokeFolders } from "../../eval/read-smoke-folders.ts";
import { startEvalProcess } from "./start-eval-process.ts";
import { writeAnswers } from "./write-answers.ts";

const folders = await Promise.all(
  (await readSmokeFolders()).map(async (folder) => ({
    ...folder,
    id: folder.instance.instance_id,
    missing: await missingTools(folder.instance.grade.needs, process.env.PATH ?? ""),
  })),
);

const { work, stop } = startEvalProcess();
const { buildInstances, checkOutBase, gradeInstance, runGit } = work;
let scratch: string;
let built: Map<string, { instance: EvalInstance; mirror: string }>;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "magis-smoke-"));
  const { instancesFile, mirrors } = await buildInstances(scratch);
  const instances = await readJsonLines(instancesFile, instanceSchema);
  built = new Map(
    instances.map((instance) => {
      const mirror = join(mirrors, `${instance.repo.replace("/", "__")}.git`);
      return [instance.instance_id, { instance, mirror }];
    }),
  );
});

afterAll(async () => {
  stop();
  await rm(scratch, { recursive: true, force: true });
});

function instanceOf(id: string): { instance: EvalInstance; mirror: string } {
  const found = built.get(id);
  if (!found) throw new Error(`${id} was not built`);
  return found;
}

/** A checkout of the base commit, changed by the instance's answers. */
async function answered(id: string, answers: SmokeAnswers): Promise<string> {
  const { instance, mirror } = instanceOf(id);
  const checkout = join(scratch, `${id}-checkout`);
  await checkOutBase(instance, mirror, checkout);
  await writeAnswers(checkout, answers);
  return checkout;
}

describe("the set of smoke instances", () => {
  it("has at least twelve instances, three in each of four languages or more", () => {
    const perLanguage = new Map<string, number>();
    for (const { instance } of folders) {
      perLanguage.set(instance.language, (perLanguage.get(instance.language) ?? 0) + 1);
    }
    expect(folders.length).toBeGreaterThanOrEqual(12);
    expect([...perLanguage.values()].filter((count) => count >= 3).length).toBeGreaterThanOrEqual(4);
    expect(new Set(folders.map(({ instance }) => instance.repo)).size).toBe(folders.length);
  });

  it("has two instances whose answers do not resolve them, and one that needs no change", () => {
    expect(folders.filter(({ answers }) => answers.expect === "unresolved")).toHaveLength(2);
    const unchanged = folders.filter(({ instance }) => instance.patch === "");
    expect(unchanged.length).toBeGreaterThanOrEqual(1);
    for (const { answers } of unchanged) expect([answers.files, answers.reason !== ""]).toEqual([{}, true]);
  });

  it("does not say in its issues which files are at fault", () => {
    const naming = folders.filter(({ instance }) =>
      [...instance.patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].some(([, path = ""]) =>
        instance.problem_statement.includes(path.split("/").at(-1) ?? path),
      ),
    );
    expect(naming.map(({ id }) => id)).toEqual([]);
  });

  it("is built into the same commits each time", async () => {
    const again = await mkdtemp(join(tmpdir(), "magis-smoke-"));
    try {
      const { instancesFile } = await buildInstances(again);
      expect(await readFile(instancesFile, "utf8")).toBe(await readFile(join(scratch, "instances.jsonl"), "utf8"));
    } finally {
      await rm(again, { recursive: true, force: true });
    }
  });
});

describe.each(folders)("$id", ({ id, answers, missing, instance: { FAIL_TO_PASS, PASS_TO_PASS } }) => {
  const word = missing.length > 0 ? ` (skipped: no ${missing.join(", ")})` : "";
  const graded = missing.length > 0 ? it.skip : it;

  graded(`fails before the change and only where it should${word}`, async () => {
    const { tests, resolved } = await gradeInstance({ ...instanceOf(id), modelPatch: "" });
    const passed = [...tests].filter(([, ok]) => ok).map(([name]) => name);
    expect(passed.sort()).toEqual([...PASS_TO_PASS].sort());
    expect(resolved).toBe(FAIL_TO_PASS.length === 0);
  });

  graded(`is resolved by the reference change${word}`, async () => {
    const grade = await gradeInstance({ ...instanceOf(id), modelPatch: instanceOf(id).instance.patch });
    expect([...grade.tests].filter(([, ok]) => !ok)).toEqual([]);
    expect([...grade.tests.keys()].sort()).toEqual([...FAIL_TO_PASS, ...PASS_TO_PASS].sort());
    expect(grade).toMatchObject({ applied: true, resolved: true });
  });

  if (answers.expect === "resolved") {
    it("gets the reference change from its answers", async () => {
      const checkout = await answered(id, answers);
      const { patch } = instanceOf(id).instance;
      await writeFile(join(scratch, `${id}.patch`), patch);
      if (patch !== "") await runGit(checkout, ["apply", "--reverse", join(scratch, `${id}.patch`)]);
      expect(await runGit(checkout, ["status", "--porcelain"])).toBe("");
    });
  } else {
    graded(`is not resolved by its answers${word}`, async () => {
      const checkout = await answered(id, answers);
      await runGit(checkout, ["add", "--all"]);
      const modelPatch = await runGit(checkout, ["diff", "--cached", "HEAD"]);
      expect(await gradeInstance({ ...instanceOf(id), modelPatch })).toMatchObject({ applied: true, resolved: false });
    });
  }
});
