import { botAuthor } from "../data/bot-author.ts";
import type { AiPolicy } from "../data/plan.ts";
import type { RunSettings } from "../data/settings.ts";
import type { CodeHost } from "../github/code-host.ts";
import type { ChangeDescription } from "../models/agents.ts";
import { disclosureTrailer } from "../report/disclosure.ts";
import type { Reference } from "../report/pull-request-body.ts";
import type { PhaseContext } from "../run/run-context.ts";
import { beginning } from "../text/counted.ts";
import { breakSkipWords, neutraliseMessage } from "../text/neutralise.ts";
import { stripMisleading } from "../text/visible-text.ts";

const WIDTH = 72;

/** Where a title may take its prefix from, besides its own words. */
export interface TitleStyle {
  /** the title of the issue */
  issue?: string;
  /** messages of the repository's past commits */
  past?: readonly string[];
}

interface Committed {
  description: ChangeDescription;
  /** the issue or pull request that it is about */
  about: { number: number; title: string };
  reference: Reference;
  /** what the repository asks of commits that AI wrote */
  policy: AiPolicy | undefined;
  /** a further paragraph, safe to post */
  more?: string;
}

/** The whole message of a commit, with its first line, as the repository wants it. */
export async function messageFor(
  { repository, settings, host, models }: PhaseContext,
  { description, about: { number, title: issue }, reference, policy, more = "" }: Committed,
): Promise<{ message: string; title: string }> {
  const past = (await repository.history()).map(({ message }) => message);
  const { message: plain } = commitMessage(description, number, reference, { issue, past }, more);
  const message = formatting(plain, number, { settings, host, trailer: disclosureTrailer({ models, policy }) });
  return { message, title: message.split("\n")[0] ?? "" };
}

/**
 * A commit message that names the issue, and closes it on merge where it `Fixes` it. Its title is a conventional
 * commit's, or has the form of the repository's own commits.
 */
export function commitMessage(
  { type, scope = "", title: subject, solution }: ChangeDescription,
  issue: number,
  reference: Reference,
  style: TitleStyle = {},
  more = "",
): { title: string; message: string } {
  const own = TYPED.test(subject) ? subject : `${type}${scope}: ${subject}`;
  const title = commitTitle(own, style);
  const body = stripMisleading(solution).split("\n").map(wrap).join("\n").trim();
  // Checked last: joining lines can form a new keyword.
  const safe = neutraliseMessage(`${title}\n\n${body}`);
  return { title, message: `${[safe, more].filter((part) => part).join("\n\n")}\n\n${reference} #${issue}\n` };
}

function wrap(paragraph: string): string {
  let line = "";
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const fits = line === "" || line.length + 1 + word.length <= WIDTH;
    if (!fits) lines.push(line);
    line = fits && line !== "" ? `${line} ${word}` : word;
  }
  return [...lines, line].join("\n");
}

/**
 * A commit message as the repository wants it: its first line after its template, and the trailers it asks for.
 */
export function formatting(
  message: string,
  issue: number,
  {
    settings,
    host,
    trailer,
  }: {
    settings: RunSettings;
    host: CodeHost;
    /** what the repository asks of commits that AI wrote, such as `Assisted-by: MAGIS:claude-opus-5-5` */
    trailer?: string | undefined;
  },
): string {
  const [title = "", ...rest] = message.split("\n");
  const styled = [commitSubject(settings.commit, title, issue), ...rest].join("\n");
  const { name, email } = botAuthor(host);
  const trailers = [
    trailer,
    settings.coAuthor && `Co-authored-by: ${name} <${email}>`,
    settings.signOff && `Signed-off-by: ${name} <${email}>`,
  ].filter((line) => line);
  return trailers.length === 0 ? styled : `${styled.trimEnd()}\n\n${trailers.join("\n")}\n`;
}

const TYPES = "build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test";

/** `fix: …`, `fix(core, parser)!: …` */
const TYPED = new RegExp(`^(${TYPES})(\\([^()]{1,40}\\))?(!?):\\s*`, "i");

const LABELS = "bug|bug report|bugfix|hotfix|crash|enhancement|feature|feature request|issue|question|regression|rfc";

/** `Bug: …`, `[Feature request] …`, `bug(parser): …`: what people put before an issue's title and no commit has */
const LABELLED = new RegExp(`^(?:(?:${LABELS})(\\([^()]{1,40}\\))?!?:|\\[(?:${LABELS})\\]:?)\\s*`, "i");

/** `net/http: …`, `cmd/go, go/build: …` */
const PATH_PREFIX = /^[\w.*{}-]{1,40}(?:\/[\w.*{}-]{1,40}){0,8}(?:, ?[\w.*{}/-]{1,80}){0,4}: (?=\S)/;

/** `[parser] …`, `[parser][tests]: …` */
const BRACKET_PREFIX = /^(?:\[[^[\]]{1,40}\]){1,3}:? (?=\S)/;

/**
 * A commit's title of a model's summary: one line of at most 72 characters. It has the form `fix: …`, with the type and
 * the scope that the summary has, else the scope of the issue's title. Where past commits have another prefix instead,
 * one of that form in the summary or in the issue's title is kept; where they have none, the title has none, too, and
 * begins as theirs do. Mentions ping nobody, no issue is closed by it, and no check is skipped.
 */
export function commitTitle(summary: string, { issue = "", past = [] }: TitleStyle = {}): string {
  const line = oneLine(summary);
  const asked = oneLine(issue);
  const typed = TYPED.exec(line);
  const untyped = line.slice(typed?.[0].length ?? 0);
  const [label = ""] = LABELLED.exec(untyped) ?? [];
  const said = untyped.slice(label.length);
  const form = formOf(past);
  if (form instanceof RegExp) {
    const [own] = form.exec(said) ?? [];
    const prefix = own ?? form.exec(asked)?.[0];
    if (prefix !== undefined) return cut(own === undefined ? prefix + said : said);
  } else if (form && said !== "") {
    const subject = typed?.[1]?.toLowerCase() === "test" ? `add the test: ${said}` : said;
    return cut(form === "Upper" ? beginning(subject) : subject);
  }
  const [, type = "fix", own, breaking = ""] = typed ?? [];
  const scope = own ?? TYPED.exec(asked)?.[2] ?? LABELLED.exec(asked)?.[1] ?? "";
  return cut(`${type.toLowerCase()}${scope}${breaking}: ${subjectOf(said) || "resolve the issue"}`);
}

/** A text as one line that is safe in a commit's title. */
function oneLine(text: string): string {
  const plain = stripMisleading(text)
    .replaceAll("\u200b", "")
    .replace(/https?:\/\/\S+/gi, "")
    .replace(/@(?=\S)/g, "")
    .replace(/(\w)#+(?=\d)/g, "$1 ")
    .replace(/(?<!#)#+(?=\d)/g, "")
    .replace(/GH-(?=\d)/gi, "GH ")
    .replace(/\s+/g, " ");
  return breakSkipWords(plain)
    .replace(/^[\s#>*-]+/, "")
    .trim();
}

/** Past commits whose titles are read, and how many must share a form for it to replace the usual one. */
const READ_TITLES = 50;

const ENOUGH = 3;

/** So few titles say nothing about a form that they lack. */
const LEAST = 20;

const RARE = 0.1;

/**
 * The form of most past titles: another prefix than that of conventional commits, or none, with how most then begin;
 * undefined for the usual one.
 */
function formOf(past: readonly string[]): RegExp | "Upper" | "lower" | undefined {
  const titles = past.slice(0, READ_TITLES).map((message) => message.split("\n")[0] ?? "");
  const typed = titles.filter((title) => TYPED.test(title)).length;
  const [paths, brackets] = [PATH_PREFIX, BRACKET_PREFIX].map(
    (form) => titles.filter((title) => !TYPED.test(title) && form.test(title)).length,
  ) as [number, number];
  const most = Math.max(paths, brackets);
  if (most >= ENOUGH && most > typed && most * 2 > titles.length)
    return paths >= brackets ? PATH_PREFIX : BRACKET_PREFIX;
  if (titles.length < LEAST || typed + paths + brackets >= RARE * titles.length) return undefined;
  const upper = titles.filter((title) => /^\p{Lu}/u.test(title)).length;
  return upper * 2 >= titles.length ? "Upper" : "lower";
}

function subjectOf(text: string): string {
  const bare = text.replace(/^fix(?:e[sd])?\s+/i, "").replace(/[\s.]{1,20}$/, "");
  return /^[A-Z][a-z]*(?![\w.(])/.test(bare) ? bare.slice(0, 1).toLowerCase() + bare.slice(1) : bare;
}

/** Cuts between words where it can, and drops an unpaired backtick. */
function cut(title: string, room = WIDTH): string {
  if (title.length <= room) return title;
  const begin = title.slice(0, room - 1);
  const space = begin.lastIndexOf(" ");
  let short = (space > room / 2 ? begin.slice(0, space) : begin).replace(/[\ud800-\udbff]$/, "");
  const tick = short.lastIndexOf("`");
  if (short.split("`").length % 2 === 0) short = short.slice(0, tick) + short.slice(tick + 1);
  return `${short.replace(/[ ,;:.…-]{1,10}$/, "")}…`;
}

const MIN_LENGTH = 20;

const PREFIXED = new RegExp(`^((?:${TYPES})(?:\\([^)]*\\))?!?): (.*)$`);

/** The setting's own default. */
const AS_IT_IS = "{type}: {title}";

/**
 * A commit's first line after the setting `commit`: `title` is that of `commitTitle` (safe already), taken apart into
 * `{type}` and `{title}`; one of the repository's own form stays as it is by default. What is longer than 72 characters
 * loses the end of its title, between words where it can be.
 */
export function commitSubject(template: string, title: string, issue: number): string {
  const typed = PREFIXED.exec(title);
  if (typed === null && template === AS_IT_IS) return title;
  const [, type = "fix", subject = title] = typed ?? [];
  const fill = (text: string) => {
    const values: Readonly<Record<string, string>> = { type, title: text, issue: String(issue) };
    return template.replace(/\{(type|title|issue)\}/g, (_all, name: string) => values[name] ?? "");
  };
  return fill(cut(subject, Math.max(MIN_LENGTH, WIDTH - fill("").length)));
}
