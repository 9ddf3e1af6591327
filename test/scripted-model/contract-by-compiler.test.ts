import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { anthropicAt } from "../adapters/anthropic/anthropic-at.ts";
import { READ_TOOL } from "./read-tool.ts";
import { scriptedRequest } from "./scripted-request.ts";
import { startScriptedModel } from "./start-scripted-model.ts";
import { withResults } from "./with-results.ts";

const never = new AbortController().signal;
const OPTIONS = "--noEmit --strict --skipLibCheck --module nodenext --target es2022 --types node --pretty false";

const BODY = { model: "m", max_tokens: 1, messages: [] };
const WRONG: readonly (readonly [string, unknown])[] = [
  ["temperature", { ...BODY, temperature: 1 }],
  ["huge", { ...BODY, output_config: { effort: "huge" } }],
  ["never", { ...BODY, tool_choice: { type: "never" } }],
  [
    "inputs",
    { ...BODY, messages: [{ role: "assistant", content: [{ type: "tool_use", id: "a", name: "b", inputs: {} }] }] },
  ],
];

/** Compile all of them at once: one would take as long. */
describe("the compiler with the SDK's types", () => {
  let folder = "";
  let alone: readonly unknown[];
  let inTurns: readonly unknown[];
  /** the compiler's report on each body: first the right ones, then `WRONG` */
  let said: readonly string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "magis-contract-"));
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    alone = await askAlone();
    inTurns = await askInTurns();
    const bodies = [BODY, ...alone, ...inTurns, ...WRONG.map(([, body]) => body)];
    const reports = compile(bodies).split(/^(?=\S)/m);
    said = bodies.map((_, at) => reports.filter((one) => one.startsWith(`bodies.ts(${at + 2},`)).join(""));
    // Every report belongs to a body.
    expect(said.join("")).toBe(reports.join(""));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const compile = (bodies: readonly unknown[]): string => {
    const lines = bodies.map(
      (body, at) =>
        `export const body${at} = ${JSON.stringify(body)} satisfies Anthropic.Messages.MessageCreateParams;`,
    );
    const file = join(folder, "bodies.ts");
    writeFileSync(file, `import type Anthropic from "@anthropic-ai/sdk";\n${lines.join("\n")}\n`);
    const tsc = resolve("node_modules/typescript/bin/tsc");
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, ...OPTIONS.split(" "), file], {
      cwd: folder,
      encoding: "utf8",
    });
    return stdout + stderr;
  };

  async function askAlone() {
    const server = await startScriptedModel({ answer: ({ schema }) => (schema ? { json: { a: 1 } } : { text: "ok" }) });
    const model = anthropicAt(server.url, { effort: { strong: "max", fast: "low" } });
    const schema = z.toJSONSchema(z.object({ a: z.number().max(3), b: z.array(z.string()).optional() }));
    for (const request of [
      scriptedRequest(),
      scriptedRequest({ tier: "fast", schema }),
      scriptedRequest({ earlier: [{ answer: "a", reply: "b" }], schema }),
    ]) {
      await model.complete(request, never);
    }
    await server.stop();
    expect(server.faults).toEqual([]);
    return server.journal.map((entry) => entry.body);
  }

  async function askInTurns() {
    const server = await startScriptedModel({
      answer: ({ looked, mustAnswer }) => {
        if (mustAnswer) return { json: { a: 1 } };
        return { text: "I look.", tools: [{ name: "read", input: { path: `${looked.length}` } }] };
      },
    });
    const model = anthropicAt(server.url);
    const schema = z.toJSONSchema(z.object({ a: z.number() }));
    let request = scriptedRequest({ schema, tools: [READ_TOOL] });
    for (const _ of [1, 2, 3]) {
      request = withResults(request, await model.complete(request, never));
    }
    const earlier = [...request.earlier, { answer: "wrong", reply: "because" }];
    await model.complete({ ...request, earlier, mustAnswer: true }, never);
    await server.stop();
    expect(server.faults).toEqual([]);
    return server.journal.map((entry) => entry.body);
  }

  it("accepts every request that the adapter sends", () => {
    expect(alone).toHaveLength(3);
    expect(said.slice(1, 4)).toEqual(["", "", ""]);
  });

  it("accepts a conversation with tools: every kind of block, results, a correction and a forced answer", () => {
    const sent = JSON.stringify(inTurns.at(-1));
    for (const kind of ["thinking", "redacted_thinking", "tool_use", "tool_result"])
      expect(sent).toContain(`"${kind}"`);
    expect(inTurns).toHaveLength(4);
    expect(said.slice(4, 8)).toEqual(["", "", "", ""]);
  });

  it("reports a field or a value that the SDK does not know", () => {
    expect(said[0]).toBe("");
    for (const [at, [word]] of WRONG.entries()) expect(said[8 + at]).toContain(word);
  });
});
