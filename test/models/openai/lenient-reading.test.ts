import { describe, expect, it } from "@jest/globals";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { caught } from "../anthropic/caught.ts";
import { startGateway } from "../anthropic/start-gateway.ts";
import { answerTo, chunks, OPENAI_KEY, openAiAt } from "./openai-at.ts";

const JSON_TYPE = "application/json";

const said = (content: string, finish_reason?: string) => ({ index: 0, delta: { content }, finish_reason });

const call = (index: number, id: string | undefined, name: string | undefined, json: string) => ({
  delta: { tool_calls: [{ index, id, type: "function", function: { name, arguments: json } }] },
});

const callsOf = ({ blocks = [] }: Awaited<ReturnType<typeof answerTo>>) =>
  blocks.flatMap((block) => (block.type === "tool_use" ? [[block.name, block.input]] : []));

describe("an endpoint that only resembles chat completions", () => {
  it("may report no usage, which is then estimated and charged", async () => {
    const answer = await answerTo({ body: chunks(said("hel"), said("lo", "stop")) });
    expect(answer).toMatchObject({ text: "hello", stop: "end", model: "big-1" });
    expect(answer.usage).toMatchObject({ input: expect.any(Number), output: 2, cacheRead: 0, cacheWrite: 0 });
    expect(answer.usage.input).toBeGreaterThan(10);
    expect(answer.money).toBeGreaterThan(0);
  });

  it.each([
    [
      { prompt_tokens: 100, completion_tokens: 7 },
      { input: 100, cacheRead: 0, cacheWrite: 0, output: 7 },
    ],
    [
      {
        prompt_tokens: 100,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      },
      { input: 10, cacheRead: 60, cacheWrite: 30, output: 7 },
    ],
    [
      { prompt_tokens: 100, completion_tokens: null, prompt_tokens_details: null },
      { input: 100, cacheRead: 0, cacheWrite: 0, output: 2 },
    ],
  ])("counts the usage %j", async (usage, counted) => {
    const body = `${chunks(said("hello", "stop")).replace("data: [DONE]", "")}data: ${JSON.stringify({ choices: [], usage })}\n\n`;
    expect((await answerTo({ body })).usage).toEqual(counted);
  });

  it.each([
    [{ delta: { refusal: "I will not." }, finish_reason: "stop" }, "refusal"],
    [said("part", "content_filter"), "refusal"],
    [said("part", "length"), "length"],
    [said("all", "eos"), "end"],
  ])("reports how %j ended", async (choice, stop) => {
    expect(await answerTo({ body: chunks(choice) })).toMatchObject({ stop });
  });

  it("may give no reason for the end where the count comes behind it", async () => {
    const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 1 } })}\n\n`;
    expect(await answerTo({ body: `data: ${JSON.stringify({ choices: [said("hi")] })}\n\n${usage}` })).toMatchObject({
      text: "hi",
      stop: "end",
    });
  });

  it("may answer whole, without a stream", async () => {
    const message = {
      content: null,
      tool_calls: [
        { id: "a", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
        { id: "b", type: "function", function: { name: "read", arguments: '{"path":"b"}' } },
      ],
    };
    const body = JSON.stringify({ model: "real-1", choices: [{ message }], usage: { prompt_tokens: 9 } });
    const answer = await answerTo({ type: JSON_TYPE, body });
    expect(answer).toMatchObject({ stop: "tools", model: "real-1", usage: { input: 9 } });
    expect(callsOf(answer)).toEqual([
      ["read", { path: "a" }],
      ["read", { path: "b" }],
    ]);
  });

  it("may number all calls 0, or give them no ids", async () => {
    const numbered = chunks(
      call(0, "a", "read", '{"pa'),
      call(0, "a", undefined, 'th":"a"}'),
      call(0, "b", "read", "{}"),
      { delta: {}, finish_reason: "stop" },
    );
    expect(callsOf(await answerTo({ body: numbered }))).toEqual([
      ["read", { path: "a" }],
      ["read", {}],
    ]);
    const nameless = chunks(call(0, undefined, "read", "{}"), call(1, undefined, "read", '{"path":"b"}'), {
      delta: {},
      finish_reason: "tool_calls",
    });
    const answer = await answerTo({ body: nameless });
    expect(callsOf(answer)).toEqual([
      ["read", {}],
      ["read", { path: "b" }],
    ]);
    const ids = (answer.blocks ?? []).flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    expect(new Set(ids).size).toBe(2);
  });

  it("may call a tool with text that is not JSON, which is passed on unchanged", async () => {
    const body = chunks(call(0, "a", "read", '{"path": oops'), { delta: {}, finish_reason: "tool_calls" });
    expect(callsOf(await answerTo({ body }))).toEqual([["read", '{"path": oops']]);
  });

  it("may think aloud: the thoughts are paid for, come before the calls, and are not part of the answer", async () => {
    const think = (reasoning_content: string) => ({ delta: { reasoning_content } });
    const plain = await answerTo({ body: chunks(think("I wonder, "), think("at length."), said("ok", "stop")) });
    expect(plain).toMatchObject({ text: "ok", stop: "end" });
    expect(plain.usage.output).toBeGreaterThan(5);
    const body = chunks(think("Look."), call(0, "a", "read", "{}"), { delta: {}, finish_reason: "tool_calls" });
    expect((await answerTo({ body })).blocks?.[0]).toEqual({ type: "thinking", thinking: "Look.", signature: "" });
  });

  it("may send fields of other kinds, which are passed over", async () => {
    const odd = { delta: { content: 7, tool_calls: "none", refusal: [] }, finish_reason: null };
    const body = `data: null\n\ndata: 3\n\ndata: {"choices":"no"}\n\n${chunks(odd, said("ok", "stop"))}`;
    expect(await answerTo({ body })).toMatchObject({ text: "ok", stop: "end" });
  });
});

describe("an endpoint that fails", () => {
  it.each([
    [
      "JSON that breaks off",
      { body: `data: ${JSON.stringify({ choices: [said("hel")] })}\n\ndata: {"choices": [\n\n` },
    ],
    ["a stream without an end", { body: chunks(said("hel")) }],
    [
      "an error in the stream",
      { body: `${chunks(said("hel")).replace("data: [DONE]\n\n", "")}data: {"error":{"message":"boom"}}\n\n` },
    ],
    ["a whole answer that is cut", { type: JSON_TYPE, body: '{"choices":[{"message":{"content":"he' }],
    ["an overload told with status 200", { type: JSON_TYPE, body: '{"error":{"code":503,"message":"busy"}}' }],
  ])("is unavailable after %s, which is counted", async (_, given) => {
    const failure = await caught(answerTo(given));
    expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE", data: { brokenOff: true } });
    if (given.body.includes("hel")) expect(failure.data.money).toBeGreaterThan(0);
  });

  it("is unavailable when it falls silent half way", async () => {
    const body = `data: ${JSON.stringify({ choices: [said("hello, world")] })}\n\n`;
    const failure = await caught(answerTo({ body, end: false }, { timeoutMs: 300 }));
    expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE", data: { brokenOff: true } });
    expect(failure.data.money).toBeGreaterThan(0);
  });

  it("is unavailable when nobody listens, and does not reveal the address", async () => {
    const { url, close } = await startGateway(200, JSON_TYPE, "");
    await close();
    const failure = await caught(openAiAt(url).complete(scriptedRequest(), new AbortController().signal));
    expect(failure.code).toBe("MODEL_UNAVAILABLE");
    expect(failure.message).not.toMatch(/127|http/);
  });

  it.each([
    [{ status: 404, type: "text/html", body: "<html>no such page</html>" }],
    [{ status: 200, type: "text/html; charset=utf-8", body: "<html>welcome</html>" }],
  ])("is a wrong address when a page answers (%j)", async (given) => {
    const failure = await caught(answerTo(given));
    expect(failure.code).toBe("MODEL_REJECTED");
    expect(failure.message).toContain("base URL");
    expect(failure.message).not.toContain("html");
  });

  it.each([
    ["an error", { error: { message: "the field is wrong" } }],
    ["a text as an error", { error: "the field is wrong" }],
    ["a message beside others", { object: "error", message: "the field is wrong", type: "BadRequest", code: 400 }],
    ["a detail", { detail: "the field is wrong" }],
    ["details", { detail: [{ loc: ["body"], msg: "the field is wrong" }] }],
  ])("says in its own words why, where they are %s", async (_, body) => {
    const failure = await caught(answerTo({ status: 422, type: JSON_TYPE, body: JSON.stringify(body) }));
    expect(failure).toMatchObject({ code: "MODEL_REJECTED", message: expect.stringContaining("the field is wrong") });
  });

  it.each([
    [402, {}, /billing/],
    [429, { code: "insufficient_quota", message: "You exceeded your quota" }, /billing/],
    [400, { code: "context_length_exceeded", message: "too long" }, /larger than the model provider accepts/],
    [401, { message: `Incorrect API key provided: ${OPENAI_KEY}` }, /refused the API key/],
  ])("says what to do about status %i with %j", async (status, error, words) => {
    const body = JSON.stringify({ error });
    const failure = await caught(answerTo({ status, type: JSON_TYPE, body }));
    expect(failure).toMatchObject({ code: "MODEL_REJECTED", message: expect.stringMatching(words) });
    expect(failure.message).not.toContain(OPENAI_KEY);
  });
});
