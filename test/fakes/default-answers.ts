import type { FakeCall, FakeScript } from "./create-fake-model.ts";

const pathIn = ({ text }: FakeCall) => /^# The file `(.+)`$/m.exec(text)?.[1] ?? "";
const taskIn = ({ text }: FakeCall) => /\btask (t\d+)\b/.exec(text)?.[1] ?? /^- (t\d+) /m.exec(text)?.[1] ?? "";

/** Answers that carry any run to its end: every file is relevant and gets a task, every first change is approved. */
export const defaultAnswers: FakeScript = {
  "c02-locate-files": ({ text }) => ({
    files: [...text.matchAll(/^## `(.+)`$/gm)].map(([, path]) => ({
      path,
      reason: "It has to do with it.",
      verdict: "change",
      names: [],
      summary: `About ${path}.`,
    })),
    more: [],
  }),
  "c03-choose-lines": ({ text }) => ({
    lines: [...text.matchAll(/^`(.+)` \(\d+ lines/gm)].map(([, path]) => `${path}:1-20`),
  }),
  "p04-plan-work": ({ text }) => {
    const paths = [...text.matchAll(/^`(.+)` \(\d+ lines/gm)].map(([, path = ""]) => path);
    return {
      example: "The first line is read.",
      fails: paths.length > 0,
      questions: [],
      notes: [],
      at: `${paths[0] ?? /`([^`\n]+)`/.exec(text.split("# Files of the repository")[1] ?? "")?.[1] ?? ""}:1`,
      reason: "The first line is wrong.",
      tasks: paths.map((path) => ({
        path,
        action: "modify",
        title: `Change ${path}`,
        description: `Change the first line of ${path}.`,
        places: [],
        edits: [],
        summary: "",
        developer: `Developer of ${path}: Knows the language.`,
      })),
      order: paths.map((_, at) => `run("t${at + 1}");`).join("\n"),
      agreed: "",
      title: "fix: change the first line",
    };
  },
  "p09-change-file": (call) => ({
    edits: [{ start: 1, end: 1, anchor: "", text: `changed by ${taskIn(call)}` }],
    summary: `The first line of ${pathIn(call)} is another.`,
    replies: [],
    qaEngineer: `QA for ${pathIn(call)}: Looks closely.`,
  }),
  "p11-review-work": {
    comments: [],
    missing: [],
    settled: [],
    unfollowed: [],
    verdict: "It does what was asked.",
    approved: true,
  },
  "p01-summarise-change": "It was changed.",
  "p02-summarise-file": "A file.",
  "p03-judge-relevance": ({ text }) => ({
    files: [...text.matchAll(/^## `(.+)`$/gm)].map(([, path]) => ({
      path,
      reason: "It has to do with it.",
      relevant: true,
    })),
  }),
  "p04-define-task": (call) => ({
    needed: true,
    reason: "It must change.",
    action: "modify",
    title: `Change ${pathIn(call)}`,
    description: `Change the first line of ${pathIn(call)}.`,
    newFiles: [],
  }),
  "p05-describe-developer": (call) => ({ title: `Developer ${taskIn(call)}`, description: "Knows the language." }),
  "m01-open-meeting": "Let us begin.",
  "m02-speak-in-meeting": (call) => `I speak for ${taskIn(call)}.`,
  "m03-close-meeting": { summary: "All agreed.", revised: [], dropped: [], added: [] },
  "p06-adjust-role": (call) => ({
    title: `Adjusted developer ${taskIn(call)}`,
    description: "Keeps to what was agreed.",
  }),
  "p07-write-plan": ({ text }) => [...text.matchAll(/^- (t\d+) ·/gm)].map(([, id]) => `run("${id}");`).join("\n"),
  "p08-describe-qa-engineer": (call) => ({ title: `QA for ${pathIn(call)}`, description: "Looks closely." }),
  "p09-locate-lines": (call) => ({
    intervals: [{ start: 1, end: 1, change: "Another first line." }],
    summary: `The first line of ${pathIn(call)} is another.`,
    replies: [],
  }),
  "p10-write-code": (call) => `changed by ${taskIn(call)}`,
  "p10-write-new-file": "A new file.\n",
  "p11-review-change": { comments: [], settled: [], verdict: "It does what was asked.", approved: true },
  "d01-describe-change": {
    type: "fix",
    title: "change the first line",
    problem: "The first line was wrong.",
    solution: "The first line is right.",
    template: "",
  },
};
