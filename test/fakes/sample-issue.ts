import type { IssueSnapshot } from "../../src/data/discussion.ts";

export function sampleIssue(changes: Partial<IssueSnapshot> = {}): IssueSnapshot {
  return {
    number: 7,
    title: "Discounts are cut off instead of rounded",
    body: "A discount of 12.5 % on 0.99 is one cent short.\n\nSee `discountOf` in src/invoice.js.",
    author: "ana",
    url: "https://host.example/ana/shop/issues/7",
    discussion: [{ author: "ben", body: "Halves should go away from zero." }],
    hint: "",
    ...changes,
  };
}
