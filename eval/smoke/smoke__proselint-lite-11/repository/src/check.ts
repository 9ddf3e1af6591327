import type { Finding } from "./finding.js";

const EMPTY_WORDS = ["very", "really", "basically"];

/** What is weak in a file's text, line by line. */
export function check(path: string, text: string): Finding[] {
  const findings: Finding[] = [];
  if (!text.startsWith("#")) findings.push({ path, line: 1, level: "note", message: "No title" });
  text.split("\n").forEach((line, index) => {
    const at = { path, line: index + 1 };
    if (/\S {2,}\S/.test(line)) findings.push({ ...at, level: "error", message: "Two spaces in a row" });
    const double = /\b(\w+) \1\b/i.exec(line);
    if (double) findings.push({ ...at, level: "error", message: `"${double[1]}" twice` });
    for (const word of EMPTY_WORDS) {
      if (new RegExp(`\\b${word}\\b`, "i").test(line)) {
        findings.push({ ...at, level: "warning", message: `"${word}" says nothing` });
      }
    }
  });
  return findings;
}
