import type { Handler, Route } from "../state.ts";

/** Build each pattern once: every request tries nearly a hundred. */
const patterns = new Map<string, RegExp>();

/** The first matching route, with its decoded parameters. */
export function matchRoute(
  routes: Route[],
  method: string,
  path: string,
): { handler: Handler; params: Record<string, string> } | undefined {
  for (const [verb, template, handler] of routes) {
    if (verb !== method) continue;
    const found = patternOf(template).exec(path);
    if (found === null) continue;
    const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    return { handler, params: Object.fromEntries(params) };
  }
  return undefined;
}

function patternOf(template: string): RegExp {
  const known = patterns.get(template);
  if (known) return known;
  const source = template.replace(/\{([a-z]+)(\+?)\}/g, (_, name: string, slashes: string) =>
    slashes === "+" ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
  );
  const made = new RegExp(`^${source}$`);
  patterns.set(template, made);
  return made;
}
