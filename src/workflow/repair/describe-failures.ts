import type { FailedCheck } from "../../model/failed-check.ts";

const MAX_SUMMARY = 3_000;
const MAX_ANNOTATIONS = 20;
const MAX_MESSAGE = 600;

/** Failed checks as plain text for the agents: what each says of itself, the lines it names, its log. */
export function describeFailures(checks: readonly FailedCheck[]): string {
  return checks.map(describe).join("\n\n");
}

function describe({ name, summary, annotations, log, places }: FailedCheck): string {
  const marked = annotations.slice(0, MAX_ANNOTATIONS).map(({ path, line, message }) => {
    const words = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)} […]` : message;
    return `- ${path}:${line}: ${words}`;
  });
  const more = annotations.length - marked.length;
  if (more > 0) marked.push(`[… ${more} more left out …]`);
  return [
    `The check "${name}" failed.`,
    summary && `It says of itself:\n${summary.length > MAX_SUMMARY ? `${summary.slice(0, MAX_SUMMARY)} […]` : summary}`,
    marked.length > 0 && `Its annotations:\n${marked.join("\n")}`,
    places.length > 0 &&
      `Lines of the repository that it names: ${places.map(({ path, line }) => `${path}:${line}`).join(", ")}`,
    log ? `The part of its log that tells the failure:\n${log}` : "There is no log of it to read.",
  ]
    .filter((part) => part)
    .join("\n\n");
}
