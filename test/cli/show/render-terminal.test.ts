import { describe, expect, it } from "@jest/globals";
import stringWidth from "string-width";
import { renderTerminal } from "../../../src/cli/show/render-terminal.ts";
import { runDocument } from "../../../src/cli/show/run-document.ts";
import { fitText, terminalText, wrapText } from "../../../src/cli/terminal-text.ts";
import { readRun } from "../../../src/model/read-record.ts";
import { HOSTILE, hostileReport } from "./hostile-report.ts";
import { emptyReport, sampleReport } from "./sample-report.ts";

const ESC = "\u001b";
/** any control but a newline */
const CONTROL = /[^\P{Cc}\n]/u;
const OWN_COLOURS = new RegExp(`${ESC}\\[(?:[12]|3[1-36]|22|39)m`, "g");

/** The run as its own JSON, as it comes from a file or another process. */
function shown(report: unknown, terminal = { columns: 100, colours: false }): string {
  const run = readRun(JSON.parse(JSON.stringify(report)));
  if (run === undefined) throw new Error("not read as a run");
  return renderTerminal(runDocument(run), terminal);
}

describe("a run on the terminal", () => {
  it("tells role by role how it came about", () => {
    const text = shown(sampleReport());
    for (const words of [
      "ended      budget used up",
      "src/money.js [relevant] score 12.35",
      "src/invoice.js [read] score 3",
      "README.md [not relevant] score 1",
      "Developer  Money developer t1: Knows integer amounts.",
      "I export it, @ben uses it.",
      "- stage 2: t2, t3",
      '| concurrently(run("t2"), run("t3"));',
      "t1: Add roundCents [approved]",
      "Round 1 [not approved]",
      "Turned back before QA saw it: Line 3 does not parse any more.",
      "    -  return Math.floor(cents);",
      "QA Engineer on src/money.js:2: [settled]",
      "They go away from zero now.",
      "fix: round discounts",
      "t4 was found to be missing from the plan, and added: Tell it",
      "t2: Round discounts [failed]",
      "The budget (money) ended the work before all tasks were done.",
      "- Test it (`test/money.js`)",
      "3434343434, the test alone [red, as it should be]",
      "failed, 41 s, https://host.example/checks/1",
      "expected 1.01",
      "5656565656, with the fix [green]",
      'The run used up its money in the phase "code".',
      "- p04-plan-work: MODEL_UNAVAILABLE: The model is overloaded. ($0.0010)",
      '"pattern": "roundCents"',
      '- 3 p04-plan-work: search "roundCents" in src; read src/money.js:1-9',
    ]) {
      expect(text).toContain(words);
    }
  });

  it("counts calls, tokens, money and time for each prompt and together", () => {
    const lines = shown(sampleReport()).split("\n");
    const cells = (name: string) => lines.find((line) => line.startsWith(name))?.split(/ {2,}/);
    expect(cells("p04-plan-work")?.slice(1)).toEqual([
      "2",
      "1,000",
      "500",
      "4,000",
      "250",
      "100",
      "$0.0135",
      "20.9 s",
      "17",
      "18",
      "39",
    ]);
    expect(cells("all  ")?.slice(1)).toEqual([
      "7",
      "6,000",
      "3,000",
      "24,000",
      "1,500",
      "100",
      "$0.0760",
      "53.9 s",
      "100",
      "100",
      "100",
    ]);
    const each = lines
      .filter((line) => /^ *\d p04-plan-work/.test(line))
      .map((line) => line.trim().split(/ {2,}/).slice(0, 6));
    expect(each).toMatchObject([
      [expect.stringMatching(/^\d p04-plan-work, failed$/), "0", "0", "0", "0", "100"],
      [expect.stringMatching(/^\d p04-plan-work$/), "1,000", "500", "4,000", "250", "0"],
    ]);
    expect(cells("sequential calls")?.[1]).toBe("6 one after another");
    expect(cells("critical path")?.[1]).toBe("49 s (all calls together 54 s)");
  });

  it("renders what people and agents wrote as Markdown, tables too", () => {
    const report = JSON.parse(JSON.stringify(sampleReport()));
    const [outcome] = report.record.work.outcomes;
    outcome.comments[0].body = "Still wrong:\n\n| in | out |\n|---|---|\n| **2.5** | `2` |";
    report.record.plan.tasks[0].description = "- first\n- second";
    expect(shown(report)).toMatch(/in +│ out\n +─+┼─+\n +2\.5 +│ `2`\n/);
    expect(shown(report)).toMatch(/ - first\n +- second\n/);
  });

  it("puts the result first", () => {
    const text = shown(sampleReport());
    const places = ["Result ─", "The issue ─", "Repository Custodian", "Manager: ", "Developers and", "Calls to"];
    const found = places.map((words) => text.indexOf(words));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(Math.min(...found)).toBeGreaterThan(0);
  });

  it("says at most where it was not kept when calls began", () => {
    const calls = sampleReport().calls.map(({ began: _none, ...call }) => call);
    expect(shown(sampleReport({ calls }))).toMatch(/sequential calls +at most 7 one after another/);
  });

  it("shows what is absent as absent", () => {
    const text = shown(emptyReport());
    for (const words of [
      "text is not kept",
      "No file was looked for.",
      "No plan was made.",
      "No task was carried out.",
    ]) {
      expect(text).toContain(words);
    }
    expect(text).toContain("No call is kept.");
  });

  it.each([
    [null],
    ["words"],
    [7],
    [[]],
    [{ judged: 1, outcomes: "x", tasks: {}, issue: [], order: { sequence: [{}] } }],
  ])("takes %j for a part of the record without falling over", (part) => {
    const record = Object.fromEntries(
      ["start", "candidates", "tasks", "plan", "work", "commit"].map((name) => [name, part]),
    );
    const report = { ...emptyReport(), record, state: part, calls: [part, { promptId: "p", answer: part }] };
    expect(shown(report)).toContain("Calls to the model");
  });

  it("is coloured only when that is wanted", () => {
    expect(shown(sampleReport())).not.toContain(ESC);
    expect(shown(sampleReport(), { columns: 100, colours: true })).toContain(
      `${ESC}[31m-  return Math.floor(cents);${ESC}[39m`,
    );
  });

  it("lets no text of the run write control sequences", () => {
    const plain = shown(hostileReport());
    expect(plain).toContain("window.hacked");
    expect(plain).not.toMatch(CONTROL);
    expect(plain).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    const coloured = shown(hostileReport(), { columns: 100, colours: true });
    expect(coloured.replaceAll(OWN_COLOURS, "")).toBe(plain);
  });

  it.each([40, 80, 100])("keeps its words within %i columns", (columns) => {
    const wide = shown(sampleReport({ title: "日本語の題名 ".repeat(20) }), { columns, colours: false })
      .split("\n")
      .filter((line) => stringWidth(line) > columns)
      // Code, diffs and figures are not broken.
      .filter((line) => !/^ *[|+@-]|\d {2,}|^ *(?:prompt|call) /.test(line));
    expect(wide).toEqual([]);
  });
});

describe("terminalText", () => {
  it.each([
    ["a\u001b[31mred\u001b[0m b", "ared b"],
    ["\u001b]8;;https://x\u0007link\u001b]8;;\u001b\\.", "link."],
    ["\u009b2Jcleared\u009d0;title\u009c!", "cleared!"],
    ["\u001bPdevice\u001b\\x\u001bc", "x"],
    ["unended \u001b]0;title", "unended "],
    ["a\rb\tc\u0008\u202e", "a\nb    c"],
    ["naïve 日本\n", "naïve 日本\n"],
  ])("makes %j %j", (text, safe) => {
    expect(terminalText(text)).toBe(safe);
  });

  it("leaves no control whatever it is given", () => {
    expect(terminalText(HOSTILE.repeat(3))).not.toMatch(CONTROL);
  });
});

describe("wrapText", () => {
  it.each([
    ["one two three four", 10, ["one two", "three four"]],
    ["  one two three", 10, ["  one two", "  three"]],
    ["a\n\nb", 10, ["a", "", "b"]],
    ["x".repeat(25), 10, ["x".repeat(10), "x".repeat(10), "x".repeat(5)]],
    ["日本語日本語", 10, ["日本語日本", "語"]],
  ])("breaks %j", (text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines);
  });

  it("leaves long words whole where that is wanted", () => {
    const address = `https://host.example/${"x".repeat(20)}`;
    expect(wrapText(`see ${address} there`, 12, { whole: true })).toEqual(["see", address, "there"]);
  });
});

describe("fitText", () => {
  const text = `  ${"word ".repeat(40)}\nend`;

  it.each([
    [60, 60],
    [80, 80],
    [200, 120],
  ])("keeps within a terminal of %i columns, without cutting words", (columns, width) => {
    const lines = fitText(text, columns).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines.slice(0, -1).every((line) => /^ {2}word( word)*$/.test(line))).toBe(true);
    expect(lines.at(-1)).toBe("end");
  });

  it("leaves the text as it is where there is no terminal", () => {
    expect(fitText(text, undefined)).toBe(text);
    expect(fitText(text, 0)).toBe(text);
  });
});
