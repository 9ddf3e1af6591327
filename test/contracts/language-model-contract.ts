import { afterEach, describe, expect, it } from "@jest/globals";
import type { MagisError } from "../../src/data/error.ts";
import type { LanguageModel, ModelRequest } from "../../src/models/language-model.ts";
import { caught } from "../models/anthropic/caught.ts";
import type { Answer } from "../scripted-model/script.ts";
import { scriptedRequest } from "../scripted-model/scripted-request.ts";

/** A model whose endpoint gives one of `answers` a request, and repeats the last. */
export interface OpenedModel {
  model: LanguageModel;
  /** how many requests came */
  count(): number;
  /** what the endpoint found wrong with them, expected to be empty */
  faults(): readonly string[];
  close(): Promise<void>;
}

export type OpenModel = (answers: readonly Answer[]) => Promise<OpenedModel>;

/** The secret that each model sends its endpoint; no error may repeat it. */
export const CONTRACT_KEY = "contract-secret-key-1234";

const SCHEMA = {
  type: "object",
  properties: { score: { type: "integer" }, why: { type: "string" } },
  required: ["score", "why"],
  additionalProperties: false,
} as const;

const TOOLS: NonNullable<ModelRequest["tools"]> = [
  {
    name: "read",
    description: "Reads a file.",
    inputSchema: { ...SCHEMA, properties: { path: { type: "string" } }, required: ["path"] },
  },
  { name: "plan", description: "Gives the plan.", inputSchema: SCHEMA, strict: true },
];

const never = new AbortController().signal;

/** The contract of every language model, in terms of the port alone. */
export function languageModelContract(name: string, open: OpenModel): void {
  describe(`a language model: ${name}`, () => {
    let opened: OpenedModel;
    const answers = async (...given: readonly Answer[]) => {
      opened = await open(given);
      return opened.model;
    };
    const failureOf = async (given: Answer): Promise<MagisError> =>
      caught((await answers(given)).complete(scriptedRequest(), never));
    afterEach(() => opened.close());

    it("gives a text, its usage and its cost, never more than the worst case", async () => {
      const model = await answers("the new code\nüñí\n");
      const request = scriptedRequest();
      const answer = await model.complete(request, never);
      expect(answer).toMatchObject({ text: "the new code\nüñí\n", stop: "end" });
      const { input, cacheWrite, cacheRead, output } = answer.usage;
      expect(input + cacheWrite + cacheRead).toBeGreaterThan(0);
      expect(output).toBeGreaterThan(0);
      const worst = model.worstCase(request);
      expect(answer.money).toBeGreaterThan(0);
      expect(answer.money).toBeLessThanOrEqual(worst.money);
      expect(input + cacheWrite + cacheRead + output).toBeLessThanOrEqual(worst.tokens);
      expect(opened.faults()).toEqual([]);
    });

    it("gives a structured answer", async () => {
      const json = { score: 3, why: "because" };
      const model = await answers(json);
      const answer = await model.complete(scriptedRequest({ schema: SCHEMA }), never);
      expect(JSON.parse(answer.text)).toEqual(json);
      expect(opened.faults()).toEqual([]);
    });

    it("calls tools, receives their results, and answers by a tool", async () => {
      const looked = { name: "read", input: { path: "src/a.ts" } };
      const planned = { name: "plan", input: { score: 1, why: "done" } };
      const model = await answers({ text: "I look.", tools: [looked, looked] }, planned.input, "end");
      const request = scriptedRequest({ tools: TOOLS, answerBy: "plan", keep: 0 });
      const first = await model.complete(request, never);
      expect(first.stop).toBe("tools");
      const { blocks = [] } = first;
      const calls = blocks.flatMap((block) => (block.type === "tool_use" ? [block] : []));
      expect(calls).toMatchObject([looked, looked]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      const results = calls.map(({ id }, at) =>
        at === 0 ? { id, text: "const a = 1;" } : { id, text: "no such file", isError: true as const },
      );
      const earlier = [{ blocks, results, word: "That was the last time." }];
      const second = await model.complete({ ...request, earlier, mustAnswer: true }, never);
      expect(opened.faults()).toEqual([]);
      expect(second).toMatchObject({
        stop: "tools",
        blocks: expect.arrayContaining([expect.objectContaining(planned)]),
      });
      expect(opened.faults()).toEqual([]);
    });

    it("answers again after a correction", async () => {
      const model = await answers("better");
      const earlier = [{ answer: "wrong", reply: "because" }];
      expect((await model.complete(scriptedRequest({ earlier }), never)).text).toBe("better");
      expect(opened.faults()).toEqual([]);
    });

    it.each([
      ["refusal", "refusal"],
      ["max_tokens", "length"],
    ] as const)("says that an answer ended by %s", async (stop, expected) => {
      const model = await answers({ stop, text: "part" });
      expect(await model.complete(scriptedRequest(), never)).toMatchObject({ stop: expected });
    });

    it("counts the tokens that the endpoint read from its cache", async () => {
      const model = await answers("ok");
      await model.complete(scriptedRequest(), never);
      const second = await model.complete(scriptedRequest(), never);
      expect(second.usage.cacheRead).toBeGreaterThan(0);
    });

    it("retries after a temporary failure", async () => {
      const error = { status: 503, type: "api_error", message: "later", retryAfter: 0.01 };
      const model = await answers({ error }, "late");
      expect((await model.complete(scriptedRequest(), never)).text).toBe("late");
      expect(opened.count()).toBe(2);
    });

    it.each([
      [429, "rate_limit_error"],
      [529, "overloaded_error"],
    ])("gives up at status %i after three attempts, as unavailable", async (status, type) => {
      const failure = await failureOf({ error: { status, type, message: "slow", retryAfter: 0.01 } });
      expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE", data: { status, money: 0, brokenOff: false } });
      expect(opened.count()).toBe(3);
    });

    it("gives up in the same way when the request has tools", async () => {
      const error = { status: 500, type: "api_error", message: "the server failed", retryAfter: 0.01 };
      const model = await answers({ error });
      const request = scriptedRequest({ tools: TOOLS, answerBy: "plan", mustAnswer: true });
      expect(await caught(model.complete(request, never))).toMatchObject({ code: "MODEL_UNAVAILABLE" });
      expect(opened.count()).toBe(3);
    });

    it.each([
      [400, "invalid_request_error", /refused the request.*a field is wrong/],
      [401, "authentication_error", /API key/],
      [403, "permission_error", /permissions/],
      [404, "not_found_error", /was not found/],
      [413, "request_too_large", /larger than the model provider accepts/],
    ])("says what to do about status %i, without the key", async (status, type, words) => {
      // An endpoint that refuses a key or a signature may repeat it.
      const message = status === 401 || status === 403 ? `wrong: ${CONTRACT_KEY}` : "a field is wrong";
      const failure = await failureOf({ error: { status, type, message } });
      expect(failure).toMatchObject({ code: "MODEL_REJECTED", data: { money: 0, usage: { input: 0, output: 0 } } });
      expect(failure.message).toMatch(words);
      expect(failure.message).not.toContain(CONTRACT_KEY);
      expect(opened.count()).toBe(1);
    });

    it.each([true, "overloaded"] as const)("counts the cost of an answer that breaks off (%s)", async (cut) => {
      const failure = await failureOf({ cut, text: "0123456789".repeat(40) });
      expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE", data: { brokenOff: true } });
      expect(failure.data.money).toBeGreaterThan(0);
    });

    it("stops when it is cancelled", async () => {
      const model = await answers("never read");
      const failure = await caught(model.complete(scriptedRequest(), AbortSignal.abort()));
      expect(failure.code).toBe("RUN_CANCELLED");
    });
  });
}
