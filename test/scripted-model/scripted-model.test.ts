import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it } from "@jest/globals";
import type { Answer, Script } from "./script.ts";
import type { ScriptedCall, ScriptedModel } from "./scripted-model.ts";
import { startScriptedModel } from "./start-scripted-model.ts";

type Params = Anthropic.Messages.MessageStreamParams;

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
  let client: Anthropic;
  const start = async (answer: Script<ScriptedCall>) => {
    model = await startScriptedModel({ answer });
    client = new Anthropic({ apiKey: "key", baseURL: model.url, maxRetries: 0 });
  };
  afterEach(() => model.stop());

  const ask = (changes: object = {}) => client.messages.stream({ ...PARAMS, ...changes } as Params).finalMessage();
  const refusal = async (changes: object): Promise<string> => {
    const body = { ...PARAMS, stream: true, ...changes };
    const outcome = await client.post("/v1/messages", { body }).catch((error: unknown) => error);
    if (outcome instanceof APIError && outcome.status === 400) return outcome.apiMessage ?? "";
    throw new Error(`expected a refusal, got ${JSON.stringify(outcome)}`);
  };

  it("is read by the SDK, and wants the thinking of the last turn back unchanged", async () => {
    await start(({ looked }) =>
      looked.length === 0 ? { text: "I look.", tools: [{ name: "read", input: { path: "a" } }] } : "found",
    );
    const { content, ...message } = await ask(WITH_TOOLS);
    expect(message).toMatchObject({ stop_reason: "tool_use", usage: { output_tokens: 5 } });
    expect(content).toMatchObject([
      { type: "thinking" },
      { type: "text", text: "I look." },
      { type: "tool_use", name: "read", input: { path: "a" } },
    ]);
    const results = content.flatMap((block) => (block.type === "tool_use" ? [result(block.id)] : []));
    expect(await ask({ ...WITH_TOOLS, ...turns(content, results) })).toMatchObject({ stop_reason: "end_turn" });
    const looked = [{ name: "read", input: { path: "a" }, result: "x" }];
    expect(model.journal.at(-1)?.call).toMatchObject({ nth: 2, tools: ["read"], mustAnswer: false, looked });
    expect(model.faults).toEqual([]);
    expect(await refusal({ ...WITH_TOOLS, ...turns(content.slice(1), results) })).toMatch(/cannot be modified/);
  });

  it("cuts an answer off at max_tokens, and counts a known prefix as a cache read", async () => {
    await start(() => "x".repeat(100));
    const system = [{ type: "text", text: "long", cache_control: { type: "ephemeral" } }];
    expect(await ask({ system, max_tokens: 10 })).toMatchObject({
      stop_reason: "max_tokens",
      usage: { output_tokens: 10, cache_read_input_tokens: 0 },
    });
    expect((await ask({ system })).usage.cache_read_input_tokens).toBeGreaterThan(0);
    expect((await ask({ system, tools: [READ] })).usage.cache_read_input_tokens).toBe(0);
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
    await start(() => answer);
    expect(await refusal(changes)).toMatch(words);
    expect(model.faults.join()).toMatch(words);
  });

  const cached = (text: string) => ({ type: "text", text, cache_control: { type: "ephemeral" } });
  it.each<[string, object, RegExp]>([
    ["an unknown field", { temperature: 1 }, /Unrecognized key: "temperature"/],
    ["no max_tokens", { max_tokens: undefined }, /at max_tokens/],
    ["five breakpoints", { messages: [{ role: "user", content: [..."abcde"].map(cached) }] }, /maximum of 4 blocks/],
    ["a prefill", { messages: [ASK, { role: "assistant", content: "{" }] }, /prefill/],
    ["two user turns", { messages: [ASK, ASK, ASK] }, /roles must alternate/],
    ["empty text", { messages: [{ role: "user", content: [{ type: "text", text: "" }] }] }, /at messages\[0\]/],
    ["an open object", format({ type: "object", properties: {} }), /additionalProperties/],
    ["a limit in the schema", format({ ...SCHEMA, properties: { a: { type: "number", maximum: 3 } } }), /'maximum'/],
    ["a tool with an odd name", { tools: [{ ...READ, name: "a.b" }] }, /at tools\[0\]\.name/],
    ["a choice without tools", { tool_choice: { type: "auto" } }, /while providing tools/],
    ["calls without tools", turns([call("a")], [result("a")]), /must define tools/],
    ["a call without a result", { tools: [READ], ...turns([call("a"), call("b")], [result("a")]) }, /without .*: b\./],
    ["a result without a call", { tools: [READ], ...turns([call("a")], [result("a"), result("b")]) }, /unexpected/],
    ["text before a result", { tools: [READ], ...turns([call("a")], [cached("x"), result("a")]) }, /must come first/],
    ["unsigned thinking", turns([{ type: "thinking", thinking: "" }, call("a")], [result("a")]), /at messages\[1\]/],
    ["an unknown field of a call", turns([call("a", { index: 1 })], [result("a")]), /at messages\[1\]/],
  ])("refuses %s as the API does", async (_, changes, words) => {
    await start(() => "");
    expect(await refusal(changes)).toMatch(words);
  });

  it("holds matching calls until they are released, or it stops", async () => {
    await start(() => "ok");
    const hold = model.hold(({ text }) => text.endsWith("the issue"));
    const held = ask();
    await hold.reached;
    await ask({ messages: [{ role: "user", content: "MAGIS prompt p\nanother" }] });
    expect(model.journal.map(({ response }) => response.writableEnded)).toEqual([false, true]);
    hold.release();
    expect((await held).stop_reason).toBe("end_turn");
    const last = model.hold(() => true);
    const cutOff = ask().catch((error: unknown) => error);
    await last.reached;
    await model.stop();
    expect(await cutOff).toBeInstanceOf(Error);
    await start(() => "");
  });
});
