import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { anthropicAt } from "../adapters/anthropic/anthropic-at.ts";
import { scriptedRequest } from "./scripted-request.ts";
import { startScriptedModel } from "./start-scripted-model.ts";

const never = new AbortController().signal;
const OPTIONS = "--noEmit --strict --skipLibCheck --module nodenext --target es2022 --types node --pretty false";

describe("requests, held to the SDK's own types by the compiler", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "magis-contract-"));
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
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

  it("accepts every request the adapter sends", async () => {
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
    expect(compile(server.journal.map((entry) => entry.body))).toBe("");
  });

  it("would see a field or a value that the SDK does not know", () => {
    const body = { model: "m", max_tokens: 1, messages: [] };
    const output = compile([body, { ...body, temperature: 1 }, { ...body, output_config: { effort: "huge" } }]);
    expect(output.match(/error TS\d+/g)).toHaveLength(2);
    expect(output).toContain("temperature");
    expect(output).toContain("huge");
  });
});
