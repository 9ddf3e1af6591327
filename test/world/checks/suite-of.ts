import type { CheckApp, CheckSuite, RepositoryState, WorldState } from "../state.ts";

/** The suite of an app's checks on a commit, created if necessary. */
export function suiteOf(state: WorldState, repo: RepositoryState, app: CheckApp, sha: string): CheckSuite {
  const known = repo.suites.find((suite) => suite.sha === sha && suite.app.id === app.id);
  if (known !== undefined) return known;
  const suite = { id: state.nextId(), sha, app, held: false, createdAt: new Date().toISOString() };
  repo.suites.push(suite);
  return suite;
}
