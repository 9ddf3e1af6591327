import { describe, expect, it } from "@jest/globals";
import { parsePatch } from "../../../eval/evaluation/measures/patch.ts";

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
