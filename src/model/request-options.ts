import { distance as editDistance } from "fastest-levenshtein";
import { settingsIn } from "./setting-definitions/all-settings.ts";
import { growTree, valueAt } from "./setting-definitions/definition.ts";
import type { RepositorySettings } from "./settings.ts";

/** What a person asked for beside the hint, for this run alone. */
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

const PAIR = /^([a-z][a-z-]{0,30}):(?!\/\/)(\S+)$/i;

/** A line below the first: nothing but one option, whose value may follow a blank or be a list with blanks. */
const LINE = /^([a-z][a-z-]{0,30}):\s*([^\s,]+(?:,\s*[^\s,]+)*)$/i;

/**
 * Takes the options out of a request: those before any other word of its first line, and lines below that hold nothing
 * else. `hint` is what remains for the agents. `options` is absent when there are none.
 */
export function takeOptions(
  argument: string,
  below: readonly string[],
): { readonly hint: string; readonly options?: RequestOptions } {
  const words = argument.split(/\s+/).filter((word) => word !== "");
  const isOption = (word: string) => word.toLowerCase() === ANYWAY || PAIR.test(word);
  const end = words.findIndex((word) => !isOption(word));
  const leading = end < 0 ? words : words.slice(0, end);
  const first = leading.length === 0 ? argument : words.slice(leading.length).join(" ");
  const lines: string[] = [];
  const others: string[] = [];
  for (const line of below) (isOptionLine(line.trim()) ? lines : others).push(line);
  const hint = [first, ...others].join("\n").trim();
  const written = [
    ...leading,
    ...lines.map((line) => line.trim().replace(LINE, (_, name, value) => `${name}:${value}`)),
  ];
  if (written.length === 0) return { hint };
  return { hint, options: readAll(written.map((one) => one.trim().replace(/,\s+/g, ","))) };
}

/** Prose such as `Note: …` is no option; a known name, or one that is a letter away from it, is. */
function isOptionLine(line: string): boolean {
  if (line.toLowerCase() === ANYWAY) return true;
  const name = LINE.exec(line)?.[1]?.toLowerCase();
  return name !== undefined && OPTIONS.some(([, { request }]) => editDistance(request.name, name) <= 1);
}

function readAll(written: readonly string[]): RequestOptions {
  const given = new Map<string, string>();
  const faults: string[] = [];
  for (const one of written) {
    if (one.toLowerCase() === ANYWAY) continue;
    const [, word = "", value = ""] = PAIR.exec(one) ?? [];
    const name = word.toLowerCase();
    const shown = `\`${one.slice(0, MAX_SHOWN).replaceAll("`", "'")}\``;
    const definition = definitionOf(name);
    if (definition === undefined) faults.push(`${shown} is not an option.`);
    else if (given.has(name)) faults.push(`${shown}: this option stands here twice.`);
    else if (definition.kind.fromText(value) === undefined) faults.push(`${shown} ${definition.kind.rule}`);
    else given.set(name, `${name}:${value}`);
  }
  return {
    anyway: written.some((one) => one.toLowerCase() === ANYWAY) || undefined,
    given: [...given.values()],
    faults: faults.length > 0 ? faults : undefined,
  };
}

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
  const { anyway, given } = readAll(words);
  const lasting = given.filter(lasts);
  return anyway || lasting.length > 0 ? { anyway, given: lasting } : undefined;
}

const lasts = (given: string) => definitionOf(nameOf(given))?.request.lasts === true;

/** A repository's settings with a request's options over them. */
export function withOptions(
  settings: RepositorySettings,
  { given }: Pick<RequestOptions, "given"> = { given: [] },
): RepositorySettings {
  const tree = growTree(
    OPTIONS.map(([name, { kind, request }]) => {
      const one = given.find((text) => nameOf(text) === request.name);
      const value = one === undefined ? undefined : kind.fromText(one.slice(request.name.length + 1));
      return [name, value ?? valueAt(settings, name)];
    }),
  );
  return { ...settings, ...tree, budget: { ...settings.budget, ...(tree.budget as object) } };
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
export function budgetAsked({ given }: RequestOptions): number | undefined {
  const one = given.find((text) => nameOf(text) === "budget");
  return one === undefined ? undefined : Number(one.slice("budget:".length));
}

/** Every option as a Markdown list, for people. */
export function optionList(): string {
  const lines = OPTIONS.map(([, { request, sentence }]) => `- \`${request.name}:${request.value}\`: ${sentence}`);
  return [...lines, "- `anyway`: Go on although somebody else works on the issue, or its labels say to skip it."].join(
    "\n",
  );
}
