// How many of the smoke instances get a right red at the first try: npm run eval:proof -- [FOLDER]
// A scripted Developer writes each instance's own tests beside the change, and `npm run eval -- --check` runs the instance's
// command on the base, on the tests alone and on all. Says nothing about how good a model's tests are. Runs the instances'
// commands with your rights. Prints the table of bench/PROOF.md, and as its last line the numbers as JSON.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { readTestLog } from "../src/checks/test-logs/read-test-log.ts";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { startScriptedModel } from "../test/scripted-model/start-scripted-model.ts";
import { buildInstances } from "./build-instances.ts";
import { gradeInstance } from "./grade-instance.ts";
import { type EvalInstance, instanceSchema } from "./instance-schema.ts";
import { missingTools } from "./missing-tools.ts";
import { readJsonLines } from "./read-json-lines.ts";
import { readSmokeFolders } from "./read-smoke-folders.ts";
import { runEvalAlone } from "./run-eval-alone.ts";
import { smokeScript } from "./smoke-script.ts";
import { typescriptModules } from "./typescript-modules.ts";
import { withTests } from "./with-tests.ts";

await leaveNothing("proof");

const shape = z.object({
  instances: z.array(
    z.object({
      id: z.string(),
      check: z
        .object({ base: z.string(), tests: z.string().nullable(), end: z.string(), rounds: z.number() })
        .nullable(),
    }),
  ),
});

interface Built extends EvalInstance {
  mirror: string;
}

/** The command that grades an instance, as `npm run eval -- --check` runs it: in a copy that has no node_modules of its own. */
function checkOf({ grade }: EvalInstance): string {
  const modules = grade.needs.includes("tsc") ? typescriptModules() : undefined;
  const words = grade.command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return modules === undefined ? words : `ln -s '${modules}' node_modules && ${words}`;
}

/** How the reader of logs calls what the tests alone print. */
async function formatOf(instance: Built): Promise<string> {
  if (instance.test_patch.trim() === "") return "";
  const { log, skipped } = await gradeInstance({ instance, mirror: instance.mirror, modelPatch: "" });
  return skipped ?? (readTestLog(log).formats.join(", ") || "none");
}

async function main(folder: string): Promise<void> {
  const { instancesFile, mirrors } = await buildInstances(folder);
  const instances = (await readJsonLines(instancesFile, instanceSchema)).map(
    (instance): Built => ({
      ...instance,
      mirror: join(mirrors, `${instance.repo.replace("/", "__")}.git`),
    }),
  );
  const checked = join(folder, "checked.jsonl");
  const lines = instances.map((instance) => JSON.stringify({ ...instance, check: checkOf(instance) }));
  await writeFile(checked, `${lines.join("\n")}\n`);
  const folders = await Promise.all(
    (await readSmokeFolders()).map((one) => {
      const instance = instances.find(({ instance_id }) => instance_id === one.instance.instance_id);
      if (!instance) throw new Error(`${one.instance.instance_id} was not built.`);
      return withTests(one, instance, instance.mirror);
    }),
  );
  const model = await startScriptedModel({ answer: smokeScript(folders) });
  const output = join(folder, "results");
  try {
    const words = ["--instances", checked, "--mirrors", mirrors, "--output", output, "--fresh", "--check"];
    // The copies need the compiler of this checkout, which the sandbox would hide.
    await runEvalAlone(folder, model.url, words, { MAGIS_CHECK_SANDBOX: "off", MAGIS_CI_ROUNDS: "0" });
    if (model.faults.length > 0) throw new Error(model.faults.join("\n"));
  } finally {
    await model.stop();
  }
  const results = shape.parse(JSON.parse(await readFile(join(output, "results.json"), "utf8"))).instances;
  await report(instances, results);
}

async function report(instances: readonly Built[], results: z.infer<typeof shape>["instances"]): Promise<void> {
  const head = ["instance", "language", "kind", "log", "base", "the tests alone", "with the change"];
  const rows: string[][] = [];
  for (const instance of instances) {
    const { instance_id: id, language, kind, grade } = instance;
    const missing = await missingTools(grade.needs, process.env.PATH ?? "");
    const check = results.find((one) => one.id === id)?.check;
    const told = missing.length > 0 ? [`no ${missing.join(", ")} here`, "", ""] : verdicts(check);
    rows.push([id.replace("smoke__", ""), language, kind, await formatOf(instance), ...told]);
  }
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  console.log([line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n"));
  const tried = rows.filter(([, , , , , alone]) => alone !== "");
  const right = tried.filter(([, , , , , alone]) => alone === "right-red");
  console.log(
    JSON.stringify({ instances: rows.length, tried: tried.length, rightRedAtFirst: right.length, model: "scripted" }),
  );
}

function verdicts(check: z.infer<typeof shape>["instances"][number]["check"] | undefined): readonly string[] {
  return check ? [check.base, check.tests ?? "", check.end] : ["no change", "", ""];
}

const [given] = process.argv.slice(2);
const folder = given === undefined ? await mkdtemp(join(tmpdir(), "magis-proof-")) : resolve(given);
try {
  await main(folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  if (given === undefined) await rm(folder, { recursive: true, force: true });
}
