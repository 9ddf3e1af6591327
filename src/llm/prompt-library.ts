import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Liquid, type Template } from "liquidjs";
import { parse } from "yaml";
import { z } from "zod";
import type { Standing } from "../model/discussion.ts";
import { MagisError } from "../model/error.ts";
import type { ModelTier } from "../ports/language-model.ts";

const Header = z.strictObject({
  id: z.string().regex(/^[a-z]\d\d-[a-z-]+$/),
  paper: z.string(),
  role: z.string(),
  tier: z.enum(["fast", "strong"]),
  maxTokens: z.int().min(256).max(128_000),
  system: z.string(),
  inputs: z.array(z.string()),
  images: z.boolean().default(false),
  guidance: z.boolean().default(true),
});

/** The prompts by id, and the engine that renders them. */
export interface PromptLibrary {
  readonly liquid: Liquid;
  readonly prompts: ReadonlyMap<string, Prompt>;
}

const PARTIALS = "partials";

/**
 * Reads every `*.liquid` file of the folders in `folder`, but those of `folder/partials`, which are parts of prompts.
 * Throws MagisError PROMPT_INVALID naming the file and the fault: a bad header, a template error, an id that is not
 * the file's name or that two files have.
 */
export async function loadPrompts(folder: string): Promise<PromptLibrary> {
  const liquid = new Liquid({
    partials: path.join(folder, PARTIALS),
    extname: ".liquid",
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    cache: true,
  });
  addPromptFilters(liquid);
  const prompts = new Map<string, Prompt>();
  for (const file of await listPrompts(folder)) {
    const prompt = parsePrompt(liquid, path.basename(file), await readFile(file, "utf8"));
    if (prompts.has(prompt.id)) throw new MagisError("PROMPT_INVALID", `There are two prompts ${prompt.id}.liquid.`);
    prompts.set(prompt.id, prompt);
  }
  return { liquid, prompts };
}

/** The prompts' files, by their names. */
async function listPrompts(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".liquid") && path.basename(entry.parentPath) !== PARTIALS)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function parsePrompt(liquid: Liquid, name: string, source: string): Prompt {
  try {
    const [, yaml, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
    if (yaml === undefined || body === undefined) throw new Error("it has no YAML header between two lines of ---");
    const { system, ...header } = Header.parse(parse(yaml));
    if (`${header.id}.liquid` !== name) throw new Error(`its id is ${header.id}`);
    return {
      ...header,
      system: liquid.parse(`{% render "${system}", context: context %}`),
      parts: body.split(/^%% cache\n/m).map((part) => liquid.parse(part)),
    };
  } catch (error) {
    throw new MagisError("PROMPT_INVALID", `The prompt ${name} cannot be used: ${(error as Error).message}`, {}, error);
  }
}

/** A prompt file, parsed: its header, and its body in parts of which all but the last are marked for caching. */
export interface Prompt {
  readonly id: string;
  /** the paper's name for it, for readers */
  readonly paper: string;
  readonly role: string;
  readonly tier: ModelTier;
  readonly maxTokens: number;
  /** the names of the values it takes; all of them, and no others */
  readonly inputs: readonly string[];
  /** the images of the issue are shown after its first part */
  readonly images: boolean;
  /** what the repository says to contributors stands before it; the fast tier has none */
  readonly guidance: boolean;
  readonly system: readonly Template[];
  readonly parts: readonly (readonly Template[])[];
}

/** Whose text a fence holds, as its first line names it. */
export type Origin = "maintainer" | "author" | "other person" | "person" | "file" | "colleague" | "log";

/** What is known of who wrote an issue or a comment; nothing is known in records of earlier versions. */
const ORIGIN_BY_STANDING: Readonly<Record<Standing | "unknown", Origin>> = {
  maintainer: "maintainer",
  author: "author",
  other: "other person",
  log: "log",
  unknown: "person",
};

const ORIGINS: readonly unknown[] = ["file", "colleague", ...Object.values(ORIGIN_BY_STANDING)] satisfies Origin[];

/** Controls, with line breaks and tabs among them, and Unicode's separators of lines and paragraphs. */
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Adds the filters that prompts use. All that a person, a file or a model wrote passes one of the first two:
 *
 * - `{{ text | fenced: "colleague", "diff" }}` stands in a fence that the text cannot end, on lines of its own. The
 *   fence's first line says what it is and whose: `diff from colleague`; without a language, `text`. Instead of an origin
 *   it takes what has a `standing`: the issue, or a comment on it.
 * - `{{ path | code }}` stands within a line, as code that the text cannot end: paths, titles, names.
 * - `{{ interval | interval }}` names lines.
 */
export function addPromptFilters(liquid: Liquid): void {
  liquid.registerFilter("fenced", (value: unknown, origin: unknown, language?: string) =>
    fenced(String(value ?? ""), originOf(origin), language),
  );
  liquid.registerFilter("code", (value: unknown) => {
    const line = String(value ?? "").replace(BREAKS, " ");
    if (line.trim() === "") return "`(none)`";
    const fence = "`".repeat(longestRun(line, /`+/g) + 1);
    const space = /^`|`$/.test(line) ? " " : "";
    return fence + space + line + space + fence;
  });
  liquid.registerFilter("interval", ({ start, end }: Interval) => {
    if (end < start) return `the insertion before line ${Number(start)}`;
    return start === end ? `line ${Number(start)}` : `lines ${Number(start)} to ${Number(end)}`;
  });
}

/** What the filter of this name gives, for texts that are put together before they are shown. */
export function fenced(text: string, origin: Origin, language = "text"): string {
  const fence = "`".repeat(Math.max(3, longestRun(text, /`+|~+/g) + 1));
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${fence}${language} from ${origin}\n${text}${end}${fence}`;
}

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Throws for what is no origin: a prompt that does not say whose text it shows cannot be rendered. */
function originOf(origin: unknown): Origin {
  if (ORIGINS.includes(origin)) return origin as Origin;
  if (typeof origin !== "object" || origin === null) throw new Error(`There is no origin ${String(origin)}.`);
  return ORIGIN_BY_STANDING[(origin as { standing?: Standing }).standing ?? "unknown"] ?? "person";
}

function longestRun(text: string, run: RegExp): number {
  return [...text.matchAll(run)].reduce((most, [found]) => Math.max(most, found.length), 0);
}
