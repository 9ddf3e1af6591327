import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { COMMANDS, VERBS } from "../../src/model/command.ts";
import { runAction } from "../../src/wire/action/run-action.ts";

const AT = "2026-01-01T12:00:00Z";

/** A job's messages about a comment on an issue, without a token. */
async function saidOf(comment: string): Promise<readonly string[]> {
  const event = join(mkdtempSync(join(tmpdir(), "magis-event-")), "event.json");
  const payload = {
    action: "created",
    repository: { name: "shop", owner: { login: "ana" } },
    sender: { login: "ana", type: "User" },
    issue: { number: 7, title: "T", body: "", state: "open", locked: false, updated_at: AT, user: { type: "User" } },
    comment: { id: 5, body: comment, created_at: AT },
  };
  writeFileSync(event, JSON.stringify(payload));
  const environment = {
    GITHUB_EVENT_NAME: "issue_comment",
    GITHUB_EVENT_PATH: event,
    GITHUB_REPOSITORY: "ana/shop",
    ANTHROPIC_API_KEY: "none",
  };
  const context = { signal: new AbortController().signal, progress: () => undefined };
  return (await runAction({ mode: "simple", ended: false }, context, environment)).said;
}

describe("a command in a job of GitHub Actions", () => {
  it.each(VERBS)("is accepted, or refused with a reason: %s", async (verb) => {
    const { inAction } = COMMANDS[verb];
    const accepted = expect.stringMatching(/^`github-token` is empty/);
    expect(await saidOf(`/magis ${verb}`)).toEqual([inAction === true ? accepted : `\`/magis ${verb}\` ${inAction}`]);
  });
});
