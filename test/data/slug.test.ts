import { execFileSync } from "node:child_process";
import { describe, expect, it } from "@jest/globals";
import { branchOf, slug } from "../../src/data/marks.ts";
import { commitTitle } from "../../src/publish/commit-message.ts";
import { fc } from "../seeded.ts";

describe("slug", () => {
  it.each([
    ["Parse HTTP/2 headers: don't crash!", "parse-http-2-headers-don-t-crash"],
    ["Größe über Äpfel", "große-uber-apfel".replace("ß", "-")],
    ["日本語", "change"],
    ["", "change"],
    ["../../etc/passwd.lock", "etc-passwd-lock"],
    ["a".repeat(100), "a".repeat(40)],
    ["some words that are altogether longer than forty", "some-words-that-are-altogether-longer"],
  ])("turns %j into %j", (title, expected) => {
    expect(slug(title)).toBe(expected);
  });

  it("always makes a valid branch name", () => {
    const titles = fc.sample(fc.oneof(fc.string(), fc.string({ unit: "grapheme", maxLength: 90 })), 40);
    for (const title of titles) {
      expect(slug(title)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(slug(title).length).toBeLessThanOrEqual(40);
    }
    for (const title of ["", "a.lock", "..", "@{", titles[0] ?? ""]) {
      execFileSync("git", ["check-ref-format", "--branch", branchOf("magis/issue-{issue}-{slug}", 12, title)]);
    }
  });
});

describe("commitTitle", () => {
  it.each([
    ["Parse empty headers.", "fix: parse empty headers"],
    ["Fix the parser\nand more", "fix: the parser and more"],
    ["feat(api)!: Add `limit`", "feat(api)!: add `limit`"],
    ["HTTP headers keep their case", "fix: HTTP headers keep their case"],
    ["`Header.parse` takes bytes", "fix: `Header.parse` takes bytes"],
    ["Header.parse takes bytes", "fix: Header.parse takes bytes"],
    ["# Thank you @octocat, closes #5 and o/r#6, GH-7", "fix: thank you octocat, closes 5 and o/r 6, GH 7"],
    ["Handle it [skip ci]", "fix: handle it skip ci"],
    ["Handle [skip @ci] [skip https://x  ci]", "fix: handle skip ci skip ci"],
    ["Handle [skip [skip ci] ci]", "fix: handle [skip skip ci ci]"],
    ["a\u202eb", "fix: ab"],
    ["", "fix: resolve the issue"],
    ["fix: ", "fix: resolve the issue"],
  ])("turns %j into %j", (summary, expected) => {
    expect(commitTitle(summary)).toBe(expected);
  });

  it.each([
    ["fix(compiler-core): handle empty slots", "fix(compiler-core): handle empty slots"],
    ["Fix(Compiler): Handle it", "fix(Compiler): handle it"],
    ["fix(core, runtime)!: handle it", "fix(core, runtime)!: handle it"],
    ["fix(@vue/compiler): handle it", "fix(vue/compiler): handle it"],
    ["revert: handle it", "revert: handle it"],
    ["Bug: handle it", "fix: handle it"],
    ["[Bug]: handle it", "fix: handle it"],
    ["Windows: handle it", "fix: windows: handle it"],
  ])("keeps the type and scope of %j", (summary, expected) => {
    expect(commitTitle(summary)).toBe(expected);
  });

  it.each([
    ["fix: handle it", "fix(compiler-core): slots crash", "fix(compiler-core): handle it"],
    ["feat: handle it", "bug(parser): it crashes", "feat(parser): handle it"],
    ["fix(dom): handle it", "fix(compiler-core): slots crash", "fix(dom): handle it"],
    ["fix: handle it", "It crashes (again): why?", "fix: handle it"],
  ])("chooses the scope of %j for the issue %j", (summary, issue, expected) => {
    expect(commitTitle(summary, { issue })).toBe(expected);
  });

  it.each([
    ["net/http: handle it", "", "net/http: handle it"],
    ["fix: net/http: handle it", "", "net/http: handle it"],
    ["fix: handle it", "net/http: Client crashes", "net/http: handle it"],
    ["cmd/go, go/build: handle it", "", "cmd/go, go/build: handle it"],
    ["fix: handle it", "It crashes", "fix: handle it"],
  ])("begins with the package where earlier commits do: %j for the issue %j", (summary, issue, expected) => {
    const past = [
      "net/http: one",
      "cmd/go: two",
      "all: three",
      "runtime, syscall: four",
      "doc/go1.26: five",
      "fix: six",
    ];
    expect(commitTitle(summary, { issue, past })).toBe(expected);
    // One such commit is no custom, and most commits of the second past are conventional.
    for (const few of [
      ["net/http: one"],
      ["fix: a", "feat: b", "net/http: one", "net/http: two", "net/http: three", "fix: c"],
    ])
      expect(commitTitle("fix: handle it", { issue: "net/http: x", past: few })).toBe("fix: handle it");
  });

  it.each([
    ["feat(api): handle it", "Handle it", "handle it"],
    ["test: handle it", "Add the test: handle it", "add the test: handle it"],
    ["fix: HTTP headers keep their case", "HTTP headers keep their case", "HTTP headers keep their case"],
    ["fix: ", "fix: resolve the issue", "fix: resolve the issue"],
  ])("has no type where hardly any earlier commit has one: %j", (summary, upper, lower) => {
    const past = Array.from({ length: 30 }, (_, at) => `Mend part ${at}`);
    expect(commitTitle(summary, { past })).toBe(upper);
    expect(commitTitle(summary, { past: past.map((title) => title.toLowerCase()) })).toBe(lower);
    // Too few of them, or one in ten with a type, say nothing.
    for (const other of [past.slice(0, 19), [...past.slice(3), "fix: a", "feat: b", "docs: c"]])
      expect(commitTitle("fix: handle it", { past: other })).toBe("fix: handle it");
  });

  it("keeps a module in brackets where earlier commits have one", () => {
    const past = ["[core] One", "[core][tests] Two", "[docs]: Three"];
    expect(commitTitle("[parser] Handle it", { past })).toBe("[parser] Handle it");
    expect(commitTitle("fix: handle it", { issue: "[parser] It crashes", past })).toBe("[parser] handle it");
    expect(commitTitle("[skip ci] Handle it", { past })).toBe("fix: skip ci Handle it");
  });

  it("keeps any type, scope and `!`, whatever follows", () => {
    const types = fc.constantFrom("build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "style", "test");
    const scope = fc.stringMatching(/^[a-z][a-z0-9/_., -]{0,18}[a-z]$/);
    fc.assert(
      fc.property(
        types,
        scope,
        fc.boolean(),
        fc.stringMatching(/^[a-z][a-z ]{0,80}[a-z]$/),
        (type, area, mark, words) => {
          const prefix = `${type}(${area})${mark ? "!" : ""}: `.replace(/ {2,}/g, " ");
          expect(commitTitle(prefix + words)).toMatch(new RegExp(`^${prefix.replace(/[()./]/g, "\\$&")}\\S`));
        },
      ),
    );
  });

  it("cuts long summaries between words, and leaves no half code span", () => {
    const title = commitTitle(
      `Take care of many things in the parser when \`the header value ${"is long ".repeat(9)}\``,
    );
    expect(title).toBe("fix: take care of many things in the parser when the header value is…");
  });

  it("is always one short line that closes nothing and pings nobody", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 150 }),
        fc.constantFrom("", "@a ", "#5 ", "\n", "[skip ci]"),
        (text, piece) => {
          const title = commitTitle(piece + text + piece);
          expect(title.length).toBeLessThanOrEqual(72);
          expect(title).toMatch(/^[a-z]+(\([^)]*\))?!?: \S/);
          expect(title).not.toMatch(/[\n\r]|@\S|#\d|\[skip ci\]/);
        },
      ),
    );
  });
});
