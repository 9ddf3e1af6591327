import { describe, expect, it } from "@jest/globals";
import { branchOf, branchPrefix } from "../../../src/data/marks.ts";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import { commitSubject, commitTitle } from "../../../src/publish/commit-message.ts";
import { settingsSchema } from "../../../src/settings/repository/check-document.ts";
import { fc } from "../../seeded.ts";

const { branch: BRANCH, commit: COMMIT } = DEFAULT_SETTINGS;
const isBranch = (template: string) => settingsSchema.safeParse({ branch: template }).success;

/** The rules of git-check-ref-format, written independently of the program's. */
function isValidRef(ref: string): boolean {
  const parts = ref.split("/");
  const clean = parts.every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
  return clean && !/\.\.|@\{|[\0-\x20~^:?*[\\\x7f]|\.$/.test(ref);
}

const piece = fc.constantFrom("magis/", "{issue}", "{slug}", "-", "/", "_", "a", "7", ".", "..", ".lock", "@{", "fix");
const template = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
  fc.array(piece, { maxLength: 5 }).map((pieces) => `magis/x-{issue}-${pieces.join("")}`),
);

describe("branchOf", () => {
  it("is magis/issue-12-slug by default", () => {
    expect(branchOf(BRANCH, 12, "Fix it")).toBe("magis/issue-12-fix-it");
  });

  it("makes a valid ref below magis/ from every valid template, with a prefix that no other issue has", () => {
    fc.assert(
      fc.property(template.filter(isBranch), fc.nat(2000), fc.nat(2000), fc.string(), (made, issue, other, title) => {
        const ref = branchOf(made, issue, title);
        expect(ref).toMatch(/^magis\/[\w/-]+$/);
        expect(isValidRef(ref)).toBe(true);
        expect(ref.startsWith(branchPrefix(made, issue))).toBe(true);
        if (other !== issue) expect(ref.startsWith(branchPrefix(made, other))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("accepts the usual templates", () => {
    const usual = [
      "magis/issue-{issue}-{slug}",
      "magis/{issue}/{slug}",
      "magis/{issue}-fix",
      "magis/team/{issue}_{slug}",
    ];
    expect(usual.filter((one) => !isBranch(one))).toEqual([]);
    expect(branchPrefix("magis/{issue}/{slug}", 12)).toBe("magis/12/");
  });
});

describe("commitSubject", () => {
  it("is the title itself by default", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 120 }), (summary) => {
        const title = commitTitle(summary);
        expect(commitSubject(COMMIT, title, 3)).toBe(title);
      }),
    );
  });

  it("fills in type, title and issue, but no placeholder inside the title", () => {
    expect(commitSubject("[#{issue}] {title} ({type})", "feat(api): read {issue} $& lists", 12)).toBe(
      "[#12] read {issue} $& lists (feat(api))",
    );
  });

  it("cuts a long title between words, to 72 characters in all", () => {
    const long = commitTitle(`fix: ${"words and more ".repeat(9)}`);
    const subject = commitSubject("PROJECT-{issue} {type}: {title}", long, 12_345);
    expect(subject).toMatch(/^PROJECT-12345 fix: words and more .*[a-z]…$/);
    expect(subject.length).toBeLessThanOrEqual(72);
  });
});
