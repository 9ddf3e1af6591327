import { codeBlock } from "../src/text/compose-markdown.ts";
import type { Texts } from "./text-samples.ts";
import { commands, onIssue } from "./texts-on-issues.ts";
import {
  answers,
  checkRun,
  checks,
  commits,
  onPullRequest,
  proofs,
  review,
  updates,
  whyUntested,
} from "./texts-on-pull-requests.ts";

/** Every text that the bot writes on GitHub, by place. */
const TEXTS: Readonly<Record<string, Texts>> = {
  "The comment on the issue": onIssue,
  "The pull request": onPullRequest,
  "How it was tested": proofs,
  "The QA Engineers' review": review,
  "Answers to people's reviews": answers,
  "Failing checks": checks,
  "Merging the base": updates,
  "The app's check run": checkRun,
  "Commands and refusals": commands,
  Commits: commits,
};

/** `docs/texts.md` */
export function textsDocument(): string {
  const sections = Object.entries(TEXTS).map(([place, texts]) => {
    const parts = Object.entries(texts).map(([name, text]) => `### ${name}\n\n${codeBlock(text, "markdown")}`);
    const why =
      place === "How it was tested" ? [`### Why it was not\n\n${whyUntested.map((one) => `- ${one}`).join("\n")}`] : [];
    return [`## ${place}`, ...parts, ...why].join("\n\n");
  });
  return `${[HEADING, ...sections].join("\n\n")}\n`;
}

const HEADING = `# What the bot writes on GitHub

Every text with sample values, so that they can be read aloud. \`npm run docs:texts\` writes this file, and
\`test/report/texts.test.ts\` fails when it is not current.`;
