import { isOurs, mark, markers } from "../data/marks.ts";
import type { Spend } from "../data/spend.ts";
import type { CodeHost } from "../github/code-host.ts";

/** What counts against an issue's budget. */
export type Spent = Pick<Spend, "money" | "tokens">;

const LINE = /<!-- magis:spent (\S+) (\d{1,9}\.\d{4}) (\d{1,15}) -->\n?/;

const LINES = new RegExp(LINE.source, "g");

/** What the mark has room for. */
const MOST = 999_999_999;

/** A run's mark with its spending, only at a comment's beginning, where nobody else's words can be. */
const HEAD = new RegExp(`^(<!-- magis:run \\S+ -->\\r?\\n?)((?:${LINE.source})+)`);

/**
 * What earlier jobs have spent on an issue, by the marks in the bot's own tracking comments. Other people's marks do
 * not count, and none can lower the sum. Throws what the host throws.
 */
export async function spentOn(host: CodeHost, issue: number): Promise<Spent> {
  const own = (await host.listComments(issue)).filter((comment) => isOurs(comment, host.login));
  const lines = own.flatMap(({ body }) => linesOf(body));
  return {
    money: lines.reduce((sum, { money }) => sum + money, 0),
    tokens: lines.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function linesOf(body: string): readonly (Spent & { root: string })[] {
  const [, , head = ""] = HEAD.exec(body) ?? [];
  return [...head.matchAll(LINES)].map(([, root = "", money, tokens]) => {
    return { root, money: Number(money), tokens: Number(tokens) };
  });
}

/** Writes or replaces the spending of `root` below the run's mark that begins a comment. */
function withLine(body: string, root: string, { money, tokens }: Spent): string {
  const [head = "", first, kept = ""] = HEAD.exec(body) ?? /^(<!-- magis:run \S+ -->\r?\n?)/.exec(body) ?? [];
  if (first === undefined) return body;
  const others = kept.split("\n").filter((line) => line !== "" && LINE.exec(line)?.[1] !== root);
  const own = mark("spent", root, Math.min(money, MOST).toFixed(4), Math.round(Math.min(tokens, MOST)));
  return `${first.trimEnd()}\n${[...others, own].join("\n")}\n${body.slice(head.length)}`;
}

/** `host`, with the spending of the run `root` added whenever its tracking comment is written. */
export function withSpending(host: CodeHost, root: string, spent: () => Spent): CodeHost {
  const marked = (body: string) => (body.startsWith(markers.run(root)) ? withLine(body, root, spent()) : body);
  return {
    ...host,
    createComment: (issue, body) => host.createComment(issue, marked(body)),
    updateComment: (comment, body) => host.updateComment(comment, marked(body)),
  };
}

/** The text of a comment that exists only for its mark. */
export const KEEPS_COST = "This comment keeps what the work on this issue has cost, which counts against its budget.";

/** Adds a run's spending to the issue's latest tracking comment when it has none of its own; makes one if necessary. */
export async function keepSpending(host: CodeHost, issue: number, root: string, spent: Spent): Promise<void> {
  if (spent.money === 0 && spent.tokens === 0) return;
  const comments = await host.listComments(issue);
  const last = comments.findLast((comment) => isOurs(comment, host.login) && linesOf(comment.body).length > 0);
  if (last) return host.updateComment(last.id, withLine(last.body, root, spent));
  await host.createComment(issue, withLine(`${markers.run(root)}\n\n${KEEPS_COST}`, root, spent));
}
