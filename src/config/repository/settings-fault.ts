/** One thing that is wrong in a configuration file. */
export interface SettingsFault {
  /** as a reader finds it: `.github/magis.yml`, or `owner/.github:path/to/file.yml` */
  readonly file: string;
  /** 1 is the first */
  readonly line: number;
  /** `budget.money`, `ignore[2]`; "" when the whole file is meant */
  readonly key: string;
  /** Markdown: a sentence or two that say what is wrong and what would be right */
  readonly message: string;
}
