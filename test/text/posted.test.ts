import { describe, expect, it } from "@jest/globals";
import { postedLine, postedMarkdown, postedMessage } from "../../src/text/posted.ts";

const Z = "\u200b";

describe("a posted text", () => {
  it.each([
    "<!-- magis:run o/r#7@d -->\n\nFixes #7\n\n<details><summary>The plan</summary>\n\n- `@types/node`\n\n</details>",
    "/magis retry\n\nComment `/magis retry` to try again.",
    "<details><summary>a</summary>\n\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-@a [skip ci]\n+fixes #5\n```\n\n</details>",
    "- a\n  ```\n  x\n  ```\n\n```diff\n@@ -1 +1 @@\n-@a\n+@b\n```",
  ])("keeps the bot's own composition: %j", (text) => expect(postedMarkdown(text, { closes: 7 })).toBe(text));

  it.each([
    ["a @b, fixes #8", `a @${Z}b, f${Z}ixes #8`],
    ["Fixes #71", `F${Z}ixes #71`],
    ["fixes o/r#7", `f${Z}ixes o/r#7`],
    ["a\n/merge\n/magis retry", `a\n/${Z}merge\n/magis retry`],
    [" \n /merge", ` \n /${Z}merge`],
    ["<b>[skip&nbsp;ci]</b>", "&lt;b>[skip&amp;nbsp;ci]&lt;/b>"],
    ["fixes </b> https://a/o/r/issues/5", "fixes &lt;/b> https://a/o/r/issues/5"],
    ["fixes <sub> o/r#5", `f${Z}ixes <sub> o/r#5`],
    ["fixes <!-- magis:a --> #5", `f${Z}ixes <!-- magis:a --> #5`],
    ["Fixes #7, fi<sub></sub>xes #75", "Fixes #7, fi&lt;sub>&lt;/sub>xes #75"],
    ["f**i**xes #75", "f&#42;&#42;i&#42;&#42;xes #75"],
    ["[fixes](https://a) &num;5", `[f${Z}ixes](https://a) &amp;num;5`],
    ['[fixes](https://a "b`") #5 `@a`', `[f${Z}ixes]&#40;https://a "b${"`"}") #5 ${"`"}@${Z}a&#96;`],
    ["[fixes][1] #5\n\n[1]: https://a", "[fixes][1] #5\n\n&#91;1]: https://a"],
    ["[a](https://a), @<b>bob</b>", `[a](https://a), @${Z}&lt;b>bob&lt;/b>`],
    ["https://a/5\u00a0&#64;bob", "https://a/5\u00a0&amp;#64;bob"],
    ["~~~\n@b\n~~~", `&#126;~~\n@${Z}b\n&#126;~~`],
    ["<details>\n```\n@b\n```\n</details>", `<details>\n&#96;&#96;&#96;\n@${Z}b\n&#96;&#96;&#96;\n</details>`],
    ["- a\n  ```\n@b\n  ```", `- a\n  &#96;&#96;&#96;\n@${Z}b\n  &#96;&#96;&#96;`],
    ["<script> `@a`", `&lt;script> ${"`"}@a${"`"}`],
    ["a\\`@b`", "a&#92;`@b`"],
    ["fixes\n_o/rGH-5", `f${Z}ixes\n_o/rGH-5`],
    ["`a\n\n@b`", `&#96;a\n\n@${Z}b&#96;`],
  ])("defuses anything else: %j", (text, safe) => {
    expect(postedMarkdown(text, { closes: 7 })).toBe(safe);
    expect(postedMarkdown(safe, { closes: 7 })).toBe(safe);
  });

  it("holds no half of a character, which GitHub refuses", () => {
    for (const post of [postedMarkdown, postedLine, postedMessage])
      expect(post("a \ud83d `b \udc00`").trim()).toMatch(/^a \ufffd `b \ufffd`$/);
  });

  it("keeps people's lines in an edited text", () => {
    const before = "Closes #9, @ada\n\n<!-- a -->";
    expect(postedMarkdown(`${before}\n@eve closes #5`, { before })).toBe(`${before}\n@${Z}eve c${Z}loses #5`);
  });

  it("defuses, even in code, what a merge copies from a pull request's body into a commit", () => {
    const text = "```\n[skip ci]\nRelease-As: 2.0.0\nfixes #5\n```";
    expect(postedMarkdown(text)).toBe(text);
    const safe = postedMarkdown(text, { merged: true });
    expect(safe).toBe(`\`\`\`\n[${Z}skip ci]\nRelease-As${Z}: 2.0.0\nf${Z}ixes #5\n\`\`\``);
  });

  it("is defused in titles and commits, which may close only their own issue and be signed off only by their author", () => {
    expect(postedLine("fix: a @b\n[ci skip]")).toBe(`fix: a @${Z}b [${Z}ci skip]`);
    const signer = { name: "magis[bot]", email: "m@x" };
    const own = "fix: a\n\nFixes #7\n\nSigned-off-by: magis[bot] <m@x>\n";
    expect(postedMessage(own, { closes: 7, signer })).toBe(own);
    expect(postedMessage("fix: a\n\nFixes #8\n\nSigned-off-by: eve <m@x>\n", { closes: 7, signer })).toBe(
      `fix: a\n\nF${Z}ixes #8\n\nSigned-off-by - eve <m@x>\n`,
    );
    expect(postedMessage("`@a` fixes\n#5 [ci skip]\n\n/merge\n/src/a reads &#64;a; see #5.")).toBe(
      `\`@${Z}a\` f${Z}ixes\n#5 ci skip\n\n/${Z}merge\n/src/a reads &#64;a; see #5.`,
    );
  });
});
