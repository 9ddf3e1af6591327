import { issueTerms } from "../../src/search/token-cache.ts";
import { listed } from "../../src/text/patterns.ts";
import { termsOf } from "./terms-of.ts";

const DECLARATION = listed(
  "\\b",
  "function class def func fn interface type struct enum trait impl const let var public private static",
  String.raw`\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]+)`,
  "g",
);
/** Of P2, of the summaries that are asked for together, and of P1. */
const SUMMARY_WORDS = 100;
const SHORT_SUMMARY_WORDS = 40;
const CHANGE_WORDS = 30;
/** Declarations named in a relevant file. */
const MAX_NAMES = 3;

/**
 * Answers of honest length, made of the prompt's own words: a summary of about 100 words (40 where many are asked for
 * together, less for a short file), a commit message of 30, and a judgement with a short reason.
 */
export function scriptedAnswer(promptId: string, text: string): string {
  switch (promptId) {
    case "c02-locate-files":
      return JSON.stringify({ files: shortlist(text), more: [] });
    case "p01-summarise-change":
      return `Changes ${namesIn(text.slice(text.lastIndexOf("diff")), CHANGE_WORDS).join(", ")}.`;
    case "p02-summarise-file":
      return summarise(text.slice(text.indexOf("```")), SUMMARY_WORDS);
    case "p03-judge-relevance":
      return JSON.stringify({ files: judge(text) });
    default:
      throw new Error(`no answer to ${promptId} is written`);
  }
}

function summarise(content: string, words: number): string {
  const most = Math.min(words, Math.ceil(content.split(/\s+/).length / 4));
  return `Declares and uses ${namesIn(content, most).join(", ")}.`;
}

/** Names that are declared, then those that occur most, `most` at all. */
function namesIn(text: string, most: number): string[] {
  const counts = new Map<string, number>();
  for (const [name] of text.matchAll(/[A-Za-z_$][\w$]{3,40}/g)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const declared = [...text.matchAll(DECLARATION)].map(([, name = ""]) => name);
  return [...new Set([...declared, ...frequent])].slice(0, most);
}

/** A verdict on each file, and a summary for those that are not shown by one alone. */
function shortlist(text: string) {
  const shown = text.slice(0, text.lastIndexOf("Judge what each of these files is to this issue:"));
  return blocksOf(shown).map(({ path, block, reason, relevant }) => {
    const known = /^Its summary \(/m.test(block);
    const summary = known ? "" : summarise(block.slice(block.indexOf("```")), SHORT_SUMMARY_WORDS);
    const names = relevant ? namesIn(block.slice(block.indexOf("```")), MAX_NAMES) : [];
    return { path, verdict: relevant ? "change" : "no", reason, names, summary };
  });
}

const judge = (text: string) => blocksOf(text).map(({ path, reason, relevant }) => ({ path, reason, relevant }));

/** Lines of the prompt's own: headings, what a fence holds, why a file was found. */
const OURS = /^(?:#|`{3,}|Why it was found:|`+[^`\n].*`$).*$/gm;

/** Relevant is a file whose path or text shares two terms with the issue, or all of an issue that has fewer. */
function blocksOf(text: string) {
  const [issue = "", ...files] = text.split(/^## (?=`[^`\n]+`$)/m);
  const wanted = new Set(issueTerms({ title: issue.replace(OURS, ""), body: "" }).keys());
  return files.map((block) => {
    const path = block.slice(1, block.indexOf("`", 1));
    const shown = block.replace(OURS, "");
    const shared = [...termsOf(shown)].filter((term) => wanted.has(term));
    const reason = `It speaks of ${shared.slice(0, 5).join(", ") || "something else"}.`;
    return { path, block, reason, relevant: shared.length >= Math.min(2, wanted.size) };
  });
}
