import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { actionCommand } from "../../src/commands/action/action-command.ts";
import { COMMANDS, VERBS } from "../../src/data/command.ts";
import { commandContext } from "./command-context.ts";

const AT = "2026-01-01T12:00:00Z";

/** A job's log about a comment on an issue, without a token. */
async function saidOf(comment: string): Promise<string> {
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
  const lines: string[] = [];
  const progress = (line: string) => void lines.push(line);
  await actionCommand.run({ options: {} }, commandContext({ environment, progress }));
  return lines.join("\n");
}

describe("a command in a job of GitHub Actions", () => {
  it.each(VERBS)("is accepted, or refused with a reason: %s", async (verb) => {
    const { inAction } = COMMANDS[verb];
    expect(await saidOf(`/magis ${verb}`)).toContain(
      inAction === true ? "`github-token` is empty" : `\`/magis ${verb}\` ${inAction}`,
    );
  });
});
