import type { PathGuard, Proposal } from "../../change/path-guard.ts";
import { parsePlan, sequencePlan } from "../../change/work-plan.ts";
import type { IssueSnapshot } from "../../data/discussion.ts";
import type { MadePlan, PlanningView, Task } from "../../data/plan.ts";
import type { PastCommit } from "../../git/repository.ts";
import type { PlanInput } from "../../run/strategy.ts";
import { issueTerms } from "../../search/token-cache.ts";
import { codeSpan } from "../../text/compose-markdown.ts";
import { countLeftOut } from "../tools/lookups/left-out.ts";
import { createLeanCustodian, createLeanManager, type WorkPlan } from "./agents.ts";
import {
  exampleLines,
  isNote,
  linedFiles,
  linesOf,
  lookupRoom,
  openRepositoryView,
  type RepositoryView,
  seenIn,
  viewForManager,
} from "./view/view.ts";

/** How often the Manager may look around before it has to decide. */
const TURNS = 2;

/**
 * Algorithm 2 in one call: the Manager sees all candidates, looks around, and gives the cause, the tasks (P4),
 * Developers who suit them (P5), what they must agree on, and the work plan as code (P7). There is no kick-off meeting,
 * since the Manager sees everything.
 */
export async function planTogether(input: PlanInput, guard: PathGuard): Promise<MadePlan> {
  const { issue, prompts, record } = input;
  const repositoryView = await openRepositoryView(input);
  const { chooseLines } = createLeanCustodian(prompts);
  const view = await viewForManager({ ...input, repositoryView }, (shown, more) => chooseLines(issue, shown, more));
  if (!showsLines(view)) return nothingFound(input, repositoryView);
  const toChange = input.candidates.filter(({ use }) => use !== "read").length;
  const fault = faultOf(repositoryView.paths(), guard);
  const written = await createLeanManager(prompts).planWork(
    issue,
    view,
    async (plan) => fault(plan) ?? (await unseenFault(plan, repositoryView)),
    repositoryView.toolset(TURNS, { room: lookupRoom(toChange), seen: seenIn(linedFiles(view)) }),
  );
  // A new file with a taken name went back once already; now it gets a free name.
  const isTaken = (task: Proposal) => guard(task, written.tasks)?.isName === true;
  const answer = { ...written, tasks: written.tasks.map((task) => withFreeName(task, isTaken)) };
  const refused = answer.tasks.flatMap((task) => guard(task, answer.tasks) ?? []);
  const assignments = answer.tasks.map(({ edits, ...rest }) => {
    const task = { ...rest, description: rest.description.trim() || rest.title, places: placesFor(rest, view) };
    return edits.length > 0 ? { ...task, draft: { edits, summary: rest.title } } : task;
  });
  const evidence = await evidenceOf(answer, repositoryView, input);
  await record("tasks", { assignments, refused, reason: answer.reason });
  const tasks = assignments
    .filter(({ path }) => !refused.some((one) => one.path === path))
    .map((task, index): Task => ({ ...task, id: `t${index + 1}` }));
  const left = refused.map(({ path, reason }) => `\`${path}\`: left alone, ${reason}`);
  const notes = [...answer.notes, ...left];
  const isEmpty = tasks.length === 0 && refused.length === 0;
  const questions = isEmpty ? answer.questions.slice(0, MAX_QUESTIONS) : [];
  const unsolved = isEmpty && questions.length === 0 && answer.fails === true;
  if (unsolved) evidence.push("The example fails, and yet no change to this repository was planned.", ...notes);
  return {
    tasks,
    ...orderOf(answer, tasks),
    meeting: [],
    agreed: answer.agreed.trim(),
    reason: [answer.reason, ...evidence, ...left].join("\n"),
    refused: refused.length,
    notes: notes.length > 0 ? notes : undefined,
    questions: questions.length > 0 ? questions : undefined,
    at: tasks.length > 0 && answer.at.line > 0 ? answer.at : undefined,
    view: tasks.length > 0 ? view : undefined,
    unsolved: unsolved || undefined,
    description: tasks.length > 0 ? { ...answer.title, problem: answer.reason } : undefined,
  };
}

/** Whether the view has anything of a candidate or a test. */
const showsLines = ({ files, tests }: PlanningView): boolean =>
  files.length > 0 || tests.some(({ sample }) => sample !== "");

/** What the Developer of a task sees besides its file: for a note, also the notes shown to the Manager. */
function placesFor({ path, places }: Pick<WorkPlan["tasks"][number], "path" | "places">, { note }: PlanningView) {
  return note && isNote(path, note) ? [...exampleLines(note), ...places] : places;
}

/** The most search words named. */
const MAX_WORDS = 12;

/** The plan if no code is in view: does not ask the Manager, who could only guess, and says what was searched. */
async function nothingFound({ issue, record }: PlanInput, repositoryView: RepositoryView): Promise<MadePlan> {
  const terms = [...issueTerms({ title: issue.title, body: issue.body, hints: [issue.hint] })];
  const words = terms.sort((a, b) => b[1] - a[1]).slice(0, MAX_WORDS);
  const looked = `${repositoryView.paths().length} files were searched for ${words.map(([word]) => codeSpan(word)).join(", ")}`;
  const leftOut = countLeftOut(repositoryView.leftOut);
  const nothing = `No file was found that this issue is about: ${looked}.`;
  const reason = leftOut ? `${nothing}\n${leftOut}` : nothing;
  await record("tasks", { assignments: [], refused: [], reason });
  return {
    tasks: [],
    order: sequencePlan([]),
    source: "",
    meeting: [],
    agreed: "",
    reason,
    refused: 0,
    unsolved: true,
  };
}

/**
 * The Manager's order of work. Without one, all tasks run at once; if it cannot be used, one after the other. (A
 * refused task shifts the ids.)
 */
function orderOf({ order }: WorkPlan, tasks: readonly Task[]): Pick<MadePlan, "order" | "source" | "fallback"> {
  const inSequence = { order: sequencePlan(tasks), source: tasks.map(({ id }) => `run("${id}");`).join("\n") };
  if (tasks.length < 2) return inSequence;
  const written = order.trim() || `concurrently(${tasks.map(({ id }) => `run("${id}")`).join(", ")});`;
  const parsed = parsePlan(written, tasks);
  return "order" in parsed
    ? { order: parsed.order, source: written }
    : { ...inSequence, fallback: parsed.reason.split("\n")[0] ?? "" };
}

const MAX_QUESTIONS = 3;

const MAX_QUOTE = 200;

/**
 * For people: why an issue needs no change. Gives the line that already does what it asks for, and the commit behind it
 * if one can be told.
 */
async function evidenceOf(
  { tasks, questions, fails, at }: WorkPlan,
  view: RepositoryView,
  { issue, repository }: PlanInput,
): Promise<string[]> {
  if (tasks.length + questions.length > 0 || fails) return [];
  const line = (await linesOf(at.path, view))[at.line - 1]?.trim().slice(0, MAX_QUOTE);
  const place = line ? [`${codeSpan(at.path)}, line ${at.line}: ${codeSpan(line)}`] : [];
  const behind = commitBehind(issue, await repository.history());
  return [...place, ...behind];
}

/** Words by which GitHub closes an issue. */
const CLOSES = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d{1,10})\b/gi;

/** The newest past commit that closes the issue, or else one that it names, as a sentence; none if there is none. */
function commitBehind(issue: IssueSnapshot, history: readonly PastCommit[]): string[] {
  const words = [issue.title, issue.body, ...issue.discussion.map(({ body }) => body)].join("\n");
  const named = [...words.matchAll(/(?<![\w/&])#(\d{1,10})\b/g)].map(([, number]) => Number(number));
  const closing = new Map<number, PastCommit>();
  for (const commit of history.toReversed())
    for (const [, number] of commit.message.matchAll(CLOSES)) closing.set(Number(number), commit);
  const found = [issue.number, ...named].flatMap((number) => {
    const commit = closing.get(number);
    return commit && number > 0 ? [{ ...commit, number }] : [];
  });
  return found.slice(0, 1).map(({ commit, message, number }) => {
    const what = number === issue.number ? "this issue" : `${codeSpan(`#${number}`)}, which is named here`;
    return `Commit ${commit} closes ${what}: ${codeSpan((message.split("\n")[0] ?? "").slice(0, MAX_QUOTE))}`;
  });
}

/** Why a plan goes back: its example does not fail, or no line shows whether it does. */
async function unseenFault(
  { tasks, questions, fails, at }: WorkPlan,
  view: RepositoryView,
): Promise<string | undefined> {
  if (questions.length > 0) {
    return tasks.length === 0
      ? undefined
      : "Questions are for what cannot be decided: give tasks or questions, not both.";
  }
  if (tasks.length > 0 && fails === false) {
    return "The example does not fail, so that nothing is to be changed: give no task, or the line at which it fails.";
  }
  if (tasks.length === 0 && fails) return undefined;
  const { length } = await linesOf(at.path, view);
  if (tasks.some(({ path, action }) => path === at.path && (action === "create" || length === 0))) return undefined;
  if (at.line >= 1 && at.line <= length) return undefined;
  const missing = at.path === "" ? "No line is named" : `There is no file ${at.path}`;
  const what = length === 0 ? missing : `${at.path} has ${length} lines`;
  return `${what}. Give in \`at\` the line that shows whether the example fails.`;
}

/** The most names tried for a new file. */
const MAX_NAMES = 50;

/**
 * Moves a task whose new file exists already to a free name: `a.test.js` becomes `a-2.test.js`, `test_a.py` becomes
 * `test_a_2.py`.
 */
export function withFreeName<T extends Pick<Task, "path" | "action">>(task: T, isTaken: (task: T) => boolean): T {
  if (task.action !== "create" || !isTaken(task)) return task;
  const slash = task.path.lastIndexOf("/") + 1;
  const [folder, name] = [task.path.slice(0, slash), task.path.slice(slash)];
  const [, stem = name, mark = "", extension = ""] =
    /^(.{1,250}?)([._-](?:tests?|specs?))?(\.[^/]*)?$/.exec(name) ?? [];
  const joint = jointIn(name);
  for (let at = 2; at < MAX_NAMES; at++) {
    const renamed = { ...task, path: `${folder}${stem}${joint}${at}${mark}${extension}` };
    if (!isTaken(renamed)) return renamed;
  }
  return task;
}

/** What separates words in a file's name. */
function jointIn(name: string): string {
  if (name.includes("_")) return "_";
  return /^[A-Z]/.test(name) ? "" : "-";
}

function faultOf(paths: readonly string[], guard: PathGuard) {
  let wasReported = false;
  return ({ tasks, title: { title } }: WorkPlan): string | undefined => {
    const unnamed = tasks.flatMap((task) => guard(task, tasks) ?? []).filter(({ isName }) => isName);
    if (unnamed.length > 0 && !wasReported) {
      wasReported = true;
      const list = unnamed.map(({ path, reason }) => `- ${path}: ${reason}`).join("\n");
      return `These files cannot be created:\n${list}\nChange the file that is there, or give the new one another name.`;
    }
    const named = tasks.map(({ path }) => path);
    const twice = named.find((path, at) => named.indexOf(path) < at);
    if (twice !== undefined) return `There are two tasks on ${twice}. Make them one.`;
    if (tasks.length > 0 && title === "") return "A plan with tasks needs a title.";
    const missing = tasks.filter((task) => task.action !== "create" && !paths.includes(task.path) && guard(task));
    if (missing.length === 0) return undefined;
    const lines = missing.map((task) => {
      const near = nearPaths(task.path, paths);
      const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
      return `- ${task.path}: ${guard(task)?.reason}.${hint}`;
    });
    return `These files cannot be changed:\n${lines.join("\n")}\nGive the whole answer again without them.`;
  };
}

const MAX = 3;

/** Paths that a wrong path may mean: the same file name, those with most folders in common first. */
function nearPaths(path: string, paths: readonly string[]): string[] {
  const parts = path.toLowerCase().split("/");
  const name = parts.at(-1) ?? "";
  const shared = (other: string) => {
    const folders = other.toLowerCase().split("/");
    return parts.filter((part) => folders.includes(part)).length;
  };
  return paths
    .filter((other) => other.toLowerCase().split("/").at(-1) === name)
    .sort((a, b) => shared(b) - shared(a) || (a < b ? -1 : 1))
    .slice(0, MAX);
}
