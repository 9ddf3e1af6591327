import type { Logger } from "pino";
import { SmeeClient } from "smee-client";

/**
 * Takes webhooks from a channel of smee.io, or of a service like it, and hands them to `target`: for trying the bot on a
 * machine that the host cannot reach. They are signed as ever. What is sent while nobody listens is lost, as the
 * channel keeps nothing. Resolves when the channel is open; it is opened again by itself when it breaks.
 */
export async function takeFromChannel(
  source: string,
  target: string,
  log: Pick<Logger, "debug" | "warn">,
): Promise<{ stop(): Promise<void> }> {
  const logger = {
    info: (message: unknown) => log.debug({ message: String(message) }, "from the webhooks' channel"),
    error: (message: unknown) => log.warn({ message: String(message) }, "the webhooks' channel failed"),
  };
  const client = new SmeeClient({ source, target, logger });
  await client.start();
  log.warn({ source }, "webhooks are taken from a channel: for trying only, its service sees them");
  return { stop: async () => void (await client.stop()) };
}
