export interface ConnectionArguments {
  first?: number | null;
  last?: number | null;
  after?: string | null;
}

/** A page of a list in Relay's form. GitHub insists on `first` or `last`, of at most 100. */
export function connection<T>(items: T[], { first, last, after }: ConnectionArguments) {
  if (typeof first !== "number" && typeof last !== "number")
    throw new Error("You must provide a `first` or `last` value to properly paginate the connection.");
  if ((first ?? last ?? 0) > 100)
    throw new Error("Requesting more than 100 records on the connection exceeds the `first` limit of 100 records.");
  const start = after ? Number(Buffer.from(after, "base64").toString().slice("cursor:".length)) : 0;
  const from = typeof last === "number" ? Math.max(0, items.length - last) : start;
  const nodes = typeof last === "number" ? items.slice(from) : items.slice(from, from + (first ?? 0));
  const end = from + nodes.length;
  const pageInfo = {
    hasNextPage: end < items.length,
    hasPreviousPage: from > 0,
    startCursor: nodes.length === 0 ? null : cursor(from + 1),
    endCursor: nodes.length === 0 ? null : cursor(end),
  };
  const edges = nodes.map((node, index) => ({ node, cursor: cursor(from + index + 1) }));
  return { totalCount: items.length, nodes, edges, pageInfo };
}

function cursor(position: number): string {
  return Buffer.from(`cursor:${position}`).toString("base64");
}
