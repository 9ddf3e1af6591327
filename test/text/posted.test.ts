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
    ["<b>[skip&nbsp;ci]</b>", `<b>[${Z}skip&nbsp;ci]</b>`],
    ["fixes </b> https://a/o/r/issues/5", `fixes </b> ${Z}https://a/o/r/issues/5`],
    ["<!-- magis:run o/r#7@d -->\n\nfixes <!-- x --> #5", `<!-- magis:run o/r#7@d -->\n\nfixes <!-- x --> ${Z}#5`],
    ["Fixes #7, fi<b>x</b>es #75", `Fixes #7, fi<b>x</b>es ${Z}#75`],
    ["[fixes](https://a) &num;5", `[${Z}fixes](${Z}https://a) ${Z}&num;5`],
    ["[fixes](https://a) o/r#5", `[${Z}fixes](${Z}https://a) o/r${Z}#5`],
    ["[skip <i></i>ci]", `[${Z}skip <i></i>ci]`],
    ["[a](https://a), @<b>bob</b>", `[a](https://a), @${Z}<b>bob</b>`],
    ["https://a/5\u00a0&#64;bob", `https://a/5\u00a0&#64;${Z}bob`],
    ["fixes\n_o/rGH-5", `f${Z}ixes\n_o/rGH-5`],
    ["`a\n\n@b`", `\`a\n\n@${Z}b\``],
  ])("defuses anything else: %j", (text, safe) => {
    expect(postedMarkdown(text, { closes: 7 })).toBe(safe);
    expect(postedMarkdown(safe, { closes: 7 })).toBe(safe);
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
  });
});
