import type { z } from "zod";
import type { Delivery } from "../../model/delivery.ts";
import type { origin } from "./payload-shapes.ts";

/** What every delivery takes from its payload. */
export function deliveryBase(
  id: string,
  { installation, repository, sender }: z.output<typeof origin>,
): Pick<Delivery, "id" | "repository" | "actor" | "actorIsBot"> {
  return {
    id,
    repository: { owner: repository.owner.login, name: repository.name, installationId: installation.id },
    actor: sender.login,
    actorIsBot: sender.type === "Bot" || sender.login.endsWith("[bot]"),
  };
}
