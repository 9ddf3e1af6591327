import { MagisError } from "../data/error.ts";
import type { Effort } from "../data/settings.ts";
import type { ModelRequest, ModelTier, PromptImage, PromptPart } from "./language-model.ts";
import type { PromptLibrary } from "./prompt-library.ts";

/** Removes blank lines that template tags leave behind, which cost tokens. Keeps those of fenced values. */
const tidy = (text: string) =>
  text
    .replace(/^(`{3,})[^`\n]*\n(?:[\s\S]*?\n)??\1$|\n{3,}/gm, (found, fence?: string) => (fence ? found : "\n\n"))
    .trim();

/** Comes after the issue, so that all calls of a run share both. The fast tier only summarises and needs none. */
const GUIDANCE = '{% render "guidance", context: context %}';

const IMAGES = '{% render "images" %}';

/**
 * Renders one prompt with its values, for the repository's `context`: first the issue, then its `images` if the prompt
 * shows them, then the repository's guidance. The request has no schema and no earlier exchanges yet.
 * Throws MagisError PROMPT_INVALID for an unknown prompt and for missing or surplus values.
 */
export async function renderPrompt(
  library: PromptLibrary,
  id: string,
  inputs: Readonly<Record<string, unknown>>,
  context: PromptContext = PLAIN_CONTEXT,
  images: readonly PromptImage[] = [],
): Promise<ModelRequest> {
  const prompt = library.prompts.get(id);
  if (!prompt) throw new MagisError("PROMPT_INVALID", `There is no prompt ${id}.`);
  const wrong = [
    ...prompt.inputs.filter((name) => !(name in inputs)).map((name) => `${name} is missing`),
    ...Object.keys(inputs)
      .filter((name) => !prompt.inputs.includes(name))
      .map((name) => `${name} is not an input`),
  ];
  if (wrong.length > 0)
    throw new MagisError("PROMPT_INVALID", `The prompt ${id} was given wrong values: ${wrong.join(", ")}.`);
  // No value is a promise, and the library makes one for each part of a template that it renders asynchronously.
  const render = (templates: (typeof prompt.parts)[number]) =>
    tidy(library.liquid.renderSync([...templates], { ...inputs, context }));
  const guided = prompt.tier === "strong" && prompt.guidance && context.guidance.length > 0;
  const [issue = [], ...others] = prompt.parts;
  const guidance = guided ? [library.liquid.parse(GUIDANCE)] : [];
  const templates = others.length > 0 ? [issue, ...guidance, ...others] : [...guidance, issue];
  const texts = templates.map(render);
  const parts: PromptPart[] = texts.map((text, index) =>
    index < texts.length - 1 ? { text, cache: true } : { text: `MAGIS prompt ${id}\n\n${text}` },
  );
  if (prompt.images && images.length > 0) {
    parts.splice(1, 0, { text: render(library.liquid.parse(IMAGES)), images, cache: true });
  }
  return {
    promptId: id,
    tier: prompt.tier,
    model: context.models?.[prompt.tier],
    effort: context.effort?.[prompt.tier],
    maxTokens: prompt.maxTokens,
    system: render(prompt.system),
    parts,
    earlier: [],
  };
}

/** A repository's share in every prompt. */
export interface PromptContext {
  /** the language for texts to people */
  language: string;
  /** the maintainers' instructions to the agents, or "" */
  instructions: string;
  /** the repository's files for contributors and agents: material, not instructions */
  guidance: readonly { path: string; text: string }[];
  /** override the configured models and effort */
  models?: Partial<Readonly<Record<ModelTier, string>>>;
  effort?: Partial<Readonly<Record<ModelTier, Effort>>>;
  /** the repository's files: paths in answers are spelt as here */
  tree?: Pick<ReadonlyMap<string, unknown>, "keys">;
}

export const PLAIN_CONTEXT: PromptContext = { language: "English", instructions: "", guidance: [] };
