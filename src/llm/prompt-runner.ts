import type { z } from "zod";
import { MagisError } from "../model/error.ts";
import type { LanguageModel, ModelAnswer, ModelRequest, PromptImage } from "../ports/language-model.ts";
import { type AnswerByTool, converse, type ReadAnswer, readText, schemaOf, toolsOf } from "./conversation.ts";
import type { PromptLibrary } from "./prompt-library.ts";
import { PLAIN_CONTEXT, type PromptContext, renderPrompt } from "./render-prompt.ts";
import type { Lookups } from "./toolset.ts";

export type Inputs = Readonly<Record<string, unknown>>;

/** Says what is wrong with an answer, in words that the model can act on; undefined when it is right. */
export type Check<T> = (answer: T) => string | undefined | Promise<string | undefined>;

/**
 * Lets agents ask the model. An answer that is invalid or fails `check` goes back once with the reason.
 * Both throw MagisError ANSWER_INVALID (still wrong), MODEL_REFUSED, MODEL_CUT_OFF, and what the model's port throws.
 */
export interface PromptRunner {
  /** Gives a typed answer: from a text of the given shape, or from a tool call after optional look-ups. */
  ask<T>(promptId: string, inputs: Inputs, form: z.ZodType<T> | AnswerByTool<T>, check?: Check<T>): Promise<T>;
  /** Gives plain text, unchanged. */
  write(promptId: string, inputs: Inputs, check?: Check<string>): Promise<string>;
}

/** `images` loads the images for prompts that show them. `lookups`: how many the whole run has left. */
export function createPromptRunner(
  library: PromptLibrary,
  model: LanguageModel,
  signal: AbortSignal,
  context: PromptContext = PLAIN_CONTEXT,
  images: () => Promise<readonly PromptImage[]> = async () => [],
  lookups: Lookups = { left: Number.POSITIVE_INFINITY },
): PromptRunner {
  return {
    async ask(promptId, inputs, form, check) {
      const request = await rendered(promptId, inputs);
      if ("by" in form) {
        const asked = { ...request, ...toolsOf(form) };
        const complete = (one: ModelRequest) => completeRequest(model, one, signal);
        return usable(
          await converse({ request: asked, form, lookups, complete, check: (value) => checked(value, check) }),
          promptId,
        );
      }
      return written({ ...request, schema: schemaOf(form) }, async (text) => {
        const parsed = readText(text, form);
        return "reason" in parsed ? parsed : checked(parsed.value, check);
      });
    },
    async write(promptId, inputs, check) {
      return written(await rendered(promptId, inputs), (text) => checked(text, check));
    },
  };

  async function rendered(promptId: string, inputs: Inputs): Promise<ModelRequest> {
    const shown = library.prompts.get(promptId)?.images === true ? await images() : [];
    return renderPrompt(library, promptId, inputs, context, shown);
  }

  async function written<T>(request: ModelRequest, read: (text: string) => Promise<ReadAnswer<T>>): Promise<T> {
    const first = await completeRequest(model, request, signal);
    const result = await read(first.text);
    if ("value" in result) return result.value;
    const correction = { answer: first.text || "(no text)", reply: result.reason };
    const again = { ...request, earlier: [...request.earlier, correction] };
    return usable(await read((await completeRequest(model, again, signal)).text), request.promptId);
  }
}

async function checked<T>(value: T, check: Check<T> | undefined): Promise<ReadAnswer<T>> {
  const reason = await check?.(value);
  return reason === undefined ? { value } : { reason };
}

function usable<T>(result: ReadAnswer<T>, promptId: string): T {
  if ("value" in result) return result.value;
  // What follows the first line is for the model: a validator's list.
  const [why = ""] = result.reason.split("\n");
  const message = `The model's answer could not be used: ${why.replace(/:$/, ".")}`;
  throw new MagisError("ANSWER_INVALID", message, { promptId, reason: result.reason });
}

/** The most tokens for repeating a call whose answer was cut off. */
const MAX_TOKENS = 64_000;

/**
 * Makes one call, and repeats it with more tokens if the answer was cut off. Throws MODEL_REFUSED and MODEL_CUT_OFF.
 */
async function completeRequest(model: LanguageModel, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
  let answer = await model.complete(request, signal);
  if (answer.stop === "length" && request.maxTokens < MAX_TOKENS) {
    const maxTokens = Math.min(MAX_TOKENS, request.maxTokens * 2);
    answer = await model.complete({ ...request, maxTokens }, signal);
  }
  const data = { promptId: request.promptId };
  if (answer.stop === "refusal") throw new MagisError("MODEL_REFUSED", "The model declined to answer.", data);
  if (answer.stop === "length") throw new MagisError("MODEL_CUT_OFF", "The model's answer was too long.", data);
  return answer;
}
