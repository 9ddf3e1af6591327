/** Whether a file, or any of our files that it imports, can start a program. */
export function startsPrograms(file: string): boolean;
/** The suites of each job, as paths from the project's root. Each suite is in one job. */
export function suitesByJob(): Readonly<Record<string, string[]>>;
