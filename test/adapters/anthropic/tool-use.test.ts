import type Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { LanguageModel, ModelAnswer } from "../../../src/ports/language-model.ts";
import { READ_TOOL } from "../../scripted-model/read-tool.ts";
import type { Script } from "../../scripted-model/scripted-answer.ts";
import type { ScriptedModel } from "../../scripted-model/scripted-model.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { startScriptedModel } from "../../scripted-model/start-scripted-model.ts";
import { withResults } from "../../scripted-model/with-results.ts";
import { anthropicAt } from "./anthropic-at.ts";

const never = new AbortController().signal;
const LIST = { name: "list", description: "Lists paths.", inputSchema: z.toJSONSchema(z.object({})) };
const TOOLS = [READ_TOOL, LIST];
const schema = z.toJSONSchema(z.object({ a: z.string() }));

describe("tool use", () => {
  let server: ScriptedModel;
  const start = async (answer: Script): Promise<LanguageModel> => {
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

  it("sends blocks back as they came, then results, corrections and the word that no more may be called", async () => {
    const model = await start(({ mustAnswer, n }) =>
      mustAnswer ? { json: { a: "done" } } : { tools: [{ name: "read", input: { path: `f${n}` } }] },
    );
    let request = scriptedRequest({ tools: TOOLS, schema });
    const answers: ModelAnswer[] = [];
    for (const _ of [1, 2, 3]) {
      const answer = await model.complete(request, never);
      answers.push(answer);
      request = withResults(request, answer);
    }
    request = { ...request, earlier: [...request.earlier, { answer: "no", reply: "Wrong." }], mustAnswer: true };
    expect(await model.complete(request, never)).toMatchObject({ stop: "end", text: '{"a":"done"}' });
    const last = body(3);
    expect(last.tool_choice).toEqual({ type: "none" });
    expect(last.messages.map(({ role }) => role).join()).toBe(
      "user,assistant,user,assistant,user,assistant,user,assistant,user",
    );
    const turns = last.messages.filter(({ role }) => role === "assistant").map(({ content }) => content);
    expect(turns).toEqual([...answers.map(({ blocks }) => blocks), "no"]);
    expect(answers.map(({ blocks }) => blocks?.[0]?.type)).toEqual(["thinking", "redacted_thinking", "tool_use"]);
    expect(server.journal[3]?.call).toMatchObject({
      mustAnswer: true,
      tools: ["read", "list"],
      looked: [1, 2, 3].map((n) => ({ name: "read", input: { path: `f${n}` }, result: `found {"path":"f${n}"}` })),
    });
    expect(server.journal[3]?.call?.earlier.at(-1)).toEqual({ answer: "no", reply: "Wrong." });
  });

  it("marks the end of what was looked up for the cache, and three parts at most", async () => {
    const model = await start(({ looked }) =>
      looked.length < 2 ? { tools: [{ name: "list", input: {} }] } : { text: "ok" },
    );
    const parts = ["a", "b", "c", "d"].map((text) => ({ text, cache: true }));
    let request = scriptedRequest({ tools: TOOLS, parts: [...parts, { text: "MAGIS prompt p" }] });
    const first = await model.complete(request, never);
    request = withResults(request, first);
    const second = await model.complete(request, never);
    request = withResults(request, second);
    const third = await model.complete(request, never);
    const marked = [0, 1, 2].map((at) =>
      body(at).messages.flatMap(({ content }, turn) =>
        typeof content === "string" ? [] : content.flatMap((block) => ("cache_control" in block ? [turn] : [])),
      ),
    );
    expect(marked).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 2],
      [0, 0, 0, 4],
    ]);
    expect(second.usage.cacheRead).toBe(first.usage.cacheWrite);
    expect(third.usage.cacheRead).toBe(second.usage.cacheRead + second.usage.cacheWrite);
    expect([second.usage.input, third.usage.input]).toEqual([0, 0]);
  });

  it("sends nothing that the API would refuse: empty text and results, unsigned thinking, an input that is no object", async () => {
    const model = await start(() => ({ text: "ok" }));
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

  it("is cut off by max_tokens in a tool call, and says so", async () => {
    const model = await start(() => ({ tools: [{ name: "read", input: { path: "x".repeat(100) } }] }));
    const answer = await model.complete(scriptedRequest({ tools: TOOLS, maxTokens: 10 }), never);
    expect(answer).toMatchObject({ stop: "length", text: "", usage: { output: 10 } });
    expect(answer).not.toHaveProperty("blocks");
  });

  it("tells the log neither text nor what is looked up", async () => {
    const lines: string[] = [];
    server = await startScriptedModel({
      answer: () => ({ text: "secret", tools: [{ name: "read", input: { path: "secret" } }] }),
    });
    const log = { debug: (data: object) => lines.push(JSON.stringify(data)) };
    await anthropicAt(server.url, { log }).complete(scriptedRequest({ tools: TOOLS }), never);
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain("secret");
  });

  it("never costs more than its worst case, which counts tools, calls and results", async () => {
    const model = await start(({ looked }) =>
      looked.length < 3 ? { tools: [{ name: "read", input: { path: "é1/".repeat(50) } }] } : { text: "x" },
    );
    let request = scriptedRequest({ tools: TOOLS, schema });
    const plain = model.worstCase(scriptedRequest({ schema }));
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
