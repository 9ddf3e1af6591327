import { describe, expect, it } from "@jest/globals";
import { asOne, readReport } from "../../../src/checks/test-logs/read-report.ts";
import { imageIn } from "../../../src/checks/test-logs/runner-image.ts";
import { type StepTimes, splitSteps } from "../../../src/checks/test-logs/split-steps.ts";

const junit = (...cases: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="s" file="test/a.test.js">${cases.join("\n")}</testsuite></testsuites>`;
const ok = '<testcase classname="parse" name="reads"/>';
const failed =
  '<testcase classname="parse" name="keeps"><failure type="AssertionError" message="1 &lt; 2"><![CDATA[expected 1\n  at test/a.test.js:3:1]]></failure></testcase>';

const ends = (file: string, text: string) => {
  const read = readReport(file, text);
  return read && { ...read.counts, all: read.all && Object.fromEntries(read.all) };
};

describe("a report of tests", () => {
  it("is read from JUnit's XML, with the failures and their places", () => {
    const read = readReport("junit.xml", junit(ok, failed));
    expect(read).toMatchObject({ from: "report", format: "JUnit", counts: { passed: 1, failed: 1, skipped: 0 } });
    expect(read?.failures).toEqual([
      expect.objectContaining({ name: "parse.keeps", path: "test/a.test.js", cause: "assertion", suite: false }),
    ]);
    expect(read?.failures[0]?.words).toContain("AssertionError: 1 < 2");
  });

  it.each([
    [
      "the text of a field",
      "keeps the document\n  doc:\n    error: |\n      first\n    level: 3",
      "keeps the document",
    ],
    ["a field that is the same", "  {\n+   age: 1,\n-   age: 2,\n    name: 'Alice',\n  }", "name: 'Alice'"],
  ])("is quoted with what a compared value has, such as %s", (_what, said, kept) => {
    const read = readReport("a.xml", junit(`<testcase name="a"><failure>${said}</failure></testcase>`));
    expect(read?.failures[0]?.words).toContain(kept);
  });

  it.each<[string, string, string, object]>([
    [
      "skipped",
      "a.xml",
      junit('<testcase name="a"><skipped message="later"/></testcase>'),
      { skipped: 1, all: { a: "skipped" } },
    ],
    [
      "an error",
      "a.xml",
      junit('<testcase name="a"><error>boom</error></testcase>'),
      { failed: 1, all: { a: "failed" } },
    ],
    [
      "printed output",
      "a.xml",
      junit('<testcase name="a"><system-out><![CDATA[<failure>no</failure>]]></system-out></testcase>'),
      { passed: 1, failed: 0 },
    ],
    ["a > in an attribute", "a.xml", junit('<testcase name="a > b"/>'), { all: { "a > b": "passed" } }],
    ["characters by number", "a.xml", junit('<testcase name="&#65;&#x42;&quot;"/>'), { all: { 'AB"': "passed" } }],
    ["a single suite", "a.xml", '<testsuite name="s"><testcase name="a"/></testsuite>', { passed: 1 }],
    [
      "TRX",
      "a.trx",
      '<?xml version="1.0"?><TestRun xmlns="x"><Results><UnitTestResult testName="A.B" outcome="Passed"/><UnitTestResult testName="A.C" outcome="Failed"><Output><ErrorInfo><Message>Assert.Equal() Failure</Message></ErrorInfo></Output></UnitTestResult><UnitTestResult testName="A.D" outcome="NotExecuted"/></Results></TestRun>',
      { passed: 1, failed: 1, skipped: 1, all: { "A.B": "passed", "A.C": "failed", "A.D": "skipped" } },
    ],
    [
      "TAP",
      "a.tap",
      "TAP version 13\n1..3\nok 1 - reads\nnot ok 2 - keeps\nok 3 - later # SKIP\n",
      { passed: 1, failed: 1, skipped: 1 },
    ],
    [
      "go test -json",
      "a.json",
      '{"Action":"output","Test":"TestA","Output":"--- PASS: TestA (0.00s)\\n"}\n{"Action":"output","Test":"TestB","Output":"--- FAIL: TestB (0.00s)\\n"}\n',
      { passed: 1, failed: 1 },
    ],
    ["two of one name", "a.xml", junit(ok, ok), { passed: 2, all: undefined }],
  ])("%s", (_what, file, text, expected) => {
    expect(ends(file, text)).toMatchObject(expected);
  });

  it.each<[string, string, string]>([
    ["coverage", "coverage.xml", '<?xml version="1.0"?><coverage line-rate="1"/>'],
    ["JSON of another kind", "a.json", '{"a":1}'],
    ["a truncated report", "a.xml", junit(ok, failed).slice(0, -30)],
    ["no tests", "a.xml", junit()],
    ["a page", "a.xml", "<html><body>not found</body></html>"],
  ])("is not %s", (_what, file, text) => {
    expect(readReport(file, text)).toBeUndefined();
  });

  it("expands no entities, is bounded in length and depth, and is read in linear time", () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${"b".repeat(100)}"><!ENTITY c "&a;&a;&a;&a;">]>${junit('<testcase name="&c;"/>')}`;
    for (const text of [
      bomb,
      "<".repeat(2_000_000),
      `<testsuite ${'a="'.repeat(700_000)}`,
      `<testsuite>${"<![CDATA[".repeat(200_000)}`,
      junit("<testcase>".repeat(60_000)),
      `${"<testsuite>".repeat(200)}${ok}${"</testsuite>".repeat(200)}`,
      junit(ok, `<system-out>${"x".repeat(4_000_000)}</system-out>`),
    ])
      expect(readReport("a.xml", text)).toBeUndefined();
  });

  it("is merged with the others of its artifact", () => {
    const one = readReport("a.xml", junit(ok));
    const other = readReport("b.xml", junit(failed));
    const both = asOne([one, other].filter((read) => read !== undefined));
    expect(both).toMatchObject({ counts: { passed: 1, failed: 1 }, format: "JUnit" });
    expect([...(both?.all ?? [])]).toEqual([
      ["parse.reads", "passed"],
      ["parse.keeps", "failed"],
    ]);
  });
});

const second = (at: number) => Date.parse(`2026-11-20T10:00:${String(at).padStart(2, "0")}Z`);
const line = (at: number, text: string) =>
  `2026-11-20T10:00:${String(Math.floor(at)).padStart(2, "0")}.${String(Math.round((at % 1) * 10))}000000Z ${text}`;
const step = (name: string, from: number, to: number, state: StepTimes["state"] = "passed"): StepTimes => ({
  name,
  state,
  from: second(from),
  to: second(to),
});
const textOf = (part: string | undefined) =>
  (part ?? "")
    .split("\n")
    .map((row) => row.slice(29))
    .join("|");

describe("the steps of a job's log", () => {
  it("are split by their seconds, or by their first lines within the same second", () => {
    const log = [
      line(1.1, "setting up"),
      line(2.1, "##[group]Run npm run lint"),
      line(2.3, "lint says"),
      line(2.5, "##[group]Run npm test"),
      line(2.7, "test says"),
      line(4.2, "test ends"),
      line(4.4, "##[group]Run ./deploy"),
      line(6.1, "deployed"),
    ].join("\n");
    const steps = [step("set up", 1, 1), step("lint", 2, 2), step("test", 2, 4, "failed"), step("deploy", 4, 6)];
    expect(splitSteps(log, steps).map(textOf)).toEqual([
      "setting up",
      "##[group]Run npm run lint|lint says",
      "##[group]Run npm test|test says|test ends",
      "##[group]Run ./deploy|deployed",
    ]);
  });

  it("are not split by a program's output", () => {
    const log = [line(1.1, "##[group]Run npm test"), line(2.1, "##[group]Run npm test"), line(2.2, "1 passed")].join(
      "\n",
    );
    expect(textOf(splitSteps(log, [step("test", 1, 2)])[0])).toBe(
      "##[group]Run npm test|##[group]Run npm test|1 passed",
    );
  });

  it("leave out skipped steps, and ignore a stamp that goes back in time", () => {
    const log = [line(1.1, "a"), line(0.5, "b"), "no stamp", line(3.1, "c")].join("\n");
    const parts = splitSteps(log, [{ name: "skipped", state: "neutral" }, step("one", 1, 1), step("two", 3, 3)]);
    expect(parts[0]).toBe("");
    expect(parts[1]?.split("\n")).toHaveLength(3);
    expect(textOf(parts[2])).toBe("c");
  });

  it("name the machine's image only in the first lines", () => {
    const head = [
      line(1, "##[group]Runner Image"),
      line(1, "Image: ubuntu-24.04"),
      line(1, "Version: 20261101.1"),
    ].join("\n");
    expect(imageIn(head)).toBe("ubuntu-24.04 20261101.1");
    expect(imageIn(`${line(1, "x\n").repeat(300)}${head}`)).toBeUndefined();
    expect(imageIn("Current Image: none")).toBeUndefined();
  });
});
