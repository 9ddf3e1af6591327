/** Whether a file, or any of our files that it imports, can start a program. */
export function startsPrograms(file: string): boolean;
/** The test files of all folders that start no program, as paths from the project's root. */
export function unitSuites(): string[];
