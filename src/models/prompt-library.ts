import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Liquid, type Template } from "liquidjs";
import { parse } from "yaml";
import { z } from "zod";
import type { Standing } from "../data/discussion.ts";
import { MagisError } from "../data/error.ts";
import type { ModelTier } from "./language-model.ts";

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
  liquid: Liquid;
  prompts: ReadonlyMap<string, Prompt>;
}

const PARTIALS = "partials";

/**
 * Reads every `*.liquid` file of `folder`, except `folder/partials`, and of the folders in `more`. Throws MagisError
 * PROMPT_INVALID, which names the file and the error: a bad header, a template error, an id that is not the file's name
 * or not unique.
 */
export async function loadPrompts(folder: string, ...more: readonly string[]): Promise<PromptLibrary> {
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
  for (const file of (await Promise.all([folder, ...more].map(listPrompts))).flat()) {
    const prompt = parsePrompt(liquid, path.basename(file), await readFile(file, "utf8"));
    if (prompts.has(prompt.id)) throw new MagisError("PROMPT_INVALID", `There are two prompts ${prompt.id}.liquid.`);
    prompts.set(prompt.id, prompt);
  }
  return { liquid, prompts };
}

/** The prompts' files, sorted. */
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

/** A parsed prompt file: its header, and its body in parts, of which all but the last are marked for caching. */
export interface Prompt {
  id: string;
  /** its name in the paper, for readers */
  paper: string;
  role: string;
  tier: ModelTier;
  maxTokens: number;
  /** the names of exactly the values it takes */
  inputs: readonly string[];
  /** shows the images after its first part */
  images: boolean;
  /** includes the repository's guidance for contributors; never for the fast tier */
  guidance: boolean;
  system: readonly Template[];
  parts: readonly (readonly Template[])[];
}

/** Whose text a fence holds, named on its first line. */
export type Origin = "maintainer" | "author" | "other person" | "person" | "file" | "colleague" | "log";

/** The origin for the standing of an author, which may be unknown. */
const ORIGIN_BY_STANDING: Readonly<Record<Standing | "unknown", Origin>> = {
  maintainer: "maintainer",
  author: "author",
  other: "other person",
  log: "log",
  unknown: "person",
};

const ORIGINS: readonly unknown[] = ["file", "colleague", ...Object.values(ORIGIN_BY_STANDING)] satisfies Origin[];

/** Control characters, including line breaks and tabs, and Unicode's line and paragraph separators. */
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Adds the filters for prompts. Everything that a person, file or model wrote passes one of the first two:
 *
 * - `{{ text | fenced: "colleague", "diff" }}` puts the text in a fence that it cannot end. The fence's first line
 * names language and origin, `diff from colleague`; the language defaults to `text`. Instead of an origin it takes an
 * object with a `standing`: the issue, or a comment on it.
 * - `{{ path | code }}` makes inline code that the text cannot end: for paths, titles, names.
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
  liquid.registerFilter("interval", ({ start, end }: { start: number; end: number }) => {
    if (end < start) return `the insertion before line ${Number(start)}`;
    return start === end ? `line ${Number(start)}` : `lines ${Number(start)} to ${Number(end)}`;
  });
}

/** Does the same as the filter `fenced`, for texts put together in code. */
export function fenced(text: string, origin: Origin, language = "text"): string {
  const fence = "`".repeat(Math.max(3, longestRun(text, /`+|~+/g) + 1));
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${fence}${language} from ${origin}\n${text}${end}${fence}`;
}

/** Throws for an unknown origin, so that no prompt shows text without saying whose it is. */
function originOf(origin: unknown): Origin {
  if (ORIGINS.includes(origin)) return origin as Origin;
  if (typeof origin !== "object" || origin === null) throw new Error(`There is no origin ${String(origin)}.`);
  return ORIGIN_BY_STANDING[(origin as { standing?: Standing }).standing ?? "unknown"] ?? "person";
}

function longestRun(text: string, run: RegExp): number {
  return [...text.matchAll(run)].reduce((most, [found]) => Math.max(most, found.length), 0);
}
