import type Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { toMessageParams } from "../../../src/models/anthropic/request.ts";
import type { LanguageModel, ModelAnswer } from "../../../src/models/language-model.ts";
import type { Script } from "../../scripted-model/script.ts";
import type { ScriptedCall, ScriptedModel } from "../../scripted-model/scripted-model.ts";
import { READ_TOOL, scriptedRequest, withResults } from "../../scripted-model/scripted-request.ts";
import { startScriptedModel } from "../../scripted-model/start-scripted-model.ts";
import { anthropicAt } from "./anthropic-at.ts";
import { caught } from "./caught.ts";

const never = new AbortController().signal;

describe("createAnthropicModel", () => {
  let server: ScriptedModel;
  const start = async (answer: Script): Promise<ScriptedModel> => {
    server = await startScriptedModel({ answer });
    return server;
  };
  afterEach(() => server.stop());

  it("streams a plain answer and counts what it cost", async () => {
    const { url, journal } = await start(() => "the new code\nüñí\n");
    const answer = await anthropicAt(url).complete(scriptedRequest(), never);
    expect(answer).toMatchObject({ text: "the new code\nüñí\n", stop: "end", model: "claude-opus-5-5" });
    const { input, cacheWrite, cacheRead, output } = answer.usage;
    expect([input, cacheWrite, cacheRead, output].every((tokens) => Number.isInteger(tokens))).toBe(true);
    expect(answer.money).toBeCloseTo((input * 4 + cacheWrite * 5 + cacheRead * 0.4 + output * 20) / 1e6, 12);
    expect(journal[0]?.body).toMatchObject({ stream: true, max_tokens: 2000 });
    expect(journal[0]?.body).not.toHaveProperty("output_config");
  });

  it("sends a schema the API takes, and the effort of the tier", async () => {
    const shape = z.object({
      score: z.number().int().min(1).max(5),
      tags: z.array(z.string().regex(/x/)).min(2).optional(),
      inner: z.object({ kind: z.enum(["a", "b"]), note: z.string().nullable() }),
    });
    const json = { score: 3, inner: { kind: "a", note: null } };
    const { url, journal, faults } = await start(() => json);
    const model = anthropicAt(url, { effort: { strong: "high" } });
    const answer = await model.complete(scriptedRequest({ schema: z.toJSONSchema(shape) }), never);
    expect(shape.parse(JSON.parse(answer.text))).toEqual(json);
    expect(journal[0]?.body).toMatchObject({ output_config: { effort: "high", format: { type: "json_schema" } } });
    expect(faults).toEqual([]);
  });

  it("sends earlier exchanges as turns and at most four cache breakpoints, the last ones", async () => {
    const { url, journal, faults } = await start(() => "ok");
    const parts = ["a", "b", "c", "d", "e", "f"].map((text) => ({ text, cache: true }));
    const last = { text: "MAGIS prompt p" };
    const earlier = [
      { answer: "wrong", reply: "because" },
      { answer: "", reply: "still wrong" },
    ];
    await anthropicAt(url).complete(scriptedRequest({ parts: [{ text: "" }, ...parts, last], earlier }), never);
    expect(faults).toEqual([]);
    expect(journal[0]?.call?.earlier).toEqual([
      { answer: "wrong", reply: "because" },
      { answer: "(empty)", reply: "still wrong" },
    ]);
    const marked = JSON.stringify(journal[0]?.body).match(/"text":"\w","cache_control"/g);
    expect(marked?.map((mark) => mark.charAt(8))).toEqual(["c", "d", "e", "f"]);
  });

  it("is cancelled at once while it waits for an answer", async () => {
    const { url, hold } = await start(() => "never seen");
    const { reached } = hold(() => true);
    const controller = new AbortController();
    const failure = caught(anthropicAt(url).complete(scriptedRequest(), controller.signal));
    await reached;
    const began = performance.now();
    controller.abort();
    expect(await failure).toMatchObject({ code: "RUN_CANCELLED", data: { money: 0 } });
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  it("refuses a model without a price", async () => {
    const { url } = await start(() => "");
    expect(() => anthropicAt(url, { models: { fast: "constructor", strong: "claude-opus-5-5" } })).toThrow(
      expect.objectContaining({ code: "CONFIGURATION_INVALID" }),
    );
  });
});

const LIST = { name: "list", description: "Lists paths.", inputSchema: z.toJSONSchema(z.object({})) };
const TOOLS = [READ_TOOL, LIST];
const ANSWER = {
  name: "answer",
  description: "",
  strict: true,
  inputSchema: z.toJSONSchema(z.object({ a: z.string() })),
} as const;
const schema = z.toJSONSchema(z.object({ a: z.string() }));

/** Where the marks are: message and block, by their numbers. */
function marksOf({ system, messages }: Anthropic.Messages.MessageCreateParams): string[] {
  const turns = [["system", system] as const, ...messages.map(({ content }, at) => [at, content] as const)];
  return turns.flatMap(([name, content]) =>
    typeof content === "string" || content === undefined
      ? []
      : content.flatMap((block, at) => ("cache_control" in block ? [`${name} ${at}`] : [])),
  );
}

describe("tool use", () => {
  let server: ScriptedModel;
  const start = async (answer: Script<ScriptedCall>): Promise<LanguageModel> => {
    server = await startScriptedModel({ answer });
    return anthropicAt(server.url);
  };
  const body = (at: number) => server.journal[at]?.body as Anthropic.Messages.MessageCreateParams;
  afterEach(async () => {
    await server.stop();
    expect(server.faults).toEqual([]);
  });

  it("offers tools next to a schema, and gives the calls with all that came with them", async () => {
    const long = "x/".repeat(100);
    const model = await start(() => ({
      text: "First I look.",
      tools: [
        { name: "read", input: { path: `ü${long}`, from: 3 } },
        { name: "list", input: {} },
      ],
    }));
    const answer = await model.complete(scriptedRequest({ tools: TOOLS, schema }), never);
    expect(answer).toMatchObject({ stop: "tools", text: "First I look." });
    expect(answer.blocks).toEqual([
      { type: "thinking", thinking: "", signature: expect.stringMatching(/./) },
      { type: "text", text: "First I look." },
      { type: "tool_use", id: expect.stringMatching(/^toolu_/), name: "read", input: { path: `ü${long}`, from: 3 } },
      { type: "tool_use", id: expect.stringMatching(/^toolu_/), name: "list", input: {} },
    ]);
    expect(body(0)).toMatchObject({
      tools: [{ name: "read", description: "Gives lines of a file." }, { name: "list" }],
      tool_choice: { type: "auto" },
      output_config: { format: { type: "json_schema" } },
    });
    expect(body(0).tools?.[0]).toMatchObject({ input_schema: { type: "object", required: ["path"] } });
    expect(JSON.stringify(body(0).tools)).not.toContain("$schema");
  });

  it("sends blocks back unchanged, then results, corrections and the forced tool", async () => {
    const model = await start(({ mustAnswer, nth }) =>
      mustAnswer ? { a: "done" } : { tools: [{ name: "read", input: { path: `f${nth}` } }] },
    );
    let request = scriptedRequest({ tools: [...TOOLS, ANSWER], answerBy: "answer" });
    const answers: ModelAnswer[] = [];
    for (const _ of [1, 2, 3]) {
      const answer = await model.complete(request, never);
      answers.push(answer);
      request = withResults(request, answer);
    }
    request = { ...request, earlier: [...request.earlier, { answer: "no", reply: "Wrong." }], mustAnswer: true };
    expect(await model.complete(request, never)).toMatchObject({
      stop: "tools",
      blocks: expect.arrayContaining([expect.objectContaining({ input: { a: "done" } })]),
    });
    const last = body(3);
    expect(last.tool_choice).toEqual({ type: "tool", name: "answer" });
    expect(last.messages.map(({ role }) => role).join()).toBe(
      "user,assistant,user,assistant,user,assistant,user,assistant,user",
    );
    const turns = last.messages.filter(({ role }) => role === "assistant").map(({ content }) => content);
    expect(turns).toEqual([...answers.map(({ blocks }) => blocks), "no"]);
    expect(answers.map(({ blocks }) => blocks?.[0]?.type)).toEqual(["thinking", "redacted_thinking", "tool_use"]);
    expect(server.journal[3]?.call).toMatchObject({
      mustAnswer: true,
      tools: ["read", "list", "answer"],
      looked: [1, 2, 3].map((n) => ({ name: "read", input: { path: `f${n}` }, result: `found {"path":"f${n}"}` })),
    });
    expect(server.journal[3]?.call?.earlier.at(-1)).toEqual({ answer: "no", reply: "Wrong." });
  });

  it("marks the system text, the shared parts and the ends of continued turns for caching, and nothing else", async () => {
    const model = await start(({ looked }) =>
      looked.length < 2 ? { tools: [{ name: "list", input: {} }] } : { a: "b" },
    );
    const parts = [{ text: "the issue", cache: true }, { text: "guidance", cache: true }, { text: "MAGIS prompt p" }];
    let request = scriptedRequest({ tools: [...TOOLS, ANSWER], parts, keep: 0 });
    const answers: ModelAnswer[] = [];
    for (const keep of [1, 1, 1]) {
      const answer = await model.complete(request, never);
      answers.push(answer);
      request = { ...withResults(request, answer), keep };
    }
    const marked = [0, 1, 2].map((at) => marksOf(body(at)));
    expect(marked).toEqual([
      ["system 0", "0 0", "0 1", "0 2"],
      ["system 0", "0 1", "0 2", "2 0"],
      ["system 0", "0 1", "0 2", "2 0"],
    ]);
    const [first, second, third] = answers.map(({ usage }) => usage);
    expect(first).toMatchObject({ cacheRead: 0, input: 0 });
    expect(second).toMatchObject({ cacheRead: first?.cacheWrite, input: 0 });
    // The results of the last turn are read once, and written nowhere.
    expect(third).toMatchObject({ cacheRead: (second?.cacheRead ?? 0) + (second?.cacheWrite ?? 0), cacheWrite: 0 });
    expect(third?.input).toBeGreaterThan(0);

    // Another role begins with the same tools, system text and issue.
    const other = {
      ...scriptedRequest({ tools: [...TOOLS, ANSWER], parts: [...parts.slice(0, 2), { text: "MAGIS prompt q" }] }),
    };
    const { usage } = await model.complete(other, never);
    expect(marksOf(body(3))).toEqual(["system 0", "0 0", "0 1"]);
    expect(usage).toMatchObject({ cacheWrite: 0 });
    expect(usage.cacheRead).toBeGreaterThan(0);
  });

  it("marks text after an image for caching, not text before it", async () => {
    await start(() => ({ a: "b" }));
    const image = { mediaType: "image/png" as const, hash: "a".repeat(64), data: "AAAA" };
    const parts = [{ text: "An image.", images: [image], cache: true }, { text: "MAGIS prompt p" }];
    const { messages } = toMessageParams(scriptedRequest({ tools: [ANSWER], parts }), "m", undefined);
    expect(messages[0]?.content).toMatchObject([
      { type: "text" },
      { type: "image", cache_control: {} },
      { type: "text" },
    ]);
  });

  it("says why an answer was sent back in the API's own form, and adds the note after the results", async () => {
    const model = await start(() => ({ a: "b" }));
    const blocks = [{ type: "tool_use", id: "a", name: "answer", input: {} }] as const;
    const earlier = [{ blocks, results: [{ id: "a", text: "No.", isError: true }], word: "Now." }] as const;
    await model.complete(scriptedRequest({ tools: [ANSWER], earlier }), never);
    expect(body(0).messages[2]?.content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: "No.", is_error: true },
      { type: "text", text: "Now." },
    ]);
  });

  it("stops sending strict tools to an endpoint that refuses them, and logs it once", async () => {
    const warnings: string[] = [];
    const message = "tools.0.custom.strict: Extra inputs are not permitted";
    server = await startScriptedModel({
      answer: () =>
        JSON.stringify(body(server.journal.length - 1).tools).includes('"strict"')
          ? { error: { status: 400, type: "invalid_request_error", message } }
          : '{"a":"b"}',
    });
    const log = { debug: () => {}, warn: (_: object, words: string) => void warnings.push(words) };
    const model = anthropicAt(server.url, { log });
    const request = scriptedRequest({ tools: [ANSWER] });
    for (const _ of [1, 2]) expect(await model.complete(request, never)).toMatchObject({ text: '{"a":"b"}' });
    expect(server.journal).toHaveLength(3);
    expect(warnings).toEqual([expect.stringContaining("refuses strict tools")]);
  });

  it("never sends empty text or results, unsigned thinking, or an input that is not an object", async () => {
    const model = await start(() => "ok");
    const blocks = [
      { type: "thinking", thinking: "of a gateway", signature: "" },
      { type: "text", text: " \n" },
      { type: "tool_use", id: "a", name: "read", input: '{"path": "x' },
      { type: "tool_use", id: "b", name: "list", input: [1] },
    ] as const;
    const results = ["a", "b"].map((id) => ({ id, text: "" }));
    await model.complete(scriptedRequest({ tools: TOOLS, earlier: [{ blocks, results }] }), never);
    expect(body(0).messages[1]?.content).toEqual([
      { type: "tool_use", id: "a", name: "read", input: { unreadable: '{"path": "x' } },
      { type: "tool_use", id: "b", name: "list", input: { unreadable: [1] } },
    ]);
    expect(body(0).messages[2]?.content).toMatchObject([{ content: "(empty)" }, { content: "(empty)" }]);
  });

  it("logs neither texts nor lookups", async () => {
    const lines: string[] = [];
    server = await startScriptedModel({
      answer: () => ({ text: "secret", tools: [{ name: "read", input: { path: "secret" } }] }),
    });
    const log = { debug: (data: object) => lines.push(JSON.stringify(data)), warn: () => {} };
    await anthropicAt(server.url, { log }).complete(scriptedRequest({ tools: TOOLS }), never);
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain("secret");
  });

  it("never costs more than its worst case, which counts tools, calls and results", async () => {
    const model = await start(({ looked }) =>
      looked.length < 3 ? { tools: [{ name: "read", input: { path: "é1/".repeat(50) } }] } : "x",
    );
    let request = scriptedRequest({ tools: TOOLS, schema });
    const plain = model.worstCase(scriptedRequest({ schema }));
    expect(plain.tokens).toBeGreaterThan(model.worstCase(scriptedRequest()).tokens);
    expect(model.worstCase(request).tokens).toBeGreaterThan(plain.tokens + 600);
    for (const _ of [1, 2, 3]) {
      const { usage, money, ...answer } = await model.complete(request, never);
      const worst = model.worstCase(request);
      expect(usage.input + usage.cacheWrite + usage.cacheRead + usage.output).toBeLessThanOrEqual(worst.tokens);
      expect(money).toBeLessThanOrEqual(worst.money);
      request = withResults(request, answer);
      expect(model.worstCase(request).tokens).toBeGreaterThan(worst.tokens + 200);
    }
  });
});
