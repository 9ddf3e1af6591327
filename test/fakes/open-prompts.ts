import { fileURLToPath } from "node:url";
import { loadPrompts } from "../../src/models/prompt-library.ts";
import { createPromptRunner } from "../../src/models/prompt-runner.ts";
import { createFakeModel, type FakeScript } from "./create-fake-model.ts";

export const PROMPTS_FOLDER = fileURLToPath(new URL("../../prompts", import.meta.url));

export const EVAL_PROMPTS = fileURLToPath(new URL("../../eval/prompts", import.meta.url));

let read: ReturnType<typeof loadPrompts> | undefined;

/** A runner of the project's prompts with a scripted model. */
export async function openPrompts(script: FakeScript = {}) {
  const fake = createFakeModel(script);
  read ??= loadPrompts(PROMPTS_FOLDER, EVAL_PROMPTS);
  const library = await read;
  return { ...fake, library, prompts: createPromptRunner(library, fake.model, new AbortController().signal) };
}
