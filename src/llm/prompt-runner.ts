import type { z } from "zod";
import { MagisError } from "../model/magis-error.ts";
import type { LanguageModel, ModelRequest, PromptImage } from "../ports/language-model.ts";
import { completeRequest } from "./complete-request.ts";
import type { PromptLibrary } from "./load-prompts.ts";
import { parseAnswer } from "./parse-answer.ts";
import { PLAIN_CONTEXT, type PromptContext } from "./prompt-context.ts";
import { renderPrompt } from "./render-prompt.ts";
import { schemaOf } from "./schema-of.ts";
import type { Toolset } from "./tool.ts";
import { asLast, charactersOf, type Lookups, useTools } from "./use-tools.ts";

export type Inputs = Readonly<Record<string, unknown>>;
/** Says what is wrong with an answer in words the model can act on, or nothing. */
export type Check<T> = (answer: T) => string | undefined | Promise<string | undefined>;

/**
 * How agents speak to the model. An answer that is invalid or fails `check` goes back once with the reason.
 * Both throw MagisError ANSWER_INVALID (still wrong), MODEL_REFUSED, MODEL_CUT_OFF, and what the model's port throws.
 */
export interface PromptRunner {
  /** A typed answer of the given shape; with `toolset`, the model may look things up before it answers. */
  ask<T>(promptId: string, inputs: Inputs, shape: z.ZodType<T>, check?: Check<T>, toolset?: Toolset): Promise<T>;
  /** Plain text, as it came. */
  write(promptId: string, inputs: Inputs, check?: Check<string>): Promise<string>;
}

type Read<T> = { readonly value: T } | { readonly reason: string };

/** `images` gives those of the issue; it is asked for prompts that show them. `lookups` is what the whole run has left. */
export function createPromptRunner(
  library: PromptLibrary,
  model: LanguageModel,
  signal: AbortSignal,
  context: PromptContext = PLAIN_CONTEXT,
  images: () => Promise<readonly PromptImage[]> = async () => [],
  lookups: Lookups = { left: Number.POSITIVE_INFINITY },
): PromptRunner {
  return {
    async ask(promptId, inputs, shape, check, toolset) {
      const request = await rendered(promptId, inputs);
      const schema = schemaOf(shape);
      return answered({ ...request, schema, ...definitionsOf(toolset) }, toolset, async (text) => {
        const parsed = parseAnswer(text, shape);
        if ("reason" in parsed) return parsed;
        const reason = await check?.(parsed.value);
        return reason === undefined ? parsed : { reason };
      });
    },
    async write(promptId, inputs, check) {
      return answered(await rendered(promptId, inputs), undefined, async (text) => {
        const reason = await check?.(text);
        return reason === undefined ? { value: text } : { reason };
      });
    },
  };

  async function rendered(promptId: string, inputs: Inputs): Promise<ModelRequest> {
    const shown = library.prompts.get(promptId)?.images === true ? await images() : [];
    return renderPrompt(library, promptId, inputs, context, shown);
  }

  async function answered<T>(
    request: ModelRequest,
    toolset: Toolset | undefined,
    read: (text: string) => Promise<Read<T>>,
  ): Promise<T> {
    const first = await conversed(request, toolset);
    const result = await read(first.text);
    if ("value" in result) return result.value;
    const correction = { answer: first.text || "(no text)", reply: result.reason };
    const again = { ...first.request, earlier: [...first.request.earlier, correction] };
    const second = await read((await conversed(again, toolset)).text);
    if ("value" in second) return second.value;
    const { promptId } = request;
    const message = `The model's answer to ${promptId} could not be used: ${second.reason}`;
    throw new MagisError("ANSWER_INVALID", message, { promptId });
  }

  /** Asks until the answer calls no tools, and gives the request that was answered in the end. */
  async function conversed(
    begin: ModelRequest,
    toolset: Toolset | undefined,
  ): Promise<{ readonly text: string; readonly request: ModelRequest }> {
    let request = begin;
    let gathered = 0;
    for (let turn = 1; ; turn++) {
      const answer = await completeRequest(model, request, signal);
      if (answer.stop !== "tools" || !toolset || request.mustAnswer) {
        return { text: answer.stop === "tools" ? "" : answer.text, request };
      }
      const exchange = await useTools(answer.blocks ?? [], toolset, { gathered, lookups });
      gathered += charactersOf(exchange);
      const last = turn >= toolset.turns || lookups.left <= 0;
      const told = last ? asLast(exchange) : exchange;
      request = { ...request, earlier: [...request.earlier, told], ...(last && { mustAnswer: true }) };
    }
  }
}

function definitionsOf(toolset: Toolset | undefined): Pick<ModelRequest, "tools"> {
  if (!toolset || toolset.tools.length === 0) return {};
  const tools = toolset.tools.map(({ name, description, shape }) => ({
    ...{ name, description },
    inputSchema: schemaOf(shape),
  }));
  return { tools };
}
