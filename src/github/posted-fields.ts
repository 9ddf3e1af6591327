import { issueOfPull } from "../data/marks.ts";
import { type OwnWords, postedLine, postedMarkdown, postedMessage, type Signer } from "../text/posted.ts";
import { fitBody, fitTitle } from "./fit.ts";

/** What a caller adds to a write as `request: { own }`, which is not sent. */
export interface OwnWrite extends Pick<OwnWords, "closes" | "before"> {
  signer?: Signer;
}

type Fields = Record<string, unknown>;

type Change = (fields: Fields, own: OwnWrite) => void;

/** GitHub's limit, one less than for a comment. */
const MAX_SUMMARY_LENGTH = 65_535;

/** Room for zero-width spaces added to a cut text. */
const ROOM = 1000;

function posted(text: string, own: OwnWords, longest?: number): string {
  const whole = postedMarkdown(text, own);
  const fitting = fitBody(whole, longest);
  if (fitting === whole) return whole;
  // A cut within code or a reference may change what the text means.
  const safe = postedMarkdown(fitting, own);
  return safe === fitting ? safe : fitBody(postedMarkdown(fitBody(safe, fitting.length - ROOM), own), longest);
}

function change(fields: Fields, name: string, safe: (text: string) => string): void {
  if (typeof fields[name] === "string") fields[name] = safe(fields[name]);
}

const changeBody: Change = (fields) => change(fields, "body", (text) => posted(text, {}));

/** The run's mark at the beginning of the body names the issue that a merge may close. */
const changePull: Change = (fields, { before }) => {
  change(fields, "title", (text) => fitTitle(postedLine(text)));
  change(fields, "body", (body) => {
    const closes = issueOfPull({ body, branch: "" });
    return posted(body, { merged: true, closes, before });
  });
};

const changeReview: Change = (fields, own) => {
  changeBody(fields, own);
  const comments = (fields.comments ?? []) as readonly Fields[];
  fields.comments = comments.map((comment) => {
    const safe = { ...comment };
    changeBody(safe, own);
    return safe;
  });
};

const changeCheck: Change = (fields) => {
  const output = { ...(fields.output as Fields | undefined) };
  change(output, "title", (text) => fitTitle(postedLine(text)));
  change(output, "summary", (text) => posted(text, {}, MAX_SUMMARY_LENGTH));
  change(fields, "name", postedLine);
  fields.output = output;
};

const changeCommit: Change = (fields, own) => change(fields, "message", (text) => postedMessage(text, own));

/** Holds no text, only ids, branch names and files. */
const noText: Change = () => undefined;

const REPOSITORY = "/repos/{owner}/{repo}";

/** All REST writes, each with what guards its texts. Others are refused, because nothing would guard them. */
const WRITES: ReadonlyMap<string, Change> = new Map([
  [`POST ${REPOSITORY}/issues/{issue_number}/comments`, changeBody],
  [`PATCH ${REPOSITORY}/issues/comments/{comment_id}`, changeBody],
  [`POST ${REPOSITORY}/issues/{issue_number}/reactions`, noText],
  [`POST ${REPOSITORY}/issues/comments/{comment_id}/reactions`, noText],
  [`POST ${REPOSITORY}/pulls`, changePull],
  [`PATCH ${REPOSITORY}/pulls/{pull_number}`, changePull],
  [`POST ${REPOSITORY}/pulls/{pull_number}/reviews`, changeReview],
  [`POST ${REPOSITORY}/pulls/{pull_number}/comments`, changeBody],
  [`POST ${REPOSITORY}/check-runs`, changeCheck],
  [`PATCH ${REPOSITORY}/check-runs/{check_run_id}`, changeCheck],
  [`POST ${REPOSITORY}/git/commits`, changeCommit],
  [`POST ${REPOSITORY}/git/blobs`, noText],
  [`POST ${REPOSITORY}/git/trees`, noText],
  [`POST ${REPOSITORY}/git/refs`, noText],
  [`PATCH ${REPOSITORY}/git/refs/{ref}`, noText],
  [`DELETE ${REPOSITORY}/git/refs/{ref}`, noText],
  ["POST /app/installations/{installation_id}/access_tokens", noText],
  ["POST /markdown", noText],
  ["POST /app-manifests/{code}/conversions", noText],
  // The label's name is the operator's, and the description ours.
  [`POST ${REPOSITORY}/labels`, noText],
]);

/** A mutation's variables besides its body: node ids. */
const IDS: readonly string[] = ["thread", "comment", "pull"];

/**
 * The only way for texts to GitHub: makes each text of a write safe to post and short enough, in place. `options` are
 * those of the client's request. Throws a TypeError for an unknown write.
 */
export function guardWrite(options: Fields): void {
  const { method, url, query, variables, request } = options;
  const { own = {} } = (request ?? {}) as { own?: OwnWrite };
  if (typeof query === "string") {
    const safe: Fields = { ...(variables as Fields | undefined) };
    const isWrite = /^\s*mutation\b/.test(query);
    const unknown = Object.keys(safe).find((name) => name !== "body" && !IDS.includes(name));
    if (isWrite && unknown !== undefined) throw new TypeError(`There is no door for ${unknown} in a mutation.`);
    if (isWrite) changeBody(safe, own);
    options.variables = safe;
    return;
  }
  if (method === "GET" || method === "HEAD") return;
  const write = WRITES.get(`${method} ${url}`);
  if (!write) throw new TypeError(`There is no door for the words of ${method} ${url}.`);
  write(options, own);
}
