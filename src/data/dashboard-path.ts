/** Below this path of a server are the pages of the dashboard. */
export const DASHBOARD_PATH = "/dashboard";

/** The path of a run's page. */
export const runPath = (runId: string): string => `${DASHBOARD_PATH}/runs/${encodeURIComponent(runId)}`;

/** Where GitHub sends people back to who sign in; the app's settings have to name it. */
export const callbackOf = (origin: string): string => new URL(`${DASHBOARD_PATH}/signed-in`, origin).href;

/** Whether people can sign in there: browsers send the session's cookie over https alone, or to their own machine. */
export function allowsSignIn({ protocol, hostname }: Pick<URL, "protocol" | "hostname">): boolean {
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
