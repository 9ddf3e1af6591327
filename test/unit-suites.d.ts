/** Whether a file, or anything of ours that it imports, can start a program. */
export function startsPrograms(file: string): boolean;
/** The test files that start no program, wherever they stand, as paths from the project's root. */
export function unitSuites(): string[];
