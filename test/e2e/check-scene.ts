import { scriptedChange } from "../scripted-model/default-answers.ts";
import type { Answer, Call } from "../scripted-model/script.ts";
import { createScript } from "../scripted-model/script.ts";
import type { IssueComment, PullRow } from "../world/create-reader.ts";
import { REVIEW_FILES } from "./review-script.ts";
import { type BotChoice, type Scene, startScene } from "./start-scene.ts";

const SUM = ["export function sum(a, b) {", "  return a - b;", "}", ""].join("\n");
/** The second line after the bot's own change, and after a repair. */
const WRONG = "  return a + c;";
export const RIGHT = "  return a + b;";

export const FAILING_LOG = [
  "2026-11-20T10:00:00.0000000Z ##[group]Run npm test",
  "2026-11-20T10:00:00.1000000Z \u001b[36;1mnpm test\u001b[0m",
  "2026-11-20T10:00:00.2000000Z ##[endgroup]",
  "2026-11-20T10:00:01.0000000Z not ok 1 - sum adds",
  "2026-11-20T10:00:01.0000000Z   ---",
  "2026-11-20T10:00:01.0000000Z   error: 'c is not defined'",
  "2026-11-20T10:00:01.0000000Z   stack: |-",
  "2026-11-20T10:00:01.0000000Z     sum (file:///home/runner/work/shop/shop/src/sum.js:2:14)",
  "2026-11-20T10:00:02.0000000Z ##[error]Process completed with exit code 1.",
].join("\n");

const isRepair = ({ text }: Call) => text.includes("Our pull request makes checks fail");

function planRepair({ text }: Call): Answer {
  if (text.includes("no space left on device"))
    return { repairable: false, reason: "The machine's disk was full.", title: "", tasks: [] };
  const task = { path: "src/sum.js", action: "modify", title: "Add b", description: "Return `a + b`." };
  return { repairable: true, reason: "`c` is not defined.", title: "add b, not c", tasks: [task] };
}

/** What the Developer makes of a conflict in docs; one where the base says "riddle" is unclear. */
function resolveConflict({ text }: Call): Answer {
  const unclear = text.includes("riddle");
  const place = {
    id: "1",
    lines: unclear ? "" : "A2 and alpha\n",
    left: ["A2", "alpha"],
    differed: "The base says alpha, the change A2.",
    kept: "Both.",
    why: unclear ? "Somebody has to say which." : "Both are meant.",
    unclear,
  };
  return { hunks: [place] };
}

const change = (text: string) => ({ rounds: [{ edits: [{ start: 2, end: 2, text }] }] });

/**
 * Starts a scene whose bot writes WRONG for an issue about src/sum.js and RIGHT for its failing checks, and capitals
 * into docs/a.txt and docs/b.txt.
 */
export function startCheckScene(environment: BotChoice["environment"] = {}): Promise<Scene> {
  return startScene({
    repository: { files: { ...REVIEW_FILES, "src/sum.js": SUM } },
    environment,
    script: createScript({
      files: { "src/sum.js": change(WRONG), "docs/a.txt": change("A2"), "docs/b.txt": change("B2") },
      answers: {
        "k01-plan-repair": planRepair,
        "p09-change-file": (call) => {
          const edits = [{ start: 2, end: 2, anchor: WRONG, text: RIGHT }];
          return isRepair(call) ? scriptedChange(edits, { summary: "It adds b now." }) : undefined;
        },
        "x01-resolve-conflicts": resolveConflict,
        "x02-review-merge": { hunks: [{ id: "1", right: true }] },
      },
    }),
  });
}

/** Opens an issue for the bot and waits for its pull request. */
export async function openedBy(scene: Scene, title: string): Promise<PullRow> {
  const { pull } = await scene.ended(await scene.ask(title));
  if (pull === undefined) throw new Error("there is no pull request");
  return pull;
}

/** Waits until the branch of `pull` moves on from `head`, and gives its new commit. */
export function nextHead({ world }: Scene, pull: PullRow, head = pull.head.sha): Promise<string> {
  const changed = async () => {
    const now = (await world.pullRequests()).find(({ number }) => number === pull.number)?.head.sha;
    return now === head ? undefined : now;
  };
  return world.until(changed, { what: `another commit on #${pull.number}` });
}

/** Waits for a comment of the bot on `pull` that contains `words`. */
export function commentWith(scene: Scene, pull: PullRow, words: string): Promise<IssueComment> {
  const find = async () => (await scene.comments(pull.number)).find(({ body }) => body.includes(words));
  return scene.world.until(find, { what: `a comment with "${words}" on #${pull.number}` });
}

/** The bot's check runs on a commit. */
export async function ownChecks({ world }: Scene, head: string) {
  const list = (await world.person("alice").request("GET", `/commits/${head}/check-runs`)) as {
    check_runs: { name: string; status: string; conclusion: string; output: { title: string; summary: string } }[];
  };
  return list.check_runs.filter(({ name }) => name === "MAGIS");
}
