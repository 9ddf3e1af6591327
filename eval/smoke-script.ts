import { pathOf, type ScriptedRound, scriptedPlan } from "../test/scripted-model/default-answers.ts";
import { type Call, createScript, type Script } from "../test/scripted-model/script.ts";
import type { SmokeFolder } from "./read-smoke-folders.ts";

type SmokeFile = SmokeFolder["answers"]["files"][string];

/**
 * A scripted model: it answers as the instances' `answers.json` say, and says nothing about how good a model is. It knows
 * an instance by the first line of its issue. The Manager looks around once before it plans, so that tools are used too.
 */
export function smokeScript(folders: readonly SmokeFolder[]): Script {
  const scripts = folders.map(({ instance, answers }) => ({
    title: titleOf(instance.problem_statement),
    script: scriptOf(answers),
  }));
  const withoutIssue = createScript({ files: {} });
  return (call) => {
    if (["p02-summarise-file", "p07-write-plan"].includes(call.promptId)) return withoutIssue(call);
    return scripts.find(({ title }) => call.text.includes(title))?.script(call);
  };
}

function titleOf(problem: string): string {
  const [first = ""] = problem.trim().split("\n");
  return first.replace(/^#+\s*/, "").trim();
}

function scriptOf({ files, reason }: SmokeFolder["answers"]): Script {
  const all = Object.entries(files);
  const rounds = all.map(([path, file]) => [path, { rounds: [roundOf(file)] }] as const);
  const newFiles = all.flatMap(([path, { action, title, description }]) =>
    action === "create" ? [{ path, title, description }] : [],
  );
  const plan = (call: Call) => {
    const tasks = all.map(([path, file]) => ({
      path,
      action: file.action,
      title: file.title,
      description: file.description,
      // A change in one file is drafted by the Manager, so that both ways are gone.
      edits: all.length === 1 ? draftOf(file) : [],
      developer: "Engineer: Takes care.",
    }));
    const at = `${tasks[0]?.path ?? firstShown(call)}:${tasks[0]?.action === "create" ? 0 : 1}`;
    return scriptedPlan(tasks, { at, reason: reason || "The code shows it." });
  };
  return createScript({
    files: Object.fromEntries(rounds),
    concerns: (_issue, path) => path in files,
    answers: {
      "p04-plan-work": (call) =>
        call.looked.length === 0 ? { tools: [{ name: "read", input: { places: [{ path: "." }] } }] } : plan(call),
      "p04-define-task": (call) => {
        const { action = "modify", title = "", description = "" } = files[pathOf(call)] ?? {};
        return { needed: pathOf(call) in files, reason: "As the issue says.", action, title, description, newFiles };
      },
      "j01-judge-correlation": { reason: "The same places.", score: 4 },
    },
  });
}

function draftOf(file: SmokeFile) {
  const { content, edits = [] } = roundOf(file);
  const made = content === undefined ? edits : [{ start: 1, end: 0, text: content }];
  return made.map((edit) => ({ ...edit, anchor: "" }));
}

function roundOf(file: SmokeFile): ScriptedRound {
  if (file.action === "create") return { content: file.content };
  return file.action === "modify" ? { edits: file.edits } : {};
}

/** A file that the Manager is shown: it is right already. */
const firstShown = ({ text }: Call) => /^`(.+)` \(\d+ lines/m.exec(text)?.[1] ?? "";
