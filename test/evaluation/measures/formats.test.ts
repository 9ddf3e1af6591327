import { describe, expect, it } from "@jest/globals";
import { parseInstances, selectInstances } from "../../../eval/evaluation/instances.ts";
import { parseGrading } from "../../../eval/evaluation/measures/grading.ts";
import { parsePatch } from "../../../eval/evaluation/measures/patch.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const instance = (id: string, more: object = {}) => ({
  instance_id: id,
  repo: "acme/shop",
  base_commit: COMMIT,
  problem_statement: "It fails.",
  ...more,
});
const idsOf = (source: string) => {
  const read = parseInstances(source);
  return "faults" in read ? read : read.instances.map(({ id }) => id);
};

describe("parseInstances", () => {
  it("reads JSON lines, a list, one object, and objects by id", () => {
    const [a, b] = [instance("a__b-1"), instance("a__b-2")];
    expect(idsOf(`${JSON.stringify(a)}\n\n${JSON.stringify(b)}\n`)).toEqual(["a__b-1", "a__b-2"]);
    expect(idsOf(JSON.stringify([a, b], undefined, 2))).toEqual(["a__b-1", "a__b-2"]);
    expect(idsOf(JSON.stringify(a))).toEqual(["a__b-1"]);
    const { instance_id: _, ...nameless } = a;
    expect(idsOf(JSON.stringify({ "x-1": nameless, "x-2": b }))).toEqual(["x-1", "a__b-2"]);
  });

  it("reads lists of tests, also as JSON, and drops unknown fields", () => {
    const more = { FAIL_TO_PASS: '["t1", "t2"]', PASS_TO_PASS: ["t3"], hints_text: null, unknown: 1 };
    const read = parseInstances(JSON.stringify(instance("i-1", more)));
    expect("instances" in read && read.instances).toEqual([
      {
        id: "i-1",
        repository: "acme/shop",
        baseCommit: COMMIT,
        problem: "It fails.",
        hints: "",
        patch: "",
        testPatch: "",
        failToPass: ["t1", "t2"],
        passToPass: ["t3"],
        createdAt: "",
        version: "",
      },
    ]);
  });

  it("names every fault by line and field", () => {
    const wrong = [
      JSON.stringify(instance("i-1")),
      JSON.stringify(instance("i-1", { base_commit: "main", FAIL_TO_PASS: "t1" })),
      JSON.stringify({ ...instance("../x"), repo: "shop" }),
      JSON.stringify({ instance_id: "i-3" }),
    ];
    expect(parseInstances(wrong.join("\n"))).toEqual({
      faults: [
        "line 2: base_commit must be a commit's 40 hex digits.",
        "line 2: FAIL_TO_PASS is neither a list of tests nor one written as JSON.",
        "line 3: instance_id must be letters, digits, `.`, `_`, `-` and `+`.",
        "line 3: repo must be owner/name.",
        ...["repo", "base_commit", "problem_statement"].map((field) => `line 4: ${field} is missing.`),
      ],
    });
    expect(parseInstances('{"a": 1}\nnonsense\n')).toEqual({ faults: ["line 2: it is not JSON."] });
    expect(parseInstances("")).toEqual({ faults: ["It holds no instance."] });
    expect(parseInstances(`[${JSON.stringify(instance("i"))},${JSON.stringify(instance("i"))}]`)).toEqual({
      faults: ["instance 2: instance_id i stands there twice."],
    });
  });

  it("keeps the file's order when ids and globs select", () => {
    const read = parseInstances(JSON.stringify(["b-1", "a-12", "a-1"].map((id) => instance(id))));
    const chosen = (filter?: string, limit?: number) =>
      selectInstances("instances" in read ? read.instances : [], { filter, limit }).map(({ id }) => id);
    expect([chosen("a-*"), chosen("a-?,b-1"), chosen("a"), chosen(undefined, 2)]).toEqual([
      ["a-12", "a-1"],
      ["b-1", "a-1"],
      [],
      ["b-1", "a-12"],
    ]);
  });
});

describe("parseGrading", () => {
  const graded = (source: unknown, asked: readonly string[] = []) => {
    const grading = parseGrading(JSON.stringify(source), asked);
    return grading && Object.fromEntries(grading);
  };
  it("reads the forms of graders", () => {
    const report = { total_instances: 3, submitted_ids: ["a", "b"], resolved_ids: ["a"], unresolved_ids: ["b"] };
    expect(graded(report)).toEqual({ a: true, b: false });
    expect(graded({ resolved: ["a"] }, ["a", "c"])).toEqual({ a: true, c: false });
    expect(graded({ a: { resolved: true, tests: {} }, b: { resolved: false } })).toEqual({ a: true, b: false });
    expect(graded({ a: true, b: false })).toEqual({ a: true, b: false });
    expect(graded({ a: { resolved: false, skipped: "no compiler" } })).toEqual({});
  });
  it("refuses anything else", () => {
    expect([graded([1]), graded({ a: 1 }), graded("x"), parseGrading("{", [])]).toEqual(Array(4).fill(undefined));
  });
});

const paths = (patch: string) => parsePatch(patch).map(({ oldPath, newPath }) => [oldPath, newPath]);

describe("parsePatch", () => {
  it("reads quoted names, names with blanks, changes of mode, binary files and patches without git's headers", () => {
    const quoted = 'diff --git "a/\\303\\244 b.txt" "b/\\303\\244 b.txt"\nold mode 100644\nnew mode 100755\n';
    const blanks =
      "diff --git a/my file.txt b/my file.txt\n--- a/my file.txt\t\n+++ b/my file.txt\t\n@@ -1 +1 @@\n-a\n+b\n";
    const binary = "diff --git a/x.png b/x.png\nnew file mode 100644\nBinary files /dev/null and b/x.png differ\n";
    const plain = "--- lib/x.rb\t2024-01-01\n+++ lib/x.rb\t2024-01-02\n@@ -1 +1,2 @@\n a\n+b\n";
    expect(paths(quoted + blanks + binary)).toEqual([
      ["ä b.txt", "ä b.txt"],
      ["my file.txt", "my file.txt"],
      [undefined, "x.png"],
    ]);
    expect(paths(plain)).toEqual([["lib/x.rb", "lib/x.rb"]]);
  });

  it("reads lines that look like headers as content within a hunk", () => {
    const patch =
      "--- a/x.sql\n+++ b/x.sql\n@@ -1,3 +1,2 @@\n a\n--- drop it\n b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+++ 2\n";
    const [first, second] = parsePatch(patch);
    expect(first?.hunks[0]?.runs).toMatchObject([{ oldStart: 2, removed: ["-- drop it"], added: [] }]);
    expect(second?.hunks[0]?.runs).toMatchObject([{ oldStart: 1, removed: ["1"], added: ["++ 2"] }]);
  });

  it("copes with missing last newlines, CRLF, and text that is not a diff", () => {
    const patch =
      "From 123\nSubject: x\n\ndiff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n";
    expect(parsePatch(patch)).toMatchObject([
      { oldPath: "x", newPath: "x", hunks: [{ runs: [{ removed: ["a"], added: ["b"], followed: undefined }] }] },
    ]);
    expect(parsePatch("")).toEqual([]);
    expect(parsePatch("nothing\n@@ -1 +1 @@\n")).toEqual([]);
  });

  it("reads copies as new files, names each hunk by git's context, and refuses a truncated diff", () => {
    const copy = "diff --git a/x b/y\nsimilarity index 90%\ncopy from x\ncopy to y\n--- a/x\n+++ b/y\n";
    const hunks = "@@ -1 +1 @@ one()\n-@@ -1 +1 @@ a\n+b\n@@ -9,0 +10 @@\n+c\n@@ -20 +22 @@ two()\n-d\n+e\n";
    expect(parsePatch(copy + hunks)).toMatchObject([
      { oldPath: undefined, newPath: "y", hunks: [{ heading: "one()" }, { heading: "" }, { heading: "two()" }] },
    ]);
    expect(parsePatch(`${copy}${hunks}`.replace(/\+e\n$/, ""))).toEqual([]);
  });
});
