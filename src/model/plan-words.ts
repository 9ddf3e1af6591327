/** The Manager's words for commit and pull request, where it has found them while planning. */
export interface PlanWords {
  /** of a conventional commit */
  readonly type: "fix" | "feat" | "docs" | "refactor" | "perf" | "test" | "build" | "chore";
  /** the commit's subject without its type */
  readonly title: string;
  /** what was wrong or missing, and why */
  readonly problem: string;
}
