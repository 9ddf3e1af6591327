import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node } from "yaml";

/** The offset in the text of what stands at `path`; see `SettingsDocument.lineOf`. */
export function locatePath(document: Document, path: readonly PropertyKey[]): number {
  let node: Node | undefined = document.contents ?? undefined;
  let offset = node?.range?.[0] ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (isNode(pair?.key)) offset = pair.key.range?.[0] ?? offset;
      next = pair?.value;
      if (isScalar(next) && next.value !== null) offset = next.range?.[0] ?? offset;
    } else if (isSeq(node)) {
      next = node.items[Number(step)];
      if (isNode(next)) offset = next.range?.[0] ?? offset;
    }
    node = isNode(next) ? next : undefined;
  }
  return offset;
}
