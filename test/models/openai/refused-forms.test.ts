import { afterEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { converse, readCall, toolsOf } from "../../../src/models/conversation.ts";
import type { ToolCall } from "../../../src/models/language-model.ts";
import {
  type ChatBody,
  type ChatEndpoint,
  type Refuse,
  startChatEndpoint,
} from "../../contracts/start-chat-endpoint.ts";
import type { Answer } from "../../scripted-model/script.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { caught } from "../anthropic/caught.ts";
import { openAiAt } from "./openai-at.ts";

const never = new AbortController().signal;

const shape = z.strictObject({ score: z.int(), why: z.string() });

const GOOD = { score: 1, why: "done" };

const SCHEMA = { type: "object", properties: { score: { type: "integer" } }, required: ["score"] };

const PLAN = { name: "plan", description: "Gives the plan.", shape };

const FORM = { by: PLAN, among: [PLAN] };

const TOOLS = toolsOf(FORM);

let endpoint: ChatEndpoint;
afterEach(() => endpoint.close());

/** A model behind an endpoint that refuses what `refuse` says. */
async function behind(refuse: Refuse, answers: readonly Answer[], effort?: "low") {
  endpoint = await startChatEndpoint(answers, refuse);
  return openAiAt(endpoint.url, { effort });
}

const strictIn = (body: ChatBody) => JSON.stringify(body).includes('"strict":true');

describe("an endpoint that refuses a form", () => {
  it.each<[string, NonNullable<ReturnType<Refuse>> & { status?: number }, (body: ChatBody) => boolean]>([
    ["strict answers", { message: "json_schema.strict is not supported" }, strictIn],
    ["schemas", { message: "'response_format' is not supported" }, (body) => body.response_format !== undefined],
    [
      "the old name of the limit",
      { param: "max_tokens", message: "Unsupported parameter: 'max_tokens' is not supported with this model." },
      (body) => body.max_tokens !== undefined,
    ],
    ["counts", { message: "Unknown field: stream_options" }, (body) => body.stream_options !== undefined],
    [
      "efforts",
      { message: "Unrecognized request argument: reasoning_effort" },
      (body) => body.reasoning_effort !== undefined,
    ],
  ])("is asked without %s from then on, and the log says so once", async (_, refusal, has) => {
    const model = await behind((body) => (has(body) ? refusal : undefined), [GOOD], "low");
    const request = scriptedRequest({ schema: toolsOf(FORM).tools?.[0]?.inputSchema ?? SCHEMA });
    for (let call = 0; call < 3; call += 1) {
      const answer = await model.complete(request, never);
      expect(JSON.parse(answer.text)).toEqual(GOOD);
      expect(answer.money).toBeGreaterThan(0);
      expect(answer.usage.input + answer.usage.cacheRead).toBeGreaterThan(0);
    }
    expect(endpoint.bodies).toHaveLength(3);
    expect(endpoint.bodies.some(has)).toBe(false);
    expect(endpoint.faults).toEqual([]);
    expect(model.warned).toHaveLength(1);
  });

  it("gets the shape in words where it accepts no schema", async () => {
    const model = await behind(
      ({ response_format }) => (response_format ? { message: "no response_format" } : undefined),
      [GOOD],
    );
    await model.complete(scriptedRequest({ schema: SCHEMA }), never);
    expect(endpoint.bodies[0]?.messages[0]).toMatchObject({
      role: "system",
      content: expect.stringContaining(JSON.stringify(SCHEMA)),
    });
  });

  it.each([
    [400, "registry/library/small-1 does not support tools"],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [404, "No endpoints found that support tool use."],
    [500, "tools param requires --jinja flag"],
  ])("is asked for JSON when it has no tools (%i %s)", async (status, message) => {
    const refuse: Refuse = ({ tools }) => (tools ? { status, message } : undefined);
    const model = await behind(refuse, [{ score: "none" }, GOOD]);
    const input = {
      request: scriptedRequest(TOOLS),
      form: FORM,
      lookups: { left: 9 },
      model,
      signal: never,
      read: async (text: string, calls?: readonly ToolCall[]) => readCall(FORM.by, text, calls),
    };
    // The first answer is wrong, so that one of the shape is asked for again.
    expect(await converse(input)).toEqual({ value: GOOD });
    expect(endpoint.bodies).toHaveLength(2);
    expect(endpoint.bodies[1]).toMatchObject({ response_format: { type: "json_schema" } });
    expect(JSON.stringify(endpoint.bodies[1]?.messages)).toContain("There are no tools. Where plan is to be called");
    expect(endpoint.faults).toEqual([]);
  });

  it("gets earlier tool calls in words once it has no tools", async () => {
    const model = await behind(({ tools }) => (tools ? { message: "no tools here" } : undefined), [GOOD]);
    const blocks = [
      { type: "text" as const, text: "I look." },
      { type: "tool_use" as const, id: "1", name: "read", input: { path: "a.ts" } },
    ];
    const earlier = [{ blocks, results: [{ id: "1", text: "const a = 1;" }], word: "Now plan." }];
    await model.complete(scriptedRequest({ ...TOOLS, earlier }), never);
    expect(endpoint.bodies[0]?.messages.slice(-2)).toEqual([
      { role: "assistant", content: 'I look.\nread {"path":"a.ts"}' },
      { role: "user", content: "const a = 1;\n\nNow plan." },
    ]);
    expect(endpoint.faults).toEqual([]);
  });

  it("is not asked for a certain tool where it takes no such choice, but keeps its tools", async () => {
    const refuse: Refuse = ({ tool_choice }) =>
      typeof tool_choice === "object" ? { param: "tool_choice", message: "tool_choice must be auto" } : undefined;
    const model = await behind(refuse, [GOOD]);
    const answer = await model.complete(scriptedRequest({ ...TOOLS, mustAnswer: true }), never);
    expect(answer.stop).toBe("tools");
    expect(endpoint.bodies[0]).toMatchObject({ tool_choice: "auto" });
  });

  it("is given back what its model thought aloud before it called tools, unless it refuses that", async () => {
    const refuse: Refuse = ({ messages }) =>
      JSON.stringify(messages).includes("reasoning_content")
        ? { message: "'reasoning_content' is unsupported" }
        : undefined;
    const thought = { type: "thinking" as const, thinking: "Look first.", signature: "" };
    const signed = { ...thought, thinking: "Another's.", signature: "signed" };
    const use = { type: "tool_use" as const, id: "1", name: "plan", input: GOOD };
    const earlier = [{ blocks: [signed, thought, use], results: [{ id: "1", text: "wrong", isError: true as const }] }];
    for (const refuses of [false, true]) {
      const model = await behind(refuses ? refuse : () => undefined, [GOOD]);
      await model.complete(scriptedRequest({ ...TOOLS, earlier }), never);
      const [answer] = endpoint.bodies[0]?.messages.slice(-2) ?? [];
      expect(answer).toEqual({
        role: "assistant",
        content: null,
        tool_calls: [expect.objectContaining({ id: "1" })],
        reasoning_content: refuses ? undefined : "Look first.",
      });
      expect(endpoint.faults).toEqual([]);
      if (!refuses) await endpoint.close();
    }
  });

  it("may refuse every form", async () => {
    const refuse: Refuse = (body) => {
      for (const field of ["stream_options", "max_tokens", "reasoning_effort", "tools", "response_format"] as const) {
        if (body[field] !== undefined) return { message: `${field} is not supported` };
      }
      return undefined;
    };
    const model = await behind(refuse, [GOOD], "low");
    expect(JSON.parse((await model.complete(scriptedRequest(TOOLS), never)).text)).toEqual(GOOD);
    expect(endpoint.bodies).toHaveLength(1);
    expect(endpoint.faults).toEqual([]);
  });

  it.each([
    ["a limit that is too high", { message: "max_tokens is too large: 2000" }],
    ["a prompt that is too long", { message: "context length exceeded", code: "context_length_exceeded" }],
    ["a field that we do not send", { message: "temperature is not supported" }],
  ])("is asked in the same form again after %s", async (_, refusal) => {
    const model = await behind(() => refusal, [GOOD]);
    const failure = await caught(model.complete(scriptedRequest(TOOLS), never));
    expect(failure.code).toBe("MODEL_REJECTED");
    expect(model.warned).toEqual([]);
  });

  it("is given up when it goes on refusing the same form", async () => {
    const model = await behind(
      () => ({ message: "tools, schema, stream_options and max_tokens are not supported" }),
      [GOOD],
    );
    expect(await caught(model.complete(scriptedRequest(TOOLS), never))).toMatchObject({ code: "MODEL_REJECTED" });
  });

  it("keeps its tools when a model has only called one wrongly", async () => {
    const refusal = { message: "Failed to call a function: tool call validation failed", code: "tool_use_failed" };
    const model = await behind(() => refusal, [GOOD]);
    expect(await caught(model.complete(scriptedRequest(TOOLS), never))).toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect(model.warned).toEqual([]);
  });
});
