import { issueTerms } from "../../src/search/token-cache.ts";

/** The search terms of any text, as the ranking splits them. */
export function termsOf(text: string): Set<string> {
  return new Set(issueTerms({ title: text, body: "" }).keys());
}
