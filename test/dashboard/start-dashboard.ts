import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createDashboard } from "../../src/dashboard/dashboard.ts";
import type { Gate } from "../../src/dashboard/gate.ts";
import { createListener } from "../../src/dashboard/listener.ts";
import { createLoopbackGate } from "../../src/dashboard/loopback-gate.ts";
import { openTemplates, type Templates } from "../../src/dashboard/templates.ts";
import type { Visible, VisibleParts } from "../../src/queue/visible.ts";
import { sampleView } from "./sample-view.ts";

interface Choice {
  view?: (visible: Visible) => VisibleParts;
  gate?: (templates: Templates) => Gate;
}

/** The dashboard on a free port of this machine. */
export async function startDashboard({ view = sampleView, gate = createLoopbackGate }: Choice = {}) {
  const templates = await openTemplates();
  const answer = createDashboard({ templates, gate: gate(templates), view, limits: { day: 50, month: 1000 } });
  const faults: unknown[] = [];
  const note = (about: object) => void faults.push(about);
  const log = { debug: () => undefined, info: () => undefined, warn: note, error: note };
  const listener = createListener(answer, log);
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** what it logged as gone wrong */
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
