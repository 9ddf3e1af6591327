import type { LanguageModel, ModelRequest } from "../../src/models/language-model.ts";

/** What the Custodian used: calls by prompt, and tokens in and out, which are characters / 4. */
export interface Count {
  calls: Readonly<Record<string, number>>;
  tokens: number;
}

/** A model that answers by rule and counts. `counted` gives what was counted since it was last asked. */
export function createCountingModel(answer: (promptId: string, text: string) => string): {
  model: LanguageModel;
  counted(): Count;
} {
  let calls: Record<string, number> = {};
  let characters = 0;
  const model: LanguageModel = {
    async complete(request) {
      const { promptId } = request;
      const text = answer(promptId, request.parts.map((part) => part.text).join("\n\n"));
      calls[promptId] = (calls[promptId] ?? 0) + 1;
      characters += charactersOf(request) + text.length;
      const usage = { input: charactersOf(request) / 4, cacheWrite: 0, cacheRead: 0, output: text.length / 4 };
      return { text, stop: "end", model: "scripted", usage, money: 0, elapsed: 0 };
    },
    worstCase: () => ({ tokens: 0, money: 0 }),
  };
  return {
    model,
    counted() {
      const count = { calls, tokens: Math.round(characters / 4) };
      calls = {};
      characters = 0;
      return count;
    },
  };
}

/** All that is sent, the shape of the answer included. */
function charactersOf({ system, parts, earlier, schema }: ModelRequest): number {
  const texts = [system, ...parts.map(({ text }) => text), ...earlier.map((exchange) => JSON.stringify(exchange))];
  return texts.reduce((sum, text) => sum + text.length, schema === undefined ? 0 : JSON.stringify(schema).length);
}
