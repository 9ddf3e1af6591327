import { distance as editDistance } from "fastest-levenshtein";
import { fencedLines } from "./own-words.ts";
import { settingsIn } from "./setting-definitions/all-settings.ts";
import { growTree, valueAt } from "./setting-definitions/definition.ts";
import type { RepositorySettings } from "./settings.ts";

/** What a person asked for besides the hint, for this run alone. */
export interface RequestOptions {
  /** `anyway`: go on although somebody else works on the issue, or it is of a kind that the bot skips */
  anyway?: true;
  /** valid options as they were written, `name:value`, each name once */
  given: readonly string[];
  /** Markdown sentences about options that cannot be read */
  faults?: readonly string[];
}

const OPTIONS = settingsIn("file", "request");

const ANYWAY = "anyway";

/** What people put before an item of a list. */
const BULLET = /^\s{0,20}(?:[-*+•]|\d{1,2}[.)])\s{1,4}(?:\[[ xX]\]\s{1,4})?/;

/** What people put around an option, a name or a value. */
const QUOTE = "[\"'`“”„‘’«»]";

const QUOTES = `(?:${QUOTE}|\\*){0,3}`;

const DASHES = "[-–—]{0,2}";

/** Between a name and its value; keyboards for Chinese and Japanese have wide ones. */
const MARK = "[:=：＝]";

const NAMES = OPTIONS.map(([, { request }]) => request.name).join("|");

/** `name:value`, `name: value`, `name=value`, `--name value`, `anyway`. A value is one word. */
const OPTION = new RegExp(
  [
    `(?<!\\S)${QUOTES}${DASHES}(?:(?<anyway>${ANYWAY})${QUOTES}(?:(?=\\s|$)|${MARK}\\s?(?<no>\\S+))`,
    `|(?:(?<=[-–—])(?<dashed>${NAMES})(?![\\w-])|(?<marked>${NAMES})${QUOTES}\\s?${MARK})(?:\\s|${MARK})?${QUOTES}\\s?`,
    "(?<value>(?!//)\\S+|$))",
  ].join(""),
  "gi",
);

/** What may be meant as an option: a word with dashes before it or a mark behind it, or two (`base branch: x`). */
const LIKE_OPTION = new RegExp(
  [
    `^${QUOTES}(?<dashes>${DASHES})(?<name>[a-z][a-z_-]{1,30}(?:\\s[a-z]{1,20}(?=\\s?${MARK}))?)${QUOTES}`,
    `(?<mark>\\s?${MARK}\\s?|\\s|$)(?<value>(?!//)\\S*)`,
  ].join(""),
  "i",
);

/** Lines below the first that may hold options: what comes after is for the agents. */
const MAX_LINES = 100;

/** An option as it was written. */
interface Written {
  name: string;
  value: string;
  /** its place in the line */
  start: number;
  end: number;
  /** in one word, or with dashes, and not in quotes: no sentence of people has that */
  isPlain: boolean;
  /** within a sentence it is spoken of */
  isQuoted: boolean;
}

interface ReadLine {
  taken: readonly Written[];
  faults: readonly string[];
  /** the words for the agents; undefined where nothing is left of a line below the first */
  rest: string | undefined;
}

/**
 * Takes the options out of a request: those at the beginning and the end of its first line, and lines below that hold
 * nothing else. What looks like an option elsewhere, or cannot be followed, is a fault, so that nothing begins on a
 * misunderstanding. `hint` is what remains for the agents. `options` is absent when there are none.
 */
export function takeOptions(argument: string, below: readonly string[]): { hint: string; options?: RequestOptions } {
  const fenced = fencedLines(below);
  const lines = below.map((line, at): ReadLine => {
    return fenced[at] || at >= MAX_LINES ? { taken: [], faults: [], rest: line } : readOwnLine(line);
  });
  const all = [readFirstLine(argument), ...lines];
  const hint = all
    .flatMap(({ rest }) => rest ?? [])
    .join("\n")
    .trim();
  const taken = all.flatMap((line) => line.taken);
  const faults = [...all.flatMap((line) => line.faults), ...faultsOf(taken)];
  if (taken.length + faults.length === 0) return { hint };
  const named = taken.filter((one) => one.name !== ANYWAY && isFollowed(one));
  const options = {
    anyway: taken.some((one) => one.name === ANYWAY && isFollowed(one)) || undefined,
    given: named.map(({ name, value }) => `${name}:${value}`),
    faults: faults.length > 0 ? faults : undefined,
  };
  return { hint, options };
}

function readFirstLine(line: string): ReadLine {
  const text = line.replace(BULLET, "");
  const { first, middle, last, rest } = optionsIn(text);
  const misplaced = middle.filter((one) => one.name !== ANYWAY && isFollowed(one) && !one.isQuoted);
  const taken = [...first, ...last];
  const isWhole = taken.length === 0;
  return { taken, faults: [...unreadIn(rest), ...misplaced.map(misplacedFault)], rest: isWhole ? line : rest };
}

/** Options alone, or a sentence; one that begins as only an option does is a fault. */
function readOwnLine(line: string): ReadLine {
  const text = line.replace(BULLET, "").trim();
  const { first, rest } = optionsIn(text);
  if (rest === "" && first.length > 0) return { taken: first, faults: [], rest: undefined };
  const meant = first.find(({ name }) => name !== ANYWAY);
  if (meant) return { taken: [], faults: [misread(text, meant.name)], rest: line };
  const isShort = text.split(/\s+/, 4).length <= 3;
  return { taken: [], faults: isShort ? unreadIn(text, "own") : [], rest: line };
}

/** The options of a line by their places: before all other words, among them, and behind them. */
function optionsIn(line: string) {
  const all = [...line.matchAll(OPTION)].map(written);
  const isGap = (start: number, end: number) => /^[\s,;]*$/.test(line.slice(start, end));
  const at = all.findIndex(({ start }, index) => !isGap(all[index - 1]?.end ?? 0, start));
  const begin = at < 0 ? all.length : at;
  let end = all.length;
  for (let one = all[end - 1]; one && end > begin; one = all[end - 1]) {
    if (!one.isPlain || !isFollowed(one) || !isGap(one.end, all[end]?.start ?? line.length)) break;
    end--;
  }
  const rest = line.slice(all[begin - 1]?.end ?? 0, all[end]?.start ?? line.length).replace(/^[\s,;]+/, "");
  return { first: all.slice(0, begin), middle: all.slice(begin, end), last: all.slice(end), rest: rest.trim() };
}

function written({ 0: text, index, groups = {} }: RegExpExecArray): Written {
  const { anyway, no, dashed, marked, value = no ?? "" } = groups;
  const name = (anyway ?? dashed ?? marked ?? "").toLowerCase();
  const isQuoted = BEGINS_QUOTED.test(text);
  const isDashed = /^[-–—]/.test(text);
  return {
    name,
    value: isList(name) ? unquoted(value) : unquoted(value).replace(/[,;*]{1,3}$/, ""),
    start: index,
    end: index + text.length,
    isPlain: !isQuoted && (isDashed || (anyway === undefined && !/\s/.test(text))),
    isQuoted,
  };
}

const BEGINS_QUOTED = new RegExp(`^${QUOTE}{1,3}`);

const ENDS_QUOTED = new RegExp(`${QUOTE}{1,3}([,;]?)$`);

const unquoted = (value: string): string => value.replace(BEGINS_QUOTED, "").replace(ENDS_QUOTED, "$1");

/** What is wrong with words that begin like an option and are none. */
function unreadIn(words: string, place: "first" | "own" = "first"): readonly string[] {
  const { 0: text = "", groups = {} } = LIKE_OPTION.exec(words) ?? {};
  const { dashes, name: said = "", mark = "", value = "" } = groups;
  const name = said.toLowerCase().replace(/[_\s]/g, "-");
  const known = definitionOf(name);
  if (known) {
    // Of a few values or a number: `budget 1` is meant as an option, `files are wrong` is not.
    const isMeant = isFollowed({ name, value }) && known.kind.fromText("the") === undefined;
    return isMeant ? [misread(`${name} ${value}`, name)] : [];
  }
  const isGlued = mark !== "" && mark === mark.trim() && value !== "";
  const isNear = nearest(name) !== undefined && (dashes !== "" || mark.trim() !== "");
  const isMeant = isNear || (place === "first" && isGlued);
  return isMeant ? [`${shownOf(text)} is not an option.${formOf(name)}`] : [];
}

function faultsOf(taken: readonly Written[]): readonly string[] {
  return taken.flatMap((one, at) => {
    const { name, value } = one;
    const shown = shownOf(`${name}:${value}`);
    if (name === ANYWAY) return isFollowed(one) ? [] : [`${shown}: write \`anyway\` alone, or leave it out.`];
    if (taken.findIndex((other) => other.name === name) < at) return [`${shown}: this option stands here twice.`];
    return isFollowed(one) ? [] : [`${shown} ${definitionOf(name)?.kind.rule}${formOf(name)}`];
  });
}

/** A list that ends with a comma goes on in the next word: whoever wrote it means more than is read. */
const isFollowed = ({ name, value }: Pick<Written, "name" | "value">): boolean =>
  name === ANYWAY ? value === "" : !value.endsWith(",") && definitionOf(name)?.kind.fromText(value) !== undefined;

const isList = (name: string): boolean => Array.isArray(definitionOf(name)?.kind.fromText("a"));

/** An option whose name has one letter wrong or two exchanged, `no-` before it, or is the key of the repository's file. */
const nearest = (name: string) =>
  OPTIONS.find(([, { request, file }]) => file?.key === name || isLike(request.name, name.replace(/^no-/, "")))?.[1];

function isLike(known: string, name: string): boolean {
  const isExchanged = [...known].sort().join("") === [...name].sort().join("");
  return editDistance(known, name) <= (isExchanged ? 2 : 1);
}

const misread = (text: string, name: string): string => `${shownOf(text)} cannot be followed.${formOf(name)}`;

const misplacedFault = ({ name, value }: Written): string =>
  `${shownOf(`${name}:${value}`)} stands among the words of the hint. Options stand before the other words, at the end, or on a line of their own; in quotes they are words.`;

/** How the option is written that was probably meant. */
function formOf(name: string): string {
  const request = (definitionOf(name) ?? nearest(name))?.request;
  return request ? ` It is written \`${request.name}:${request.value}\`.` : "";
}

/** As code, so that nobody is notified. */
const shownOf = (text: string): string => `\`${text.slice(0, MAX_SHOWN).replaceAll("`", "'")}\``;

const MAX_SHOWN = 80;

const definitionOf = (name: string) => OPTIONS.find(([, { request }]) => request.name === name)?.[1];

/** The options that change nothing on a pull request that is open already. */
export function onlyOnIssues({ given }: RequestOptions): readonly string[] {
  return given.filter((one) => !definitionOf(nameOf(one))?.request.onPullRequests);
}

const nameOf = (given: string) => given.slice(0, given.indexOf(":"));

const givenValue = (given: string) => given.slice(given.indexOf(":") + 1);

/** The words of a request's options that hold for the later runs on its pull request, too. */
export function lastingWords({ anyway, given }: RequestOptions): readonly string[] {
  return [...(anyway ? [ANYWAY] : []), ...given.filter(lasts)];
}

/** The options under which a pull request was asked for, from the words that `lastingWords` gave. */
export function lastingOptions(words: readonly string[]): RequestOptions | undefined {
  const given = words.filter((word) => lasts(word) && isFollowed({ name: nameOf(word), value: givenValue(word) }));
  const anyway = words.includes(ANYWAY) || undefined;
  return anyway || given.length > 0 ? { anyway, given } : undefined;
}

const lasts = (given: string) => definitionOf(nameOf(given))?.request.lasts === true;

/**
 * A repository's settings with a request's options over them. An option never widens what the repository demands: its
 * budget, its files and a required proof stay. `base` and `draft` are no demands: whoever may ask may choose them.
 */
export function withOptions(settings: RepositorySettings, options: RequestOptions = { given: [] }): RepositorySettings {
  const tree = growTree(OPTIONS.map(([name]) => [name, valueIn(options, name) ?? valueAt(settings, name)]));
  const { budget, only, proof } = settings;
  const asked = budgetAsked(options);
  return {
    ...settings,
    ...tree,
    budget: asked === undefined ? budget : { ...budget, money: Math.min(budget.money, asked) },
    only,
    alsoOnly: valueIn(options, "only") as readonly string[] | undefined,
    proof: proof === "required" ? proof : (tree.proof as typeof proof),
  };
}

/** What a request says of a setting; undefined when it says nothing. */
function valueIn({ given }: RequestOptions, setting: string): unknown {
  const definition = OPTIONS.find(([name]) => name === setting)?.[1];
  const one = given.find((text) => nameOf(text) === definition?.request.name);
  return one === undefined ? undefined : definition?.kind.fromText(givenValue(one));
}

/** Options of a request that continues another: the newer ones win. */
export function mergeOptions(
  earlier: RequestOptions | undefined,
  later: RequestOptions | undefined,
): RequestOptions | undefined {
  if (!earlier || !later) return later ?? earlier;
  const named = new Map([...earlier.given, ...later.given].map((one) => [nameOf(one), one]));
  return { anyway: later.anyway ?? earlier.anyway, given: [...named.values()] };
}

/** US dollars that a request asks for; undefined when it does not say. */
export function budgetAsked(options: RequestOptions): number | undefined {
  return valueIn(options, "budget.money") as number | undefined;
}

/** Whether a request wants less proof of a fix than is required. */
export const liftsProof = (options: RequestOptions) => (valueIn(options, "proof") ?? "required") !== "required";

/** Every option as a Markdown list, for people. */
export function optionList(): string {
  const lines = OPTIONS.map(([, { request, sentence }]) => `- \`${request.name}:${request.value}\`: ${sentence}`);
  return [...lines, "- `anyway`: Go on although somebody else works on the issue, or its labels say to skip it."].join(
    "\n",
  );
}
