import type { ScriptedAnswer } from "../scripted-model/scripted-answer.ts";
import type { ScriptedCall } from "../scripted-model/scripted-call.ts";
import { commentsIn } from "./comments-in.ts";
import type { FileScript, ScriptedPlan, ScriptedRound } from "./file-script.ts";
import { pathOf } from "./path-of.ts";
import { roundOf } from "./round-of.ts";

type Known = Readonly<Record<string, (call: ScriptedCall) => ScriptedAnswer | undefined>>;
type Files = Readonly<Record<string, FileScript>>;
type Edits = NonNullable<ScriptedRound["edits"]>;

/** The answers of `scriptFor` to the lean profile's prompts, which ask several of the paper's questions at once. */
export function answersTogether(files: Files, plan: ScriptedPlan | undefined): Known {
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
    ...changed.map((path) => taskOn(path, files[path]?.action ?? "modify")),
    ...created.map((path) => taskOn(path, "create")),
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

const taskOn = (path: string, action: string) => ({
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
