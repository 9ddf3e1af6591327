import { anyOf } from "../../text/patterns.ts";
import { stripEscapes } from "../../text/strip-escapes.ts";
import { stripInvisible } from "../../text/visible-text.ts";

/** A timestamp. GitHub's command line puts the names of job and step before it. */
const STAMP = /^(?:[^\t]{1,200}\t[^\t]{1,200}\t)?\uFEFF?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z ?/;

/** Times that a build tool prints before its levels. The order of lines is enough. */
const RELATIVE = /^(?:\d{1,9}|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?) (?=\[(?:INFO|ERROR|WARN|WARNING|DEBUG)\])/;

/** Logging commands of GitHub Actions, in both of their spellings. */
const WORDS: Readonly<Record<string, string>> = { error: "Error: ", warning: "Warning: ", notice: "Notice: " };

const DROPPED = /^(?:##\[endgroup\]|::endgroup::|##\[debug\]|::debug::|::add-matcher|::remove-matcher)/;

const MARK = /^(?:##\[(\w+)\]|::(\w+)(?: [^:]*)?::)/;

/** A line longer than this is cut: it is data or minified code. */
const MAX_LINE_LENGTH = 500;

/** Of a log with more lines, only the last ones are read. */
const MAX_LINES = 400_000;

/** Of a line more than twice as long, only this much of either end is read. */
const MAX_RAW_END = 10_000;

/**
 * The lines of a job's log without what a reader of GitHub's page does not see: timestamps, terminal colours, the marks
 * of groups, overwritten progress bars, invisible characters. Runs of empty lines become one.
 */
export function cleanLog(log: string): readonly string[] {
  const lines: string[] = [];
  for (const raw of log.split(/\r?\n/).slice(-MAX_LINES)) {
    const line = cleanLine(raw);
    if (line === undefined || (line === "" && (lines.at(-1) ?? "") === "")) continue;
    lines.push(line);
  }
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The event in which `go test -json` wraps a line; its other events add nothing to the lines. */
const EVENT = /^\{"(?:Time|Action)":/;

function unwrapped(line: string): string | undefined {
  if (!EVENT.test(line)) return line;
  try {
    const { Action: action, Output: output } = JSON.parse(line) as Record<string, unknown>;
    if (typeof action !== "string") return line;
    return typeof output === "string" ? output.replace(/\n$/, "").replaceAll("\n", " ") : undefined;
  } catch {
    return line;
  }
}

function cleanLine(line: string): string | undefined {
  const raw = line.length > 2 * MAX_RAW_END ? line.slice(0, MAX_RAW_END) + line.slice(-MAX_RAW_END) : line;
  const said = unwrapped(raw.replace(STAMP, ""));
  if (said === undefined) return undefined;
  const unstamped = stripEscapes(said).replace(RELATIVE, "");
  const shown = unstamped.includes("\r") ? lastShown(unstamped) : unstamped;
  if (DROPPED.test(shown)) return undefined;
  const unmarked = shown.replace(MARK, (_, first?: string, second?: string) => WORDS[first ?? second ?? ""] ?? "");
  const visible = stripInvisible(unmarked).replaceAll("\n", " ").trimEnd();
  return visible.length > MAX_LINE_LENGTH ? `${visible.slice(0, MAX_LINE_LENGTH)} […]` : visible;
}

/** The last text of a line that was overwritten, as a progress bar is. */
const lastShown = (line: string) => line.split("\r").findLast((part) => part.trim() !== "") ?? "";

/**
 * What runners of several packages or containers put before each line: turbo, lerna, pnpm, compose, buildkit and their
 * like.
 */
const PREFIX = new RegExp(
  `^(?:➤ YN\\d{4}: )?(?:${
    anyOf(
      / {0,12}\[[\w@./:#=-]{1,80}\]:? /,
      /[\w@][\w@./:+-]{0,80}(?: [\w:.-]{1,40})?(?:: | {0,20}\| )/,
      /#\d+ \d[\d.]* |[│┃|] /,
    ).source
  })`,
);

/** A prefix on fewer lines is taken for an ordinary word. */
const MIN_LINES = 3;

const MAX_STREAMS = 60;

/** Prefixes can nest: a monorepo's runner in a container. */
const MAX_DEPTH = 2;

const SHORT_PREFIX = /^[\w@][\w@./:+-]{0,80}: /;

/**
 * Splits a line into the prefix of a runner of several packages and the rest; undefined when there is no prefix.
 */
export function partPrefix(line: string): readonly [prefix: string, rest: string] | undefined {
  const prefix = (SHORT_PREFIX.exec(line) ?? PREFIX.exec(line))?.[0];
  return prefix === undefined ? undefined : [prefix.trimEnd(), line.slice(prefix.length)];
}

/**
 * The whole log, and the lines of each prefix as a log of their own, since runs in parallel mix theirs line by line.
 */
export function streamsOf(lines: readonly string[], depth = MAX_DEPTH): readonly (readonly string[])[] {
  if (depth === 0) return [lines];
  const behind = new Map<string, string[]>();
  for (const line of lines) {
    // An empty line has lost the blank after its prefix.
    const prefix = PREFIX.exec(`${line} `)?.[0];
    if (prefix === undefined) continue;
    const key = prefix.trimEnd();
    const known = behind.get(key);
    if (known) known.push(line.slice(prefix.length));
    else if (behind.size < 10_000) behind.set(key, [line.slice(prefix.length)]);
  }
  const streams = [...behind.values()].filter(({ length }) => length >= MIN_LINES);
  streams.sort((a, b) => b.length - a.length);
  return [lines, ...streams.slice(0, MAX_STREAMS).flatMap((stream) => streamsOf(stream, depth - 1))];
}

const MAX_SHOWN_LINES = 14;

const MAX_SHOWN = 1_200;

/** Lines of a stack trace: people read the words before it. */
const FRAME = /^\s*(?:at |❯ |from |# \.?\/|\.{3} \d+ more|\d+ \||> \d+ \||\|\s|File ")/;

/** Fields without news, of a YAML block (TAP) or of Node's errors: the lines around them say the same. */
const BARE_KEY = anyOf(
  /^\s*(?:error|message): [|>][-+]?$/,
  /^\s*(?:failureType: '\w+'|generatedMessage: \w+|code: 'ERR_(?:ASSERTION|TEST_FAILURE)'),?$/,
);

/** Such fields that stand behind those; anywhere else they may be of a compared value. */
const BEHIND_KEY = /^\s*(?:name|operator|diff): '\w+',?$/;

/** The lines as they are shown: without stack and source, and cut to length. */
export function wordsOf(lines: readonly string[]): string {
  const telling = messageIn(lines).filter((line) => line.trim() !== "" && !FRAME.test(line));
  const keys = telling.findIndex((line) => BARE_KEY.test(line));
  const isBare = (line: string, at: number) => BARE_KEY.test(line) || (keys >= 0 && at > keys && BEHIND_KEY.test(line));
  const said = telling.filter((line, at) => !isBare(line, at));
  const shown = (said.length > 0 ? said : telling).slice(0, MAX_SHOWN_LINES);
  const indent = Math.min(...shown.map(indentOf), 40);
  return shown
    .map((line) => line.slice(indent))
    .join("\n")
    .slice(0, MAX_SHOWN);
}

const indentOf = (line: string) => line.length - line.trimStart().length;

/** Node's TAP begins with the message in a block of its own; the fields behind it say the same again. */
function messageIn(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !/^\s*failureType: /.test(line));
  const at = /^\s*error: [|>][-+]?$/.test(lines[first] ?? "") ? first : -1;
  const message = lines.slice(at + 1);
  const end = message.findIndex((line) => line.trim() !== "" && indentOf(line) <= indentOf(lines[at] ?? ""));
  return at < 0 || end === 0 ? lines : message.slice(0, end < 0 ? undefined : end);
}

const PLACE = /(?<![\w@.$-])([\w@.$-]{1,120}(?:[\\/][\w@.$ -]{1,120}){0,30}\.[A-Za-z]\w{0,5})(?::|", line |\()\d/g;

const FOREIGN = anyOf(
  /node_modules|^node:|(?:^|\/)internal\/|site-packages|dist-packages|unittest\/|_pytest\/|\/gems\//,
  /\.cargo\/registry|\/rustc\/|\/usr\/(?:lib|local)|vendor\/|\/go\/src\/|testing\.go/,
);

const FOREIGN_FRAME =
  /^\s*at (?:java|jdk|sun|org\.junit|org\.assertj|org\.gradle|kotlin|System|Xunit|NUnit|Microsoft)\b/;

/** Where a test stands is not where it failed. */
const DECLARED = /^\s*location: /;

/** The files that a stack trace names, in its order, without those of libraries. */
export const placesOf = (lines: readonly string[]) =>
  lines.flatMap((line) => {
    if (FOREIGN_FRAME.test(line) || FOREIGN.test(line) || DECLARED.test(line)) return [];
    return [...line.matchAll(PLACE)].map(([, path = ""]) => path.replaceAll("\\", "/"));
  });

/** Whether two paths can mean the same file: one is the end of the other. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""));
  return a === b || (a ?? "").endsWith(`/${b}`) || (b ?? "").endsWith(`/${a}`);
}
