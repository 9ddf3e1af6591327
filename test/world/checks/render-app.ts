import { renderRepository } from "../hooks/render-repository.ts";
import type { CheckApp, Fields, RepositoryState, WorldState } from "../state.ts";

/** The app that made a check, in the form inside a check run. */
export async function renderApp(state: WorldState, repo: RepositoryState, app: CheckApp): Promise<Fields> {
  const since = "2026-01-01T00:00:00Z";
  return {
    id: app.id,
    slug: app.slug,
    node_id: `A_${app.id}`,
    client_id: `Iv1.${app.id}`,
    owner: (await renderRepository(state, repo)).owner,
    name: app.name,
    description: null,
    external_url: `${state.url}/${app.slug}`,
    html_url: `${state.url}/apps/${app.slug}`,
    created_at: since,
    updated_at: since,
    permissions: { checks: "write", metadata: "read" },
    events: ["check_run", "check_suite"],
  };
}
