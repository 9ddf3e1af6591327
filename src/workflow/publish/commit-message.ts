import type { ChangeDescription } from "../../llm/agents.ts";
import type { RunSettings } from "../../model/settings.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import { breakSkipWords, neutraliseMessage } from "../../text/neutralise.ts";
import { stripInvisible } from "../../text/visible-text.ts";

const WIDTH = 72;

/** A conventional commit message that closes the issue when it is merged, if the change is `whole`, and nothing else. */
export function commitMessage(
  { type, title: subject, solution }: ChangeDescription,
  issue: number,
  whole: boolean,
): { title: string; message: string } {
  const title = commitTitle(`${type}: ${subject.replace(/^\w+(\([^)]*\))?!?:\s*/, "")}`);
  const body = stripInvisible(solution).split("\n").map(wrap).join("\n").trim();
  // What is broken over lines, or comes together when they are joined, is only seen in the end.
  const safe = neutraliseMessage(`${title}\n\n${body}`);
  return { title, message: `${safe}\n\n${whole ? "Fixes" : "Part of"} #${issue}\n` };
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

/** A commit message as the repository wants it: its first line after its template, signed off where it asks for that. */
export function formatting(
  message: string,
  issue: number,
  {
    settings,
    ...who
  }: { readonly settings: Pick<RunSettings, "commit" | "signOff"> } & Pick<CodeHost, "login" | "author">,
): string {
  const [title = "", ...rest] = message.split("\n");
  const styled = [commitSubject(settings.commit, title, issue), ...rest].join("\n");
  if (!settings.signOff) return styled;
  const { name, email } = botAuthor(who);
  return `${styled.trimEnd()}\n\nSigned-off-by: ${name} <${email}>\n`;
}

const MAX_LENGTH = 72;

const TYPED = /^(build|chore|ci|docs|feat|fix|perf|refactor|style|test)(\([\w./ -]{1,30}\))?(!?):\s*/i;

/**
 * A commit's title of a model's summary: one line of at most 72 characters in the form `fix: …`, its own type kept when
 * it has one. Mentions ping nobody, no issue is closed by it, and no check is skipped.
 */
export function commitTitle(summary: string): string {
  const plain = stripInvisible(summary)
    .replace(/https?:\/\/\S+/gi, "")
    .replace(/@(?=\S)/g, "")
    .replace(/(\w)#+(?=\d)/g, "$1 ")
    .replace(/#+(?=\d)/g, "")
    .replace(/\bGH-(?=\d)/gi, "GH ")
    .replace(/\s+/g, " ");
  const line = breakSkipWords(plain)
    .replace(/^[\s#>*-]+/, "")
    .trim();
  const typed = TYPED.exec(line);
  const type = typed === null ? "fix: " : `${typed[1]?.toLowerCase()}${typed[2] ?? ""}${typed[3]}: `;
  const subject = subjectOf(line.slice(typed?.[0].length ?? 0)) || "resolve the issue";
  return cut(type + subject);
}

function subjectOf(text: string): string {
  const bare = text.replace(/^fix(?:e[sd])?\s+/i, "").replace(/[\s.]{1,20}$/, "");
  return /^[A-Z][a-z]*(?![\w.(])/.test(bare) ? bare.slice(0, 1).toLowerCase() + bare.slice(1) : bare;
}

/** Cuts between words where it can; a backtick that lost its other half goes too. */
function cut(title: string): string {
  if (title.length <= MAX_LENGTH) return title;
  const room = title.slice(0, MAX_LENGTH - 1);
  const space = room.lastIndexOf(" ");
  let short = (space > MAX_LENGTH / 2 ? room.slice(0, space) : room).replace(/[\ud800-\udbff]$/, "");
  const tick = short.lastIndexOf("`");
  if (short.split("`").length % 2 === 0) short = short.slice(0, tick) + short.slice(tick + 1);
  return `${short.replace(/[ ,;:.-]{1,10}$/, "")}…`;
}

const MIN_LENGTH = 20;

const PREFIXED = /^([a-z]+(?:\([^)]*\))?!?): (.*)$/;

/**
 * A commit's first line after the setting `commit`: `title` is that of `commitTitle` (`fix: …`, safe already), taken
 * apart into `{type}` and `{title}`. What is longer than 72 characters loses the end of its title, between words where
 * it can be.
 */
export function commitSubject(template: string, title: string, issue: number): string {
  const [, type = "fix", subject = title] = PREFIXED.exec(title) ?? [];
  const fill = (text: string) =>
    template.replace(/\{(type|title|issue)\}/g, (_all, name) =>
      name === "type" ? type : name === "issue" ? String(issue) : text,
    );
  return fill(cutTo(subject, Math.max(MIN_LENGTH, WIDTH - fill("").length)));
}

function cutTo(text: string, room: number): string {
  if (text.length <= room) return text;
  const short = text.slice(0, room - 1);
  const space = short.lastIndexOf(" ");
  return `${(space > room / 2 ? short.slice(0, space) : short).replace(/[\ud800-\udbff]$|[ ,;:.…-]+$/, "")}…`;
}

/** The author of commits that the host does not make itself: the app, as GitHub names it in commits, or the person. */
export function botAuthor({ login, author }: Pick<CodeHost, "login" | "author">): { name: string; email: string } {
  return author ?? { name: login, email: `${login}@users.noreply.github.com` };
}
