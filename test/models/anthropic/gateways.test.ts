import { describe, expect, it } from "@jest/globals";
import type { ModelAnswer } from "../../../src/models/language-model.ts";
import { READ_TOOL, scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { anthropicAt } from "./anthropic-at.ts";
import { caught } from "./caught.ts";
import { startGateway } from "./start-gateway.ts";

describe("an endpoint that only resembles the Messages API", () => {
  const never = new AbortController().signal;
  const SSE = "text/event-stream";
  const events = (...list: object[]): string =>
    list.map((event) => `event: ${"type" in event ? event.type : ""}\ndata: ${JSON.stringify(event)}\n\n`).join("");

  const delta = (text: string) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });

  it("may leave out usage, block starts, unknown things and the end", async () => {
    const body = events(
      { type: "message_start", message: { role: "assistant" } },
      { type: "news", payload: 1 },
      { type: "content_block_delta", index: 0, delta: { type: "news_delta", text: "no" } },
      delta("hel"),
      delta("lo"),
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
    );
    const { url, close } = await startGateway(200, SSE, body);
    const answer = await anthropicAt(url).complete(scriptedRequest(), never);
    await close();
    expect(answer).toMatchObject({ text: "hello", stop: "end", model: "claude-opus-5-5" });
    expect(answer.usage.input).toBeGreaterThan(10);
    expect(answer.usage.output).toBe(2);
    expect(answer.money).toBeGreaterThan(0);
  });

  it("may report null for some of the usage", async () => {
    const usage = { input_tokens: 9, output_tokens: 1, cache_creation_input_tokens: null };
    const body = events(
      { type: "message_start", message: { model: "other", content: [], usage } },
      delta("hello"),
      { type: "message_delta", delta: { stop_reason: "stop_sequence" }, usage: { output_tokens: 7 } },
      { type: "message_stop" },
    );
    const { url, close } = await startGateway(200, SSE, body);
    const answer = await anthropicAt(url).complete(scriptedRequest(), never);
    await close();
    expect(answer).toMatchObject({ stop: "end", model: "other" });
    expect(answer.usage).toEqual({ input: 9, cacheWrite: 0, cacheRead: 0, output: 7 });
  });

  it("may answer with a whole message instead of a stream", async () => {
    const content = [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "whole" },
    ];
    const usage = { input_tokens: 5, output_tokens: 3 };
    const body = JSON.stringify({ type: "message", content, stop_reason: "max_tokens", usage });
    const { url, close } = await startGateway(200, "application/json", body);
    const answer = await anthropicAt(url).complete(scriptedRequest(), never);
    await close();
    expect(answer).toMatchObject({ text: "whole", stop: "length", usage: { input: 5, output: 3 } });
  });

  it("is unavailable when it falls silent half way", async () => {
    const body = events({ type: "message_start", message: { usage: { input_tokens: 40 } } }, delta("hel"));
    const { url, close } = await startGateway(200, SSE, body, false);
    const failure = await caught(anthropicAt(url, { timeoutMs: 300 }).complete(scriptedRequest(), never));
    await close();
    expect(failure).toMatchObject({
      code: "MODEL_UNAVAILABLE",
      data: { brokenOff: true, usage: { input: 40, output: 2 } },
    });
  });
});

describe("tool calls on the wire", () => {
  const never = new AbortController().signal;
  const SSE = "text/event-stream";
  const request = scriptedRequest({ tools: [READ_TOOL] });
  const stream = (...list: object[]): string => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const events = (...list: { type: string }[]): string =>
    list.map((event) => `event: ${event.type}\n${stream(event)}`).join("");

  const start = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
  const delta = (index: number, type: string, rest: object) => ({
    type: "content_block_delta",
    index,
    delta: { type, ...rest },
  });
  const json = (index: number, partial_json: string) => delta(index, "input_json_delta", { partial_json });
  const call = { type: "tool_use", id: "toolu_1", name: "read", input: {} };
  const end = (stop_reason: string) => [
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ];

  async function answerTo(type: string, body: string): Promise<ModelAnswer> {
    const { url, close } = await startGateway(200, type, body);
    try {
      return await anthropicAt(url).complete(request, never);
    } finally {
      await close();
    }
  }

  it("are put together from pieces of several blocks, thinking and its signature among them", async () => {
    const answer = await answerTo(
      SSE,
      events(
        start(0, { type: "thinking", thinking: "", signature: "" }),
        delta(0, "thinking_delta", { thinking: "Where " }),
        delta(0, "thinking_delta", { thinking: "is it?" }),
        delta(0, "signature_delta", { signature: "c2ln" }),
        start(1, { type: "redacted_thinking", data: "c2VjcmV0" }),
        start(2, { type: "text", text: "" }),
        delta(2, "text_delta", { text: "Look" }),
        delta(2, "text_delta", { text: "ing." }),
        start(3, call),
        start(4, { ...call, id: "toolu_2", name: "list" }),
        json(3, ""),
        json(3, '{"path":'),
        json(4, ""),
        json(3, ' "a\\n"}'),
        start(5, { type: "news" }),
        ...end("tool_use"),
      ),
    );
    expect(answer).toMatchObject({ stop: "tools", text: "Looking.", usage: { output: 9 } });
    expect(answer.blocks).toEqual([
      { type: "thinking", thinking: "Where is it?", signature: "c2ln" },
      { type: "redacted_thinking", data: "c2VjcmV0" },
      { type: "text", text: "Looking." },
      { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a\n" } },
      { type: "tool_use", id: "toolu_2", name: "list", input: {} },
    ]);
  });

  it("may come in a message that is not streamed", async () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "s" },
      { ...call, input: { path: "a" }, caller: { type: "direct" } },
    ];
    const usage = { input_tokens: 5, output_tokens: 3 };
    const body = JSON.stringify({ type: "message", content, stop_reason: "tool_use", usage });
    expect(await answerTo("application/json", body)).toMatchObject({
      stop: "tools",
      text: "",
      blocks: [
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
      ],
    });
  });

  it("pass on input that is not JSON unchanged", async () => {
    const answer = await answerTo(SSE, events(start(0, call), json(0, '{"path": '), ...end("tool_use")));
    expect(answer.blocks).toEqual([{ type: "tool_use", id: "toolu_1", name: "read", input: '{"path": ' }]);
  });

  it("are none when the stop is tool_use but nothing is called", async () => {
    const answer = await answerTo(SSE, events(delta(0, "text_delta", { text: "hm" }), ...end("tool_use")));
    expect(answer).toMatchObject({ stop: "end", text: "hm" });
    expect(answer).not.toHaveProperty("blocks");
    // Without its start a call has no name.
    expect(await answerTo(SSE, events(json(0, "{}"), ...end("tool_use")))).toMatchObject({ stop: "end" });
  });

  it("count although a gateway numbers no blocks, gives no id and another reason", async () => {
    const { index: _, ...named } = start(0, { type: "tool_use", name: "read" });
    const { index: __, ...piece } = json(0, '{"path":"b"}');
    const { index: ___, ...text } = delta(0, "text_delta", { text: "so" });
    const answer = await answerTo(SSE, events(text, named, piece, named, piece, ...end("end_turn")));
    expect(answer).toMatchObject({ stop: "tools", text: "so" });
    const calls = answer.blocks?.filter((block) => block.type === "tool_use") ?? [];
    expect(calls.map(({ input }) => input)).toEqual([{ path: "b" }, { path: "b" }]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it("are not made by an answer that was declined or cut off", async () => {
    for (const [reason, stop] of [
      ["refusal", "refusal"],
      ["max_tokens", "length"],
    ] as const) {
      expect(await answerTo(SSE, events(start(0, call), json(0, '{"pa'), ...end(reason)))).toMatchObject({ stop });
    }
  });

  it("are paid for although the stream breaks in the middle of one", async () => {
    const began = { type: "message_start", message: { usage: { input_tokens: 40, output_tokens: 1 } } };
    const failure = await caught(answerTo(SSE, events(began, start(0, call), json(0, `{"path": "${"x".repeat(100)}`))));
    expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE", data: { brokenOff: true, usage: { input: 40 } } });
    // 0.4 a character: `read`, `{"path": "` and the hundred.
    expect(failure.data.usage).toMatchObject({ output: 46 });
  });
});
