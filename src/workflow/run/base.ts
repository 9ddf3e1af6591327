/** The commit that the whole run works on. */
export interface Base {
  readonly branch: string;
  readonly commit: string;
}
