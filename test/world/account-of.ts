import type { Account, WorldState } from "./state.ts";

/** A user or bot. */
export async function accountOf(state: WorldState, login: string): Promise<Account> {
  const { status, body } = await state.emulate.ask("GET", `/users/${encodeURIComponent(login)}`);
  if (status !== 200) throw new Error(`no account ${login} in the world`);
  return body as Account;
}
