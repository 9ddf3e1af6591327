import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import type { Manifest } from "./manifest.ts";
import type { RegisteredApp } from "./registered-app.ts";

const { ok, fault } = findingsOf("app events");

/** The events that the registration subscribes to against those of app.yml; further ones are received and ignored. */
export async function checkEvents(app: RegisteredApp, manifest: Manifest): Promise<Finding> {
  const missing = manifest.events.filter((event) => !app.events.includes(event));
  if (missing.length === 0) return ok("The app subscribes to every event that the bot acts on.");
  return fault(
    `The app does not subscribe to ${missing.join(", ")}.`,
    `Tick them under "Subscribe to events" at ${app.settingsUrl}/permissions.`,
  );
}
