import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { compileSchemas, type Schemas } from "./compile-schemas.ts";
import { type Description, findOperation, type Operation, type Schema } from "./find-operation.ts";
import { queryFaults } from "./query-faults.ts";

export interface RestExchange {
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
  /** Required fields that the world has left out so far, to compare with known-missing.json. */
  missing(): Set<string>;
  rest(exchange: RestExchange): void;
  webhook(event: string, payload: { action?: unknown }): void;
  graphql(actor: string, messages: string[]): void;
}

type Part = "rest" | "webhooks";

interface Descriptions extends Readonly<Record<Part, Description>> {
  readonly strict: Readonly<Record<Part, Schemas>>;
  readonly lax: Readonly<Record<Part, Schemas>>;
}

let descriptions: Descriptions | undefined;

/** The committed slices, read once for all worlds of a test file. */
function readDescriptions(): Descriptions {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(projectRoot(), "test/world/contract", name), "utf8")) as Description;
  const [rest, webhooks] = [read("rest.json"), read("webhooks.json")];
  acknowledgeNulls(rest);
  const compile = (lax: boolean) => ({ rest: compileSchemas(rest, lax), webhooks: compileSchemas(webhooks, lax) });
  return { rest, webhooks, strict: compile(false), lax: compile(true) };
}

/** Checks exchanges against the committed slices of GitHub's published descriptions. */
export function createContract(): Contract {
  descriptions ??= readDescriptions();
  const { rest, webhooks, strict, lax } = descriptions;
  /** Answers and webhooks without wrong fields, as texts, since their objects may change. */
  const passed: { readonly part: Part; readonly pointer: string; readonly text: string; readonly place: string }[] = [];
  const found = new Set<string>();
  const contract: Contract = {
    violations: [],
    contradictions: [],
    missing() {
      const gaps = passed.splice(0).flatMap(({ part, pointer, text, place }) =>
        strict[part]
          .faults(pointer, JSON.parse(text))
          .filter((fault) => fault.endsWith("is missing"))
          .map((fault) => `${place} ${fault}`),
      );
      for (const gap of gaps) found.add(gap);
      return found;
    },
    rest(exchange) {
      const label = `${exchange.method} ${exchange.path} (${exchange.actor}, ${exchange.status})`;
      const operation = findOperation(rest, exchange.method, exchange.path);
      if (operation === undefined) {
        contract.violations.push(`${label}: not in the slice of the published description`);
        return;
      }
      const wrong = [...queryFaults(rest, operation, exchange.query), ...bodyFaults(operation, exchange.body)];
      contract.violations.push(...wrong.map((fault) => `${label}: ${fault}`));
      const schema = answerSchema(rest, operation, exchange.status);
      if (schema === undefined && exchange.status < 400)
        contract.contradictions.push(`${label}: this status is not described`);
      if (typeof schema === "string" && exchange.answer !== undefined)
        judge("rest", schema, exchange.answer, label, `${exchange.method} ${operation.template} ${exchange.status}`);
    },
    webhook(event, payload) {
      const name = [event, payload.action]
        .filter((part) => typeof part === "string")
        .join("-")
        .replaceAll("_", "-");
      if (webhooks.webhooks?.[name] === undefined) contract.contradictions.push(`webhook ${name}: not in the slice`);
      else {
        const pointer = `/webhooks/${name}/post/requestBody/content/application~1json/schema`;
        judge("webhooks", pointer, payload, `webhook ${name}`, `webhook ${name}`);
      }
    },
    graphql(actor, messages) {
      contract.violations.push(...messages.map((message) => `GraphQL (${actor}): ${message}`));
    },
  };
  const judge = (part: Part, pointer: string, value: unknown, label: string, place: string) => {
    const wrong = lax[part].faults(pointer, value);
    contract.contradictions.push(...wrong.map((fault) => `${label}: ${fault}`));
    if (wrong.length === 0) passed.push({ part, pointer, text: JSON.stringify(value), place });
  };
  const bodyFaults = ({ pointer, node }: Operation, body: unknown): string[] => {
    const type = Object.keys(node.requestBody?.content ?? {}).find((name) => name.includes("json"));
    if (type === undefined) return [];
    if (body === undefined) return node.requestBody?.required === true ? ["a body is required"] : [];
    return strict.rest.faults(`${pointer}/requestBody/content/${type.replaceAll("/", "~1")}/schema`, body);
  };
  return contract;
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
