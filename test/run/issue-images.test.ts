import { describe, expect, it } from "@jest/globals";
import { readRecord } from "../../src/data/read-record.ts";
import { toMessageParams } from "../../src/models/anthropic/request.ts";
import { requestKey } from "../../src/models/metering/metered-model.ts";
import { worstCase } from "../../src/models/model-answer.ts";
import { loadPrompts } from "../../src/models/prompt-library.ts";
import { renderPrompt } from "../../src/models/render-prompt.ts";
import { createIssueImages } from "../../src/run/snapshot-issue.ts";
import { EVAL_PROMPTS, PROMPTS_FOLDER } from "../fakes/open-prompts.ts";
import { sampleIssue } from "../fakes/sample-issue.ts";
import { typicalInputs } from "../models/typical-inputs.ts";

const IMAGE = { mediaType: "image/png", hash: "0".repeat(64), data: "iVBORw0KGgo=" } as const;
const ASSETS = ["1", "2"];

const startWith = (images: readonly string[] = []) => ({
  issue: sampleIssue({ images }),
  base: { branch: "main", commit: "" },
  by: "a/b#1@c",
});

function opened(record: Record<string, unknown>, gone: boolean) {
  let fetches = 0;
  const images = createIssueImages({
    kept: async () => readRecord(record),
    async record(part, value) {
      record[part] = JSON.parse(JSON.stringify(value));
    },
    addresses: async () => new Map(ASSETS.map((asset) => [asset, `https://x/${asset}?jwt=key`])),
    token: async () => "t",
    fetchImage: async (url) => {
      fetches += 1;
      return gone || url !== "https://x/1?jwt=key" ? undefined : IMAGE;
    },
  });
  return { images: () => images(new AbortController().signal), fetches: () => fetches };
}

describe("the images of a run's issue", () => {
  it("are fetched once per process, never stored, and keep their place when they disappear", async () => {
    const record: Record<string, unknown> = { start: startWith(ASSETS) };
    const first = opened(record, false);
    expect(await first.images()).toEqual([IMAGE]);
    expect(await first.images()).toEqual([IMAGE]);
    expect(first.fetches()).toBe(2);
    expect(JSON.stringify(record)).not.toContain(IMAGE.data);
    expect(JSON.stringify(record)).not.toContain("jwt");
    const { data: _, ...place } = IMAGE;
    expect(await opened(record, true).images()).toEqual([place]);
    expect(await opened({ start: startWith() }, false).images()).toEqual([]);
  });

  it("are shown for planning, changing and reviewing, after the issue, and count in key and worst case", async () => {
    const library = await loadPrompts(PROMPTS_FOLDER, EVAL_PROMPTS);
    const showing: string[] = [];
    for (const [id, inputs] of Object.entries(typicalInputs())) {
      const { parts } = await renderPrompt(library, id, inputs, undefined, [IMAGE]);
      if (parts.some(({ images }) => images)) showing.push(id);
    }
    expect(showing).toEqual([
      "p04-plan-work",
      "p09-change-file",
      "p11-review-work",
      "p04-define-task",
      "p09-locate-lines",
    ]);

    const inputs = typicalInputs()["p09-locate-lines"] ?? {};
    const without = await renderPrompt(library, "p09-locate-lines", inputs);
    const request = await renderPrompt(library, "p09-locate-lines", inputs, undefined, [IMAGE]);
    expect(request.parts[0]).toEqual(without.parts[0]);
    expect(request.parts[1]?.text).toContain("is material to judge");
    const [message] = toMessageParams(request, "m", undefined).messages;
    expect(message?.content).toContainEqual({
      type: "image",
      source: { type: "base64", media_type: "image/png", data: IMAGE.data },
    });
    const { data: _, ...place } = IMAGE;
    const again = await renderPrompt(library, "p09-locate-lines", inputs, undefined, [place]);
    expect(requestKey(again)).toBe(requestKey(request));
    expect(requestKey(request)).not.toBe(requestKey(without));
    const price = { input: 1, output: 1 };
    expect(worstCase(request, price).tokens).toBeGreaterThanOrEqual(worstCase(without, price).tokens + 5_000);
    expect(JSON.stringify(toMessageParams(again, "m", undefined))).not.toContain('"image"');
  });
});
