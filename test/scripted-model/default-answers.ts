import type { Answer, Call } from "./script.ts";

/** One replacement of the lines `start` to `end`, as they were before the task; `end: start - 1` inserts. */
interface ScriptedEdit {
  start: number;
  end: number;
  text: string;
}

/** One round of a Developer and its QA Engineer. */
export interface ScriptedRound {
  /** without any the Developer finds nothing to change */
  edits?: readonly ScriptedEdit[];
  /** the text of a new file */
  content?: string;
  /** any comment sends the change back */
  comments?: readonly { line: number | null; body: string }[];
  /** words from the earlier comments that QA calls settled; when absent, all of them if there are no new comments */
  settles?: readonly string[];
}

/** What the agents do with one file in the issues that concern it. */
export interface FileScript {
  action?: "modify" | "delete";
  /** files that are created along with it */
  newFiles?: readonly string[];
  /** the last one repeats; when absent, there is no task for the file */
  rounds?: readonly ScriptedRound[];
}

/** By default, every file concerns every issue, and its first line becomes `changed by <task>`. */
export interface ScriptedFiles {
  /** what the agents do with each file, by path; others need no task */
  files?: Readonly<Record<string, FileScript>>;
  /** whether an issue's text concerns a file; by default when it names its path */
  concerns?: (issue: string, path: string) => boolean;
}

const CUSTODIAN = "You are the Repository Custodian.";

/** A valid answer to every prompt of a run, in both profiles. It carries the run to its end. */
export function defaultAnswers({
  files,
  concerns,
}: ScriptedFiles): Readonly<Record<string, (call: Call) => Answer | undefined>> {
  const isAbout = concerns ?? ((issue, path) => files === undefined || issue.includes(path));
  const judged = ({ text }: Call) => {
    const [issue = "", list = ""] = text.split(CUSTODIAN);
    return matchesOf(list, /^## `(.+)`$/gm).map((path) => ({ path, relevant: isAbout(issue, path) }));
  };
  const roundIn = (call: Call, path = pathOf(call), round = roundOf(call)): ScriptedRound => {
    if (files === undefined) return { edits: [{ start: 1, end: 1, text: `changed by ${taskIn(call)}` }] };
    const rounds = files[path]?.rounds ?? [];
    return rounds[Math.min(round, rounds.length) - 1] ?? {};
  };
  const summaryOf = (call: Call, changes: boolean) =>
    `${pathOf(call)} ${changes ? "does what the issue asks for" : "does it already"}.`;
  const repliesIn = (call: Call) => {
    const threads = / for each of (.+?), one to three/.exec(call.text)?.[1]?.split(", ") ?? [];
    const ids = [...commentsIn(call).map(({ id }) => id), ...threads];
    return ids.map((id) => ({ comment: id, reply: `It is done, as ${id} says.` }));
  };

  /** The lean profile, which asks several of the paper's questions at once. */
  const lean = {
    "c02-locate-files": (call: Call) => ({
      files: judged(call).map(({ path, relevant }) => ({
        path,
        verdict: relevant ? "change" : "no",
        reason: "As the issue says.",
        summary: `About ${path}.`,
      })),
    }),
    "c03-choose-lines": ({ text }: Call) => ({ lines: shownIn(text).map((path) => `${path}:1-20`) }),
    "p04-plan-work": ({ text }: Call) => {
      const [issue = "", shown = ""] = text.split("\n# Files of the repository");
      const listed = [...new Set(matchesOf(shown, /^(?:- )?`([^`]+)`(?:$|:| \(\d+ lines)/gm))];
      const named = (files === undefined ? shownIn(shown) : listed).filter((path) => isAbout(issue, path));
      const changed = named.filter((path) => files === undefined || files[path]?.rounds !== undefined);
      const created = [...new Set(named.flatMap((path) => files?.[path]?.newFiles ?? []))];
      const tasks = [
        ...changed.map((path) => scriptedTask(path, files?.[path]?.action)),
        ...created.map((path) => scriptedTask(path, "create")),
      ];
      const [path = ""] = [...changed, ...created, ...named, ...listed];
      const right = named.map((one) => `${one} is right as it is.`).join(" ");
      return scriptedPlan(tasks, {
        at: `${path}:${changed.length > 0 || created.length === 0 ? 1 : 0}`,
        reason: tasks.length > 0 ? "The issue names it." : right || "It is right.",
      });
    },
    "p09-change-file": (call: Call) => {
      const path = pathOf(call);
      const { edits, content } = roundIn(call);
      const before = roundOf(call) > 1 && files ? roundIn(call, path, roundOf(call) - 1) : {};
      const made = content === undefined ? editsNow(before.edits ?? [], edits ?? []) : whole(content, before.content);
      return scriptedChange(made, {
        summary: summaryOf(call, made.length > 0),
        replies: repliesIn(call),
        qaEngineer: `QA Engineer for ${path}: Takes care.`,
      });
    },
    "p11-review-work": (call: Call) => {
      const round = roundOf(call);
      const paths = matchesOf(call.text, /^## t\d+ · \w+ `(.+?)` · /gm);
      const rounds = paths.map((path) => ({ path, ...roundIn(call, path) }));
      const comments = rounds.flatMap(({ path, comments: said = [] }) => said.map((one) => ({ path, ...one })));
      const settles = rounds.flatMap((one) => one.settles ?? []);
      return reviewOf(call, round, comments, settles.length > 0 ? settles : undefined);
    },
  };

  const paper = {
    "p01-summarise-change": () => "It was changed.",
    "p02-summarise-file": () => "A file.",
    "p03-judge-relevance": (call: Call) => ({
      files: judged(call).map((one) => ({ ...one, reason: "As the issue says." })),
    }),
    "p04-define-task": (call: Call) => {
      const path = pathOf(call);
      const concerned = isAbout(call.text.split("\n# The file `")[0] ?? "", path);
      const script = concerned ? files?.[path] : undefined;
      const newFiles = (script?.newFiles ?? []).map((file) => ({ path: file, ...taskOn(file) }));
      const needed = files === undefined || script?.rounds !== undefined;
      const task = needed ? { action: script?.action ?? "modify", ...taskOn(path) } : {};
      return { needed, reason: needed ? "The issue names it." : "It is right as it is.", ...task, newFiles };
    },
    "p05-describe-developer": (call: Call) => role("Developer", call),
    "m01-open-meeting": () => "Let us begin.",
    "m02-speak-in-meeting": (call: Call) => `I speak for ${taskIn(call)}.`,
    "m03-close-meeting": () => ({ summary: "All agreed." }),
    "p06-adjust-role": (call: Call) => role("Adjusted Developer", call),
    "p07-write-plan": ({ text }: Call) => oneByOne(matchesOf(text, /^- (t\d+) · /gm)),
    "p08-describe-qa-engineer": (call: Call) => role("QA Engineer", call),
    "p09-locate-lines": (call: Call) => {
      const { edits = [] } = roundIn(call);
      const intervals = edits.map(({ start, end }) => ({ start, end, change: "What the issue asks for." }));
      return { intervals, summary: summaryOf(call, edits.length > 0), replies: repliesIn(call) };
    },
    "p10-write-code": (call: Call) => {
      const place = /Now write the new text for (.+?): /.exec(call.text)?.[1];
      const { edits = [] } = roundIn(call);
      return (files === undefined ? edits[0] : edits.find((one) => place === placeOf(one)))?.text;
    },
    "p10-write-new-file": (call: Call) => (files === undefined ? "A new file.\n" : roundIn(call).content),
    "p11-review-change": (call: Call) => {
      const { comments = [], settles } = roundIn(call);
      return reviewOf(call, roundOf(call), comments, settles);
    },
  };

  return {
    ...lean,
    ...paper,
    "d01-describe-change": ({ text }) => ({
      type: "fix",
      title: "do what the issue asks for",
      problem: "It was not as the issue says.",
      solution: "Now it is.",
      template: text.includes("pull request template") ? "## Checklist\n\n- [ ] Tests were run: not done" : "",
    }),
  };
}

/** A task of the lean Manager. */
export const scriptedTask = (path: string, action: "modify" | "create" | "delete" = "modify", more: object = {}) => ({
  path,
  action,
  ...taskOn(path),
  developer: `Developer for ${path}: Takes care.`,
  ...more,
});

/** The lean Manager's plan, one task after the other; without tasks, that all is right. */
export function scriptedPlan(tasks: readonly object[], more: object = {}) {
  const needed = tasks.length > 0;
  return {
    fails: needed,
    reason: "The issue names it.",
    tasks,
    order: oneByOne(tasks.map((_, at) => `t${at + 1}`)),
    agreed: tasks.length > 1 ? "As it was said." : "",
    title: needed ? "fix: do what the issue asks for" : "",
    ...more,
  };
}

/** The lean Developer's change of a file. */
export const scriptedChange = (edits: readonly object[], more: object = {}) => ({
  edits: edits.map((edit) => ({ anchor: "", ...edit })),
  summary: "It does what the issue asks for.",
  qaEngineer: "QA Engineer: Takes care.",
  ...more,
});

function reviewOf(call: Call, round: number, comments: readonly object[], settles: readonly string[] | undefined) {
  const open = commentsIn(call);
  const isSettled = (words: string) => settles?.some((one) => words.includes(one)) ?? comments.length === 0;
  const settled = open.filter(({ words }) => isSettled(words)).map(({ id }) => id);
  const approved = comments.length === 0 && settled.length === open.length;
  return { comments, settled, verdict: `Round ${round} was read.`, approved };
}

const taskIn = ({ text }: Call) => /\btask (t\d+)\b/.exec(text)?.[1] ?? /^- (t\d+) /m.exec(text)?.[1] ?? "";

const taskOn = (path: string) => ({ title: `Change ${path}`, description: `Do in ${path} what the issue asks for.` });
const role = (title: string, call: Call) => ({ title: `${title} for ${pathOf(call)}`, description: "Takes care." });
const oneByOne = (ids: readonly string[]) => ids.map((id) => `run("${id}");`).join("\n");
const matchesOf = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, found = ""]) => found);
/** The files whose text is shown. */
const shownIn = (text: string) => matchesOf(text, /^`(.+)` \(\d+ lines/gm);

function placeOf({ start, end }: ScriptedEdit): string {
  if (end < start) return `the insertion before line ${start}`;
  return start === end ? `line ${start}` : `lines ${start} to ${end}`;
}

const linesIn = (text: string) => (text === "" ? 0 : text.replace(/\n$/, "").split("\n").length);

/** Scripts count lines from before the task; a later round sees the file as the last one left it. */
function editsNow(before: readonly ScriptedEdit[], next: readonly ScriptedEdit[]): readonly ScriptedEdit[] {
  return next.flatMap(({ start, end, text }) => {
    const same = before.find((one) => one.start === start && one.end === end);
    if (same?.text === text) return [];
    const earlier = before.filter((one) => one.start < start);
    const shift = earlier.reduce((sum, one) => sum + linesIn(one.text) - (one.end - one.start + 1), 0);
    const length = same ? linesIn(same.text) : end - start + 1;
    return [{ start: start + shift, end: start + shift + length - 1, text }];
  });
}

function whole(content: string, before: string | undefined): readonly ScriptedEdit[] {
  if (content === before) return [];
  return [{ start: 1, end: before === undefined ? 0 : linesIn(before), text: content }];
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
export function pathOf({ promptId, text }: Pick<Call, "promptId" | "text">): string {
  for (const form of FORMS.get(promptId) ?? ABOUT) {
    const found = matchesOf(text, form).at(-1);
    if (found !== undefined) return found;
  }
  return "";
}

/** The round, from 1, that a call of a Developer or QA Engineer belongs to. */
export function roundOf(call: Call): number {
  const said = /(?:The Developer's|The) change, round (\d+) of/.exec(call.text)?.[1];
  if (said !== undefined) return Number(said);
  if (!call.text.includes("This is another round:")) return 1;
  const rounds = commentsIn(call).map(({ id }) => Number(/-r(\d+)-/.exec(id)?.[1]));
  return Math.max(1, ...rounds) + 1;
}

const AFTER_LIST = "- t\\d+-r|Do the whole|Review the change|Why:|Write the change|You can look|Does the change";
const COMMENT = new RegExp(String.raw`^- (t\d+-r\d+-\d+)(.*(?:\n(?!${AFTER_LIST}).*)*)`, "gm");

/** The review comments that a call lists. */
export function commentsIn({ text }: Call): readonly { id: string; words: string }[] {
  const list = /(?:What must be put right:|that are still open:)\n([\s\S]*)/.exec(text)?.[1] ?? "";
  return [...list.matchAll(COMMENT)].map(([, id = "", words = ""]) => ({ id, words }));
}
