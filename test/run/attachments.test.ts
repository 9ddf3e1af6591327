import { describe, expect, it } from "@jest/globals";
import type { CommentsFrom } from "../../src/data/discussion.ts";
import { readRecord } from "../../src/data/read-record.ts";
import type { HostComment, HostIssue } from "../../src/github/code-host.ts";
import { toMessageParams } from "../../src/models/anthropic/request.ts";
import { requestKey } from "../../src/models/metering/metered-model.ts";
import { worstCase } from "../../src/models/model-answer.ts";
import { loadPrompts } from "../../src/models/prompt-library.ts";
import { renderPrompt } from "../../src/models/render-prompt.ts";
import { createIssueImages, cutSentence, heardOf, snapshotIssue } from "../../src/run/snapshot-issue.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { EVAL_PROMPTS, PROMPTS_FOLDER } from "../fakes/open-prompts.ts";
import { sampleIssue } from "../fakes/sample-issue.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { typicalInputs } from "../models/typical-inputs.ts";
import { renderBody } from "../world/render-body.ts";

const BEFORE = "2026-01-01T11:00:00Z";
const WEB = "https://github.com";
const at = (name: string) => `${WEB}/user-attachments/files/1/${name}`;
const linked = (...names: string[]) => names.map((name) => `[${name}](${at(name)})`).join(" and ");

const comment = (author: string, body: string, byMaintainer = false): HostComment => ({
  id: 1,
  nodeId: "node-1",
  author,
  byMaintainer,
  byBot: false,
  body,
  html: renderBody(body),
  createdAt: BEFORE,
  updatedAt: BEFORE,
});

async function snapshot(
  body: string,
  comments: readonly HostComment[],
  files: Readonly<Record<string, string>>,
  from: CommentsFrom = "everyone",
) {
  const asked: string[] = [];
  const url = `${WEB}/acme/shop/issues/7`;
  const issue = { number: 7, title: "T", body, html: renderBody(body), author: "ana", byMaintainer: false, url };
  const shown = await snapshotIssue(sampleRequest(), issue as unknown as HostIssue, comments, {
    from,
    host: createFakeHost({}).host,
    more: {
      signal: new AbortController().signal,
      uploads: {
        fetchImage: async () => undefined,
        async fetchText(address) {
          asked.push(address);
          const text = files[address];
          return text === undefined ? { unread: "the host answers 404" } : { text };
        },
      },
    },
  });
  return { shown, asked };
}

describe("files attached to an issue", () => {
  it("are shown as their authors' words, the first three of issue and comments, each once", async () => {
    const comments = [comment("olga", linked("b.log", "a.log"), true), comment("cid", linked("c.log", "d.log"))];
    const files = { [at("a.log")]: "a", [at("b.log")]: "b", [at("c.log")]: "\u001b[31mc\u200b\u001b[0m\r\n" };
    const { shown, asked } = await snapshot(linked("a.log"), comments, files);
    expect(shown.attachments).toEqual([
      { name: "a.log", author: "ana", standing: "author", text: "a" },
      { name: "b.log", author: "olga", standing: "maintainer", text: "b" },
      { name: "c.log", author: "cid", standing: "other", text: "c\n" },
    ]);
    expect(asked).toEqual([at("a.log"), at("b.log"), at("c.log")]);
    expect(cutSentence(shown)).toBe("The agents do not see the whole issue. Left out: one more attachment.");
  });

  it("are cut in the middle, and named where they cannot be read", async () => {
    const long = `begin${"x".repeat(100_000)}end`;
    const { shown } = await snapshot(linked("a.log", "gone.zip"), [], { [at("a.log")]: long });
    const [{ text } = { text: "" }] = shown.attachments ?? [];
    expect(text.length).toBeLessThanOrEqual(64 * 1024);
    expect(text).toMatch(/^begin[\s\S]*\n\[\d+ characters are left out here\.\]\n[\s\S]*end$/);
    expect(shown.cut).toEqual([
      "the middle of the attachment a.log",
      "the attachment gone.zip, which could not be read (the host answers 404)",
    ]);
  });

  it("are not read for people who are not heard, nor shown once they no longer are", async () => {
    const comments = [comment("cid", linked("c.log"))];
    const files = { [at("a.log")]: "a", [at("c.log")]: "c" };
    expect((await snapshot(linked("a.log"), comments, files, "maintainers")).asked).toEqual([at("a.log")]);
    const { shown } = await snapshot(linked("a.log"), comments, files);
    expect(shown.attachments).toHaveLength(2);
    expect(heardOf(shown, "maintainers").attachments?.map(({ name }) => name)).toEqual(["a.log"]);
  });
});

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
