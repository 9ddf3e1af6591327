import type { RunReport } from "../../../src/run/runs.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleCall, sampleReport } from "./sample-report.ts";

/** Breaks out of elements, attributes, comments, styles and strings of a page, and writes to a terminal. */
export const HOSTILE = `"'></title></style></pre><script>window.hacked=1</script><img src=x onerror="window.hacked=1"> \u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnp.\u0000 &lt; <!-- ]]>`;

/** A run in which every text, wherever it is from, is hostile, even the names of its parts. */
export function hostileReport(): RunReport {
  const report = sampleReport();
  const long = `+${"x".repeat(400)} ${HOSTILE}`;
  const record = poison(report.record) as Record<string, { issue?: unknown; outcomes?: unknown[] }>;
  const attempt = { round: 1, diff: `@@ -1 +1 @@\n-${HOSTILE}\n${long}\n`, approved: true, verdict: HOSTILE };
  return {
    ...report,
    title: HOSTILE,
    repository: HOSTILE,
    requestedAt: HOSTILE,
    record: {
      ...record,
      start: {
        ...record.start,
        issue: { ...sampleIssue(), title: HOSTILE, body: HOSTILE, url: `https://x/"onclick=alert(1)${HOSTILE}` },
      },
      work: {
        outcomes: [{ taskId: "t1", path: HOSTILE, status: HOSTILE, attempts: [attempt], comments: [] }],
        patch: attempt.diff,
      },
      [HOSTILE]: HOSTILE,
    },
    calls: [
      sampleCall(HOSTILE, 0, 1000),
      sampleCall("x".repeat(300), 1000, 1000, { failure: HOSTILE }),
      ...report.calls,
    ],
  };
}

function poison(value: unknown): unknown {
  if (typeof value === "string") return `${value}${HOSTILE}`;
  if (Array.isArray(value)) return value.map(poison);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, poison(item)]));
}
