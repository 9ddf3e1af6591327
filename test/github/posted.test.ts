import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import type { CodeHost, ReviewThread } from "../../src/github/code-host.ts";
import { guardWrite } from "../../src/github/posted-fields.ts";
import { plain } from "../../src/text/compose-markdown.ts";
import { fc } from "../seeded.ts";
import { openFakeHost } from "./open-fake-host.ts";
import type { Answer, Asked } from "./start-fake-github.ts";

const bot = { login: "magis[bot]", type: "Bot" };
const THREAD: ReviewThread = {
  id: "T1",
  resolved: false,
  outdated: false,
  path: "a.ts",
  line: 4,
  diffHunk: "@@",
  comments: [{ id: 11, author: "x", byBot: false, body: "b", createdAt: "2026-01-01T00:00:00Z" }],
};
const pull = {
  number: 3,
  html_url: "http://x/pull/3",
  title: "t",
  body: null,
  state: "open",
  merged_at: null,
  draft: true,
  head: { ref: "b", sha: "h", repo: { id: 1 } },
  base: { ref: "main", repo: { id: 1 } },
  user: bot,
};
const comment = { id: 1, node_id: "N", user: bot, body: "", created_at: "", updated_at: "" };
const commit = { sha: "c1", tree: { sha: "t1" }, parents: [{ sha: "p1" }], author: { name: "magis[bot]" } };

/** A GitHub that accepts every write but replies by REST, so that these are sent by GraphQL too. */
function respond({ method, path, body }: Asked): Answer | undefined {
  if (path === "/api/graphql") return { body: { data: {} } };
  if (body.in_reply_to !== undefined) return { status: 422, body: { message: "no" } };
  if (path.endsWith("/check-runs") && method === "GET") return { body: { total_count: 0, check_runs: [] } };
  if (path.endsWith("/pulls/3") || path.endsWith("/pulls")) return { body: pull };
  if (path.endsWith("/commits")) return { status: 201, body: commit };
  return method === "GET" ? undefined : { body: comment };
}

/** Every write of the port that carries text, with `text` in all its fields. */
const WRITES: readonly (readonly [string, (host: CodeHost, text: string) => Promise<unknown>])[] = [
  ["a comment", (host, text) => host.createComment(1, text)],
  ["an edited comment", (host, text) => host.updateComment(1, text)],
  [
    "a pull request",
    (host, text) => host.openPullRequest({ title: text, body: text, branch: "b", base: "main", draft: true }),
  ],
  ["an edited pull request", (host, text) => host.updatePullRequest(3, { title: text, body: text })],
  ["a review", (host, text) => host.createReview(3, "h", text, [{ path: "a.ts", line: 1, side: "RIGHT", body: text }])],
  ["a comment on a file", (host, text) => host.createFileComment(3, "h", "a.ts", text)],
  ["a reply", (host, text) => host.replyToThread(3, THREAD, text)],
  ["a commit", (host, text) => host.createCommit(`fix: it\n\n${text}`, "t1", ["p1"], 7)],
  ["a check", (host, text) => host.reportCheck("h", { name: text, status: "in_progress", title: text, summary: text })],
];

/** A request of each kind of write, with `text` in all its fields, before the door. */
function requestsWith(text: string) {
  const repository = "/repos/{owner}/{repo}";
  return [
    { method: "POST", url: `${repository}/issues/{issue_number}/comments`, body: text },
    { method: "POST", url: `${repository}/pulls`, title: text, body: text },
    { method: "PATCH", url: `${repository}/pulls/{pull_number}`, title: text, body: text },
    { method: "POST", url: `${repository}/pulls/{pull_number}/reviews`, body: text, comments: [{ body: text }] },
    { method: "POST", url: `${repository}/check-runs`, name: text, output: { title: text, summary: text } },
    { method: "POST", url: `${repository}/git/commits`, message: text },
    { method: "POST", url: "/graphql", query: "mutation m { m }", variables: { body: text } },
  ];
}

type Place = "page" | "merged page" | "line" | "commit";

/** All texts of a request to GitHub, each with the place where GitHub shows it. */
function textsOf(asked: Pick<Asked, "path" | "body">): readonly (readonly [Place, string])[] {
  const found: (readonly [Place, string])[] = [];
  const read = (value: unknown, name: string) => {
    if (Array.isArray(value)) for (const one of value) read(one, name);
    else if (typeof value === "object" && value !== null)
      for (const [key, one] of Object.entries(value)) read(one, key);
    else if (typeof value !== "string" || !/^(?:body|title|summary|message|name)$/.test(name)) return;
    else if (name === "name" && !asked.path.endsWith("/check-runs")) return;
    else if (name === "message") found.push(["commit", value]);
    else if (name === "title" || name === "name") found.push(["line", value]);
    else found.push([/\/pulls(?:\/3)?$/.test(asked.path) ? "merged page" : "page", value]);
  };
  read(asked.body, "");
  return found;
}

/** The text outside code, by a different GFM parser. */
function shownOn(markdown: string): string {
  const html = micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const read = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): string =>
    nodes
      .map((node) => {
        if (node.nodeName === "#text" && "value" in node) return node.value;
        return "childNodes" in node && node.nodeName !== "code" ? read(node.childNodes) : " \u0001 ";
      })
      .join("");
  return read(parseFragment(html).childNodes);
}

const SKIPS = /\[\s*(?:skip ci|ci skip|no ci|skip actions)\s*\]|\*\*\*NO_CI/i;
const CLOSES =
  /(?<![a-z])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[\s:]+(?!#7\b)(?:[\w.-]+\/[\w.-]+)?(?:#\d|GH-\d|https?:\/\/)/i;
const MENTIONS = /(?<![a-z\d/])@[a-z\d]/i;
const COMMANDS = /(?:^|\n)\/(?!magis)[a-z]+(?:\s|$)|^\s*\/(?!magis)[a-z]+(?:\s|$)/i;
const TRAILERS = /\n(?:co-authored-by|signed-off-by|release-as|skip-checks|reviewed-by):/i;

function ordersIn([place, text]: readonly [Place, string]): readonly (string | undefined)[] {
  const shown = place === "page" || place === "merged page" ? shownOn(text) : text;
  const found = [shown.match(SKIPS), shown.match(CLOSES), shown.match(MENTIONS), text.match(COMMANDS)];
  if (place === "commit" || place === "merged page") found.push(text.match(TRAILERS), text.match(SKIPS));
  return found.flatMap((match) => (match ? [`${place}: ${match[0]}`] : []));
}

describe("texts sent to GitHub", () => {
  let opened: Awaited<ReturnType<typeof openFakeHost>>;
  beforeAll(async () => {
    opened = await openFakeHost(respond);
  });
  afterAll(() => opened.close());

  const send = async (text: string) => {
    const { host, github } = opened;
    const from = github.asked.length;
    for (const [, write] of WRITES) await write(host, text);
    return github.asked.slice(from).filter(({ method }) => method !== "GET");
  };

  it("are defused in every write that carries text", async () => {
    const text = "x @bob fixes #5\n/merge\n[skip ci]";
    const sent = (await send(text)).flatMap(textsOf);
    expect(sent).toHaveLength(15);
    for (const one of sent)
      expect(one[1]).toMatch(/@\u200bbob f\u200bixes #5\s\/(?:\u200b)?merge\s(?:\[\u200bskip ci\]|skip ci)/);
  });

  it("keep the bot's own marks, commands, tags and the issue that it resolves", async () => {
    const own =
      "<!-- magis:run o/r#7@d -->\n\nFixes #7\n\n/magis retry\n\n<details><summary>a</summary>\n\n`@b`\n\n</details>";
    const [opening, edit] = (await send(own)).filter(({ path }) => /\/pulls(?:\/3)?$/.test(path));
    expect([opening?.body.body, edit?.body.body]).toEqual([own, own]);
  });

  /** By Unicode's own properties, without the joiners and variants that scripts and emoji need, and the bot's space. */
  const MISLEADING =
    /(?![\u034f\u200b-\u200d\p{Variation_Selector}])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

  const fieldsWith = (text: string) =>
    requestsWith(text).flatMap((request) => {
      guardWrite(request);
      return textsOf({ path: request.url, body: request }).map(([, shown]) => shown);
    });

  it("hold no character by which a line reads otherwise than it is written, in words or code", () => {
    const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
    const found = all.filter((char) => MISLEADING.test(char));
    expect(found).toEqual(expect.arrayContaining([..."\u061c\u200e\u202e\u2066\u{e0041}"]));
    const text = `a${found.join("b")}c \`${found.join("")}d\`\n\n\`\`\`\n+${found.join("e")}\n\`\`\`\n`;
    for (const field of fieldsWith(text)) expect(field.match(MISLEADING)).toBeNull();
  });

  it("keep the joiners and variants that scripts and emoji need, and the mark at the beginning of a file in its patch", () => {
    const needed =
      "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 👩‍💻 ❤️ 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} 葛\u{e0100}";
    for (const field of fieldsWith(needed)) expect(field).toBe(needed);
    const patch = "```diff\n-\ufeffold\n+\ufeffnew\n```";
    expect(fieldsWith(patch)[0]).toBe(patch);
  });

  it("obey nothing that only reads as an order once such a character is gone", () => {
    for (const field of fieldsWith("x f\u202eixes #5 @\u2066bob\n/\u200fmerge\n"))
      expect(field).toMatch(/f\u200bixes #5 @\u200bbob\s\/(?:\u200b)?merge/);
    expect(plain("/\u202emagis retry")).toBe("/\u200bmagis retry");
  });

  it("are refused in an unknown write", () => {
    expect(() => guardWrite({ method: "POST", url: "/repos/{owner}/{repo}/issues", body: "@a" })).toThrow(/no door/);
    expect(() =>
      guardWrite({ method: "POST", url: "/graphql", query: "mutation x", variables: { text: "@a" } }),
    ).toThrow(/no door/);
  });

  it("never mention people, close other issues, skip CI or command other bots", () => {
    const pieces = fc.constantFrom(
      ..."@bob @org/team &#64;bob fixes closes f**i**xes #5 #7 &num;5 o/r#5 GH-5 https://github.com/o/r/issues/5".split(
        " ",
      ),
      ..."[ ] [[ ]] skip ci [skip&#32;ci] &#91;skip [ci ***NO_CI*** /merge /magis /src/a ` `` ``` ~~~ <b> </b> <pre>".split(
        " ",
      ),
      ..."<details> </details> <!-- --> <script> - > 1. | \\ * _ [a](https://x/@b) &lbrack; &sol;merge".split(" "),
      "[skip ci]",
      "Release-As: 2",
      "Co-authored-by: a <b@c>",
      "skip-checks: true",
      "\n",
      "\n",
      "\n\n",
      " ",
      "    ",
      "\u00a0",
      "\u200b",
      "| a |\n|---|\n",
    );
    const texts = fc
      .tuple(fc.array(pieces, { minLength: 1, maxLength: 18 }), fc.boolean())
      .map(([parts, spaced]) => parts.join(spaced ? " " : ""));
    fc.assert(
      fc.property(texts, (text) => {
        const sent = requestsWith(text).flatMap((request) => {
          const body = { ...request, request: { own: { closes: 7 } } };
          guardWrite(body);
          return textsOf({ path: body.url.replace("{pull_number}", "3"), body });
        });
        // Most writes make the same of a text.
        const different = new Map(sent.map((one) => [one.join(), one]));
        for (const one of different.values()) expect(ordersIn(one)).toEqual([]);
      }),
      { numRuns: 300, examples: [["fixes </b> https://github.com/o/r/issues/5 @bob"]] },
    );
  });
});
