import type { AnswerBlock, LanguageModel, ModelAnswer, ModelRequest } from "../../src/models/language-model.ts";
import { defaultAnswers } from "./default-answers.ts";

/** One call as a script sees it: `text` joins all parts, `nth` counts the calls of this prompt from 1. */
export interface FakeCall {
  readonly promptId: string;
  readonly text: string;
  readonly nth: number;
  /** why the previous answer went back, if it did */
  readonly reply: string | undefined;
  readonly request: ModelRequest;
}

/** Tool calls as an answer; their ids are `<prompt id>-<nth>-<number of the call>`. */
export interface FakeTools {
  readonly tools: readonly { readonly name: string; readonly input: unknown }[];
  readonly text?: string;
}

/** Plain text, an object for a structured answer, tool calls, an early stop, or an error to throw. */
export type FakeAnswer =
  | string
  | object
  | FakeTools
  | { readonly stop: ModelAnswer["stop"]; readonly text?: string }
  | Error;
export type FakeScript = Readonly<Record<string, FakeAnswer | ((call: FakeCall) => FakeAnswer | Promise<FakeAnswer>)>>;

const USAGE = { input: 8, cacheWrite: 0, cacheRead: 0, output: 2 };
const COST = { model: "fake", usage: USAGE, money: 0.001, elapsed: 1 };

/** A LanguageModel that answers by prompt id from `script`, or by default so that a run goes on. */
export function createFakeModel(script: FakeScript = {}) {
  const calls: FakeCall[] = [];
  const answers: FakeScript = { ...defaultAnswers, ...script };
  const model: LanguageModel = {
    async complete(request) {
      const { promptId } = request;
      const nth = calls.filter((call) => call.promptId === promptId).length + 1;
      const before = request.earlier.at(-1);
      const reply = before && ("reply" in before ? before.reply : before.results.find((one) => one.isError)?.text);
      const call = { promptId, nth, reply, request, text: request.parts.map(({ text }) => text).join("\n\n") };
      calls.push(call);
      const entry = answers[promptId];
      const answer = typeof entry === "function" ? await entry(call) : entry;
      if (answer === undefined) throw new Error(`the fake model knows no answer to ${promptId}`);
      if (answer instanceof Error) throw answer;
      if (typeof answer === "string") return { ...COST, text: answer, stop: "end" };
      if (isLookup(answer)) return { ...COST, ...toCalls(answer, call) };
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

function isLookup(answer: object): answer is FakeTools {
  return "tools" in answer && Array.isArray(answer.tools);
}

function toCalls({ tools, text = "" }: FakeTools, { promptId, nth }: FakeCall) {
  const blocks: AnswerBlock[] = text === "" ? [] : [{ type: "text", text }];
  tools.forEach(({ name, input }, at) => {
    blocks.push({ type: "tool_use", id: `${promptId}-${nth}-${at + 1}`, name, input });
  });
  return { text, stop: "tools" as const, blocks };
}
