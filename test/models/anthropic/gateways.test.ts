import { describe, expect, it } from "@jest/globals";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { anthropicAt } from "./anthropic-at.ts";
import { caught } from "./caught.ts";
import { startGateway } from "./start-gateway.ts";

const never = new AbortController().signal;
const SSE = "text/event-stream";
const events = (...list: object[]): string =>
  list.map((event) => `event: ${"type" in event ? event.type : ""}\ndata: ${JSON.stringify(event)}\n\n`).join("");

const delta = (text: string) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });

describe("an endpoint that only resembles the Messages API", () => {
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
