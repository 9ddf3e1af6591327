import { describe, expect, it } from "@jest/globals";
import { publishing } from "./publishing.ts";

const BRANCH = "magis/issue-7-discounts-are-cut-off-instead-of-rounded";
const ref = (branch: string) => `refs/heads/${branch}`;
type Published = Awaited<ReturnType<typeof publishing>>;

/** The state of the host, without numbers and ids that differ between attempts. */
const shownOn = ({ state }: Published) => ({
  refs: [...state.objects.refs.keys()].sort(),
  pullRequests: state.pullRequests.map(({ title, branch, body }) => ({ title, branch, body })),
  reviews: state.reviews.map(({ body, lines }) => ({ body, lines })),
  threads: state.threads.map(({ path, line, resolved, comments }) => ({
    path,
    line,
    resolved,
    comments: comments.map(({ body }) => body),
  })),
});

describe("publishChange", () => {
  it("makes a verified commit on a new branch, a draft pull request and the review", async () => {
    const shop = await publishing();
    const { pullRequest, openThreads } = await shop.publish();
    const { objects, pullRequests } = shop.state;
    const [opened] = pullRequests;
    expect(opened).toMatchObject({ ...pullRequest, branch: BRANCH, base: "main", draft: true });
    expect(opened?.title).toBe("fix: do what the issue asks for");
    const commit = objects.commit(objects.refs.get(ref(BRANCH)) ?? "");
    expect(commit).toMatchObject({ verified: true, parents: [shop.base.commit] });
    expect(commit.message).toBe("fix: do what the issue asks for\n\nNow it is.\n\nFixes #7\n");
    expect(objects.textAt(commit.id, "a.txt")).toBe("changed by t1\ntwo\n");
    expect([...objects.refs.keys()]).toEqual(["refs/heads/main", ref(BRANCH)]);
    expect(openThreads).toBe(1);
  });

  it.each([
    ["main", "Fixes"],
    ["release", "For"],
  ])("names the issue on a pull request into %s by %s", async (branch, word) => {
    const shop = await publishing();
    const { objects, pullRequests } = shop.state;
    objects.refs.set(ref(branch), shop.base.commit);
    await shop.publish({}, branch);
    expect(pullRequests[0]).toMatchObject({ base: branch, body: expect.stringContaining(`\n\n${word} #7\n`) });
    const { message } = objects.commit(objects.refs.get(ref(BRANCH)) ?? "");
    expect(message.endsWith(`\n\n${word} #7\n`)).toBe(true);
  });

  it("posts each QA comment as a thread, and answers and resolves a settled one", async () => {
    const shop = await publishing();
    await shop.publish();
    const [onLine, onFile] = shop.state.threads;
    expect(onLine).toMatchObject({ path: "a.txt", line: 1, resolved: true });
    expect(onLine?.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining("The wrong word."),
      expect.stringContaining("The QA Engineer agrees that this is settled."),
    ]);
    expect(onFile).toMatchObject({ path: "a.txt", resolved: false });
    expect(onFile?.line).toBeUndefined();
    expect(shop.state.reviews[0]?.body).toContain("One comment of this review is open.");
  });

  it.each([
    [{ title: "Another title" }, /^The issue's title was edited since\. .*, with the title "Discounts/m],
    [{ body: "Other words." }, /^The issue's text was edited since\. .* from the issue as it was before\.$/m],
    [{ title: "Another title", body: "Other words." }, /^The issue's title and text were edited since\./m],
    [{ labels: ["bug"] }, undefined],
  ])("says from which text it was made when the issue is now %j", async (now, says) => {
    const shop = await publishing();
    shop.state.issue = { ...shop.state.issue, ...now };
    await shop.publish();
    const body = shop.state.pullRequests[0]?.body ?? "";
    if (says) expect(body).toMatch(says);
    else expect(body).not.toContain("edited since");
  });

  it("leaves the same after a crash at any of its writes and a second run", async () => {
    const smooth = await publishing();
    await smooth.publish();
    let crashes = 0;
    for (let write = 1; ; write++) {
      const shop = await publishing();
      shop.faults.crashAfter(write);
      await shop.publish().catch(() => undefined);
      if (!shop.faults.restart()) break;
      crashes += 1;
      await shop.publish();
      expect({ write, ...shownOn(shop) }).toEqual({ write, ...shownOn(smooth) });
    }
    expect(crashes).toBeGreaterThanOrEqual(9);
  });

  it("describes the change by the agents' summaries when the model declines to", async () => {
    const shop = await publishing({ script: { "d01-describe-change": { stop: "refusal" } } });
    await shop.publish();
    expect(shop.state.pullRequests[0]?.title).toBe("fix: discounts are cut off instead of rounded");
    expect(shop.state.pullRequests[0]?.body).toContain("a.txt does what the issue asks for.");
  });

  it.each([".github/PULL_REQUEST_TEMPLATE.md", "docs/pull_request_template.md", "pull_request_template.txt"])(
    "fills in the template in %s",
    async (path) => {
      const filled = {
        type: "fix",
        title: "do it",
        problem: "Bad.",
        solution: "Good.",
        template: "## Checks\n- [ ] tests: not done",
      };
      const shop = await publishing({
        files: { [path]: "## Checks\n- [ ] tests\n" },
        script: { "d01-describe-change": filled },
      });
      await shop.publish();
      expect(shop.of("d01-describe-change")[0]?.text).toContain("## Checks\n- [ ] tests\n");
      expect(shop.state.pullRequests[0]?.body).toContain("## Checks\n- [ ] tests: not done");
    },
  );

  it.each([
    [
      "headings",
      "## What does this do?\n\nSay it.\n\n## Why\n\n## Testing\n\n- [ ] I ran the tests\n\n## Related issues\n",
      "## What does this do?\n\nGood.\n\nSay it.\n\n## Why\n\nBad.\n\n## Testing\n\nWhat was run, and what was not, is told below.\n\n- [ ] I ran the tests\n\n## Related issues\n\n#7",
    ],
    ["bold lines", "**Description**\n\n**Motivation:**\n", "**Description**\n\nGood.\n\n**Motivation:**\n\nBad."],
    ["no heading that asks", "## Checklist\n- [ ] Docs\n", "delivery-1 -->\n\n## Checklist\n- [ ] Docs"],
    [
      "the same twice",
      "# Summary\n\n# Summary of changes\n",
      "delivery-1 -->\n\n# Summary\n\nGood.\n\n# Summary of changes",
    ],
    [
      "boxes on machines",
      "- [ ] This was written with AI\n- [ ] I did not use AI to write it\n- [ ] No AI generated code\n* [ ] AI-assisted\n- [ ] AIR tested",
      "- [x] This was written with AI\n- [ ] I did not use AI to write it\n- [ ] No AI generated code\n* [x] AI-assisted\n- [ ] AIR tested",
    ],
    ["text of another language", "## 変更点\n\nなし\n", "delivery-1 -->\n\n## 変更点\n\nなし"],
  ])("fills in a template with %s from the Manager's words, without a call", async (_, template, filled) => {
    const shop = await publishing({ files: { "pull_request_template.md": template } });
    const calls = shop.calls.length;
    await shop.publish({ description: { type: "fix", title: "do it", problem: "Bad.", solution: "Good." } as never });
    expect(shop.calls).toHaveLength(calls);
    const body = shop.state.pullRequests[0]?.body ?? "";
    expect(body).toContain(
      filled.replace("Good.", "a.txt does what the issue asks for.\nb.txt does what the issue asks for."),
    );
  });

  it("leaves the choice between several templates to a person", async () => {
    const shop = await publishing({ files: { ".github/PULL_REQUEST_TEMPLATE/one.md": "## One\n" } });
    await shop.publish();
    expect(shop.of("d01-describe-change")[0]?.text).not.toContain("## One");
  });
});
