export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: { type?: string; enum?: unknown[]; $ref?: string };
  $ref?: string;
}

interface Body {
  $ref?: string;
  required?: boolean;
  content?: Record<string, unknown>;
}

export interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  nullable?: boolean;
}

export interface Description {
  paths?: Record<string, Record<string, OperationNode>>;
  webhooks?: Record<string, unknown>;
  components: {
    schemas?: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    responses?: Record<string, Body>;
  };
}

interface OperationNode {
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

export interface Operation {
  template: string;
  /** JSON pointer to the operation. */
  pointer: string;
  node: OperationNode;
}

/** GitHub's parameters whose values may contain slashes. */
const GREEDY = new Set(["path", "ref", "basehead", "branch"]);

/** The described operation for `method` and `path`; the template with the most fixed segments wins. */
export function findOperation(doc: Description, method: string, path: string): Operation | undefined {
  const verb = method.toLowerCase();
  const matching = Object.entries(doc.paths ?? {})
    .filter(([template, verbs]) => verbs[verb] !== undefined && pattern(template).test(path))
    .map(([template]) => template)
    .sort((a, b) => fixed(b) - fixed(a));
  const template = matching[0];
  const node = template === undefined ? undefined : doc.paths?.[template]?.[verb];
  if (template === undefined || node === undefined) return undefined;
  return { template, node, pointer: `/paths/${template.replaceAll("~", "~0").replaceAll("/", "~1")}/${verb}` };
}

/** Build each pattern once: every exchange tries all of them. */
const patterns = new Map<string, RegExp>();

function pattern(template: string): RegExp {
  const known = patterns.get(template);
  if (known) return known;
  // Without `path`, GitHub gives the contents of the root.
  const optional = template.replace(/\/\{path\}$/, "(?:/.+)?");
  const source = optional.replace(/\{([^}]+)\}/g, (_, name: string) => (GREEDY.has(name) ? ".+" : "[^/]+"));
  const made = new RegExp(`^${source}$`);
  patterns.set(template, made);
  return made;
}

function fixed(template: string): number {
  return template.split("/").filter((segment) => !segment.startsWith("{")).length;
}
