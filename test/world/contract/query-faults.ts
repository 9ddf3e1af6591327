import type { Description, Operation, Parameter } from "./find-operation.ts";

/** Faults in a request's query: unknown names, values outside an enumeration, words in place of numbers. */
export function queryFaults(doc: Description, operation: Operation, query: URLSearchParams): string[] {
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
