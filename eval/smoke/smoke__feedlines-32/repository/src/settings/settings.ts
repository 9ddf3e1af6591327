/** What a settings file may say. */
export interface Settings {
  readonly feeds: readonly string[];
  readonly dateFormat: "day" | "minute";
  readonly maxTitle: number;
}
