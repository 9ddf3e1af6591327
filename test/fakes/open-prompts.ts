import { fileURLToPath } from "node:url";
import { loadPrompts } from "../../src/llm/prompt-library.ts";
import { createPromptRunner } from "../../src/llm/prompt-runner.ts";
import { createFakeModel, type FakeScript } from "./create-fake-model.ts";

/** The project's own prompts. */
export const PROMPTS_FOLDER = fileURLToPath(new URL("../../prompts", import.meta.url));

/** A runner of the project's prompts with a scripted model. */
export async function openPrompts(script: FakeScript = {}) {
  const fake = createFakeModel(script);
  const library = await loadPrompts(PROMPTS_FOLDER);
  return { ...fake, library, prompts: createPromptRunner(library, fake.model, new AbortController().signal) };
}
