import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { neutraliseMentions, neutraliseMessage } from "../../src/text/neutralise.ts";
import { computingTime } from "../fakes/computing-time.ts";

const Z = "\u200b";

describe("neutraliseMentions", () => {
  it.each<[string, string, string]>([
    ["a mention", "ask @octocat, @org/team", `ask @${Z}octocat, @${Z}org/team`],
    ["a mention in emphasis", "_@a_ **@b** (@c)", `_@${Z}a_ **@${Z}b** (@${Z}c)`],
    ["a mention as an entity", "&#64;a &#x40;b &commat;c @&#100;", `&#64;${Z}a &#x40;${Z}b &commat;${Z}c @${Z}&#100;`],
    ["a mention after code", "`x`@a", `\`x\`@${Z}a`],
    ["a mention around a comment", "@<!-- x -->a", `@${Z}a`],
    [
      "a closing keyword",
      "Fixes #5, closes: o/r#6 and resolved GH-7",
      `F${Z}ixes #5, c${Z}loses: o/r#6 and r${Z}esolved GH-7`,
    ],
    ["a closing keyword with markup", "fix **#5**", `f${Z}ix **#5**`],
    [
      "a closing keyword with an address",
      "closes https://github.com/o/r/issues/5",
      `c${Z}loses https://github.com/o/r/issues/5`,
    ],
    ["a closing keyword around a comment", "fixes <!-- -->#5", `f${Z}ixes #5`],
    [
      "a keyword that skips checks, with entities",
      "&#91;skip ci] &lbrack;ci&#32;skip&rsqb; \\[no&nbsp;c&#105;]",
      `&#91;${Z}skip ci] &lbrack;${Z}ci&#32;skip&rsqb; \\[${Z}no&nbsp;c&#105;]`,
    ],
    [
      "a command",
      "/merge\n \u00a0/azp run\n/label:bug\n/lgtm.",
      `/${Z}merge\n \u00a0/${Z}azp run\n/${Z}label:bug\n/${Z}lgtm.`,
    ],
    ["the bot's own command", "/magis resolve", `/${Z}magis resolve`],
    ["a comment", "a<!-- b -->c", "ac"],
    ["nested comments", "<!<!-- -->-- magis:run 1 -->", ""],
    ["an open comment", "a <!-- b", "a &lt;!-- b"],
    ["a marker in code", "`<!-- magis:run -->`", `\`<${Z}!-- magis:run -->\``],
    ["a marker in a fence", "```\n<!--magis:x-->\n```", `\`\`\`\n<${Z}!--magis:x-->\n\`\`\``],
  ])("defuses %s", (_name, text, expected) => {
    expect(neutraliseMentions(text)).toBe(expected);
  });

  it.each([
    "mail a.b@example.org",
    "```py\n@decorator\n```",
    "use `@types/node`",
    "see #5 and o/r#6",
    "the fix is in a",
    "5 @ 3",
    "/src/a is read",
    "/src/a.ts:3\n/readme.md\n/usr/lib is full\n/a\\b",
    "either/or, and a /merge within a line",
    "&#91;skip the test] &lbrack;",
  ])("leaves %j alone", (text) => {
    expect(neutraliseMentions(text)).toBe(text);
  });

  it.each(["`a`- ", "`a`# b", "<div>`<`- ", "a `b`===", "- `a` b\n- `c`", "> - `a`", "#`a`", "<`a`"])(
    "does not escape code or tags as headings: %j",
    (text) => {
      const once = neutraliseMentions(text);
      expect(once).not.toContain("\\");
      expect(neutraliseMentions(once)).toBe(once);
    },
  );

  it("is idempotent, and leaves no marker", () => {
    const pieces = fc.constantFrom(
      "<!--",
      "-->",
      " magis:x",
      "`",
      "```\n",
      "\n",
      "a",
      " ",
      "@",
      "&#64;",
      "fixes",
      "#5",
      "<",
      "!--",
      "- ",
      "<div>",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (all) => {
        const once = neutraliseMentions(all.join(""));
        expect(once).not.toMatch(/<!--\s*magis/);
        expect(neutraliseMentions(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    "@",
    "@a",
    "fixes ",
    "fixes #",
    `close${" ".repeat(99)}`,
    "<!--",
    "<!-- -->",
    "<!<!-- -->-- ",
    "&#0",
    "<!-- \n",
  ])("takes linear time on a megabyte of %j", (piece) => {
    const started = computingTime();
    neutraliseMentions(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    expect(computingTime() - started).toBeLessThan(15_000);
  });
});

describe("neutraliseMessage", () => {
  it("defuses a commit message, in code too", () => {
    expect(neutraliseMessage("`@a` fixes\n#5 [ci skip]\nCo-authored-by: B <b@c.d>")).toBe(
      `\`@${Z}a\` f${Z}ixes\n#5 ci skip\nCo-authored-by - B <b@c.d>`,
    );
    expect(neutraliseMessage("Do it\n\n/merge\n/src/a reads &#64;a")).toBe(
      `Do it\n\n/${Z}merge\n/src/a reads &#64;${Z}a`,
    );
    expect(neutraliseMessage("Parse it; see #5.\n\nTwice.")).toBe("Parse it; see #5.\n\nTwice.");
  });
});
