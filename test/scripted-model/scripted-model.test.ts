import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it } from "@jest/globals";
import type { Script } from "./scripted-answer.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { startScriptedModel } from "./start-scripted-model.ts";

const PARAMS = {
  model: "claude-opus-5-5",
  max_tokens: 1000,
  system: "You are the manager.",
  messages: [{ role: "user", content: "MAGIS prompt p04-define-task\nthe issue" }],
} satisfies Anthropic.Messages.MessageCreateParams;

const SCHEMA = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
const STRUCTURED = { ...PARAMS, output_config: { format: { type: "json_schema" as const, schema: SCHEMA } } };

describe("startScriptedModel", () => {
  let model: ScriptedModel;
  const start = async (answer: Script): Promise<Anthropic> => {
    model = await startScriptedModel({ answer });
    return new Anthropic({ apiKey: "key", baseURL: model.url, maxRetries: 0 });
  };
  afterEach(() => model.stop());

  const refusal = async (work: Promise<unknown>): Promise<APIError> => {
    const outcome = await work.catch((error: unknown) => error);
    if (outcome instanceof APIError) return outcome;
    throw new Error(`expected a refusal, got ${JSON.stringify(outcome)}`);
  };

  it("works with the SDK's stream helper, with and without thinking", async () => {
    const client = await start(({ text, n }) => ({ text: `${n}: ${text.split("\n")[1]} ${"ö".repeat(300)}` }));
    const types = [];
    for (const n of [1, 2]) {
      const message = await client.messages.stream(PARAMS).finalMessage();
      const text = message.content.find((block) => block.type === "text");
      expect(text).toMatchObject({ text: `${n}: the issue ${"ö".repeat(300)}` });
      expect(message).toMatchObject({ stop_reason: "end_turn", usage: { output_tokens: 79 } });
      types.push(message.content.map((block) => block.type));
    }
    expect(types).toEqual([["thinking", "text"], ["text"]]);
    expect(model.journal.map((entry) => entry.call?.n)).toEqual([1, 2]);
  });

  it("answers without a stream, and counts tokens", async () => {
    const client = await start(() => ({ json: { a: "b" } }));
    const message = await client.messages.create(STRUCTURED);
    expect(message.content.at(-1)).toMatchObject({ type: "text", text: '{"a":"b"}' });
    const { max_tokens: _, ...counted } = PARAMS;
    expect(await client.messages.countTokens(counted)).toEqual({ input_tokens: 15 });
    expect(model.faults).toEqual([]);
  });

  it("cuts an answer off at max_tokens, as the API does", async () => {
    const client = await start(() => ({ text: "x".repeat(100) }));
    const message = await client.messages.create({ ...PARAMS, max_tokens: 10 });
    expect(message).toMatchObject({ stop_reason: "max_tokens", usage: { output_tokens: 10 } });
  });

  it.each([
    ["a wrong script", STRUCTURED, { json: { a: 1 } }, /must be string/],
    ["text in place of a structured answer", STRUCTURED, { text: "a" }, /asks for JSON/],
    ["a prompt without a script", PARAMS, undefined, /No script answers p04-define-task/],
    [
      "a call without a prompt id",
      { ...PARAMS, messages: [{ role: "user" as const, content: "the issue" }] },
      { text: "" },
      /MAGIS prompt/,
    ],
  ])("reports %s as a fault", async (_, params, answer, words) => {
    const client = await start(() => answer);
    const error = await refusal(client.messages.create(params));
    expect(error.status).toBe(400);
    expect(error.apiMessage).toMatch(words);
    expect(model.faults.join()).toMatch(words);
  });

  it("sends a wrong answer on request", async () => {
    const client = await start(() => ({ json: { a: 1 }, raw: true }));
    expect((await client.messages.create(STRUCTURED)).content.at(-1)).toMatchObject({ text: '{"a":1}' });
    expect(model.faults).toEqual([]);
  });

  const block = (text: string) => ({ type: "text", text, cache_control: { type: "ephemeral" } });
  const format = (schema: object) => ({ output_config: { format: { type: "json_schema", schema } } });
  it.each([
    ["temperature", { temperature: 1 }],
    ["an unknown field", { seed: 1 }],
    ["no max_tokens", { max_tokens: undefined }],
    ["five cache breakpoints", { messages: [{ role: "user", content: ["a", "b", "c", "d", "e"].map(block) }] }],
    ["a prefill", { messages: [...PARAMS.messages, { role: "assistant", content: "{" }] }],
    ["two user turns", { messages: [...PARAMS.messages, ...PARAMS.messages] }],
    ["empty text", { messages: [{ role: "user", content: [{ type: "text", text: "" }] }] }],
    ["an unknown effort", { output_config: { effort: "huge" } }],
    ["an open object", format({ type: "object", properties: {} })],
    ["a limit in the schema", format({ ...SCHEMA, properties: { a: { type: "number", maximum: 3 } } })],
  ])("refuses %s as the API does", async (_, changes) => {
    const client = await start(() => ({ text: "" }));
    const error = await refusal(client.post("/v1/messages", { body: { ...PARAMS, ...changes } }));
    expect(error).toMatchObject({ status: 400, type: "invalid_request_error" });
    expect(error.requestID).toMatch(/^req_/);
    expect(model.faults).toHaveLength(1);
  });

  it("refuses a call without a key", async () => {
    await start(() => ({ text: "" }));
    const answer = await fetch(`${model.url}/v1/messages`, { method: "POST", body: JSON.stringify(PARAMS) });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ type: "error", error: { type: "authentication_error" } });
  });

  it("holds matching calls until they are released", async () => {
    const client = await start(({ text }) => ({ text }));
    const hold = model.hold((call) => call.text.endsWith("the issue"));
    const held = client.messages.create(PARAMS);
    expect((await hold.reached).promptId).toBe("p04-define-task");
    await client.messages.create({
      ...PARAMS,
      messages: [{ role: "user", content: "MAGIS prompt p04-define-task\nanother" }],
    });
    expect(model.journal.map((entry) => entry.response.writableEnded)).toEqual([false, true]);
    hold.release();
    expect((await held).content.at(-1)).toMatchObject({ text: "MAGIS prompt p04-define-task\nthe issue" });
  });

  it("stops while it holds calls", async () => {
    const client = await start(() => ({ text: "" }));
    const hold = model.hold(() => true);
    const held = client.messages.create(PARAMS).catch((error: unknown) => error);
    await hold.reached;
    await model.stop();
    expect(await held).toBeInstanceOf(Error);
    await start(() => ({ text: "" }));
  });
});
