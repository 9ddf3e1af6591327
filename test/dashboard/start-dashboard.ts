import { createDashboard } from "../../src/dashboard/dashboard.ts";
import type { Gate } from "../../src/dashboard/gate.ts";
import { createListener } from "../../src/dashboard/listener.ts";
import { createLoopbackGate } from "../../src/dashboard/loopback-gate.ts";
import { openTemplates, type Templates } from "../../src/dashboard/templates.ts";
import type { Visible, VisibleParts } from "../../src/queue/visible.ts";
import { serve } from "../serve.ts";
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
  const served = await serve((request, response) => void listener(request, response));
  return {
    ...served,
    /** what it logged as gone wrong */
    faults,
  };
}
