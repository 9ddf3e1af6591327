import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { gitPatch, unifiedDiff } from "../../../src/code/edits/diff.ts";
import { largeSource } from "../../fakes/large-source.ts";
import { fc } from "../../seeded.ts";
import { runProgramNow } from "../../world/git/run-program.ts";
import { versions } from "./versions.ts";

const PATHS = ["a.txt", "dir/b c.txt", 'q"uote\\.txt', "ünï.txt", "tab\there.txt", "日本/語.md"];
const bytes = (text: string) => new Uint8Array(Buffer.from(text, "utf8"));

interface Case {
  path: string;
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
}

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "magis-patch-"));
  git(["init", "-q"]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function git(args: readonly string[], input?: Uint8Array): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  return runProgramNow({ command: "git", args, cwd: root, env, input: input ?? "" }).toString();
}

function write(path: string, content: Uint8Array | undefined): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  if (content === undefined) rmSync(join(root, path), { force: true });
  else writeFileSync(join(root, path), content);
}

/** Applies the patches of many cases with one real `git apply`, each in a folder of its own. */
function expectApplied(cases: readonly Case[], options: Parameters<typeof gitPatch>[3] = {}): void {
  const placed = cases.map((one, index) => ({ ...one, path: `case ${index}/${one.path}` }));
  for (const { path, before } of placed) write(path, before);
  const patch = Buffer.concat(placed.map(({ path, before, after }) => gitPatch(path, before, after, options)));
  if (patch.length > 0) git(["apply", "--whitespace=nowarn"], patch);
  for (const { path, after } of placed) {
    const file = join(root, path);
    if (after === undefined) expect(existsSync(file)).toBe(false);
    else expect(readFileSync(file).toString("latin1")).toBe(Buffer.from(after).toString("latin1"));
    write(path, undefined);
  }
}

describe("gitPatch", () => {
  it("gives git the new version, byte by byte", () => {
    const isLatin1 = fc.boolean();
    const side = fc.constantFrom("modify", "modify", "modify", "create", "delete");
    const one = fc
      .tuple(versions(), fc.constantFrom(...PATHS), side, isLatin1)
      .map(([pair, path, kind, latin1]): Case => {
        const [before, after] = pair.map(
          (text) => new Uint8Array(Buffer.from(text, latin1 ? "latin1" : "utf8").filter((byte) => byte !== 0)),
        );
        return { path, before: kind === "create" ? undefined : before, after: kind === "delete" ? undefined : after };
      });
    fc.assert(
      fc.property(fc.array(one, { minLength: 25, maxLength: 25 }), fc.constantFrom(1, 3, 8), (cases, context) => {
        expectApplied(cases, { context });
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  it.each<[string, string | undefined, string | undefined]>([
    ["an empty new file", undefined, ""],
    ["an empty file deleted", "", undefined],
    ["a file emptied", "a\nb", ""],
    ["a file filled", "", "a\nb"],
    ["a final newline added", "a\nb", "a\nb\n"],
    ["a final newline taken away", "a\nb\n", "a\nb"],
    ["line endings changed", "a\r\nb\r\n", "a\nb\n"],
    ["an insertion at the beginning", "a\nb\nc\nd\ne\n", "x\na\nb\nc\nd\ne\n"],
    ["changes near each other", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\nx\n3\n4\n5\n6\n7\n8\ny\n"],
  ])("applies with git: %s", (_name, before, after) => {
    const sides = {
      before: before === undefined ? before : bytes(before),
      after: after === undefined ? after : bytes(after),
    };
    expectApplied(PATHS.map((path) => ({ path, ...sides })));
  });

  it("begins an insertion behind a blank line, where it may stand there", () => {
    const step = (name: string) => `/**\n * ${name}\n */\nfunction ${name}() {\n  return 1;\n}\n\n`;
    const [before, after] = [step("a") + step("b"), step("a") + step("x") + step("b")];
    const added = (...texts: readonly string[]) =>
      unifiedDiff("a.js", Buffer.from(texts[0] ?? ""), Buffer.from(texts[1] ?? "")).match(/(?<=^\+)(?!\+\+ ).*$/gm);
    expect(added(before, after)?.join("\n")).toBe(step("x").trimEnd().concat("\n"));
    // Another change below has the texts compared line by line.
    const lower = step("c").replace("1", "2");
    expect(added(before + step("c"), after + lower)?.slice(0, 2)).toEqual(["/**", " * x"]);
    expect(added("a\na\n", "a\na\na\n")).toEqual(["a"]);
  });

  it("equals git's own diff", () => {
    const [before, after] = ["1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12", "1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"].map(
      bytes,
    );
    write("same name.txt", before);
    git(["add", "-A"]);
    write("same name.txt", after);
    const patch = git(["diff"]).replace(/^index .*\n/m, "");
    write("same name.txt", undefined);
    git(["rm", "-rq", "--cached", "."]);
    expect(unifiedDiff("same name.txt", before, after)).toBe(patch.replace(/(@@ .* @@).*/g, "$1"));
  });

  it("has a large file's line numbers, and shows only the change and its surroundings", () => {
    const whole = largeSource(1_000_000, "/* here */\nint here;\n\n");
    const at = whole.slice(0, whole.indexOf("int here;")).split("\n").length;
    const patch = unifiedDiff("a.c", bytes(whole), bytes(whole.replace("int here;", "long here;")));
    expect(patch).toContain(`@@ -${at - 3},7 +${at - 3},7 @@\n`);
    expect(patch.split("\n").filter((one) => /^[+-](?![+-])/.test(one))).toEqual(["-int here;", "+long here;"]);
  });

  it("gives an empty side the number of the line before it", () => {
    expect(unifiedDiff("a", bytes(""), bytes("x\ny\n"))).toContain("\n@@ -0,0 +1,2 @@\n");
    expect(unifiedDiff("a", bytes("x\n"), undefined)).toContain("\n+++ /dev/null\n@@ -1 +0,0 @@\n");
  });

  it("carries the mode of a new file", () => {
    expect(unifiedDiff("run.sh", undefined, bytes("x\n"), { mode: "100755" })).toContain(
      "new file mode 100755\n--- /dev/null\n",
    );
  });

  it("is empty when nothing changed, and only says that a binary file differs", () => {
    expect(unifiedDiff("a", bytes("x"), bytes("x"))).toBe("");
    expect(unifiedDiff("a", undefined, undefined)).toBe("");
    expect(unifiedDiff("a", bytes("x"), new Uint8Array([0]))).toContain("Binary files a/a and b/a differ\n");
  });

  it("shows text in the file's own encoding", () => {
    expect(unifiedDiff("a", new Uint8Array([0xe9]), new Uint8Array([0xe8]))).toContain(
      "-é\n\\ No newline at end of file\n+è",
    );
    expect(unifiedDiff("a", bytes("é\n"), bytes("日\n"))).toContain("-é\n+日\n");
  });
});
