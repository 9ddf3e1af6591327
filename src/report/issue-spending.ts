import { isOurs, markers } from "../model/marks.ts";
import type { Spend } from "../model/spend.ts";
import type { CodeHost } from "../ports/code-host.ts";

/** What counts against the budget of an issue. */
export type Spent = Pick<Spend, "money" | "tokens">;

type Commenting = Pick<CodeHost, "login" | "listComments" | "createComment" | "updateComment">;

const LINE = /<!-- magis:spent (\S+) (\d{1,9}\.\d{4}) (\d{1,15}) -->\n?/;

/** Only at the beginning, where nobody's words are: a run's mark, and what was spent under it. */
const HEAD = new RegExp(`^(<!-- magis:run \\S+ -->\\r?\\n?)((?:${LINE.source})+)`);

/**
 * What the jobs before have spent on an issue, by the marks of the own tracking comments there. A mark of anybody else does
 * not count, and none takes anything back. Throws what the host throws.
 */
export async function spentOn(host: Pick<Commenting, "login" | "listComments">, issue: number): Promise<Spent> {
  const own = (await host.listComments(issue)).filter((comment) => isOurs(comment, host.login));
  const lines = own.flatMap(({ body }) => linesOf(body));
  return {
    money: lines.reduce((sum, { money }) => sum + money, 0),
    tokens: lines.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function linesOf(body: string): readonly (Spent & { readonly root: string })[] {
  const [, , head = ""] = HEAD.exec(body) ?? [];
  return [...head.matchAll(new RegExp(LINE.source, "g"))].map(([, root = "", money, tokens]) => {
    return { root, money: Number(money), tokens: Number(tokens) };
  });
}

/** A comment that begins with the mark of a run, with what `root` has spent under it, in place of what stood there. */
function withLine(body: string, root: string, { money, tokens }: Spent): string {
  const [head = "", mark, kept = ""] = HEAD.exec(body) ?? /^(<!-- magis:run \S+ -->\r?\n?)/.exec(body) ?? [];
  if (mark === undefined) return body;
  const others = kept.split("\n").filter((line) => line !== "" && LINE.exec(line)?.[1] !== root);
  const own = `<!-- magis:spent ${root} ${money.toFixed(4)} ${Math.round(tokens)} -->`;
  return `${mark.trimEnd()}\n${[...others, own].join("\n")}\n${body.slice(head.length)}`;
}

/** `host`, whose tracking comment of the run `root` says what that has spent, each time that it is written. */
export function withSpending(host: CodeHost, root: string, spent: () => Spent): CodeHost {
  const marked = (body: string) => (body.startsWith(markers.run(root)) ? withLine(body, root, spent()) : body);
  return {
    ...host,
    createComment: (issue, body) => host.createComment(issue, marked(body)),
    updateComment: (comment, body) => host.updateComment(comment, marked(body)),
  };
}

/** Of a comment that is there for its mark. */
export const KEEPS_COST = "This comment keeps what the work on this issue has cost, which counts against its budget.";

/** Adds to the issue's latest tracking comment what a run has spent that has none there; makes one where there is none. */
export async function keepSpending(host: Commenting, issue: number, root: string, spent: Spent): Promise<void> {
  if (spent.money === 0 && spent.tokens === 0) return;
  const comments = await host.listComments(issue);
  const last = comments.findLast((comment) => isOurs(comment, host.login) && linesOf(comment.body).length > 0);
  if (last) return host.updateComment(last.id, withLine(last.body, root, spent));
  await host.createComment(issue, withLine(`${markers.run(root)}\n\n${KEEPS_COST}`, root, spent));
}
