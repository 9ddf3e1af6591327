import { completeIssue } from "../issues/complete-issue.ts";
import { registerPull, renderPull } from "../pulls/render-pull.ts";
import type { Fields, WorldState } from "../state.ts";
import { announce } from "./announce.ts";

interface HookPayload extends Fields {
  action: string;
  repository: { full_name: string };
  sender: { login: string };
  label?: Fields & { name: string };
  issue?: Fields & { number: number };
  pull_request?: Fields & {
    number: number;
    head: { ref: string };
    base: { ref: string };
    user: { login: string };
  };
}

/**
 * Passes on emulate's webhooks in GitHub's form: a pull request with git's data, an issue marked if it is a pull
 * request, and changes of a pull request through the issues API as `pull_request`.
 */
export async function relayHook(state: WorldState, event: string, payload: HookPayload): Promise<void> {
  const { repository, sender, installation: _, ...given } = payload;
  const rest: Fields = given;
  const repo = state.repositories.get(repository.full_name);
  if (repo === undefined) return;
  if (payload.label !== undefined) rest.label = await labelOf(state, repository.full_name, payload.label);
  const send = (name: string, fields: Fields) => announce(state, repo, sender.login, name, fields);
  if (payload.pull_request !== undefined) {
    await registerPull(repo, payload.pull_request);
    const { number } = payload.pull_request;
    const changes = payload.action === "edited" ? { changes: payload.changes ?? {} } : {};
    return send(event, { ...rest, ...changes, number, pull_request: await renderPull(state, repo, number) });
  }
  if (payload.issue === undefined) return send(event, rest);
  const { number } = payload.issue;
  if (event === "issues" && repo.pulls.has(number)) {
    const { issue: _issue, ...others } = rest;
    return send("pull_request", { ...others, number, pull_request: await renderPull(state, repo, number) });
  }
  const changes = payload.action === "edited" ? { changes: payload.changes ?? {} } : {};
  return send(event, { ...rest, ...changes, issue: completeIssue(state, repo, payload.issue) });
}

/** The whole label: emulate announces only name and color; a deleted one stays like that. */
async function labelOf(state: WorldState, repository: string, label: { name: string }): Promise<Fields> {
  const path = `/repos/${repository}/labels/${encodeURIComponent(label.name)}`;
  const { status, body } = await state.emulate.ask("GET", path);
  return status === 200 ? (body as Fields) : label;
}
