import { describe, expect, it } from "@jest/globals";
import { createPullLook } from "../../src/admission/look-at-pull.ts";
import type { Check } from "../../src/ports/code-host.ts";
import { openWorkshop } from "../workflow/open-workshop.ts";

const REPOSITORY = { owner: "acme", name: "shop", installationId: 1 };
const BRANCH = "magis/issue-7-fix";

const check = (state: Check["state"], more: Partial<Check> = {}): Check => ({
  name: "test",
  state,
  byApp: false,
  summary: "",
  url: "",
  ...more,
});

/** What a look at the bot's pull request finds, whose checks are those. */
async function lookAt(checks: readonly Check[], { draft = false, closed = false } = {}) {
  const { host, base } = (await openWorkshop({ files: { "a.txt": "one\n" } })).tools;
  const { tree } = await host.readCommit(base.commit);
  const { id } = await host.createCommit("fix: it", tree, [base.commit]);
  await host.createBranch(BRANCH, id);
  const opened = await host.openPullRequest({ title: "fix: it", body: "", branch: BRANCH, base: base.branch, draft });
  if (closed) await host.updatePullRequest(opened.number, { state: "closed" });
  const look = createPullLook({ openCodeHost: async () => ({ ...host, checksOf: async () => checks }) });
  return {
    head: id,
    number: opened.number,
    look,
    found: await look({ repository: REPOSITORY, number: opened.number }),
  };
}

describe("a look at an open pull request", () => {
  it.each([
    ["one failed", [check("failed")], {}, "failed"],
    ["all of a draft are green", [check("passed")], { draft: true }, "green"],
    ["one may not start", [check("pending", { because: "not-allowed" })], {}, "not-allowed"],
  ] as const)("finds checks that have ended: %s", async (_, checks, options, verdict) => {
    const { found, head, number } = await lookAt(checks, options);
    expect(found).toMatchObject({
      open: true,
      head,
      delivery: {
        id: `look-${number}-${head}-${verdict}-1`,
        trigger: { kind: "checks", head, branch: BRANCH },
        actorIsBot: true,
      },
    });
  });

  it.each([
    ["they go on", [check("failed"), check("pending")], { draft: true }],
    ["there are none", [], { draft: true }],
    ["they are green and it is ready", [check("passed")], {}],
  ] as const)("finds nothing to do while %s", async (_, checks, options) => {
    const { found, head } = await lookAt(checks, options);
    expect(found).toEqual({ open: true, head });
  });

  it("finds that it is over when it was closed or is not there", async () => {
    const { found, look } = await lookAt([check("failed")], { closed: true });
    expect(found).toEqual({ open: false });
    expect(await look({ repository: REPOSITORY, number: 999 })).toEqual({ open: false });
  });
});
