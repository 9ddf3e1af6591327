import { failure } from "../front/failure.ts";
import type { Answer, Call, Fields } from "../state.ts";
import { registerPull } from "./register-pull.ts";
import { renderPull } from "./render-pull.ts";

const invalid = (field: string) =>
  failure(422, "Validation Failed", [{ resource: "PullRequest", field, code: "invalid" }]);
const custom = (message: string) =>
  failure(422, "Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);

/** `POST pulls`: both branches must exist and differ, without another open pull request for the two. */
export async function createPull(call: Call): Promise<Answer> {
  const { state, repo, actor, body, path } = call;
  const [base, head] = [String(body.base), String(body.head).replace(`${repo.owner}:`, "")];
  if (typeof body.title !== "string" || body.title.trim() === "") return invalid("title");
  const [onto, tip] = [await repo.bare.tip(`refs/heads/${base}`), await repo.bare.tip(`refs/heads/${head}`)];
  if (onto === undefined) return invalid("base");
  if (tip === undefined) return invalid("head");
  const same = [...repo.pulls.values()].find((pull) => pull.open && pull.headRef === head && pull.baseRef === base);
  if (same !== undefined) return custom(`A pull request already exists for ${repo.owner}:${head}.`);
  const ahead = await repo.bare.fixed("rev-list", "--count", `${onto}..${tip}`);
  if (ahead === "0") return custom(`No commits between ${base} and ${head}`);
  await nameBranches(call, [base, head]);
  const made = await state.emulate.ask("POST", path, { body: { ...body, head }, token: actor.token });
  if (made.status !== 201) return made;
  const row = made.body as Fields & {
    number: number;
    head: { ref: string };
    base: { ref: string };
    user: { login: string };
  };
  await registerPull(repo, row);
  return { status: 201, body: await renderPull(state, repo, row.number) };
}

/** Registers the branches' names, which emulate needs; git knows their commits. */
async function nameBranches({ state, repo }: Call, names: string[]): Promise<void> {
  const at = `/repos/${repo.owner}/${repo.name}`;
  const { default_branch } = (await state.emulate.ask("GET", at)).body as { default_branch: string };
  const anchor = (await state.emulate.ask("GET", `${at}/branches/${default_branch}`)).body as {
    commit: { sha: string };
  };
  for (const name of names)
    await state.emulate.ask("POST", `${at}/git/refs`, { body: { ref: `refs/heads/${name}`, sha: anchor.commit.sha } });
}
