/** A file as a tree names it. */
export interface TreeFile {
  readonly path: string;
  readonly blob: string;
  readonly mode: string;
  readonly size?: number;
}
