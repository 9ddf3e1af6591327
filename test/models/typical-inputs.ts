import { numberLines } from "../../src/code/edits/numbered.ts";
import type { Inputs } from "../../src/models/prompt-runner.ts";
import { DIFF, type Mark, type Shared, sharedInputs } from "./shared-inputs.ts";

/** Typical values for every prompt, by its id. */
export function typicalInputs(mark: Mark = (text) => text): Readonly<Record<string, Inputs>> {
  const shared = sharedInputs(mark);
  return { ...leanInputs(shared), ...paperInputs(shared), ...pullRequestInputs(shared), ...evaluationInputs(shared) };
}

/** What few issues have. */
function moreOfIssue(mark: Mark) {
  const log = mark("E: it is one cent short", "author", "attachment");
  return {
    gaveUp: mark("No line fits.", "colleague", "gave up"),
    cut: [mark("the end of its text", "line", "cut")],
    attachments: [
      { name: mark("app.log", "line", "file"), author: mark("eva", "line", "eva"), standing: "author", text: log },
    ],
    relatives: [
      {
        relation: "parent",
        number: 3,
        open: false,
        title: mark("Money is exact", "line", "parent title"),
        begin: mark("All amounts are in cents.", "maintainer", "parent begin"),
        standing: "maintainer",
      },
      { relation: "sub-issue", number: 8, open: true, title: mark("Taxes", "line", "child title"), begin: "" },
    ],
    declined: {
      number: 5,
      outline: mark("src/money.js +1 -1\n  function roundCents(", "colleague", "outline"),
      said: [
        {
          author: mark("olga", "line", "olga"),
          path: mark("src/money.js", "line", "at"),
          body: mark("No.", "maintainer", "no"),
        },
        { author: mark("tom", "line", "tom"), body: mark("Not like this.", "maintainer", "not so") },
      ],
    },
  };
}

/** Pairs of id and values, for branches of a prompt that its typical values do not reach. */
export function furtherInputs(mark: Mark = (text) => text): readonly (readonly [string, Inputs])[] {
  const { colleague, file, line, ...shared } = sharedInputs(mark);
  const typical = typicalInputs(mark);
  const { task, qaEngineer, shownFile } = shared;
  const view = planningView({ file, line, shownFile });
  const silent = { ...qaEngineer, description: "" };
  return [
    [
      "p09-change-file",
      {
        ...typical["p09-change-file"],
        content: file("(the file does not exist yet)", "missing"),
        lineCount: 0,
        whole: true,
        places: [],
        turns: 0,
        room: 40_000,
        previous: { diff: "", comments: [], reason: colleague("It did not fit.", "misfit") },
        task: { ...task, threads: ["th1", "re2"] },
      },
    ],
    [
      "p11-review-work",
      {
        ...typical["p11-review-work"],
        view: null,
        changes: [{ task, qaEngineer: silent, summary: colleague("Not needed.", "no change"), diff: "" }],
        apart: [],
        respelt: [],
        called: "",
        uses: "",
        tests: false,
        earlier: [],
        reason: "",
        agreed: "",
        turns: 0,
        room: 40_000,
      },
    ],
    ["p10-write-code", { ...typical["p10-write-code"], oldPart: "", written: [] }],
    ["p10-write-new-file", { ...typical["p10-write-new-file"], previous: shared.previous }],
    ["p09-locate-lines", { ...typical["p09-locate-lines"], previous: null, task: { ...task, threads: ["th1"] } }],
    ["d01-describe-change", { ...typical["d01-describe-change"], template: "" }],
    ["x01-resolve-conflicts", { ...typical["x01-resolve-conflicts"], change: "" }],
    ["x02-review-merge", { ...typical["x02-review-merge"], change: "" }],
    ["c02-locate-files", { ...typical["c02-locate-files"], issue: { ...shared.issue, ...moreOfIssue(mark) } }],
    [
      "p04-plan-work",
      { ...typical["p04-plan-work"], issue: { ...shared.issue, declined: moreOfIssue(mark).declined } },
    ],
    ["c03-choose-lines", { ...typical["c03-choose-lines"], others: [], tests: [] }],
    [
      "p04-plan-work",
      {
        ...typical["p04-plan-work"],
        view: { ...view, others: [], tests: [], note: null },
        turns: 0,
        room: 40_000,
      },
    ],
    [
      "p04-plan-work",
      {
        ...typical["p04-plan-work"],
        view: {
          ...view,
          note: {
            kind: "entry",
            folder: "",
            names: [],
            examples: [{ path: line("CHANGES.md", "changelog"), content: file("1|# Changes", "entries") }],
          },
        },
      },
    ],
  ];
}

/** What the Manager is shown, and QA after it. */
function planningView({ file, line, shownFile }: Pick<Shared, "file" | "line" | "shownFile">) {
  return {
    files: [{ ...shownFile, size: 90, whole: false }],
    others: [{ path: line("src/invoice.js", "other"), summary: line("Invoices.\nDiscounts.", "other summary") }],
    tests: [
      {
        path: line("test/money.test.js", "test"),
        names: line("testRound", "test names"),
        sample: file("1 | test();", "sample"),
      },
    ],
    note: {
      kind: "file",
      folder: "news",
      names: [line("news/11.bugfix.md", "note name")],
      examples: [{ path: line("news/12.bugfix.md", "note path"), content: file("Sums are right again.", "note") }],
    },
  };
}

function leanInputs({
  mark,
  colleague,
  file,
  line,
  issue,
  shownFile,
  task,
  team,
  ...more
}: Shared): Record<string, Inputs> {
  const { previous, earlier, qaEngineer, summary, base } = more;
  return {
    "c02-locate-files": {
      issue,
      files: [
        {
          path: shownFile.path,
          reasons: line("has `roundCents`", "reasons"),
          kind: "outline",
          view: file("export function a()", "outline"),
          matches: "",
        },
        {
          path: line("src/invoice.js", "path 2"),
          reasons: line("named", "reasons 2"),
          kind: "change",
          view: colleague(`Invoices.\n\n${DIFF}`, "changed summary"),
          matches: file("7 | round()", "matches"),
        },
        {
          path: line("src/tax.js", "path 3"),
          reasons: line("its words", "reasons 3"),
          kind: "summary",
          view: colleague("Taxes.", "summary of a file"),
          matches: "",
        },
      ],
      map: file("src/\n  money.js: formatCents", "map"),
      turns: 1,
      room: 40_000,
    },
    "c03-choose-lines": {
      issue,
      files: [
        { ...shownFile, size: 90, whole: false, declared: line("cut 70-80", "declared") },
        { ...shownFile, path: line("src/tax.js", "path 2"), size: 9, whole: true, declared: "" },
      ],
      others: [{ path: line("src/invoice.js", "other"), summary: line("Invoices.\nDiscounts.", "other summary") }],
      budget: 9_000,
      turns: 2,
      room: 40_000,
      tests: [
        {
          path: line("test/money.test.js", "test"),
          names: line("testRound", "test names"),
          sample: file("1|test();", "sample"),
        },
      ],
    },
    "p04-plan-work": {
      issue,
      view: planningView({ file, line, shownFile }),
      turns: 2,
      room: 40_000,
    },
    "p09-change-file": {
      ...base,
      ...shownFile,
      lineCount: 90,
      whole: false,
      previous,
      turns: 2,
      room: 40_000,
      places: [{ path: line("src/tax.js", "place"), content: file(numberLines(["tax();\n"], 7), "place content") }],
    },
    "p11-review-work": {
      issue,
      view: planningView({ file, line, shownFile }),
      reason: colleague("Halves are cut off.", "cause"),
      agreed: team.agreed,
      apart: [{ ...task, path: line("test/cut.test.js", "path apart"), title: line("Test it", "title apart") }],
      notes: colleague("Taxes are cut off alike.", "note"),
      round: 2,
      lastRound: 3,
      changes: [{ task, qaEngineer, summary, diff: colleague("      - old\n    1 + new", "numbered diff") }],
      respelt: [{ literal: line("roundHalf", "literal"), variant: line("round-half", "variant") }],
      called: file("src/money.js\n7 | function cut() {", "called"),
      uses: file("roundCents:\nsrc/invoice.js:3: roundCents(1)", "uses"),
      tests: true,
      turns: 2,
      room: 40_000,
      earlier,
    },
  };
}

function paperInputs({ colleague, file, line, issue, shownFile, task, team, ...more }: Shared): Record<string, Inputs> {
  const { previous, earlier, qaEngineer, diff, base } = more;
  const record = [{ speaker: line("Manager", "speaker"), text: colleague("Let us begin.", "speech") }];
  const interval = { start: 2, end: 3, change: line("Round here.", "change of lines") };
  const insertion = { start: 2, end: 1, change: line("Import it.", "insertion") };
  return {
    "m01-open-meeting": { issue, ...team },
    "m02-speak-in-meeting": { ...base, ...shownFile, record },
    "m03-close-meeting": { issue, ...team, record },
    "p01-summarise-change": {
      path: shownFile.path,
      summary: colleague("Money helpers.", "summary of a file"),
      diff: file(DIFF, "change"),
    },
    "p02-summarise-file": { path: shownFile.path, content: file("const a = 1;\n\n\n\nf(a);\n", "content") },
    "p03-judge-relevance": {
      issue,
      files: [
        {
          path: shownFile.path,
          reasons: line("has `roundCents`", "reasons"),
          summary: colleague("Money helpers.", "summary of a file"),
        },
      ],
    },
    "p04-define-task": {
      issue,
      ...shownFile,
      candidates: [{ path: line("src/invoice.js", "candidate"), summary: line("Invoices.\nDiscounts.", "about it") }],
    },
    "p06-adjust-role": { issue, task, record },
    "p07-write-plan": { tasks: team.tasks, record },
    "p08-describe-qa-engineer": { issue, ...shownFile, task },
    "p09-locate-lines": { ...base, ...shownFile, lineCount: 5, previous },
    "p10-write-code": {
      ...base,
      ...shownFile,
      previous,
      interval,
      intervals: [insertion, interval],
      written: [{ start: 2, end: 1, text: colleague("import x;\n", "written") }],
      oldPart: file("a\n\n\n\nb\n", "old part"),
    },
    "p10-write-new-file": {
      ...base,
      previous: null,
      neighbours: [{ path: line("test/a.test.js", "neighbour"), content: file("a();\n", "neighbour's content") }],
    },
    "p11-review-change": {
      ...base,
      qaEngineer,
      round: 2,
      lastRound: 3,
      diff,
      excerpt: colleague("1\tnew", "excerpt"),
      earlier,
    },
  };
}

function pullRequestInputs({ colleague, file, line, maintainer, issue, ...more }: Shared): Record<string, Inputs> {
  const { shownFile, task, summary, diff } = more;
  const template = file("## Checks", "template");
  return {
    "c01-judge-policy": {
      passages: [
        {
          number: 1,
          path: line("CONTRIBUTING.md", "document"),
          line: 12,
          text: file("Say so if AI helped.", "policy"),
        },
      ],
    },
    "d01-describe-change": { issue, changes: [{ summary, diff }], template },
    "k01-plan-repair": {
      issue: { ...issue, standing: "log", ...logsOf(more.mark) },
      files: [shownFile],
      others: [line("src/invoice.js", "other path")],
      earlier: [colleague("Round in money.js.", "earlier repair")],
    },
    "p05-describe-developer": { issue, task },
    "r01-assign-comments": {
      issue,
      description: colleague("fix: round cents", "pull request"),
      files: [shownFile],
      paths: [line("src/invoice.js", "other path")],
      conversation: [
        { author: line("magis[bot]", "bot"), own: true, body: colleague("It rounds.", "own words") },
        { author: line("ana", "speaker"), own: false, body: maintainer("It does.", "earlier words") },
      ],
      comments: [{ id: "re1", author: line("ana", "who asks"), body: maintainer("Why not floor?", "comment") }],
    },
    ...mergeInputs({ colleague, file, line, issue }),
  };
}

function mergeInputs({ colleague, file, line, issue }: Pick<Shared, "colleague" | "file" | "line" | "issue">) {
  const view = {
    issue,
    ours: line("the base branch main", "our side"),
    theirs: line("the pull request's branch", "their side"),
    change: file(DIFF, "change"),
  };
  const hunk = {
    id: "1",
    path: line("src/money.js", "path of a place"),
    base: file("round(a);\n", "base of a place"),
    ours: file("round(a, 2);\n", "ours of a place"),
    theirs: file("floor(a);\n", "theirs of a place"),
    before: file("const a = 1;\n", "before a place"),
    after: file("return a;\n", "after a place"),
  };
  const made = { lines: colleague("floor(a, 2);\n", "merged lines"), why: colleague("Both hold.", "why merged") };
  return {
    "x01-resolve-conflicts": { ...view, hunks: [hunk] },
    "x02-review-merge": { ...view, hunks: [{ ...hunk, ...made }] },
  };
}

const logsOf = (mark: Mark) => ({
  title: mark("Failing checks: test", "log", "failing checks"),
  body: mark("1 failed", "log", "log"),
});

function evaluationInputs({ colleague, file, issue, task, shownFile }: Shared): Record<string, Inputs> {
  const judged = { ...task, title: colleague("Add roundCents", "title of a task") };
  return {
    "b01-write-patch": { issue, files: [shownFile] },
    "j01-judge-correlation": { issue, task: judged, patch: file(DIFF, "patch") },
  };
}
