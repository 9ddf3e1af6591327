import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormatsModule from "ajv-formats";
import { projectRoot } from "../project-root.ts";
import { complete } from "./complete.ts";
import type { Description, OperationNode, Parameter, Schema } from "./description.ts";

interface RestExchange {
  method: string;
  path: string;
  query: URLSearchParams;
  actor: string;
  body: unknown;
  status: number;
  /** Undefined if there is none or it is not JSON. */
  answer: unknown;
}

export interface Contract {
  /** Requests that contradict GitHub's description. Must stay empty. */
  violations: string[];
  /** Answers and webhooks of the world that contradict it. Must stay empty. */
  contradictions: string[];
  /** Checks an exchange; gives its answer with every field that GitHub requires. */
  rest(exchange: RestExchange): unknown;
  /** Checks a webhook; gives its payload with every field that GitHub requires. */
  webhook(event: string, payload: { action?: unknown }): object;
  graphql(actor: string, messages: string[]): void;
}

type Part = "rest" | "webhooks";

interface Descriptions extends Readonly<Record<Part, Description>> {
  schemas: Readonly<Record<Part, Schemas>>;
}

let descriptions: Descriptions | undefined;

/** The committed slices, read once for all worlds of a test file. */
function readDescriptions(): Descriptions {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(projectRoot(), "test/world/contract", name), "utf8")) as Description;
  const [rest, webhooks] = [read("rest.json"), read("webhooks.json")];
  acknowledgeNulls(rest);
  return { rest, webhooks, schemas: { rest: compileSchemas(rest), webhooks: compileSchemas(webhooks) } };
}

/** Checks exchanges against the committed slices of GitHub's published descriptions. */
export function createContract(): Contract {
  descriptions ??= readDescriptions();
  const { rest, webhooks, schemas } = descriptions;
  const contract: Contract = {
    violations: [],
    contradictions: [],
    rest(exchange) {
      const { method, path, actor, status, answer } = exchange;
      const label = `${method} ${path} (${actor}, ${status})`;
      const operation = findOperation(rest, method, path);
      if (operation === undefined) {
        contract.violations.push(`${label}: not in the slice of the published description`);
        return answer;
      }
      const wrong = [...queryFaults(rest, operation, exchange.query), ...bodyFaults(operation, exchange.body)];
      contract.violations.push(...wrong.map((fault) => `${label}: ${fault}`));
      const schema = answerSchema(rest, operation, status);
      if (schema === undefined && status < 400) contract.contradictions.push(`${label}: this status is not described`);
      return typeof schema === "string" && answer !== undefined ? judge("rest", schema, answer, label) : answer;
    },
    webhook(event, payload) {
      const name = [event, payload.action]
        .filter((part) => typeof part === "string")
        .join("-")
        .replaceAll("_", "-");
      if (webhooks.webhooks?.[name] === undefined) {
        contract.contradictions.push(`webhook ${name}: not in the slice`);
        return payload;
      }
      const pointer = `/webhooks/${name}/post/requestBody/content/application~1json/schema`;
      return judge("webhooks", pointer, payload, `webhook ${name}`) as object;
    },
    graphql(actor, messages) {
      contract.violations.push(...messages.map((message) => `GraphQL (${actor}): ${message}`));
    },
  };
  const judge = (part: Part, pointer: string, value: unknown, label: string) => {
    const description = part === "rest" ? rest : webhooks;
    const whole = complete(description, schemaAt(description, pointer), value);
    contract.contradictions.push(...schemas[part].faults(pointer, whole).map((fault) => `${label}: ${fault}`));
    return whole;
  };
  const bodyFaults = ({ pointer, node }: Operation, body: unknown): string[] => {
    const type = Object.keys(node.requestBody?.content ?? {}).find((name) => name.includes("json"));
    if (type === undefined) return [];
    if (body === undefined) return node.requestBody?.required === true ? ["a body is required"] : [];
    return schemas.rest.faults(`${pointer}/requestBody/content/${type.replaceAll("/", "~1")}/schema`, body);
  };
  return contract;
}

/** What stands at a JSON pointer. */
function schemaAt(description: Description, pointer: string): Schema {
  const names = pointer.slice(1).split("/");
  const found = names.reduce<unknown>(
    (node, name) => (node as Record<string, unknown>)[name.replaceAll("~1", "/").replaceAll("~0", "~")],
    description,
  );
  return found as Schema;
}

/** The pointer of the answer's schema: null if the status has none, undefined if the status is not described. */
function answerSchema(doc: Description, { pointer, node }: Operation, status: number): string | null | undefined {
  const response = node.responses[String(status)];
  if (response === undefined) return undefined;
  const shared = response.$ref?.split("/").at(-1);
  const content = shared === undefined ? response.content : doc.components.responses?.[shared]?.content;
  const type = Object.keys(content ?? {}).find((name) => name.includes("json"));
  if (type === undefined) return null;
  const base = shared === undefined ? `${pointer}/responses/${status}` : `/components/responses/${shared}`;
  return `${base}/content/${type.replaceAll("/", "~1")}/schema`;
}

/**
 * Allows null where GitHub's description forgets it in one place but has it in others: the line of a comment that is
 * outdated or on a file, the description of a label, and how an empty body is shown.
 */
function acknowledgeNulls({ components }: Description): void {
  for (const schema of Object.values(components.schemas ?? {})) allowNull(schema.properties?.body_html);
  for (const name of ["pull-request-review-comment", "review-comment"])
    for (const property of ["line", "original_line", "position", "original_position"])
      allowNull(components.schemas?.[name]?.properties?.[property]);
  allowNull(components.schemas?.["pull-request-simple"]?.properties?.labels?.items?.properties?.description);
}

function allowNull(schema: Schema | undefined): void {
  if (schema !== undefined) schema.nullable = true;
}

interface Schemas {
  /** Checks `value` against the schema at `pointer`; gives one line per fault. */
  faults(pointer: string, value: unknown): string[];
}

/**
 * Compiles the schemas of a description at first use. It does not check `uri`, since GitHub's own addresses are
 * templates. Shared schemas are compiled once, without optimising: a test uses each only a few times, and compiling
 * took most of the contract's time.
 */
function compileSchemas(description: object): Schemas {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    logger: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  addFormatsModule.default(ajv, ["date-time", "date"]);
  for (const name of ["uri", "uri-template", "email", "repo.nwo", "timestamp", "int64", "int32", "binary"])
    ajv.addFormat(name, true);
  ajv.addSchema(toJsonSchema(description) as object, "description");
  const compiled = new Map<string, ValidateFunction>();
  return {
    faults(pointer, value) {
      let validate = compiled.get(pointer);
      if (validate === undefined) {
        validate = ajv.compile({ $ref: `description#${pointer}` });
        compiled.set(pointer, validate);
      }
      return validate(value) ? [] : [...new Set((validate.errors ?? []).map(line))];
    },
  };
}

function line({ instancePath, message, params, keyword }: ErrorObject): string {
  const place = instancePath.replace(/\/\d+(?=\/|$)/g, "/*");
  if (keyword === "required") return `${place}/${String(params.missingProperty)} is missing`;
  if (keyword === "additionalProperties") return `${place}/${String(params.additionalProperty)} is unknown`;
  return `${place || "/"} ${message ?? keyword}`;
}

interface Operation {
  template: string;
  /** JSON pointer to the operation. */
  pointer: string;
  node: OperationNode;
}

/** GitHub's parameters whose values may contain slashes. */
const GREEDY = new Set(["path", "ref", "basehead", "branch"]);

/** The described operation for `method` and `path`; the template with the most fixed segments wins. */
function findOperation(doc: Description, method: string, path: string): Operation | undefined {
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

/** Faults in a request's query: unknown names, values outside an enumeration, words in place of numbers. */
function queryFaults(doc: Description, operation: Operation, query: URLSearchParams): string[] {
  const described = new Map<string, Parameter>();
  for (const one of operation.node.parameters ?? []) {
    const parameter = one.$ref === undefined ? one : doc.components.parameters?.[one.$ref.split("/").at(-1) ?? ""];
    if (parameter?.in === "query") described.set(parameter.name, parameter);
  }
  return [...query].flatMap(([name, value]) => {
    const parameter = described.get(name);
    if (parameter === undefined) return [`query: ${name} is unknown`];
    const { type, enum: choices } = parameter.schema ?? {};
    if (choices !== undefined && !choices.map(String).includes(value))
      return [`query: ${name}=${value} is not a choice`];
    if (type === "integer" && !/^-?\d+$/.test(value)) return [`query: ${name}=${value} is not a whole number`];
    return [];
  });
}

type Node = { [key: string]: unknown };

/**
 * Turns an OpenAPI 3.0 document into JSON Schema: `nullable` becomes a type, and `oneOf` becomes `anyOf`, because
 * GitHub's alternatives overlap.
 */
function toJsonSchema(node: unknown, named = false): unknown {
  if (Array.isArray(node)) return node.map((item) => toJsonSchema(item));
  if (node === null || typeof node !== "object") return node;
  const out: Node = {};
  for (const [key, value] of Object.entries(node)) {
    if (!named && key === "nullable") continue;
    const children = !named && (key === "properties" || key === "schemas" || key === "patternProperties");
    out[!named && key === "oneOf" ? "anyOf" : key] = toJsonSchema(value, children);
  }
  if (named || (node as Node).nullable !== true) return out;
  if (typeof out.type !== "string") return { anyOf: [out, { type: "null" }] };
  const choices = Array.isArray(out.enum) && !out.enum.includes(null) ? { enum: [...out.enum, null] } : {};
  return { ...out, ...choices, type: [out.type, "null"] };
}
