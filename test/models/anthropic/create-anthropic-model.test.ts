import { afterEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { Script } from "../../scripted-model/script.ts";
import type { ScriptedModel } from "../../scripted-model/scripted-model.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
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
