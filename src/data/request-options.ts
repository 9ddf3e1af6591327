import { distance as editDistance } from "fastest-levenshtein";
import { fencedLines } from "../text/own-words.ts";
import { settingsIn } from "./setting-definitions/all-settings.ts";
import { growTree, valueAt } from "./setting-definitions/definition.ts";
import type { RepositorySettings } from "./settings.ts";

/** What a person asked for besides the hint, for this run alone. */
export interface RequestOptions {
  /** `anyway`: go on although somebody else works on the issue, or it is of a kind that the bot skips */
  readonly anyway?: true;
  /** valid options as they were written, `name:value`, each name once */
  readonly given: readonly string[];
  /** Markdown sentences about options that cannot be read */
  readonly faults?: readonly string[];
}

const OPTIONS = settingsIn("file", "request");

const ANYWAY = "anyway";

/** A name with the mark behind it, if there is one; dashes before it and quotes around it are gone by then. */
const NAMED = /^([a-z][a-z_-]{0,30})(?:([:=：＝])(.*))?$/is;

/** What people put around an option, a name or a value. */
const WRAPPING = "\"'`“”„‘’«»";

/** An option as it was written. */
interface Written {
  /** in lower case, with hyphens */
  readonly name: string;
  readonly value: string;
  /** how many words it takes */
  readonly words: number;
  /** by `name:value`, `--name value` and the like; "loose" without any mark between name and value */
  readonly form: "marked" | "loose";
  /** in one word, or with dashes: no sentence of people has that */
  readonly isPlain: boolean;
}

/** Lines below the first that may hold options: what comes after is for the agents. */
const MAX_LINES = 100;

/**
 * Takes the options out of a request: those at the beginning and the end of its first line, and lines below that hold
 * nothing else. A blank, `=` for the colon, dashes, a bullet, quotes, back-ticks and capitals make no difference. What
 * looks like an option elsewhere, or cannot be followed, is a fault, so that nothing begins on a misunderstanding.
 * `hint` is what remains for the agents. `options` is absent when there are none.
 */
export function takeOptions(
  argument: string,
  below: readonly string[],
): { readonly hint: string; readonly options?: RequestOptions } {
  const first = readLine(argument, "first");
  const fenced = fencedLines(below);
  const lines = below.map((line, at) =>
    fenced[at] || at >= MAX_LINES ? { taken: [], faults: [], rest: line } : readLine(line, "own"),
  );
  const all = [first, ...lines];
  const hint = all
    .flatMap(({ rest }) => (rest === undefined ? [] : [rest]))
    .join("\n")
    .trim();
  const taken = all.flatMap((line) => line.taken);
  const faults = all.flatMap((line) => line.faults);
  return taken.length + faults.length === 0 ? { hint } : { hint, options: readAll(taken, faults) };
}

interface ReadLine {
  readonly taken: readonly Written[];
  readonly faults: readonly string[];
  /** the line's other words; undefined where nothing is left of a line below the first */
  readonly rest: string | undefined;
}

function readLine(line: string, place: "first" | "own"): ReadLine {
  // A box of a task list is no word.
  const words = line
    .replace(/^(\s{0,20}[-*+] {1,4})\[[ xX]\](?=\s)/, "$1")
    .split(/\s+/)
    .filter((word) => word !== "");
  const taken: Written[] = [];
  let from = 0;
  for (;;) {
    const at = /^(?:[-*+•,;]|\d{1,2}[.)])$/.test(words[from] ?? "") ? from + 1 : from;
    const one = optionAt(words, at);
    if (!one || !(isKnown(one) || (place === "first" && one.isPlain) || isNear(one.name))) break;
    if (one.form === "loose" && !isClosed(one)) break;
    taken.push(one);
    from = at + one.words;
  }
  const rest = words.slice(from);
  if (rest.length === 0) return { taken, faults: [], rest: place === "own" && taken.length > 0 ? undefined : "" };
  if (place === "own") return ownLine(line, taken);
  const trailing = trailingOptions(rest);
  const middle = rest.slice(0, rest.length - trailing.reduce((sum, one) => sum + one.words, 0));
  const isWhole = taken.length + trailing.length === 0;
  const faults = middle.flatMap((_, at) => {
    const one = at + from === 0 ? undefined : optionAt(middle, at);
    const isMeant = one?.form === "marked" && one.name !== ANYWAY && isFollowed(one) && !isQuoted(middle, at);
    return isMeant ? [misplaced(one)] : [];
  });
  return { taken: [...taken, ...trailing], faults, rest: isWhole ? line : middle.join(" ") };
}

/** A line below the first that goes on after its options: a sentence, unless it begins as nothing but an option does. */
function ownLine(line: string, taken: readonly Written[]): ReadLine {
  const [one] = taken;
  const isProse = one === undefined || one.name === ANYWAY || one.form === "loose" || !isKnown(one);
  // Only something like a path is meant as a list of files.
  if (isProse || (isList(one.name) && !/[./*]/.test(one.value))) return { taken: [], faults: [], rest: line };
  return { taken: [], faults: [misread(shownOf(line.trim()), one)], rest: line };
}

/** Options at the end of the first line, each in a form that no sentence has. */
function trailingOptions(words: readonly string[]): readonly Written[] {
  const taken: Written[] = [];
  for (let end = words.length; end > 0; ) {
    const at = [end - 1, end - 2].find((from) => {
      const one = from >= 0 ? optionAt(words.slice(from, end), 0) : undefined;
      return one?.words === end - from && one.isPlain && isKnown(one) && isFollowed(one) && !isQuoted(words, from);
    });
    const one = at === undefined ? undefined : optionAt(words.slice(at, end), 0);
    if (at === undefined || one === undefined || (one.name === ANYWAY && !/^\W/.test(words[at] ?? ""))) return taken;
    taken.unshift(one);
    end = at;
  }
  return taken;
}

/** The option that begins with the word at `at`, in whatever way it is written; undefined for any other word. */
function optionAt(words: readonly string[], at: number): Written | undefined {
  const [word = "", next, third] = words.slice(at, at + 3);
  const bare = unwrapped(word.replace(/^\*{1,2}(?=[a-z-])/i, "").replace(/(?<=[:=：＝])\*{1,2}$/, ""));
  const [, dashes = "", text = ""] = /^([-–—]{0,2})(.*)$/s.exec(bare) ?? [];
  const found = NAMED.exec(unwrapped(text).replace(/^([a-z_-]{1,31})["'`*”’]{1,3}([:=：＝])/i, "$1$2"));
  if (!found) return undefined;
  const [, written = "", mark, behind = ""] = found;
  const name = unwrapped(written).toLowerCase().replaceAll("_", "-");
  const isDashed = dashes !== "";
  const isPlain = isDashed || (mark !== undefined && behind !== "");
  const made = (value: string, count: number, form: Written["form"]): Written | undefined => {
    // An address, such as `https://…`, is no option.
    if (value.startsWith("//")) return undefined;
    const more = form === "marked" && isList(name) ? continued(words, at + count, value) : [];
    const parts = [value, ...more].map((part) => unwrapped(unwrapped(part).replace(/[,;]$/, "")));
    const whole = isList(name) ? parts.join(",") : (parts[0] ?? "").replace(/\*{1,2}$/, "");
    return { name, value: whole, words: count + more.length, form, isPlain };
  };
  if (name === ANYWAY && mark === undefined) return { name, value: "", words: 1, form: "marked", isPlain: true };
  if (mark !== undefined && behind !== "") return made(behind, 1, "marked");
  if (next === undefined) {
    const isMeant = mark !== undefined || (isDashed && isNear(name));
    return isMeant ? { name, value: "", words: 1, form: "marked", isPlain } : undefined;
  }
  if (mark !== undefined) return made(next, 2, "marked");
  if (/^[:=：＝]$/.test(next) && third !== undefined) return made(third, 3, "marked");
  if (/^[:=：＝]./.test(next)) return made(next.slice(1), 2, "marked");
  // `base branch: release` is the file's `base-branch`.
  const joined = NAMED.exec(unwrapped(next));
  if (joined?.[2] !== undefined && meant(`${name}-${joined[1]?.toLowerCase()}`)) {
    const rest = optionAt([`${name}-${next}`, ...words.slice(at + 2)], 0);
    return rest && { ...rest, words: rest.words + 1 };
  }
  if (isDashed && isNear(name)) return made(next, 2, "marked");
  return isKnown({ name }) ? made(next, 2, "loose") : undefined;
}

/** Words that an option without a list takes. */
const MOST_WORDS = 3;

/** The further words of a list: while the one before ends with a comma. */
function continued(words: readonly string[], from: number, first: string): readonly string[] {
  const more: string[] = [];
  for (let at = from, last = first; last.endsWith(",") && at < words.length; at++) {
    last = words[at] ?? "";
    if (optionAt(words.slice(at, at + MOST_WORDS), 0)?.isPlain) break;
    more.push(last);
  }
  return more;
}

/** Without the quotes and back-ticks around it; one that was opened in an earlier word goes, too. */
function unwrapped(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && WRAPPING.includes(text[from] ?? "")) from++;
  while (to > from && WRAPPING.includes(text[to - 1] ?? "")) to--;
  return text.slice(from, to);
}

/** Within a sentence, what stands in quotes is spoken of. */
const isQuoted = (words: readonly string[], at: number): boolean => /^["'`“„‘«]/.test(words[at] ?? "");

const isKnown = ({ name }: Pick<Written, "name">): boolean => name === ANYWAY || definitionOf(name) !== undefined;

/** A known name with one letter wrong or two exchanged, one with `no-` before it, or the key of the repository's file. */
const meant = (name: string) =>
  OPTIONS.find(([, { request, file }]) => file?.key === name || isLike(request.name, name.replace(/^no-/, "")))?.[1];

function isLike(known: string, name: string): boolean {
  const isExchanged = [...known].sort().join("") === [...name].sort().join("");
  return editDistance(known, name) <= (isExchanged ? 2 : 1);
}

const isNear = (name: string): boolean => meant(name) !== undefined;

const isList = (name: string): boolean => Array.isArray(definitionOf(name)?.kind.fromText("a"));

const isFollowed = ({ name, value }: Written): boolean =>
  name === ANYWAY ? YES.test(value) : definitionOf(name)?.kind.fromText(value) !== undefined;

/** Of a few values or a number: `budget 1` is meant as an option, `files are wrong` is not. */
const isClosed = (one: Written): boolean =>
  definitionOf(one.name)?.kind.fromText("the") === undefined && isFollowed(one);

const YES = /^(?:|true|yes|on|1)$/i;

function readAll(taken: readonly Written[], misplacedOnes: readonly string[] = []): RequestOptions {
  const given = new Map<string, string>();
  const faults = [...misplacedOnes];
  for (const one of taken) {
    const { name, value, form } = one;
    const shown = shownOf(`${name}:${value}`);
    const definition = definitionOf(name);
    if (name === ANYWAY) {
      if (!YES.test(value)) faults.push(`${shown}: write \`anyway\` alone, or leave it out.`);
    } else if (definition === undefined) faults.push(`${shown} is not an option.${didYouMean(one)}`);
    else if (form === "loose") faults.push(misread(shownOf(`${name} ${value}`), one));
    else if (given.has(name)) faults.push(`${shown}: this option stands here twice.`);
    else if (!isFollowed(one)) faults.push(`${shown} ${definition.kind.rule}${didYouMean(one)}`);
    else given.set(name, `${name}:${value}`);
  }
  return {
    anyway: taken.some(({ name, value }) => name === ANYWAY && YES.test(value)) || undefined,
    given: [...given.values()],
    faults: faults.length > 0 ? faults : undefined,
  };
}

const misread = (shown: string, one: Written): string => `${shown} cannot be followed.${didYouMean(one)}`;

const misplaced = (one: Written): string =>
  `${shownOf(`${one.name}:${one.value}`)} stands among the words of the hint.${didYouMean(one)} Options stand before the other words, at the end, or on a line of their own; in quotes they are words.`;

/** The option that was probably meant, from the value's parts; else the form that the option has. */
function didYouMean({ name, value }: Written): string {
  const definition = definitionOf(name) ?? meant(name);
  if (definition === undefined) return "";
  const number = /\d+(?:[.,]\d+)?/.exec(value)?.[0].replace(",", ".");
  const parts = name.startsWith("no-") ? ["false", "off"] : [];
  parts.push(value, value.replace(/(?<![.,;!?])[.,;!?]+$/, ""), value.replace(/^refs\/heads\//, ""), number ?? "");
  const fit = parts.find((part) => part !== "" && definition.kind.fromText(part) !== undefined);
  const { name: known, value: form } = definition.request;
  return fit === undefined ? ` It is written \`${known}:${form}\`.` : ` Did you mean ${shownOf(`${known}:${fit}`)}?`;
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

/** The words of a request's options that hold for the later runs on its pull request, too. */
export function lastingWords({ anyway, given }: RequestOptions): readonly string[] {
  return [...(anyway ? [ANYWAY] : []), ...given.filter(lasts)];
}

/** The options under which a pull request was asked for, from the words that `lastingWords` gave. */
export function lastingOptions(words: readonly string[]): RequestOptions | undefined {
  const { anyway, given } = readAll(words.flatMap((word) => optionAt([word], 0) ?? []));
  const lasting = given.filter(lasts);
  return anyway || lasting.length > 0 ? { anyway, given: lasting } : undefined;
}

const lasts = (given: string) => definitionOf(nameOf(given))?.request.lasts === true;

/**
 * A repository's settings with a request's options over them. An option never widens what the repository demands: its
 * budget, its files and a required proof stay. `base` and `draft` are no demands: whoever may ask may choose them.
 */
export function withOptions(
  settings: RepositorySettings,
  options: Pick<RequestOptions, "given"> = { given: [] },
): RepositorySettings {
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
function valueIn({ given }: Pick<RequestOptions, "given">, setting: string): unknown {
  const definition = OPTIONS.find(([name]) => name === setting)?.[1];
  const one = given.find((text) => nameOf(text) === definition?.request.name);
  return one === undefined ? undefined : definition?.kind.fromText(one.slice(one.indexOf(":") + 1));
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
export function budgetAsked(options: Pick<RequestOptions, "given">): number | undefined {
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
