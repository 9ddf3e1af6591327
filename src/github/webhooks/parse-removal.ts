import type { MemoryScope } from "../../ports/evolution-memory.ts";
import { describePayloadFault } from "./describe-payload-fault.ts";
import { removedRepositoriesPayload, uninstalledPayload } from "./payload-shapes.ts";
import type { Webhook } from "./webhook.ts";

export type ParsedRemoval = { readonly forget: readonly MemoryScope[] } | { readonly ignored: string };

/**
 * What may no longer be remembered after a webhook: everything of an installation that was deleted, or of repositories
 * that were taken out of it. Pure; throws nothing.
 */
export function parseRemoval({ name, payload }: Webhook): ParsedRemoval {
  if (name === "installation") {
    const { data, error } = uninstalledPayload.safeParse(payload);
    return data ? { forget: [{ installationId: data.installation.id }] } : { ignored: describePayloadFault(error) };
  }
  if (name === "installation_repositories") {
    const { data, error } = removedRepositoriesPayload.safeParse(payload);
    if (!data) return { ignored: describePayloadFault(error) };
    const installationId = data.installation.id;
    const forget = data.repositories_removed.map(({ full_name }) => {
      const [owner = "", repository = ""] = full_name.split("/");
      return { installationId, owner, name: repository };
    });
    return { forget };
  }
  return { ignored: "The event removes nothing." };
}
