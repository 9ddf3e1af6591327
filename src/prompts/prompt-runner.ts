import { z } from "zod";
import { MagisError } from "../domain/magis-error.ts";
import type { LanguageModel, ModelRequest, PromptImage } from "../ports/language-model.ts";
import { type House, PLAIN_HOUSE } from "./house.ts";
import type { PromptLibrary } from "./load-prompts.ts";
import { parseAnswer } from "./parse-answer.ts";
import { renderPrompt } from "./render-prompt.ts";

export type Inputs = Readonly<Record<string, unknown>>;
/** Says what is wrong with an answer in words the model can act on, or nothing. */
export type Check<T> = (answer: T) => string | undefined;

/**
 * How agents speak to the model. An answer that is invalid or fails `check` goes back once with the reason.
 * Both throw MagisError ANSWER_INVALID (still wrong), MODEL_REFUSED, MODEL_CUT_OFF, and what the model's port throws.
 */
export interface PromptRunner {
  /** A typed answer of the given shape. */
  ask<T>(promptId: string, inputs: Inputs, shape: z.ZodType<T>, check?: Check<T>): Promise<T>;
  /** Plain text, as it came. */
  write(promptId: string, inputs: Inputs, check?: Check<string>): Promise<string>;
}

/** The most tokens that a cut-off answer is asked for again with. */
const MOST_TOKENS = 64_000;

/** `images` gives those of the issue; it is asked for prompts that show them. */
export function createPromptRunner(
  library: PromptLibrary,
  model: LanguageModel,
  signal: AbortSignal,
  house: House = PLAIN_HOUSE,
  images: () => Promise<readonly PromptImage[]> = async () => [],
): PromptRunner {
  return {
    async ask(promptId, inputs, shape, check) {
      const request = await rendered(promptId, inputs);
      const schema = z.toJSONSchema(shape, { target: "draft-2020-12" });
      return answered({ ...request, schema }, (text) => {
        const parsed = parseAnswer(text, shape);
        if ("reason" in parsed) return parsed;
        const reason = check?.(parsed.value);
        return reason === undefined ? parsed : { reason };
      });
    },
    async write(promptId, inputs, check) {
      return answered(await rendered(promptId, inputs), (text) => {
        const reason = check?.(text);
        return reason === undefined ? { value: text } : { reason };
      });
    },
  };

  async function rendered(promptId: string, inputs: Inputs): Promise<ModelRequest> {
    const shown = library.prompts.get(promptId)?.images === true ? await images() : [];
    return renderPrompt(library, promptId, inputs, house, shown);
  }

  async function answered<T>(
    request: ModelRequest,
    read: (text: string) => { value: T } | { reason: string },
  ): Promise<T> {
    const first = await completed(request);
    const result = read(first);
    if ("value" in result) return result.value;
    const again = { ...request, earlier: [{ answer: first || "(no text)", reply: result.reason }] };
    const second = read(await completed(again));
    if ("value" in second) return second.value;
    throw new MagisError(
      "ANSWER_INVALID",
      `The model's answer to ${request.promptId} could not be used: ${second.reason}`,
      {
        promptId: request.promptId,
      },
    );
  }

  async function completed(request: ModelRequest): Promise<string> {
    let answer = await model.complete(request, signal);
    if (answer.stop === "length" && request.maxTokens < MOST_TOKENS) {
      const maxTokens = Math.min(MOST_TOKENS, request.maxTokens * 2);
      answer = await model.complete({ ...request, maxTokens }, signal);
    }
    const data = { promptId: request.promptId };
    if (answer.stop === "refusal")
      throw new MagisError("MODEL_REFUSED", `The model declined to answer ${request.promptId}.`, data);
    if (answer.stop === "length")
      throw new MagisError("MODEL_CUT_OFF", `The model's answer to ${request.promptId} was too long.`, data);
    return answer.text;
  }
}
