import type { Handler, Route } from "../state.ts";

/** The first route that fits, with the parameters of its template decoded. */
export function matchRoute(
  routes: Route[],
  method: string,
  path: string,
): { handler: Handler; params: Record<string, string> } | undefined {
  for (const [verb, template, handler] of routes) {
    if (verb !== method) continue;
    const source = template.replace(/\{([a-z]+)(\+?)\}/g, (_, name: string, slashes: string) =>
      slashes === "+" ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
    );
    const found = new RegExp(`^${source}$`).exec(path);
    if (found === null) continue;
    const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    return { handler, params: Object.fromEntries(params) };
  }
  return undefined;
}
