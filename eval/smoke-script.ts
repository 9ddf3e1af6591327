import type { Script, ScriptedAnswer } from "../test/scripted-model/scripted-answer.ts";
import type { ScriptedCall } from "../test/scripted-model/scripted-call.ts";
import type { SmokeFolder } from "./read-smoke-folders.ts";

const ROLE = "Engineer: Takes care.";

/**
 * A scripted model: it answers as the instances' `answers.json` say, and says nothing about how good a model is. It knows
 * an instance by the first line of its issue. The Manager looks around once before it plans, so that tools are used too.
 */
export function smokeScript(folders: readonly SmokeFolder[]): Script {
  return (call) => {
    // Summaries and the order of tasks are asked without the issue.
    if (call.promptId === "p02-summarise-file") return { text: "A file." };
    if (call.promptId === "p07-write-plan") return { text: orderOf(call) };
    const folder = folders.find(({ instance }) => call.text.includes(titleOf(instance.problem_statement)));
    return folder && (answer(call, folder.answers) ?? paperAnswer(call, folder.answers));
  };
}

const orderOf = ({ text }: ScriptedCall) =>
  [...text.matchAll(/^- (t\d+) · /gm)].map(([, id = ""]) => `run("${id}");`).join("\n");

const fileIn = ({ text }: ScriptedCall) => /^# The file `(.+)`$/m.exec(text)?.[1] ?? "";

/** What the profile `paper` asks beyond that: the same changes, file by file. */
function paperAnswer(call: ScriptedCall, { files }: SmokeFolder["answers"]): ScriptedAnswer | undefined {
  const file = files[fileIn(call)];
  switch (call.promptId) {
    case "p03-judge-relevance": {
      const shown = [...call.text.matchAll(/^## `(.+)`$/gm)].map(([, path = ""]) => path);
      return {
        json: { files: shown.map((path) => ({ path, relevant: path in files, reason: "As the issue says." })) },
      };
    }
    case "p04-define-task": {
      const created = Object.entries(files).filter(([, { action }]) => action === "create");
      const newFiles = created.map(([path, { title, description }]) => ({ path, title, description }));
      const { action = "modify", title = "", description = "" } = file ?? {};
      return {
        json: { needed: file !== undefined, reason: "As the issue says.", action, title, description, newFiles },
      };
    }
    case "m01-open-meeting":
    case "m02-speak-in-meeting":
      return { text: "As it is planned." };
    case "m03-close-meeting":
      return { json: { summary: "As it is planned.", revised: [], dropped: [], added: [] } };
    case "p05-describe-developer":
    case "p06-adjust-role":
    case "p08-describe-qa-engineer":
      return { json: { title: "Engineer", description: "Takes care." } };
    case "p09-locate-lines": {
      const intervals = (file ? editsOf(file) : []).map(({ start, end }) => ({ start, end, change: "Mend it." }));
      return { json: { intervals, summary: file?.summary ?? "It is right.", replies: [] } };
    }
    case "p10-write-code": {
      const place = /Now write the new text for (.+?): /.exec(call.text)?.[1];
      const edit = (file ? editsOf(file) : []).find((one) => placeOf(one) === place);
      return edit && { text: edit.text };
    }
    case "p10-write-new-file": {
      const created = files[/create `(.+?)`/.exec(call.text)?.[1] ?? ""];
      return created?.action === "create" ? { text: created.content } : undefined;
    }
    case "p11-review-change":
      return { json: { comments: [], settled: [], verdict: "It does what is asked.", approved: true } };
    default:
      return undefined;
  }
}

function titleOf(problem: string): string {
  const [first = ""] = problem.trim().split("\n");
  return first.replace(/^#+\s*/, "").trim();
}

function answer(call: ScriptedCall, { files, reason }: SmokeFolder["answers"]): ScriptedAnswer | undefined {
  const tasks = Object.entries(files);
  switch (call.promptId) {
    case "c02-locate-files": {
      const shown = [...call.text.matchAll(/^## `(.+)`$/gm)].map(([, path = ""]) => path);
      const judge = (path: string) => ({
        path,
        verdict: path in files ? "change" : "no",
        reason: "As the issue says.",
        names: [],
      });
      return { json: { files: shown.map((path) => ({ ...judge(path), summary: "A file." })), more: [] } };
    }
    case "c03-choose-lines":
      return {
        json: {
          lines: tasks.flatMap(([path, file]) =>
            file.action === "modify" ? file.edits.map(({ start, end }) => `${path}:${start}-${end}`) : [],
          ),
        },
      };
    case "p04-plan-work":
      if (call.looked.length === 0) return { tools: [{ name: "list", input: {} }] };
      return {
        json: {
          example: "As the issue says.",
          fails: tasks.length > 0,
          questions: [],
          notes: [],
          at: `${tasks[0]?.[0] ?? firstShown(call)}:${tasks[0]?.[1].action === "create" ? 0 : 1}`,
          reason: reason || "The code shows it.",
          tasks: tasks.map(([path, file]) => ({
            path,
            action: file.action,
            title: file.title,
            description: file.description,
            places: [],
            // A change in one file is drafted by the Manager, so that both ways are gone.
            edits: tasks.length === 1 ? editsOf(file) : [],
            summary: file.summary,
            developer: ROLE,
          })),
          order: tasks.map((_, at) => `run("t${at + 1}");`).join("\n"),
          agreed: "",
          title: "fix: mend it",
        },
      };
    case "p09-change-file": {
      const file = files[/ on the file `(.+?)`\./.exec(call.text)?.[1] ?? ""];
      if (file === undefined || file.action === "delete") return undefined;
      const edits = editsOf(file);
      return { json: { edits, summary: file.summary, replies: [], qaEngineer: ROLE } };
    }
    case "p11-review-work":
      return {
        json: {
          comments: [],
          missing: [],
          settled: [],
          unfollowed: [],
          verdict: "It does what is asked.",
          approved: true,
        },
      };
    case "j01-judge-correlation":
      return { json: { reason: "The same places.", score: 4 } };
    default:
      return undefined;
  }
}

/** A file that the Manager is shown: it is right already. */
const firstShown = ({ text }: ScriptedCall) => /^`(.+)` \(\d+ lines/m.exec(text)?.[1] ?? "";

function editsOf(file: SmokeFolder["answers"]["files"][string]) {
  if (file.action === "delete") return [];
  const edits = file.action === "create" ? [{ start: 1, end: 0, text: file.content }] : file.edits;
  return edits.map((edit) => ({ ...edit, anchor: "" }));
}

/** Lines as the prompts name them. */
function placeOf({ start, end }: { readonly start: number; readonly end: number }): string {
  if (end < start) return `the insertion before line ${start}`;
  return start === end ? `line ${start}` : `lines ${start} to ${end}`;
}
