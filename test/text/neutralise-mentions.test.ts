import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { neutraliseMentions, neutraliseMessage } from "../../src/text/neutralise.ts";

const Z = "\u200b";

describe("neutraliseMentions", () => {
  it.each<[string, string, string]>([
    ["a mention", "ask @octocat, @org/team", `ask @${Z}octocat, @${Z}org/team`],
    ["a mention in emphasis", "_@a_ **@b** (@c)", `_@${Z}a_ **@${Z}b** (@${Z}c)`],
    ["a mention as an entity", "&#64;a &#x40;b &commat;c @&#100;", `@${Z}a @${Z}b @${Z}c @${Z}d`],
    ["a mention behind code", "`x`@a", `\`x\`@${Z}a`],
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
    ["a comment", "a<!-- b -->c", "ac"],
    ["nested comments", "<!<!-- -->-- magis:run 1 -->", ""],
    ["an open comment", "a <!-- b", "a &lt;!-- b"],
    ["a marker in code", "`<!-- magis:run -->`", `\`<${Z}!-- magis:run -->\``],
    ["a marker in a fence", "```\n<!--magis:x-->\n```", `\`\`\`\n<${Z}!--magis:x-->\n\`\`\``],
  ])("takes the sting out of %s", (_name, text, expected) => {
    expect(neutraliseMentions(text)).toBe(expected);
  });

  it.each([
    "mail a.b@example.org",
    "```py\n@decorator\n```",
    "use `@types/node`",
    "see #5 and o/r#6",
    "the fix is in a",
    "5 @ 3",
  ])("leaves %j alone", (text) => {
    expect(neutraliseMentions(text)).toBe(text);
  });

  it.each(["`a`- ", "`a`# b", "<div>`<`- ", "a `b`===", "- `a` b\n- `c`", "> - `a`", "#`a`", "<`a`"])(
    "takes nothing within a line for a heading: %j",
    (text) => {
      const once = neutraliseMentions(text);
      expect(once).not.toContain("\\");
      expect(neutraliseMentions(once)).toBe(once);
    },
  );

  it("leaves nothing to do for a second time, and no marker", () => {
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
    const started = performance.now();
    neutraliseMentions(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe("neutraliseMessage", () => {
  it("takes the sting out of a commit message, also in code", () => {
    expect(neutraliseMessage("`@a` fixes\n#5 [ci skip]\nCo-authored-by: B <b@c.d>")).toBe(
      `\`@${Z}a\` f${Z}ixes\n#5 ci skip\nCo-authored-by - B <b@c.d>`,
    );
    expect(neutraliseMessage("Parse it; see #5.\n\nTwice.")).toBe("Parse it; see #5.\n\nTwice.");
  });
});
