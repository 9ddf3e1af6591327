import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import type { Manifest } from "./manifest.ts";
import { missingPermissions } from "./missing-permissions.ts";
import type { RegisteredApp } from "./registered-app.ts";

const { ok, warning, fault } = findingsOf("app permissions");

/** The registration's permissions against those of app.yml: none may lack, and none should be there besides. */
export async function checkPermissions(app: RegisteredApp, manifest: Manifest): Promise<readonly Finding[]> {
  const page = `${app.settingsUrl}/permissions`;
  const missing = missingPermissions(manifest.permissions, app.permissions);
  const excess = missingPermissions(app.permissions, manifest.permissions);
  const findings = [
    ...(missing.length > 0
      ? [
          fault(
            `These are missing: ${missing.join(", ")}.`,
            `Grant them at ${page}; then each account that has the app must accept them.`,
          ),
        ]
      : []),
    ...(excess.length > 0
      ? [warning(`These are more than the bot needs: ${excess.join(", ")}.`, `Take them away at ${page}.`)]
      : []),
  ];
  return findings.length > 0 ? findings : [ok("They are exactly those that the bot needs.")];
}
