import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "@jest/globals";
import { parseRemoval } from "../../src/webhooks/app.ts";
import { parseDelivery } from "../../src/webhooks/parse-delivery.ts";
import type { ParsedDelivery } from "../../src/webhooks/payload.ts";
import { fc } from "../seeded.ts";

type Payload = Record<string, unknown> & { action: string; issue: Record<string, unknown> };

// Read as JSON: the package's types need another package that is not installed.
const file = createRequire(import.meta.url).resolve("@octokit/webhooks-examples/api.github.com/index.json");
const definitions: { name: string; examples: Payload[] }[] = JSON.parse(readFileSync(file, "utf8"));

/** GitHub's own example, with the installation that every delivery to an app has and most examples lack. */
function example(name: string, action: string, change: object = {}): Payload {
  const all = definitions.find((definition) => definition.name === name)?.examples ?? [];
  const found = all.find((payload) => payload.action === action && !("pull_request" in payload.issue));
  if (!found) throw new Error(`no example of ${name}.${action}`);
  return { ...structuredClone(found), installation: { id: 11 }, ...change };
}

const labeled = (label: string, change: object = {}) =>
  example("issues", "labeled", { label: { name: label }, ...change });
const commented = (body: string, change: object = {}) => {
  const payload = example("issue_comment", "created", change);
  return { ...payload, comment: { ...(payload.comment as object), body } };
};
const parse = (name: string, payload: unknown) => parseDelivery({ id: "guid-1", name, payload });
const MERGE = "a".repeat(40);
const triggerOf = (parsed: ParsedDelivery) => ("delivery" in parsed ? parsed.delivery.trigger : parsed.ignored);

describe("parseDelivery: a label", () => {
  it("becomes a delivery", () => {
    expect(parse("issues", labeled("magis"))).toEqual({
      delivery: {
        id: "guid-1",
        repository: { owner: "Codertocat", name: "Hello-World", installationId: 11, id: 186853002 },
        issue: 1,
        actor: "Codertocat",
        actorIsBot: false,
        trigger: { kind: "label", label: "magis" },
        text: {
          title: "Spelling error in the README file",
          body: "It looks like you accidently spelled 'commit' with two 't's.",
        },
        at: "2019-05-15T15:20:18Z",
      },
    });
  });

  it("recognises a bot by its type or login", () => {
    for (const sender of [
      { login: "robot", type: "Bot" },
      { login: "robot[bot]", type: "User" },
    ]) {
      expect(parse("issues", labeled("magis", { sender }))).toMatchObject({ delivery: { actorIsBot: true } });
    }
  });
});

describe("parseDelivery: a removed label", () => {
  it("becomes a delivery, even when the issue is closed", () => {
    const { issue } = labeled("magis");
    for (const change of [{}, { issue: { ...issue, state: "closed" } }])
      expect(triggerOf(parse("issues", labeled("Magis", { action: "unlabeled", ...change })))).toEqual({
        kind: "unlabel",
        label: "Magis",
      });
  });
});

describe("parseDelivery: events that end a run", () => {
  const { issue, ...rest } = labeled("magis");
  const pull = {
    number: 12,
    merged: false,
    updated_at: "2026-01-02T03:04:05Z",
    user: { type: "Bot" },
    head: { ref: "magis/issue-7-words" },
  };

  it.each(["closed", "locked", "transferred", "deleted"])(
    "takes an issue that is %s, whatever its state by then",
    (action) => {
      for (const change of [{}, { state: "closed" }, { locked: true }]) {
        const parsed = parse("issues", { ...rest, action, issue: { ...issue, ...change } });
        expect(parsed).toMatchObject({ delivery: { issue: 1, trigger: { kind: "gone", why: action } } });
      }
      const payload = { ...rest, action, issue: { ...issue, pull_request: { url: "https://example.com" } } };
      expect(parse("issues", payload)).toHaveProperty("ignored");
    },
  );

  it.each([
    ["closed", false, "closed"],
    ["closed", true, "merged"],
    ["locked", false, "locked"],
  ])("takes a pull request of the bot that is %s (merged: %s)", (action, merged, why) => {
    // Until it is merged, GitHub gives the commit of a trial merge.
    const payload = { ...rest, action, pull_request: { ...pull, merged, merge_commit_sha: MERGE } };
    const mergeCommit = merged ? MERGE : undefined;
    expect(parse("pull_request", payload)).toMatchObject({
      delivery: { issue: 12, trigger: { kind: "gone", why, mergeCommit } },
    });
    const ofAnotherBot = { ...pull, merged, head: { ref: "words" } };
    expect(parse("pull_request", { ...payload, pull_request: ofAnotherBot })).toEqual({ ignored: expect.any(String) });
  });

  const MERGED = { issue: 12, trigger: { kind: "decided", isMerged: true } };
  it.each([
    ["Reverts Codertocat/Hello-World#7", { issue: 7, trigger: { kind: "reverted", by: 12 } }],
    ["It broke the till.\r\n\r\nReverts codertocat/hello-world#7\r\n", { issue: 7 }],
    ["Reverts Codertocat/other#7", MERGED],
    ["Reverts other/Hello-World#7", MERGED],
    ["> Reverts Codertocat/Hello-World#7", MERGED],
    ["Never reverts Codertocat/Hello-World#7", MERGED],
    [null, MERGED],
  ])("takes a person's merged pull request, which may revert another: %j", (body, expected) => {
    const by = { ...pull, body, merged: true, user: { type: "User" }, head: { ref: "revert-7-magis/issue-1-words" } };
    const payload = { ...rest, action: "closed", pull_request: by };
    const parsed = parse("pull_request", payload);
    expect(parsed).toMatchObject({ delivery: expected });
    expect(parse("pull_request", { ...payload, pull_request: { ...by, merged: false } })).toMatchObject({
      delivery: { issue: 12, trigger: { kind: "decided", isMerged: false } },
    });
    expect(parse("pull_request", { ...payload, action: "locked" })).toHaveProperty("ignored");
  });

  it("ignores other actions on both", () => {
    for (const action of ["reopened", "unlocked", "edited", "opened"]) {
      expect(parse("issues", { ...rest, action, issue })).toHaveProperty("ignored");
      expect(parse("pull_request", { ...rest, action, pull_request: pull })).toHaveProperty("ignored");
    }
  });
});

describe("parseDelivery: a command", () => {
  it("is a command on a bot's pull request, `resolve` too, and ignored on a person's", () => {
    const { issue } = commented("");
    const on = (type: string) => ({ issue: { ...issue, pull_request: { url: "u" }, user: { type } } });
    expect(triggerOf(parse("issue_comment", commented("/magis resolve", on("Bot"))))).toEqual({
      kind: "other-command",
      commentId: 492700400,
      on: "pull request",
      command: { verb: "resolve", hint: "" },
    });
    expect(parse("issue_comment", commented("/magis resolve", on("User")))).toEqual({
      ignored: "It is a person's pull request.",
    });
  });

  it("on the bot's pull request names its issue by the run's mark", () => {
    const { issue } = commented("");
    const pull = { ...issue, number: 9, pull_request: { url: "u" }, user: { type: "Bot" } };
    const on = (body: string) => parse("issue_comment", commented("/magis cancel", { issue: { ...pull, body: body } }));
    const marked = on("<!-- magis:run Codertocat/Hello-World#7@guid-0 -->\n\nFixes #7");
    expect(marked).toMatchObject({ delivery: { issue: 9, subject: 7 } });
    expect(on("Fixes #7")).toMatchObject({ delivery: { issue: 9, subject: undefined } });
  });

  it("is cut at GitHub's limit before anything reads it", () => {
    const trigger = triggerOf(parse("issue_comment", commented("a".repeat(100_000))));
    expect(trigger).toMatchObject({ kind: "comment", body: "a".repeat(65_536) });
  });

  it("is taken from a bot, whose other comments are ignored", () => {
    const sender = { login: "robot[bot]", type: "Bot" };
    expect(parse("issue_comment", commented("Done.", { sender }))).toEqual({ ignored: "A bot's comment." });
    expect(triggerOf(parse("issue_comment", commented("/magis status", { sender })))).toMatchObject({
      kind: "other-command",
    });
  });

  it("carries the comment's own time", () => {
    expect(parse("issue_comment", commented("/magis resolve"))).toMatchObject({
      delivery: { at: "2019-05-15T15:20:21Z" },
    });
  });
});

describe("parseDelivery: a push", () => {
  const all = definitions.find(({ name }) => name === "push")?.examples ?? [];
  const found = all.find(({ ref }) => ref === "refs/heads/master");
  const repository = found?.repository as object;
  const pushed = (change: object = {}) => parse("push", { ...found, installation: { id: 11 }, ...change });

  it("to a branch may concern the bot's pull requests into it", () => {
    expect(pushed()).toMatchObject({
      delivery: {
        issue: 0,
        actor: "Codertocat",
        trigger: { kind: "push", branch: "master", tip: "6113728f27ae82c7b1a177c8d03f9e96e0adf246" },
        at: "2019-05-15T15:20:57.000Z",
      },
    });
  });

  it.each([
    ["a tag", { ref: "refs/tags/v1" }],
    ["the bot's own branch", { ref: "refs/heads/magis/issue-7-fix" }],
    ["a branch that is deleted", { deleted: true, after: "0".repeat(40) }],
  ])("to %s does not", (_what, change) => expect(pushed(change)).toHaveProperty("ignored"));

  const BY = "b".repeat(40);
  const revert = `Revert "fix: it"\n\nThis reverts commit ${MERGE}`;
  it.each<[string, readonly { id: string; message: string }[], readonly string[] | undefined]>([
    ["a revert", [{ id: BY, message: `${revert}.\n` }], [MERGE]],
    ["a revert of a merge", [{ id: BY, message: `${revert}, reversing\nchanges made to ${BY}.` }], [MERGE]],
    [
      "a revert that is itself reverted",
      [
        { id: BY, message: `${revert}.` },
        { id: "c".repeat(40), message: `Reapply "fix: it"\n\nThis reverts commit ${BY}.` },
      ],
      [BY],
    ],
    ["a commit that quotes a revert", [{ id: BY, message: `Say why\n\n> This reverts commit ${MERGE}.` }], undefined],
    ["a short id", [{ id: BY, message: "This reverts commit aaaaaaa." }], undefined],
  ])("to the default branch with %s says what is reverted", (_what, commits, reverts) => {
    const [master, other] = ["master", "main"].map((default_branch) =>
      pushed({ commits, repository: { ...repository, default_branch } }),
    );
    expect(master).toMatchObject({ delivery: { trigger: { kind: "push", reverts } } });
    expect(other).toMatchObject({ delivery: { trigger: { kind: "push", reverts: undefined } } });
  });
});

describe("parseDelivery: ignored payloads", () => {
  const issue = example("issues", "labeled").issue;
  it.each([
    ["a pull request", { issue: { ...issue, pull_request: { url: "https://example.com" } } }, /pull request/],
    ["a closed issue", { issue: { ...issue, state: "closed" } }, /not open/],
    ["a locked issue", { issue: { ...issue, locked: true } }, /locked/],
    ["no installation", { installation: undefined }, /installation/],
    ["no sender", { sender: null }, /sender/],
    [
      "a repository with a path for a name",
      { repository: { name: "..", owner: { login: "a/b" } } },
      /repository\.name/,
    ],
    ["another action", { action: "edited" }, /action/],
  ])("%s", (_, change, reason) => {
    for (const parsed of [
      parse("issues", labeled("magis", change)),
      parse("issue_comment", commented("/magis resolve", change)),
    ]) {
      expect(parsed).toEqual({ ignored: expect.stringMatching(reason) });
    }
  });

  it("are all of GitHub's examples but comments, labels, pushes and ends", () => {
    const parsed = definitions.flatMap(({ name, examples }) =>
      examples.map((payload) => triggerOf(parse(name, { ...payload, installation: { id: 11 } }))),
    );
    const kinds = parsed.flatMap((trigger) => (typeof trigger === "string" ? [] : [trigger?.kind]));
    expect([...new Set(kinds)].sort()).toEqual(["comment", "decided", "gone", "label", "push", "unlabel"]);
  });

  it("may hold anything, without an error and without their values in the reason", () => {
    fc.assert(
      fc.property(fc.constantFrom("issues", "issue_comment", "ping"), fc.anything(), (name, payload) => {
        expect(parse(name, payload)).toHaveProperty("ignored");
      }),
      { numRuns: 200 },
    );
    const parsed = parse("issues", labeled("magis", { repository: { name: "s3cr3t/name", owner: { login: "x" } } }));
    expect(JSON.stringify(parsed)).not.toContain("s3cr3t");
  });
});

describe("the end of a check", () => {
  const completed = (status: string | null | undefined) => ({
    action: "completed",
    installation: { id: 7 },
    repository: { name: "tools", owner: { login: "octo" } },
    sender: { login: "octo", type: "User" },
    check_run: {
      head_sha: "a".repeat(40),
      completed_at: "2026-11-20T10:00:00Z",
      check_suite: { head_branch: "magis/issue-5-title", status },
    },
  });

  it.each([
    ["queued", "ignored"],
    ["in_progress", "ignored"],
    ["completed", "delivery"],
    [null, "delivery"],
    [undefined, "delivery"],
  ])("in a suite that is %s is %s", (status, outcome) => {
    const parsed = parseDelivery({ id: "d", name: "check_run", payload: completed(status) });
    expect(Object.keys(parsed)).toEqual([outcome]);
  });
});

describe("parseRemoval", () => {
  // Read as JSON: the package's types need another package that is not installed.
  const file = createRequire(import.meta.url).resolve("@octokit/webhooks-examples/api.github.com/index.json");
  const definitions: { name: string; examples: Record<string, unknown>[] }[] = JSON.parse(readFileSync(file, "utf8"));
  const examples = definitions.flatMap(({ name, examples: payloads }) =>
    payloads.map((payload) => ({ name, payload })),
  );
  const parse = (name: string, payload: unknown) => parseRemoval({ id: "guid-1", name, payload });

  const repository = { installationId: 2, owner: "octocat", name: "Hello-World", id: 1296269 };
  it.each([
    ["forgets the whole installation", "installation", "deleted", { installationId: 2 }, true],
    ["forgets the repositories", "installation_repositories", "removed", repository, true],
    ["ends work, and forgets nothing", "installation", "suspend", { installationId: expect.any(Number) }, false],
  ])("%s in GitHub's examples of %s.%s", (_what, event, action, gone, forever) => {
    const found = examples.filter(({ name, payload }) => name === event && payload.action === action);
    expect(found.length).toBeGreaterThan(0);
    for (const { name, payload } of found) expect(parse(name, payload)).toEqual({ gone: [gone], forever });
  });

  it("ends and forgets nothing for any other example of GitHub's", () => {
    const ends = ["installation.deleted", "installation.suspend", "installation_repositories.removed"];
    const others = examples.filter(({ name, payload }) => !ends.includes(`${name}.${payload.action}`));
    expect(others.length).toBeGreaterThan(100);
    for (const { name, payload } of others) expect(parse(name, payload)).toHaveProperty("ignored");
  });

  it("ignores an invalid repository name, and does not repeat it", () => {
    const payload = { action: "removed", installation: { id: 2 }, repositories_removed: [{ full_name: "a/b/s3cr3t" }] };
    const parsed = parse("installation_repositories", payload);
    expect(parsed).toEqual({ ignored: expect.stringContaining("full_name") });
    expect(JSON.stringify(parsed)).not.toContain("s3cr3t");
  });

  it("ignores any payload without an error", () => {
    fc.assert(
      fc.property(fc.constantFrom("installation", "installation_repositories"), fc.anything(), (name, payload) => {
        expect(parse(name, payload)).toHaveProperty("ignored");
      }),
      { numRuns: 200 },
    );
  });
});
