import type { ReportFacts } from "./report-facts.ts";

/** What the report cannot say, a sentence each. */
export function notMeasured(facts: Pick<ReportFacts, "metrics" | "totals" | "grading" | "unfinished">): string[] {
  const { metrics, totals, grading, unfinished } = facts;
  const ungraded = metrics.filter(({ id }) => grading && !grading.has(id)).length;
  const unjudged = metrics.filter(({ correlation }) => correlation === null).length;
  const untold = metrics.filter(({ coverage }) => coverage.ratio === null).length;
  const nothing = metrics.filter(({ patch }) => patch.applied === null).length;
  const created = metrics.filter(({ recall }) => recall?.gold.length === 0).length;
  const said: (string | false)[] = [
    totals.resolved === null && "Resolved ratio: nothing was graded (`--grade` or `--results`).",
    totals.resolved !== null && ungraded > 0 && `Resolved ratio: the grader says nothing of ${times(ungraded)}.`,
    totals.recall === null && "Recall: the candidates were given, or no reference change has existing files.",
    totals.recall !== null &&
      created > 0 &&
      `Recall: ${times(created)} left out, whose reference changes no existing file.`,
    totals.correlation === null && "Task correlation: no judge was asked (`--judge`).",
    totals.correlation !== null &&
      unjudged > 0 &&
      `Task correlation: ${times(unjudged)} left out, without tasks or score.`,
    untold > 0 && `Line-locating coverage: ${times(untold)} left out, whose reference changes no existing line.`,
    nothing > 0 && `Applied ratio: ${times(nothing)} left out, where neither change nor reference is there.`,
    unfinished.size > 0 && `${times(unfinished.size)} not finished; the same command goes on with them.`,
    "The pull request's words and the publishing are no part of an evaluation; their cost is not in the figures.",
    "The evolution memory begins empty for each instance, so that none learns from another's future.",
  ];
  return said.filter((sentence) => sentence !== false);
}

const times = (count: number) => (count === 1 ? "1 instance" : `${count} instances`);
