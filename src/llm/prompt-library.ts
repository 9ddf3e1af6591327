import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Liquid, type Template } from "liquidjs";
import { parse } from "yaml";
import { z } from "zod";
import { MagisError } from "../model/error.ts";
import type { ModelTier } from "../ports/language-model.ts";
import { addPromptFilters } from "./prompt-filters.ts";

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
