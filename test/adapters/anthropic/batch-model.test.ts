import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createBatchModel } from "../../../src/adapters/anthropic/batch-model.ts";
import { DEFAULT_PRICES } from "../../../src/model/prices.ts";
import type { LanguageModel } from "../../../src/ports/language-model.ts";
import type { Script } from "../../scripted-model/scripted-answer.ts";
import type { ScriptedModel } from "../../scripted-model/scripted-model.ts";
import { scriptedRequest } from "../../scripted-model/scripted-request.ts";
import { startScriptedModel } from "../../scripted-model/start-scripted-model.ts";
import { anthropicAt, TEST_KEY } from "./anthropic-at.ts";

const never = new AbortController().signal;
const about = (text: string) => scriptedRequest({ parts: [{ text: `MAGIS prompt p01-a\n\n${text}` }] });

let folder: string;
let server: ScriptedModel;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "magis-batch-"));
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (answer: Script): Promise<void> => {
  server = await startScriptedModel({ answer });
};
const printed: string[] = [];
/** The model as a process of its own has it. */
const open = (): LanguageModel =>
  createBatchModel({
    endpoint: { apiKey: TEST_KEY, baseUrl: server.url, timeoutMs: 120_000, foreignHeaders: [] },
    timeoutMs: 120_000,
    prices: DEFAULT_PRICES,
    models: { fast: "claude-haiku-5-5", strong: "claude-opus-5-5" },
    log: { debug: () => {}, warn: () => {} },
    file: path.join(folder, "batches.jsonl"),
    progress: (line) => void printed.push(line),
  });
const words = ({ text }: { readonly text: string }) => ({ text: text.split("\n").at(-1) ?? "" });

describe("a model that answers in batches", () => {
  it("sends simultaneous requests as one batch, at half the price", async () => {
    await start(words);
    printed.length = 0;
    const model = open();
    const answers = await Promise.all(["one", "two", "three"].map((text) => model.complete(about(text), never)));
    expect(answers.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(printed).toEqual(["Batch msgbatch_1: 3 requests are sent.", "Batch msgbatch_1 has ended."]);
    const plain = await anthropicAt(server.url).complete(about("one"), never);
    expect(answers[0]).toMatchObject({ stop: "end", usage: plain.usage });
    expect(answers[0]?.money).toBeCloseTo(plain.money / 2, 12);
    expect(model.worstCase(about("one")).money).toBeCloseTo(
      anthropicAt(server.url).worstCase(about("one")).money / 2,
      12,
    );
    expect(server.faults).toEqual([]);
  });

  it("finds the answers an earlier process paid for, and waits for the batches it sent", async () => {
    await start(words);
    const hold = server.hold(({ text }) => text.includes("two"));
    const stopped = new AbortController();
    const first = open();
    const asked = ["one", "two"].map((text) => first.complete(about(text), stopped.signal));
    await hold.reached;
    stopped.abort();
    for (const one of asked) await expect(one).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    const second = open();
    const again = ["one", "two"].map((text) => second.complete(about(text), never));
    hold.release();
    expect((await Promise.all(again)).map(({ text }) => text)).toEqual(["one", "two"]);
    expect(server.journal).toHaveLength(2);
    expect((await second.complete(about("three"), never)).text).toBe("three");
    expect(server.journal).toHaveLength(3);
  });

  it("finds a batch sent by a process that ended before it could record it", async () => {
    await start(words);
    const model = open();
    await model.complete(about("one"), never);
    const file = path.join(folder, "batches.jsonl");
    const [intent = ""] = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, `${intent}\n{"cut o`);
    expect((await open().complete(about("one"), never)).text).toBe("one");
    expect(server.journal).toHaveLength(1);
  });

  it("leaves out requests whose caller has gone before the batch is sent", async () => {
    await start(words);
    const model = open();
    const stopped = new AbortController();
    const gone = model.complete(about("one"), stopped.signal);
    const stays = model.complete(about("two"), never);
    setImmediate(() => stopped.abort());
    await expect(gone).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    expect((await stays).text).toBe("two");
    expect(server.journal).toHaveLength(1);
  });

  it("fails one request alone, as a single call would, and asks for it again", async () => {
    let busy = 0;
    await start(({ text }) => {
      if (text.includes("key")) return { error: { status: 401, type: "authentication_error", message: "invalid key" } };
      if (text.includes("busy") && ++busy === 1)
        return { error: { status: 529, type: "overloaded_error", message: "Busy" } };
      return words({ text });
    });
    const model = open();
    const [good, key, away] = await Promise.allSettled(
      ["good", "key", "busy"].map((text) => model.complete(about(text), never)),
    );
    expect(good).toMatchObject({ status: "fulfilled", value: { text: "good" } });
    expect(key).toMatchObject({ reason: { code: "MODEL_REJECTED" } });
    expect(away).toMatchObject({ reason: { code: "MODEL_UNAVAILABLE", data: { brokenOff: true, money: 0 } } });
    expect((await model.complete(about("busy"), never)).text).toBe("busy");
  });
});
