import type { Script, ScriptedAnswer } from "../scripted-model/scripted-answer.ts";
import type { ScriptedCall } from "../scripted-model/scripted-call.ts";

interface ScriptOptions {
  /** what the agents do with each file, by path; others need no task */
  readonly files: Readonly<Record<string, FileScript>>;
  /** the plan; by default the tasks one after the other */
  readonly plan?: ScriptedPlan;
  /** take precedence over the script */
  readonly answers?: Answers;
}

/** A model that does exactly what `files` says; unknown prompts are faults. */
export function scriptFor({ files, plan, answers = {} }: ScriptOptions): Script {
  const known = { ...planning(files, plan), ...coding(files), ...answersTogether(files, plan) };
  return (call) => answers[call.promptId]?.(call) ?? known[call.promptId]?.(call);
}

type Known = Readonly<Record<string, (call: ScriptedCall) => ScriptedAnswer | undefined>>;

function planning(files: ScriptOptions["files"], plan: ScriptedPlan | undefined): Known {
  return {
    "p01-summarise-change": (call) => ({ text: `${pathOf(call)} does something else now.` }),
    "p02-summarise-file": (call) => ({ text: `${pathOf(call)}: a part of the repository.` }),
    "p03-judge-relevance": (call) => {
      const [issue = "", list = ""] = call.text.split("You are the Repository Custodian.");
      const paths = [...list.matchAll(/^## `(.+)`$/gm)].map(([, path = ""]) => path);
      const judge = (path: string) => ({ path, relevant: issue.includes(path), reason: "As the issue says." });
      return { json: { files: paths.map(judge) } };
    },
    "p04-define-task": (call) => {
      const path = pathOf(call);
      const script = call.text.split("\n# The file `")[0]?.includes(path) ? files[path] : undefined;
      const newFiles = (script?.newFiles ?? []).map((file) => ({ path: file, ...taskOn(file) }));
      const needed = script?.rounds !== undefined;
      const task = needed ? taskOn(path) : { title: "", description: "" };
      const reason = needed ? "The issue names it." : "It is right as it is.";
      return { json: { needed, reason, action: script?.action ?? "modify", ...task, newFiles } };
    },
    "p05-describe-developer": (call) => ({ json: role("Developer", call) }),
    "m01-open-meeting": () => ({ text: "Who waits for whom?" }),
    "m02-speak-in-meeting": (call) => ({ text: `I change ${pathOf(call)} and need nothing.` }),
    "m03-close-meeting": () => ({ json: { summary: "As it was said.", revised: [], dropped: [], added: [] } }),
    "p06-adjust-role": (call) => ({ json: role("Developer", call) }),
    "p07-write-plan": (call) => {
      const tasks = [...call.text.matchAll(/^- (t\d+) · \w+ `(.+)` · /gm)].map(([, id = "", path = ""]) => ({
        id,
        path,
      }));
      const id = (path: string) => tasks.find((task) => task.path === path)?.id ?? `${path} has no task`;
      return { text: plan?.(id) ?? tasks.map((task) => `run("${task.id}");`).join("\n") };
    },
  };
}

function coding(files: ScriptOptions["files"]): Known {
  const roundIn = (call: ScriptedCall): ScriptedRound => {
    const rounds = files[pathOf(call)]?.rounds ?? [];
    return rounds[Math.min(roundOf(call), rounds.length) - 1] ?? {};
  };
  return {
    "p08-describe-qa-engineer": (call) => ({ json: role("QA Engineer", call) }),
    "p09-locate-lines": (call) => {
      const { edits = [] } = roundIn(call);
      const intervals = edits.map(({ start, end }) => ({ start, end, change: "What the issue asks for." }));
      const replies = commentsIn(call).map(({ id }) => ({ comment: id, reply: `It is done, as ${id} says.` }));
      const done = edits.length > 0 ? "does what the issue asks for" : "does it already";
      return { json: { intervals, summary: `${pathOf(call)} ${done}.`, replies } };
    },
    "p10-write-code": (call) => {
      const place = /Now write the new text for (.+?): /.exec(call.text)?.[1];
      const edit = roundIn(call).edits?.find((one) => place === placeOf(one));
      return edit && { text: edit.text };
    },
    "p10-write-new-file": (call) => {
      const { content } = roundIn(call);
      return content === undefined ? undefined : { text: content };
    },
    "p11-review-change": (call) => {
      const { comments = [], settles } = roundIn(call);
      const open = commentsIn(call);
      const isSettled = (words: string) => settles?.some((one) => words.includes(one)) ?? comments.length === 0;
      const settled = open.filter(({ words }) => isSettled(words)).map(({ id }) => id);
      const approved = comments.length === 0 && settled.length === open.length;
      return { json: { comments, settled, verdict: `Round ${roundOf(call)} was read.`, approved } };
    },
    "d01-describe-change": (call) => ({
      json: {
        type: "fix",
        title: "do what the issue asks for",
        problem: "It was not as the issue says.",
        solution: "Now it is.",
        template: call.text.includes("pull request template") ? "## Checklist\n\n- [ ] Tests were run: not done" : "",
      },
    }),
  };
}

const taskOn = (path: string) => ({ title: `Change ${path}`, description: `Do in ${path} what the issue asks for.` });
const role = (title: string, call: ScriptedCall) => ({
  title: `${title} for ${pathOf(call)}`,
  description: "Takes care.",
});

function placeOf({ start, end }: { readonly start: number; readonly end: number }): string {
  if (end < start) return `the insertion before line ${start}`;
  return start === end ? `line ${start}` : `lines ${start} to ${end}`;
}

/** One replacement of the lines `start` to `end`; `end: start - 1` inserts. */
interface ScriptedEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One round of a Developer and its QA Engineer. */
export interface ScriptedRound {
  /** the answer to P9 and P10; without any the Developer finds nothing to change */
  readonly edits?: readonly ScriptedEdit[];
  /** the answer to P10 for a new file */
  readonly content?: string;
  /** the answer to P11: any comment sends the change back */
  readonly comments?: readonly { readonly line: number | null; readonly body: string }[];
  /** words from the earlier comments that P11 calls settled; when absent, all of them if there are no new comments */
  readonly settles?: readonly string[];
}

/** What the agents do with one file in issues that name it. */
interface FileScript {
  readonly action?: "modify" | "delete";
  /** files that P4 creates along with it */
  readonly newFiles?: readonly string[];
  /** the last one repeats; when absent, P4 finds no task for the file */
  readonly rounds?: readonly ScriptedRound[];
}

/** A test's own answers by prompt id; undefined leaves the call to the script. */
export type Answers = Readonly<Record<string, (call: ScriptedCall) => ScriptedAnswer | undefined>>;

/** The plan, from a function that gives a task's id by its path. */
type ScriptedPlan = (id: (path: string) => string) => string;

type Files = Readonly<Record<string, FileScript>>;
type Edits = NonNullable<ScriptedRound["edits"]>;

/** The answers of `scriptFor` to the lean profile's prompts, which ask several of the paper's questions at once. */
function answersTogether(files: Files, plan: ScriptedPlan | undefined): Known {
  return {
    "c02-locate-files": (call) => {
      const [issue = "", list = ""] = call.text.split("You are the Repository Custodian.");
      const paths = [...list.matchAll(/^## `(.+)`$/gm)].map(([, path = ""]) => path);
      const judge = (path: string) => ({
        path,
        verdict: issue.includes(path) ? "change" : "no",
        reason: "As the issue says.",
        names: [],
        summary: `${path}: a part of the repository.`,
      });
      return { json: { files: paths.map(judge), more: [] } };
    },
    "p04-plan-work": (call) => ({ json: planFor(call, files, plan) }),
    "p09-change-file": (call) => {
      const path = pathOf(call);
      const { edits, content } = roundOfFile(files, path, roundOf(call));
      const before = roundOf(call) > 1 ? roundOfFile(files, path, roundOf(call) - 1) : {};
      const made = content === undefined ? editsNow(before.edits ?? [], edits ?? []) : whole(content, before.content);
      const replies = commentsIn(call).map(({ id }) => ({ comment: id, reply: `It is done, as ${id} says.` }));
      const done = made.length > 0 ? "does what the issue asks for" : "does it already";
      const qaEngineer = `QA Engineer for ${path}: Takes care.`;
      return { json: { edits: made, summary: `${path} ${done}.`, replies, qaEngineer } };
    },
    "p11-review-work": (call) => {
      const round = roundOf(call);
      const paths = [...call.text.matchAll(/^## t\d+ · \w+ `(.+?)` · /gm)].map(([, path = ""]) => path);
      const rounds = paths.map((path) => ({ path, ...roundOfFile(files, path, round) }));
      const comments = rounds.flatMap(({ path, comments: said = [] }) =>
        said.map((one) => ({ path, edits: [], ...one })),
      );
      const settles = rounds.flatMap((one) => one.settles ?? []);
      const isSettled = (words: string) =>
        settles.length > 0 ? settles.some((one) => words.includes(one)) : comments.length === 0;
      const open = commentsIn(call);
      const settled = open.filter(({ words }) => isSettled(words)).map(({ id }) => id);
      const approved = comments.length === 0 && settled.length === open.length;
      return {
        json: { comments, missing: [], settled, unfollowed: [], verdict: `Round ${round} was read.`, approved },
      };
    },
  };
}

function planFor(call: ScriptedCall, files: Files, plan: ScriptedPlan | undefined) {
  const [issue = "", shown = ""] = call.text.split("\n# Files of the repository");
  const paths = [...shown.matchAll(/^(?:- )?`([^`]+)`(?:$|:| \(\d+ lines)/gm)].map(([, path = ""]) => path);
  const named = [...new Set(paths)].filter((path) => issue.includes(path));
  const changed = named.filter((path) => files[path]?.rounds !== undefined);
  const created = [...new Set(named.flatMap((path) => files[path]?.newFiles ?? []))];
  const tasks = [
    ...changed.map((path) => leanTask(path, files[path]?.action ?? "modify")),
    ...created.map((path) => leanTask(path, "create")),
  ];
  const id = (path: string) => {
    const at = tasks.findIndex((task) => task.path === path);
    return at < 0 ? `${path} has no task` : `t${at + 1}`;
  };
  const needed = tasks.length > 0;
  return {
    example: "What the issue says.",
    fails: needed,
    questions: [],
    notes: [],
    at: `${changed[0] ?? created[0] ?? named[0] ?? paths[0] ?? ""}:${changed.length > 0 || !needed ? 1 : 0}`,
    reason: needed
      ? "The issue names it."
      : named.map((path) => `${path} is right as it is.`).join(" ") || "It is right.",
    tasks,
    order: plan?.(id) ?? tasks.map((_, at) => `run("t${at + 1}");`).join("\n"),
    agreed: tasks.length > 1 ? "As it was said." : "",
    title: needed ? "fix: do what the issue asks for" : "",
  };
}

const leanTask = (path: string, action: string) => ({
  path,
  action,
  title: `Change ${path}`,
  description: `Do in ${path} what the issue asks for.`,
  places: [],
  edits: [],
  summary: "",
  developer: `Developer for ${path}: Takes care.`,
});

function roundOfFile(files: Files, path: string, round: number): ScriptedRound {
  const rounds = files[path]?.rounds ?? [];
  return rounds[Math.min(round, rounds.length) - 1] ?? {};
}

const linesIn = (text: string) => (text === "" ? 0 : text.replace(/\n$/, "").split("\n").length);

/** Scripts count lines from before the task; a later round sees the file as the last one left it. */
function editsNow(before: Edits, next: Edits) {
  const now = next.map(({ start, end, text }) => {
    const earlier = before.filter((one) => one.start < start);
    const shift = earlier.reduce((sum, one) => sum + linesIn(one.text) - (one.end - one.start + 1), 0);
    const same = before.find((one) => one.start === start && one.end === end);
    const length = same ? linesIn(same.text) : end - start + 1;
    const isUnchanged = same?.text === text;
    return { start: start + shift, end: start + shift + length - 1, anchor: "", text, isUnchanged };
  });
  return now.filter(({ isUnchanged }) => !isUnchanged).map(({ isUnchanged: _, ...edit }) => edit);
}

function whole(content: string, before: string | undefined) {
  if (content === before) return [];
  return [{ start: 1, end: before === undefined ? 0 : linesIn(before), anchor: "", text: content }];
}

const OWN = /the Developer of task t\d+ on the file `([^`]+)`/g;
const ABOUT = [
  /^# The file `(.+)`$/gm,
  /the file `(.+)` for colleagues/g,
  /\b(?:modify|delete|create) `([^`]+)`: /g,
  /^- t\d+ · \w+ `([^`]+)` · /gm,
  /of task t\d+: create `([^`]+)`/g,
  /the QA Engineer of task t\d+ \(`([^`]+)`\)/g,
];

const FORMS: ReadonlyMap<string, readonly RegExp[]> = new Map([
  ["p09-change-file", [OWN]],
  ["p10-write-new-file", ABOUT.slice(4)],
  ["p11-review-change", ABOUT.slice(5)],
]);

/** The file that a call is about: the last one it introduces as its own, since it lists the team's tasks first. */
export function pathOf({ promptId, text }: ScriptedCall): string {
  const forms = FORMS.get(promptId) ?? ABOUT;
  for (const form of forms) {
    const found = [...text.matchAll(form)].at(-1)?.[1];
    if (found !== undefined) return found;
  }
  return "";
}

/** The round, from 1, that a call of a Developer or QA Engineer belongs to. */
export function roundOf(call: ScriptedCall): number {
  const said = /(?:The Developer's|The) change, round (\d+) of/.exec(call.text)?.[1];
  if (said !== undefined) return Number(said);
  if (!call.text.includes("This is another round:")) return 1;
  const rounds = commentsIn(call).map(({ id }) => Number(/-r(\d+)-/.exec(id)?.[1]));
  return Math.max(1, ...rounds) + 1;
}

const AFTER_LIST = "- t\\d+-r|Do the whole|Review the change|Why:|Write the change|You can look|Does the change";
const COMMENT = new RegExp(String.raw`^- (t\d+-r\d+-\d+)(.*(?:\n(?!${AFTER_LIST}).*)*)`, "gm");

/** The ids of the review comments that a call lists. */
export function commentsIn({ text }: ScriptedCall): readonly { readonly id: string; readonly words: string }[] {
  const list = /(?:What must be put right:|that are still open:)\n([\s\S]*)/.exec(text)?.[1] ?? "";
  return [...list.matchAll(COMMENT)].map(([, id = "", words = ""]) => ({ id, words }));
}
