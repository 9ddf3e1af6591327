interface Extent {
  readonly startPosition: { readonly row: number };
  readonly endPosition: { readonly row: number; readonly column: number };
}

/** The 0-based row in which a node's last character stands: one that ends with a newline ends before it. */
export function lastRow({ startPosition, endPosition }: Extent): number {
  return Math.max(startPosition.row, endPosition.column === 0 ? endPosition.row - 1 : endPosition.row);
}
