import type { AnswerBlock, LanguageModel, ModelRequest } from "../../src/models/language-model.ts";
import { type Answer, type Answers, type Call, createScript, type ToolAnswer } from "../scripted-model/script.ts";

/** One call as a script sees it: `text` joins all parts. */
export interface FakeCall extends Call {
  /** why the previous answer went back, if it did */
  reply: string | undefined;
  request: ModelRequest;
}

export type FakeAnswer = Answer;
export type FakeScript = Answers<FakeCall>;

const USAGE = { input: 8, cacheWrite: 0, cacheRead: 0, output: 2 };
const COST = { model: "fake", usage: USAGE, money: 0.001, elapsed: 1 };

/** A LanguageModel that answers by prompt id from `script`, or by default so that a run goes on. */
export function createFakeModel(script: FakeScript = {}) {
  const calls: FakeCall[] = [];
  const answerTo = createScript({ answers: script });
  const model: LanguageModel = {
    async complete(request) {
      const { promptId } = request;
      const nth = calls.filter((call) => call.promptId === promptId).length + 1;
      const text = request.parts.map((part) => part.text).join("\n\n");
      const before = request.earlier.at(-1);
      const reply = before && ("reply" in before ? before.reply : before.results.find((one) => one.isError)?.text);
      const call = { promptId, nth, reply, request, text, looked: lookedUpIn(request) };
      calls.push(call);
      const answer = await answerTo(call);
      if (answer === undefined) throw new Error(`the fake model knows no answer to ${promptId}`);
      if (answer instanceof Error) throw answer;
      if (typeof answer === "string") return { ...COST, text: answer, stop: "end" };
      if ("raw" in answer && typeof answer.raw === "string") return { ...COST, text: answer.raw, stop: "end" };
      if ("tools" in answer) return { ...COST, ...toCalls(answer, call) };
      if ("stop" in answer) return { ...COST, text: "", ...answer };
      if (request.answerBy !== undefined) {
        return { ...COST, ...toCalls({ tools: [{ name: request.answerBy, input: answer }] }, call) };
      }
      return { ...COST, text: JSON.stringify(answer), stop: "end" };
    },
    worstCase: () => ({ tokens: 10, money: 0.001 }),
  };
  return {
    model,
    calls,
    /** the ids of the prompts, in the order of the calls */
    asked: () => calls.map(({ promptId }) => promptId),
    of: (promptId: string) => calls.filter((call) => call.promptId === promptId),
  };
}

function lookedUpIn({ earlier }: ModelRequest): Call["looked"] {
  return earlier.flatMap((turn) => {
    if (!("results" in turn)) return [];
    return turn.blocks.flatMap((block) => {
      const result = block.type === "tool_use" ? turn.results.find(({ id }) => id === block.id) : undefined;
      return block.type === "tool_use" && result && !result.isError
        ? [{ name: block.name, input: block.input, result: result.text }]
        : [];
    });
  });
}

/** Their ids are `<prompt id>-<nth>-<number of the call>`. */
function toCalls({ tools, text = "" }: ToolAnswer, { promptId, nth }: Call) {
  const blocks: AnswerBlock[] = text === "" ? [] : [{ type: "text", text }];
  tools.forEach(({ name, input }, at) => {
    blocks.push({ type: "tool_use", id: `${promptId}-${nth}-${at + 1}`, name, input });
  });
  return { text, stop: "tools" as const, blocks };
}
