/** The app as GitHub has it registered. */
export interface RegisteredApp {
  readonly slug: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  /** the app's settings page, to which `/permissions` and `/advanced` can be appended */
  readonly settingsUrl: string;
  /** where it is installed */
  readonly installUrl: string;
}
