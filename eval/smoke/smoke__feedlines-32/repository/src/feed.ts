export interface Item {
  readonly title: string;
  /** ISO 8601, UTC */
  readonly published: string;
}

export interface Feed {
  readonly name: string;
  readonly items: readonly Item[];
}
