import type { World } from "../test/world/world-handle.ts";
import { runTests } from "./run-tests.ts";

/** Runs a commit's own tests and tells GitHub of them as a job of its Actions would; gives whether they passed. */
export async function runChecks(world: World, commit: string, say: (line: string) => void): Promise<boolean> {
  const { passed, summary, log: printed } = await runTests(await world.checkout(commit));
  const log = asActionsKeepsIt(printed);
  const subject = await world.git("log", "-1", "--format=%s", commit);
  say(`--- the checks of ${commit.slice(0, 10)} (${subject}) ---\n${summary}`);
  await world.ci(commit, [{ name: "test", conclusion: passed ? "success" : "failure", log }], { suite: true });
  return passed;
}

/** Every line of a job's log bears the moment at which it was printed, and a step's first line is what it runs. */
function asActionsKeepsIt(printed: string): string {
  const moment = new Date().toISOString().replace("Z", "0000Z");
  const lines = ["##[group]Run npm test", "npm test", "##[endgroup]", ...printed.split("\n")];
  return lines.map((line) => `${moment} ${line}`).join("\n");
}

const END = "end";

/** Acts as the checks of every head of the bot's pull request until `ended`; gives how each fared, oldest first. */
export async function actAsChecks(
  world: World,
  ended: () => boolean,
  say: (line: string) => void,
  ms: number,
): Promise<readonly boolean[]> {
  const fared: boolean[] = [];
  let known = "";
  for (;;) {
    const next = async () =>
      ended() ? END : (await world.pullRequests()).find(({ head }) => head.sha !== known)?.head.sha;
    const head = await world.until(next, { what: "a push, or the end of the run", ms });
    if (head === END) return fared;
    known = head;
    fared.push(await runChecks(world, head, say));
  }
}
