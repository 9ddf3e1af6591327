import { announce } from "../hooks/announce.ts";
import type { CheckSuite, RepositoryState, WorldState } from "../state.ts";
import { renderSuite } from "./render-suite.ts";
import { senderAt } from "./sender-at.ts";

/** Announces the end of a suite once all its runs have ended. */
export async function endSuite(state: WorldState, repo: RepositoryState, suite: CheckSuite): Promise<void> {
  const check_suite = await renderSuite(state, repo, suite);
  if (check_suite.status !== "completed") return;
  const sender = await senderAt(state, repo, suite.sha);
  await announce(state, repo, sender, "check_suite", { action: "completed", check_suite });
}
