import type { Gate } from "./gate.ts";
import type { Templates } from "./templates.ts";

const OWN_NAME = /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/i;

/**
 * Lets in everybody on this machine. A page of another site can point its own name at 127.0.0.1 (DNS rebinding), but
 * then the request names that host.
 */
export function createLoopbackGate(templates: Templates): Gate {
  return async ({ host }) => {
    if (OWN_NAME.test(host)) return { visible: "all", isOperator: true };
    return templates.fault(421, "Open this page as http://localhost or http://127.0.0.1, with its port.");
  };
}
