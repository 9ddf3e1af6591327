import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { z } from "zod";
import type { CodeHost } from "../src/github/code-host.ts";
import { environmentSchema } from "../src/settings/environment/schema.ts";
import { createApp, REMOVAL_EVENTS, WEBHOOK_EVENTS } from "../src/webhooks/app.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** The permissions that GitHub's documentation asks for, by method of the host. */
const PERMISSIONS: Readonly<Record<Exclude<keyof CodeHost, "login" | "author" | "cloneUrl">, string>> = {
  // https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps
  permissionOf: "metadata: read",
  readIssue: "issues: read",
  pullsAbout: "issues: read",
  listComments: "issues: read",
  imagesOf: "issues: read",
  relativesOf: "issues: read",
  // Any token may have Markdown rendered.
  renderText: "metadata: read",
  findOwnComment: "issues: read",
  react: "issues: write",
  createComment: "issues: write",
  updateComment: "issues: write",
  minimiseComment: "issues: write",
  cloneToken: "contents: read",
  defaultBranch: "contents: read",
  branchTip: "contents: read",
  readCommit: "contents: read",
  readBlob: "contents: read",
  changedPaths: "contents: read",
  changesOf: "pull_requests: read",
  linesSince: "contents: read",
  isAncestor: "contents: read",
  mergeBase: "contents: read",
  readFile: "contents: read",
  listFolder: "contents: read",
  createBlob: "contents: write",
  createTree: "contents: write",
  createCommit: "contents: write",
  createBranch: "contents: write",
  advanceBranch: "contents: write",
  deleteRef: "contents: write",
  checksOf: "checks: read, statuses: read",
  annotationsOf: "checks: read",
  reportCheck: "checks: write",
  runsOf: "actions: read, checks: read, statuses: read",
  jobOf: "actions: read",
  artifactsOf: "actions: read",
  artifact: "actions: read",
  jobLog: "actions: read",
  readPullRequest: "pull_requests: read",
  listCommits: "pull_requests: read",
  mergeability: "pull_requests: read",
  listReviews: "pull_requests: read",
  findOwnPullRequests: "pull_requests: read",
  findOwnReview: "pull_requests: read",
  listThreads: "pull_requests: read",
  openPullRequest: "pull_requests: write",
  markReady: "pull_requests: write",
  updatePullRequest: "pull_requests: write",
  createReview: "pull_requests: write",
  createFileComment: "pull_requests: write",
  replyToThread: "pull_requests: write",
  resolveThread: "pull_requests: write",
};

const manifest = z
  .strictObject({
    name: z.string().max(34),
    url: z.url(),
    description: z.string(),
    public: z.boolean(),
    hook_attributes: z.strictObject({ url: z.url(), active: z.boolean() }),
    default_events: z.array(z.string()),
    default_permissions: z.record(z.string(), z.enum(["read", "write"])),
  })
  .parse(parse(read("app.yml")));

describe("app.yml", () => {
  it("subscribes to the events that the code uses, and to no other", () => {
    const used = new Set(WEBHOOK_EVENTS.map((event) => event.split(".")[0]));
    expect([...manifest.default_events].sort()).toEqual([...used].sort());
  });

  it("lists every event the bot listens to, except those that every app gets", async () => {
    const heard: string[] = [];
    const app = { on: (events: string[]) => void heard.push(...events) };
    const parts = { receive: async () => "known" as const, forget: async () => 0, withdraw: async () => undefined };
    await createApp({ ...parts, log: {} as never })(app as never, {} as never);
    expect(heard).toEqual([...WEBHOOK_EVENTS, ...REMOVAL_EVENTS]);
    for (const event of REMOVAL_EVENTS) expect(manifest.default_events).not.toContain(event.split(".")[0]);
  });

  it("asks for the permissions the code needs, and for no other", () => {
    const needed: Record<string, string> = {};
    for (const entry of Object.values(PERMISSIONS).flatMap((entries) => entries.split(", "))) {
      const [scope = "", level = ""] = entry.split(": ");
      if (needed[scope] !== "write") needed[scope] = level;
    }
    expect(manifest.default_permissions).toEqual(needed);
  });

  it("has the webhook at the path that the program listens on by default", () => {
    const path = environmentSchema.shape.WEBHOOK_PATH.parse(undefined);
    expect(new URL(manifest.hook_attributes.url).pathname).toBe(path);
  });
});
