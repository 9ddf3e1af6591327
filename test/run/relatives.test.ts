import { describe, expect, it } from "@jest/globals";
import type { HostIssue, HostRelative } from "../../src/github/code-host.ts";
import { readRelatives } from "../../src/run/snapshot-issue.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { renderBody } from "../world/render-body.ts";

const ASKED = Date.parse("2026-01-01T12:00:00Z");

const relative = (changes: Partial<HostRelative> = {}): HostRelative => ({
  relation: "sub-issue",
  number: 8,
  title: "Taxes",
  body: "First.\n\nSecond.",
  author: "olga",
  byMaintainer: true,
  url: "https://github.com/acme/shop/issues/8",
  open: true,
  locked: false,
  isPullRequest: false,
  labels: [],
  assignees: [],
  updatedAt: "2026-01-01T11:00:00Z",
  ...changes,
});

const read = (found: readonly HostRelative[], children = found.length, from: "everyone" | "maintainers" = "everyone") =>
  readRelatives(
    { number: 7, author: "ana", family: { parent: false, children } } as HostIssue,
    { asked: ASKED, from },
    {
      ...createFakeHost({}).host,
      relativesOf: async () => found.map((one) => ({ html: renderBody(one.body), ...one })),
    },
  );

describe("an issue's parent and sub-issues", () => {
  it("are shown by title and first paragraph, as people see them", async () => {
    const hidden = relative({
      relation: "parent",
      open: false,
      title: "Money<!-- hidden -->",
      body: "<!-- hidden -->\n## Aim\n\nCents, *always*.\n\nMore.",
      author: "ana",
      byMaintainer: false,
    });
    expect((await read([hidden])).relatives).toEqual([
      {
        relation: "parent",
        number: 8,
        open: false,
        title: "Money",
        begin: "Cents, *always*.",
        author: "ana",
        standing: "author",
      },
    ]);
    const [{ title, begin } = { title: "", begin: "" }] =
      (await read([relative({ title: "t".repeat(999), body: "b".repeat(9_999) })])).relatives ?? [];
    expect([title.length, begin.length]).toEqual([200, 500]);
  });

  it("are left out, and counted, when edited after the request, too many, or of people who are not heard", async () => {
    expect(await read([relative({ updatedAt: "2026-01-01T13:00:00Z" })])).toEqual({
      left: ["one parent or sub-issue"],
    });
    expect((await read([relative()], 14)).left).toEqual(["13 parents or sub-issues"]);
    expect(await read([relative({ byMaintainer: false })], 1, "maintainers")).toEqual({
      left: ["one parent or sub-issue"],
    });
  });
});
