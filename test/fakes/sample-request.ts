import type { RunRequest } from "../../src/data/run-request.ts";

export function sampleRequest(changes: Partial<RunRequest> = {}): RunRequest {
  return {
    id: "ana/shop#7@delivery-1",
    root: "ana/shop#7@delivery-1",
    work: { kind: "resolve", gate: "none" },
    grants: [],
    repository: { owner: "ana", name: "shop", installationId: 1 },
    issue: 7,
    trigger: { kind: "label", label: "magis" },
    actor: "ana",
    delivery: "delivery-1",
    requestedAt: "2026-01-01T12:00:00Z",
    ...changes,
  };
}
