/** Globals that packages have made when they were loaded, which is once a process: they stay when a test file's own go. */
export const ofPackages = new Set();
