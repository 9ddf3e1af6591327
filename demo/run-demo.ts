import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBot } from "../test/bot/start-bot.ts";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { wordsIn } from "../test/report/words-in.ts";
import type { ScriptedModel } from "../test/scripted-model/scripted-model.ts";
import { startScriptedModel } from "../test/scripted-model/start-scripted-model.ts";
import { projectRoot } from "../test/world/project-root.ts";
import { startWorld } from "../test/world/start-world.ts";
import type { World } from "../test/world/world-handle.ts";
import { createHistory } from "./create-history.ts";
import { actAsChecks, runChecks } from "./run-checks.ts";
import { runTests } from "./run-tests.ts";
import { script } from "./script.ts";
import { showLookups } from "./show-lookups.ts";
import { showProgress } from "./show-progress.ts";
import { showPullRequest } from "./show-pull-request.ts";
import { takePictures } from "./take-pictures.ts";

await leaveNothing("demo");

/** A real model may think for minutes; the scripted one needs seconds. */
const RUN_WITHIN_MS = 30 * 60_000;

const COST =
  "The cost above is that of the scripted model: characters / 4 as tokens, at the default models' list prices. Nothing was paid.";
/** A maintainer should have read the pull request's own words in half a minute. */
const MAX_WORDS = 120;

const say = (text = "") => console.log(text);
const heading = (text: string) => say(`\n${text}\n${"=".repeat(text.length)}`);

async function demo(): Promise<boolean> {
  const root = projectRoot();
  const folder = await mkdtemp(join(tmpdir(), "magis-demo-"));
  const model = process.env.ANTHROPIC_API_KEY ? undefined : await startScriptedModel({ answer: script });
  let webhookUrl: string | undefined;
  createHistory(join(root, "demo", "repository"), join(folder, "till"));
  const world = await startWorld({
    webhookUrl: () => webhookUrl,
    repositories: [
      {
        owner: "acme",
        name: "till",
        private: true,
        from: join(folder, "till"),
        roles: { alice: "maintain" },
        labels: ["magis"],
      },
    ],
  });
  say(
    model
      ? "The model is SCRIPTED: its answers were written beforehand for this one issue. Set ANTHROPIC_API_KEY to use the real one."
      : "The model is the real one (ANTHROPIC_API_KEY is set): this costs money.",
  );
  const bot = await startBot({ environment: environmentOf(world, folder, model) });
  webhookUrl = bot.webhookUrl;
  say(`A loopback GitHub is on ${world.url}, the bot on ${bot.url}, its embedded database in a temporary folder.`);
  try {
    heading("The repository's own tests before");
    const before = await runChecks(world, await world.git("rev-parse", "main"), say);

    const [title = "", ...body] = (await readFile(join(root, "demo", "issue.md"), "utf8")).split("\n");
    const alice = world.person("alice");
    const issue = await alice.openIssue({ title, body: body.join("\n").trim() });
    heading(`alice opens issue #${issue} and labels it magis`);
    await alice.label(issue, "magis");
    let ended = false;
    const checks = actAsChecks(world, () => ended, say, RUN_WITHIN_MS);
    const comment = await showProgress(world, issue, RUN_WITHIN_MS, say).finally(() => {
      ended = true;
    });
    const fared = await checks;

    if (model) {
      heading("What the agents looked up in the repository before they answered");
      showLookups(model.journal, say);
    }

    const [pull] = await world.pullRequests();
    heading("The bot's comment on the issue");
    say(comment);
    if (!pull) return false;
    heading(`Pull request #${pull.number}`);
    await showPullRequest(world, pull, say);
    if (model) say(COST);
    const [pictures] = process.argv.slice(2);
    if (pictures !== undefined) await takePictures(world, pull, pictures, model ? COST : "");
    heading("The repository's own tests on the pull request's branch");
    const after = await runTests(await world.checkout(pull.head.ref));
    say(after.summary);
    return isProved(world, model, { before, red: fared[0], after: after.passed, body: pull.body ?? "" });
  } finally {
    await bot.stop();
    await world.close();
    await model?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether all went as it should; says every contradiction. What a real model does with the test first is its own affair. */
function isProved(
  world: World,
  model: ScriptedModel | undefined,
  seen: { before: boolean; red: boolean | undefined; after: boolean; body: string },
): boolean {
  const faults = [...(model?.faults ?? []), ...world.contract.violations.map((violation) => JSON.stringify(violation))];
  const words = wordsIn(seen.body);
  if (model && words > MAX_WORDS) faults.push(`The pull request has ${words} words unfolded beside its tests.`);
  for (const fault of faults) say(`FAULT: ${fault}`);
  const proved = model === undefined || (seen.red === false && seen.body.includes("## Tested\n"));
  return seen.before && proved && seen.after && faults.length === 0;
}

/** The bot knows nothing of the demo: it is told of a GitHub Enterprise host and a Messages API endpoint. */
function environmentOf(world: World, folder: string, model: ScriptedModel | undefined): Record<string, string> {
  const { ANTHROPIC_API_KEY: key = "scripted", ANTHROPIC_BASE_URL: endpoint = "" } = process.env;
  const baseUrl = model?.url ?? endpoint;
  return {
    ...world.botEnvironment(),
    MAGIS_DATA_DIR: join(folder, "data"),
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: baseUrl,
  };
}

const passed = await demo();
say(passed ? "\nThe new test failed without the fix, and all tests pass with it." : "\nThe demo FAILED.");
process.exitCode = passed ? 0 : 1;
