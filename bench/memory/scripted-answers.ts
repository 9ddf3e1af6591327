import { issueTerms } from "../../src/domain/ranking/issue-terms.ts";
import { readMapByRule } from "./read-map-by-rule.ts";
import { termsOf } from "./terms-of.ts";

const DECLARATION =
  /\b(?:function|class|def|func|fn|interface|type|struct|enum|trait|impl|const|let|var|public|private|static)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]+)/g;
const SUMMARY_WORDS = 100;
const CHANGE_WORDS = 30;

/**
 * Answers of honest length, made of the prompt's own words: a summary of about 100 words (less for a short file), a
 * commit message of 30, a judgement with a short reason, and a reading of the map by matching words.
 */
export function scriptedAnswer(promptId: string, text: string): string {
  switch (promptId) {
    case "p01-summarise-change":
      return `Changes ${namesIn(text.slice(text.lastIndexOf("diff")), CHANGE_WORDS).join(", ")}.`;
    case "p02-summarise-file":
      return summarise(text);
    case "p03-judge-relevance":
      return JSON.stringify({ files: judge(text) });
    case "c01-read-map":
      return JSON.stringify(readMapByRule(text));
    default:
      throw new Error(`no answer to ${promptId} is written`);
  }
}

function summarise(text: string): string {
  const content = text.slice(text.indexOf("```"));
  const most = Math.min(SUMMARY_WORDS, Math.ceil(content.split(/\s+/).length / 4));
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

/** Relevant is a file whose path or summary shares two terms with the issue, or all of an issue that has fewer. */
function judge(text: string) {
  const [issue = "", ...files] = text.split(/^## (?=`[^`\n]+`$)/m);
  const wanted = new Set(issueTerms({ title: issue.replace(/^#.*$/m, ""), body: "" }).keys());
  return files.map((block) => {
    const path = block.slice(1, block.indexOf("`", 1));
    const shown = block.replace(/^Why it was found:.*$/m, "");
    const shared = [...termsOf(shown)].filter((term) => wanted.has(term));
    const reason = `It speaks of ${shared.slice(0, 5).join(", ") || "something else"}.`;
    return { path, reason, relevant: shared.length >= Math.min(2, wanted.size) };
  });
}
