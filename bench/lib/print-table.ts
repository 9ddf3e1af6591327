/** Prints rows as a table on standard output: the first row is the head, the first column is set left. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  for (const [index, row] of rows.entries()) {
    process.stdout.write(`${line(row)}\n`);
    if (index === 0) process.stdout.write(`${widths.map((width) => "-".repeat(width)).join("  ")}\n`);
  }
}
