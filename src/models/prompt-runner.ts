import type { z } from "zod";
import { MagisError } from "../data/error.ts";
import { asInTree } from "../search/tree-spelling.ts";
import { type AnswerByTool, converse, type ReadAnswer, readCall, readText, schemaOf, toolsOf } from "./conversation.ts";
import type { LanguageModel, ModelRequest, PromptImage } from "./language-model.ts";
import type { PromptLibrary } from "./prompt-library.ts";
import { PLAIN_CONTEXT, type PromptContext, renderPrompt } from "./render-prompt.ts";
import type { Lookups } from "./toolset.ts";

export type Inputs = Readonly<Record<string, unknown>>;

/** Says what is wrong with an answer, in words that the model can act on; undefined when it is right. */
export type Check<T> = (answer: T) => string | undefined | Promise<string | undefined>;

/**
 * Lets agents ask the model. An answer that is invalid or fails `check` goes back once with the reason.
 * Both throw MagisError ANSWER_INVALID (still wrong; `data.reason`: all that is), MODEL_REFUSED, MODEL_CUT_OFF, and
 * what the model's port throws.
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
      const asked = await rendered(promptId, inputs);
      if ("by" in form) {
        const request = { ...asked, ...toolsOf(form) };
        return answered(promptId, {
          request,
          form,
          read: (text, calls) => checked(spelt(readCall(form.by, text, calls)), check),
        });
      }
      const request = { ...asked, schema: schemaOf(form) };
      return answered(promptId, { request, read: (text) => checked(spelt(readText(text, form)), check) });
    },
    async write(promptId, inputs, check) {
      const request = await rendered(promptId, inputs);
      return answered(promptId, { request, read: (value) => checked({ value }, check) });
    },
  };

  function spelt<T>(read: ReadAnswer<T>): ReadAnswer<T> {
    const { tree } = context;
    if ("reason" in read || tree === undefined) return read;
    return { value: withPaths(read.value, (path) => asInTree(path, tree.keys())) };
  }

  async function rendered(promptId: string, inputs: Inputs): Promise<ModelRequest> {
    const shown = library.prompts.get(promptId)?.images === true ? await images() : [];
    return renderPrompt(library, promptId, inputs, context, shown);
  }

  type Question<T> = Pick<Parameters<typeof converse<T>>[0], "request" | "form" | "read">;

  async function answered<T>(promptId: string, question: Question<T>): Promise<T> {
    const result = await converse<T>({ ...question, model, signal, lookups });
    if ("value" in result) return result.value;
    // What follows the first line is for the model, not for people: what is wrong with which lines.
    const [why = ""] = result.reason.split("\n");
    const message = `The model's answer could not be used: ${why.replace(/:$/, ".")}`;
    throw new MagisError("ANSWER_INVALID", message, { promptId, reason: result.reason });
  }
}

/** An answer with each `path` in it as `spell` gives it. */
function withPaths<T>(value: T, spell: (path: string) => string): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withPaths(one, spell)) as T;
  const fields = Object.entries(value).map(([name, field]) => {
    const isPath = name === "path" && typeof field === "string";
    return [name, isPath ? spell(field) : withPaths(field, spell)];
  });
  return Object.fromEntries(fields) as T;
}

async function checked<T>(read: ReadAnswer<T>, check: Check<T> | undefined): Promise<ReadAnswer<T>> {
  if ("reason" in read) return read;
  const reason = await check?.(read.value);
  return reason === undefined ? read : { reason };
}
