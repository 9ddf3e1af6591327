import type { Account } from "../state.ts";

/** A user or bot as GraphQL's Actor; a bot's login has no `[bot]` here, as on GitHub. */
export function authorNode({ login, type, node_id, url }: Account) {
  const bot = type === "Bot";
  return { __typename: bot ? "Bot" : "User", login: bot ? login.replace(/\[bot\]$/, "") : login, id: node_id, url };
}
