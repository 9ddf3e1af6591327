import type { Script, ScriptedAnswer } from "../scripted-model/scripted-answer.ts";
import type { ScriptedCall } from "../scripted-model/scripted-call.ts";
import { answersTogether } from "./answers-together.ts";
import { commentsIn } from "./comments-in.ts";
import type { Answers, FileScript, ScriptedPlan, ScriptedRound } from "./file-script.ts";
import { pathOf } from "./path-of.ts";
import { roundOf } from "./round-of.ts";

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
