/** What the app is to be registered with (app.yml). */
export interface Manifest {
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly events: readonly string[];
}
