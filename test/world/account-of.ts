import { listed } from "../../src/text/patterns.ts";
import type { Account, Fields, WorldState } from "./state.ts";

const SHOWN = listed(
  "^",
  `login id node_id avatar_url gravatar_id url html_url followers_url following_url gists_url starred_url
  subscriptions_url organizations_url repos_url events_url received_events_url type site_admin`,
  "$",
);

/** A user or bot in the short form that GitHub puts into other objects. */
export async function accountOf(state: WorldState, login: string): Promise<Account> {
  const { status, body } = await state.emulate.ask("GET", `/users/${encodeURIComponent(login)}`);
  if (status !== 200) throw new Error(`no account ${login} in the world`);
  const fields = Object.entries(body as Fields).filter(([name]) => SHOWN.test(name));
  return Object.fromEntries(fields) as Account;
}
