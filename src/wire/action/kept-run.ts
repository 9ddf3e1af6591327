import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ActionAnswer } from "../../cli/action-command.ts";
import type { Environment } from "../../config/environment/read-config.ts";
import { isOurs, markers } from "../../model/marks.ts";
import type { KeptStart } from "../../model/run-record.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { RunState } from "../../model/run-state.ts";
import type { Spend } from "../../model/spend.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { RunStore } from "../../ports/runs.ts";
import type { ActionWork } from "../local-runner.ts";

/** How far a run has come, for the step that follows when its process was ended. */
interface Kept {
  readonly request: RunRequest;
  readonly state?: RunState;
  readonly start?: KeptStart;
  /** it came to its end */
  readonly done: boolean;
}

const PRIVATE = 0o600;

const fileIn = ({ RUNNER_TEMP: folder }: Environment) => folder && path.join(folder, "magis-run.json");

/** `store`, which also writes how far the run has come into the job's own folder, where there is one. */
export function createRunFile(
  request: RunRequest,
  store: RunStore,
  environment: Environment,
): { readonly store: RunStore; state(): RunState | undefined; done(): void } {
  const file = fileIn(environment);
  let kept: Kept = { request, done: false };
  const keep = (more: Partial<Kept>) => {
    kept = { ...kept, ...more };
    if (file) writeFileSync(file, JSON.stringify(kept), { mode: PRIVATE });
  };
  keep({});
  return {
    state: () => kept.state,
    done: () => keep({ done: true }),
    store: {
      ...store,
      async saveState(id, state) {
        await store.saveState(id, state);
        keep({ state });
      },
      async saveRecord(id, part, value) {
        await store.saveRecord(id, part, value);
        if (part === "start") keep({ start: value as KeptStart });
      },
    },
  };
}

/** Of a job whose run came to its end, or was never begun. */
export const NOTHING_LEFT: ActionAnswer = { said: ["The run came to its end, or was never begun."] };

/** What is kept of a run that this job has begun and not ended; undefined where it came to its end, or was never begun. */
export function leftRun(environment: Environment): Kept | undefined {
  const file = fileIn(environment);
  const kept = file && existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Kept) : undefined;
  return kept?.done ? undefined : kept;
}

/**
 * Tells the end of a run that this job has begun and not ended: what it had published is taken back. Nothing where it came to
 * its end, or was never begun. Throws what the host throws.
 */
export async function endLeftRun(
  { repository, issue }: Pick<RunRequest, "repository" | "issue">,
  work: ActionWork,
): Promise<ActionAnswer> {
  const left = leftRun(work.environment);
  if (!left) return NOTHING_LEFT;
  const { request } = left;
  const isSame = request.repository.owner === repository.owner && request.repository.name === repository.name;
  if (!isSame) return { said: ["What is kept of a run is not about this repository."] };
  const { host } = work;
  // Most runs come to their end, and need nothing of this.
  const { openJobRunner } = await import("../local-runner.ts");
  const { openRunTools } = await import("../../workflow/run/open-run.ts");
  const { cleanUp } = await import("../../workflow/publish/clean-up.ts");
  // What has ended the run does not end this.
  const local = await openJobRunner({ ...work, signal: new AbortController().signal });
  const { root } = request;
  if (left.state) await local.store.saveState(root, left.state);
  if (left.start) await local.store.saveRecord(root, "start", left.start);
  const spend = left.state?.spend ?? { money: 0, tokens: 0 };
  const marked = withSpending(host, root, () => spend);
  const tools = await openRunTools(request, { ...local, openCodeHost: async () => marked }, { works: false });
  const clean = await cleanUp(request, tools, { kind: "cancelled", by: "", undone: [] });
  const { undone = [] } = clean.kind === "cancelled" ? clean : {};
  const taken = undone.length === 0 ? "Nothing was written to the repository." : `Taken back: ${undone.join(", ")}.`;
  const message = `The job was cancelled or ended before its work was done. ${taken}`;
  await tools.tracker.end({ kind: "failed", code: "JOB_ENDED", message });
  if (request.work.kind !== "resolve") await keepSpending(host, issue, root, spend);
  tools.close();
  writeFileSync(fileIn(work.environment) as string, JSON.stringify({ ...left, done: true }), { mode: PRIVATE });
  const state = tools.tracker.state();
  return { said: [message], state };
}

/** What counts against the budget of an issue. */
export type Spent = Pick<Spend, "money" | "tokens">;

type Commenting = Pick<CodeHost, "login" | "listComments" | "createComment" | "updateComment">;

const LINE = /<!-- magis:spent (\S+) (\d{1,9}\.\d{4}) (\d{1,15}) -->\n?/;

/** Only at the beginning, where nobody's words are: a run's mark, and what was spent under it. */
const HEAD = new RegExp(`^(<!-- magis:run \\S+ -->\\r?\\n?)((?:${LINE.source})+)`);

/**
 * What the jobs before have spent on an issue, by the marks of the own tracking comments there. A mark of anybody else does
 * not count, and none takes anything back. Throws what the host throws.
 */
export async function spentOn(host: Pick<Commenting, "login" | "listComments">, issue: number): Promise<Spent> {
  const own = (await host.listComments(issue)).filter((comment) => isOurs(comment, host.login));
  const lines = own.flatMap(({ body }) => linesOf(body));
  return {
    money: lines.reduce((sum, { money }) => sum + money, 0),
    tokens: lines.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function linesOf(body: string): readonly (Spent & { readonly root: string })[] {
  const [, , head = ""] = HEAD.exec(body) ?? [];
  return [...head.matchAll(new RegExp(LINE.source, "g"))].map(([, root = "", money, tokens]) => {
    return { root, money: Number(money), tokens: Number(tokens) };
  });
}

/** A comment that begins with the mark of a run, with what `root` has spent under it, in place of what stood there. */
function withLine(body: string, root: string, { money, tokens }: Spent): string {
  const [head = "", mark, kept = ""] = HEAD.exec(body) ?? /^(<!-- magis:run \S+ -->\r?\n?)/.exec(body) ?? [];
  if (mark === undefined) return body;
  const others = kept.split("\n").filter((line) => line !== "" && LINE.exec(line)?.[1] !== root);
  const own = `<!-- magis:spent ${root} ${money.toFixed(4)} ${Math.round(tokens)} -->`;
  return `${mark.trimEnd()}\n${[...others, own].join("\n")}\n${body.slice(head.length)}`;
}

/** `host`, whose tracking comment of the run `root` says what that has spent, each time that it is written. */
export function withSpending(host: CodeHost, root: string, spent: () => Spent): CodeHost {
  const marked = (body: string) => (body.startsWith(markers.run(root)) ? withLine(body, root, spent()) : body);
  return {
    ...host,
    createComment: (issue, body) => host.createComment(issue, marked(body)),
    updateComment: (comment, body) => host.updateComment(comment, marked(body)),
  };
}

/** Of a comment that is there for its mark. */
export const KEEPS_COST = "This comment keeps what the work on this issue has cost, which counts against its budget.";

/** Adds to the issue's latest tracking comment what a run has spent that has none there; makes one where there is none. */
export async function keepSpending(host: Commenting, issue: number, root: string, spent: Spent): Promise<void> {
  if (spent.money === 0 && spent.tokens === 0) return;
  const comments = await host.listComments(issue);
  const last = comments.findLast((comment) => isOurs(comment, host.login) && linesOf(comment.body).length > 0);
  if (last) return host.updateComment(last.id, withLine(last.body, root, spent));
  await host.createComment(issue, withLine(`${markers.run(root)}\n\n${KEEPS_COST}`, root, spent));
}
