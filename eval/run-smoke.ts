// Runs the whole evaluation over the smoke instances with the scripted model: npm run eval:smoke [-- OUTPUT]
// Ends with 1 when an instance does not come out as its answers.json expects.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { startScriptedModel } from "../test/model/start-scripted-model.ts";
import { projectRoot } from "../test/world/project-root.ts";
import { buildInstances } from "./build-instances.ts";
import { readSmokeFolders } from "./read-smoke-folders.ts";
import { smokeScript } from "./smoke-script.ts";

const resultsSchema = z.object({
  instances: z.array(z.object({ id: z.string(), resolved: z.boolean().nullable() })),
});

async function main(): Promise<void> {
  const [output = join("eval-results", "smoke")] = process.argv.slice(2);
  const folders = await readSmokeFolders();
  const work = await mkdtemp(join(tmpdir(), "magis-smoke-"));
  const model = await startScriptedModel({ answer: smokeScript(folders) });
  try {
    const { instancesFile, mirrors } = await buildInstances(work);
    const grader = join(projectRoot(), "build", "eval", "grade.js");
    const grade = `node '${grader}' --instances {instances} --mirrors '${mirrors}' --output {results} {predictions}`;
    const files = ["--instances", instancesFile, "--mirrors", mirrors, "--output", output];
    const words = ["eval", ...files, "--fresh", "--judge", "--grade", grade];
    const env = { PATH: process.env.PATH ?? "", ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: model.url };
    const cli = join(projectRoot(), "dist", "cli.js");
    const [exitCode] = await once(spawn(process.execPath, [cli, ...words], { env, stdio: "inherit" }), "close");
    if (exitCode !== 0) throw new Error(`magis eval ended with ${exitCode}`);
    if (model.faults.length > 0)
      throw new Error(`The scripted model was asked what it does not know: ${model.faults[0]}`);
    const { instances } = resultsSchema.parse(JSON.parse(await readFile(join(output, "results.json"), "utf8")));
    const expected = new Map(folders.map(({ instance, answers }) => [instance.instance_id, answers.expect]));
    for (const { id, resolved } of instances) {
      if (resolved === null) console.error(`${id} was not graded`);
      else if (resolved !== (expected.get(id) === "resolved")) throw new Error(`${id} should be ${expected.get(id)}`);
    }
    if (instances.length !== folders.length) throw new Error(`${instances.length} of ${folders.length} are finished`);
  } finally {
    await model.stop();
    await rm(work, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
