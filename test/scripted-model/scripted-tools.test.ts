import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it } from "@jest/globals";
import type { Script } from "./scripted-answer.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { startScriptedModel } from "./start-scripted-model.ts";

type Params = Anthropic.Messages.MessageCreateParamsNonStreaming;

const READ = {
  name: "read",
  input_schema: { type: "object" as const, properties: { path: { type: "string" } }, required: ["path"] },
};
const ASK = { role: "user" as const, content: "MAGIS prompt p\nthe issue" };
const PARAMS = { model: "m", max_tokens: 1000, messages: [ASK], tools: [READ] } satisfies Params;
const LOOK: Script = ({ looked }) =>
  looked.length === 0 ? { text: "I look.", tools: [{ name: "read", input: { path: "a" } }] } : { text: "found" };

const call = (id: string, changes: object = {}) => ({ type: "tool_use", id, name: "read", input: {}, ...changes });
const result = (id: string, changes: object = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content: "x",
  ...changes,
});
const turns = (assistant: object[], user: object[]) => ({
  messages: [ASK, { role: "assistant", content: assistant }, { role: "user", content: user }],
});
const schema = (input_schema: object) => ({ tools: [{ ...READ, input_schema }] });

describe("the scripted model's tools", () => {
  let model: ScriptedModel;
  const start = async (answer: Script): Promise<Anthropic> => {
    model = await startScriptedModel({ answer });
    return new Anthropic({ apiKey: "key", baseURL: model.url, maxRetries: 0 });
  };
  afterEach(() => model.stop());

  const refusal = async (work: Promise<unknown>): Promise<string> => {
    const outcome = await work.catch((error: unknown) => error);
    if (outcome instanceof APIError && outcome.status === 400) return outcome.apiMessage ?? "";
    throw new Error(`expected a refusal, got ${JSON.stringify(outcome)}`);
  };
  const reply = ({ content }: Anthropic.Messages.Message, ...more: object[]): Anthropic.Messages.MessageParam[] => [
    { role: "assistant", content: content as Anthropic.Messages.ContentBlockParam[] },
    {
      role: "user",
      content: [
        ...content.flatMap((block) => (block.type === "tool_use" ? [result(block.id)] : [])),
        ...more,
      ] as Anthropic.Messages.ContentBlockParam[],
    },
  ];

  it("work with and without the SDK's stream helper, and show look-ups to the script", async () => {
    const client = await start(LOOK);
    const streamed = await client.messages.stream(PARAMS).finalMessage();
    const whole = await client.messages.create(PARAMS);
    for (const message of [streamed, whole]) {
      expect(message).toMatchObject({ stop_reason: "tool_use", usage: { output_tokens: 5 } });
      expect(message.content.slice(1)).toMatchObject([
        { type: "text", text: "I look." },
        { type: "tool_use", name: "read", input: { path: "a" } },
      ]);
      const messages = [ASK, ...reply(message, { type: "text", text: "Go on." })];
      expect((await client.messages.create({ ...PARAMS, messages })).content.at(-1)).toMatchObject({ text: "found" });
    }
    expect([streamed.content[0]?.type, whole.content[0]?.type]).toEqual(["thinking", "redacted_thinking"]);
    const looked = [{ name: "read", input: { path: "a" }, result: "x" }];
    expect(model.journal.at(-1)?.call).toMatchObject({
      n: 4,
      tools: ["read"],
      mustAnswer: false,
      looked,
      earlier: [{ answer: "I look.", reply: "Go on.", looked }],
    });
    expect(model.faults).toEqual([]);
  });

  it("require thinking back unchanged, with a new signature for each message", async () => {
    const client = await start(LOOK);
    const first = await client.messages.create(PARAMS);
    await client.messages.create(PARAMS);
    await client.messages.create(PARAMS);
    const fourth = await client.messages.create(PARAMS);
    const [a, b] = [first.content[0], fourth.content[0]];
    expect([a?.type, b?.type]).toEqual(["thinking", "thinking"]);
    expect(a).not.toEqual(b);
    const send = (content: (typeof first.content)[number][]) =>
      client.messages.create({ ...PARAMS, messages: [ASK, ...reply({ ...first, content })] });
    const rest = first.content.slice(1);
    for (const content of [rest, b === undefined ? [] : [b, ...rest]]) {
      expect(await refusal(send(content))).toMatch(/messages\.1\.content: .*cannot be modified/);
    }
    expect(await refusal(send([...rest, ...first.content.slice(0, 1)]))).toMatch(/Expected `thinking`/);
    expect((await send(first.content)).stop_reason).toBe("end_turn");
  });

  it.each([
    ["an unknown tool", { tools: [{ name: "write", input: {} }] }, {}, /write, which is not on offer/],
    ["an input that does not fit", { tools: [{ name: "read", input: { path: 1 } }] }, {}, /path must be string/],
    ["no calls", { tools: [] }, {}, /names none/],
    ["calls without tools", { tools: [{ name: "read", input: {} }] }, { tools: undefined }, /none may be called/],
    [
      "calls after the last turn",
      { tools: [{ name: "read", input: {} }], raw: true },
      { tool_choice: { type: "none" } },
      /none may be called/,
    ],
  ])("report a script with %s as a fault", async (_, answer, changes, words) => {
    const client = await start(() => answer);
    expect(await refusal(client.post("/v1/messages", { body: { ...PARAMS, ...changes } }))).toMatch(words);
    expect(model.faults.join()).toMatch(words);
  });

  it("send a wrong call on request", async () => {
    const client = await start(() => ({ tools: [{ name: "write", input: { path: 1 } }], raw: true }));
    expect((await client.messages.create(PARAMS)).content.at(-1)).toMatchObject({ name: "write", input: { path: 1 } });
    expect(model.faults).toEqual([]);
  });

  it("read the conversation from the cache unless the tools or the choice change", async () => {
    const client = await start(LOOK);
    const cached = {
      ...result("a"),
      cache_control: { type: "ephemeral" },
    };
    const ask = async (changes: object): Promise<number> => {
      const body = { ...PARAMS, ...turns([call("a")], [cached]), ...changes };
      return (
        (await client.post<Anthropic.Messages.Message>("/v1/messages", { body })).usage.cache_read_input_tokens ?? 0
      );
    };
    expect(await ask({})).toBe(0);
    expect(await ask({})).toBeGreaterThan(0);
    expect(await ask({ tool_choice: { type: "none" } })).toBe(0);
    expect(await ask({ tools: [{ ...READ, description: "new" }] })).toBe(0);
  });

  it.each([
    ["a name with a dot", { tools: [{ ...READ, name: "a.b" }] }, /tools\.0\.name/],
    ["a long name", { tools: [{ ...READ, name: "x".repeat(65) }] }, /tools\.0\.name/],
    ["the same name twice", { tools: [READ, READ] }, /unique/],
    ["an unknown field of a tool", { tools: [{ ...READ, parameters: {} }] }, /tools\.0\.parameters/],
    ["no input_schema", { tools: [{ name: "read" }] }, /input_schema: Field required/],
    ["an input that is no object", schema({ type: "array" }), /input_schema\.type/],
    ["alternatives at the top", schema({ type: "object", anyOf: [] }), /anyOf/],
    ["an invalid schema", schema({ type: "object", properties: { a: { type: "text" } } }), /2020-12/],
    ["an unknown choice", { tool_choice: { type: "maybe" } }, /tool_choice/],
    ["a choice without tools", { tools: undefined, tool_choice: { type: "auto" } }, /while providing tools/],
    ["calls without tools", { ...turns([call("a")], [result("a")]), tools: undefined }, /must define tools/],
    ["a call without a result", turns([call("a"), call("b")], [result("a")]), /without `tool_result`.*: b\./],
    ["a result without a call", turns([call("a")], [result("a"), result("b")]), /unexpected `tool_use_id`.*: b\./],
    ["two results for a call", turns([call("a")], [result("a"), result("a")]), /single result/],
    ["text before a result", turns([call("a")], [{ type: "text", text: "x" }, result("a")]), /must come first/],
    ["a repeated id", turns([call("a"), call("a")], [result("a")]), /unique/],
    ["a strange id", turns([call("a b")], [result("a b")]), /String should match/],
    ["an input as text", turns([call("a", { input: "{}" })], [result("a")]), /valid dictionary/],
    ["a result in the model's turn", turns([result("a")], [result("a")]), /is known here/],
    ["unsigned thinking", turns([{ type: "thinking", thinking: "" }, call("a")], [result("a")]), /signature: Field/],
    ["an unknown field of a call", turns([call("a", { index: 1 })], [result("a")]), /index: Extra/],
    ["an empty text in a result", turns([call("a")], [result("a", { content: [{ type: "text", text: "" }] })]), /text/],
  ])("refuse %s", async (_, changes, words) => {
    const client = await start(() => ({ text: "ok" }));
    expect(await refusal(client.post("/v1/messages", { body: { ...PARAMS, ...changes } }))).toMatch(words);
  });
});
