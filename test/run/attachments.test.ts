import { describe, expect, it } from "@jest/globals";
import type { CommentsFrom } from "../../src/data/discussion.ts";
import type { HostComment, HostIssue } from "../../src/github/code-host.ts";
import { cutSentence, heardOf, snapshotIssue } from "../../src/run/snapshot-issue.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
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
