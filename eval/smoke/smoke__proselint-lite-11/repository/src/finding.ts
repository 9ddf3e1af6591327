export interface Finding {
  readonly path: string;
  /** counted from 1 */
  readonly line: number;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
}
