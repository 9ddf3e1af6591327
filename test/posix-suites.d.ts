export declare const POSIX_SUITES: Readonly<Record<string, string>>;
export declare function notHere(platform?: string): readonly string[];
