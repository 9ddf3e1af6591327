import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it } from "@jest/globals";
import type { Answer, Script } from "./script.ts";
import type { ScriptedCall, ScriptedModel } from "./scripted-model.ts";
import { startScriptedModel } from "./start-scripted-model.ts";

type Params = Anthropic.Messages.MessageCreateParamsNonStreaming;

const ASK = { role: "user" as const, content: "MAGIS prompt p\nthe issue" };
const READ = {
  name: "read",
  input_schema: { type: "object" as const, properties: { path: { type: "string" } }, required: ["path"] },
};
const PARAMS = { model: "m", max_tokens: 1000, messages: [ASK] } satisfies Params;
const WITH_TOOLS = { ...PARAMS, tools: [READ] } satisfies Params;
const SCHEMA = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
const format = (schema: object) => ({ output_config: { format: { type: "json_schema" as const, schema } } });
const call = (id: string, changes: object = {}) => ({ type: "tool_use", id, name: "read", input: {}, ...changes });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "x" });
const turns = (assistant: object[], user: object[]) => ({
  messages: [ASK, { role: "assistant", content: assistant }, { role: "user", content: user }],
});

describe("the scripted model", () => {
  let model: ScriptedModel;
  const start = async (answer: Script<ScriptedCall>): Promise<Anthropic> => {
    model = await startScriptedModel({ answer });
    return new Anthropic({ apiKey: "key", baseURL: model.url, maxRetries: 0 });
  };
  afterEach(() => model.stop());

  const refusal = async (work: Promise<unknown>): Promise<string> => {
    const outcome = await work.catch((error: unknown) => error);
    if (outcome instanceof APIError && outcome.status === 400) return outcome.apiMessage ?? "";
    throw new Error(`expected a refusal, got ${JSON.stringify(outcome)}`);
  };

  it("is read by the SDK, streamed and whole, and shows look-ups to the script", async () => {
    const client = await start(({ looked }) =>
      looked.length === 0 ? { text: "I look.", tools: [{ name: "read", input: { path: "a" } }] } : "found",
    );
    const streamed = await client.messages.stream(WITH_TOOLS).finalMessage();
    const whole = await client.messages.create(WITH_TOOLS);
    for (const { content, ...message } of [streamed, whole]) {
      expect(message).toMatchObject({ stop_reason: "tool_use", usage: { output_tokens: 5 } });
      expect(content.slice(1)).toMatchObject([
        { type: "text", text: "I look." },
        { type: "tool_use", name: "read", input: { path: "a" } },
      ]);
      const ids = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
      const body = { ...WITH_TOOLS, ...turns(content, ids.map(result)) };
      expect(await client.post("/v1/messages", { body })).toMatchObject({ stop_reason: "end_turn" });
    }
    expect([streamed.content[0]?.type, whole.content[0]?.type]).toEqual(["thinking", "redacted_thinking"]);
    const looked = [{ name: "read", input: { path: "a" }, result: "x" }];
    expect(model.journal.at(-1)?.call).toMatchObject({ nth: 4, tools: ["read"], mustAnswer: false, looked });
    expect(model.faults).toEqual([]);
  });

  it("wants the thinking of the last turn back unchanged", async () => {
    const client = await start(() => ({ tools: [{ name: "read", input: { path: "a" } }] }));
    const { content } = await client.messages.create(WITH_TOOLS);
    const ids = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    const body = { ...WITH_TOOLS, ...turns(content.slice(1), ids.map(result)) };
    expect(await refusal(client.post("/v1/messages", { body }))).toMatch(/messages\.1\.content: .*cannot be modified/);
  });

  it("cuts an answer off at max_tokens, and counts a known prefix as a cache read", async () => {
    const client = await start(() => "x".repeat(100));
    const body = { ...PARAMS, system: [{ type: "text", text: "long", cache_control: { type: "ephemeral" } }] };
    const ask = (changes: object) =>
      client.post<Anthropic.Messages.Message>("/v1/messages", { body: { ...body, ...changes } });
    const first = await ask({ max_tokens: 10 });
    expect(first).toMatchObject({
      stop_reason: "max_tokens",
      usage: { output_tokens: 10, cache_read_input_tokens: 0 },
    });
    expect((await ask({})).usage.cache_read_input_tokens).toBeGreaterThan(0);
    expect((await ask({ tools: [READ] })).usage.cache_read_input_tokens).toBe(0);
  });

  it.each<[string, object, Answer | undefined, RegExp]>([
    ["an answer that does not fit", format(SCHEMA), { a: 1 }, /must be string/],
    ["text for a structured answer", format(SCHEMA), "a", /asks for JSON/],
    ["no answer", {}, undefined, /No script answers p/],
    ["an unknown tool", { tools: [READ] }, { tools: [{ name: "write", input: {} }] }, /write, which is not on offer/],
    ["a wrong input", { tools: [READ] }, { tools: [{ name: "read", input: { path: 1 } }] }, /path must be string/],
    ["calls without tools", {}, { tools: [{ name: "read", input: {} }] }, /none may be called/],
    ["no prompt id", { messages: [{ role: "user", content: "the issue" }] }, "", /MAGIS prompt/],
  ])("reports a script with %s as a fault", async (_, changes, answer, words) => {
    const client = await start(() => answer);
    expect(await refusal(client.post("/v1/messages", { body: { ...PARAMS, ...changes } }))).toMatch(words);
    expect(model.faults.join()).toMatch(words);
  });

  const cached = (text: string) => ({ type: "text", text, cache_control: { type: "ephemeral" } });
  it.each<[string, object, RegExp]>([
    ["temperature", { temperature: 1 }, /no longer supported/],
    ["an unknown field", { seed: 1 }, /seed: Extra/],
    ["no max_tokens", { max_tokens: undefined }, /max_tokens: Field required/],
    ["five breakpoints", { messages: [{ role: "user", content: [..."abcde"].map(cached) }] }, /maximum of 4 blocks/],
    ["a prefill", { messages: [ASK, { role: "assistant", content: "{" }] }, /prefill/],
    ["two user turns", { messages: [ASK, ASK, ASK] }, /roles must alternate/],
    ["empty text", { messages: [{ role: "user", content: [{ type: "text", text: "" }] }] }, /non-whitespace/],
    ["an open object", format({ type: "object", properties: {} }), /additionalProperties/],
    ["a limit in the schema", format({ ...SCHEMA, properties: { a: { type: "number", maximum: 3 } } }), /'maximum'/],
    ["a tool with an odd name", { tools: [{ ...READ, name: "a.b" }] }, /tools\.0\.name/],
    ["a choice without tools", { tool_choice: { type: "auto" } }, /while providing tools/],
    ["calls without tools", turns([call("a")], [result("a")]), /must define tools/],
    ["a call without a result", { tools: [READ], ...turns([call("a"), call("b")], [result("a")]) }, /without .*: b\./],
    ["a result without a call", { tools: [READ], ...turns([call("a")], [result("a"), result("b")]) }, /unexpected/],
    ["text before a result", { tools: [READ], ...turns([call("a")], [cached("x"), result("a")]) }, /must come first/],
    ["unsigned thinking", turns([{ type: "thinking", thinking: "" }, call("a")], [result("a")]), /signature: Field/],
    ["an unknown field of a call", turns([call("a", { index: 1 })], [result("a")]), /index: Extra/],
  ])("refuses %s as the API does", async (_, changes, words) => {
    const client = await start(() => "");
    expect(await refusal(client.post("/v1/messages", { body: { ...PARAMS, ...changes } }))).toMatch(words);
  });

  it("refuses a call without a key", async () => {
    await start(() => "");
    const answer = await fetch(`${model.url}/v1/messages`, { method: "POST", body: JSON.stringify(PARAMS) });
    expect(answer.status).toBe(401);
  });

  it("holds matching calls until they are released, or it stops", async () => {
    const client = await start(() => "ok");
    const hold = model.hold(({ text }) => text.endsWith("the issue"));
    const held = client.messages.create(PARAMS);
    await hold.reached;
    await client.messages.create({ ...PARAMS, messages: [{ role: "user", content: "MAGIS prompt p\nanother" }] });
    expect(model.journal.map(({ response }) => response.writableEnded)).toEqual([false, true]);
    hold.release();
    expect((await held).stop_reason).toBe("end_turn");
    const last = model.hold(() => true);
    const cutOff = client.messages.create(PARAMS).catch((error: unknown) => error);
    await last.reached;
    await model.stop();
    expect(await cutOff).toBeInstanceOf(Error);
    await start(() => "");
  });
});
