import { z } from "zod";
import { MagisError } from "../model/error.ts";
import type { LanguageModel, ModelAnswer, ModelRequest, PromptImage } from "../ports/language-model.ts";
import type { PromptLibrary } from "./prompt-library.ts";
import { PLAIN_CONTEXT, type PromptContext, renderPrompt } from "./render-prompt.ts";
import { asLast, charactersOf, hasRoom, type Lookups, type Toolset, useTools } from "./toolset.ts";

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
      const last = turn >= toolset.turns || !hasRoom(gathered, toolset, lookups);
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

/** The most tokens that a cut-off answer is asked for again with. */
const MAX_TOKENS = 64_000;

/** One call; an answer that is cut off is asked for again with more room. Throws MODEL_REFUSED and MODEL_CUT_OFF. */
async function completeRequest(model: LanguageModel, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
  let answer = await model.complete(request, signal);
  if (answer.stop === "length" && request.maxTokens < MAX_TOKENS) {
    const maxTokens = Math.min(MAX_TOKENS, request.maxTokens * 2);
    answer = await model.complete({ ...request, maxTokens }, signal);
  }
  const data = { promptId: request.promptId };
  if (answer.stop === "refusal")
    throw new MagisError("MODEL_REFUSED", `The model declined to answer ${request.promptId}.`, data);
  if (answer.stop === "length")
    throw new MagisError("MODEL_CUT_OFF", `The model's answer to ${request.promptId} was too long.`, data);
  return answer;
}

/**
 * Reads a structured answer. The provider's schema loses limits on the way, and some gateways ignore it, so the text
 * may be fenced or have words around it, and is always checked again.
 * Gives the value, or a reason that the model can act on.
 */
function parseAnswer<T>(text: string, shape: z.ZodType<T>): { value: T } | { reason: string } {
  if (text.trim() === "") {
    return {
      reason: "There is no answer, and no tool can be called any more. Give the JSON object now, with what you know.",
    };
  }
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start)
    return {
      reason: "The answer holds no JSON object. Answer with one JSON object of the given shape and nothing else.",
    };
  let data: unknown;
  try {
    data = JSON.parse(text.slice(start, end + 1));
  } catch (error) {
    return {
      reason: `The answer is not valid JSON (${(error as Error).message}). Answer with one JSON object of the given shape and nothing else.`,
    };
  }
  const parsed = shape.safeParse(data);
  if (parsed.success) return { value: parsed.data };
  return { reason: `The answer does not have the given shape:\n${z.prettifyError(parsed.error)}` };
}

/** The JSON Schema of a shape, without the bounds that zod gives every whole number: a model reads them for nothing. */
function schemaOf(shape: z.ZodType): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(shape, {
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}
