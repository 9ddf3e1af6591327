import type { Delivery } from "../../src/data/run-request.ts";

/** What a person does about the sample issue after its first run: sets the label, unless `changes` say otherwise. */
export function sampleDelivery(changes: Partial<Delivery> = {}): Delivery {
  return {
    id: "delivery-2",
    repository: { owner: "ana", name: "shop", installationId: 1 },
    issue: 7,
    actor: "ben",
    actorIsBot: false,
    trigger: { kind: "label", label: "magis" },
    at: "2026-01-03T00:00:00Z",
    ...changes,
  };
}
