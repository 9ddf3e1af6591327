import { DASHBOARD_PATH } from "../data/dashboard-path.ts";
import type { Visible, VisibleParts } from "../queue/visible.ts";
import { type Asked, type Gate, isReply, type Reply, redirect } from "./gate.ts";
import { overviewPage } from "./overview.ts";
import type { BotLimits, PageParts } from "./page-parts.ts";
import { repositoriesPage } from "./repositories.ts";
import { runPage, runsPage } from "./run-pages.ts";
import type { Templates } from "./templates.ts";
import { trendsPage } from "./trends.ts";

export interface DashboardParts {
  templates: Templates;
  gate: Gate;
  /** what somebody may see */
  view: (visible: Visible) => VisibleParts;
  limits: BotLimits;
}

/** Makes the function that answers a request with a page. It throws what the database throws. */
export function createDashboard({ gate, view, ...parts }: DashboardParts): (asked: Asked) => Promise<Reply> {
  const { templates } = parts;
  return async (asked) => {
    if (asked.path === `${DASHBOARD_PATH}/style.css`) return templates.styleSheet;
    const visitor = await gate(asked);
    if (isReply(visitor)) return visitor;
    if (asked.method !== "GET" && asked.method !== "HEAD") return templates.fault(405, "Use GET.", visitor);
    if (asked.path === "/") return redirect(DASHBOARD_PATH);
    return pageAt(asked, { ...parts, ...view(visitor.visible), visitor });
  };
}

async function pageAt({ path, query }: Asked, parts: PageParts): Promise<Reply> {
  const place = path.startsWith(DASHBOARD_PATH)
    ? path.slice(DASHBOARD_PATH.length).replace(/(?<!\/)\/+$/, "")
    : undefined;
  switch (place) {
    case "":
      return overviewPage(parts);
    case "/runs":
      return runsPage(parts, query);
    case "/repositories":
      return repositoriesPage(parts);
    case "/trends":
      return trendsPage(parts, query.get("by") ?? undefined);
    default: {
      const run = runIdIn(place ?? "");
      const page = run === undefined ? undefined : await runPage(parts, run);
      return page ?? parts.templates.fault(404, "There is no such page.", parts.visitor);
    }
  }
}

/** The run in `/runs/ID`. */
function runIdIn(place: string): string | undefined {
  const [, encoded] = /^\/runs\/([^/]{1,3000})$/.exec(place) ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
