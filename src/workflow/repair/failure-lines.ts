/** How runners, compilers and linters begin to tell a failure. */
const TELLING: readonly RegExp[] = [
  /^\s*(?:FAIL\b|● |✕ |✖ |× |not ok \d)/, // jest, vitest, mocha, node:test, TAP, go test
  /^(?:E {3}|FAILED |ERROR )|^_{3,} .+ _{3,}$|^=+ (?:FAILURES|ERRORS) =+$/, // pytest
  /^\s*--- FAIL: |^panic: |\.go:\d+:\d+: /, // go
  /^error(?:\[E\d+\])?: |panicked at |^test .+ \.\.\. FAILED$/, // cargo
  /^\[ERROR\] |^\s*<<< (?:FAILURE|ERROR)!|<<< (?:FAILURE|ERROR)!/, // maven
  /^\s+\d+:\d+\s+error\s/, // eslint
  /\berror TS\d+: /, // tsc
  /^Traceback \(most recent call last\)|^\s*(?:\w+\.)*\w*(?:Error|Exception)\b.*:/, // python, java, javascript
  /^\S+:\d+:\d+: (?:fatal )?error: /, // gcc, clang
  /^\s+\d+\) \S/, // rspec, phpunit, mocha's list
];
const LIKELY = /\b(?:errors?|fail(?:ed|ure|ures|s)?|exception|fatal|assert(?:ion)?\w*|cannot|undefined reference)\b/i;
/** Said of every failed step, and of what went well. */
const IDLE =
  /^Error: Process completed with exit code|\b(?:0|no) (?:errors?|fail\w*)|(?:errors?|fail\w*)[:=] ?0\b|\bfail-fast\b|\bif-no-files-found\b|continue-on-error|^\[ERROR\] (?:-> )?\[?(?:Help|To see|Re-run|For more)|^\[ERROR\]\s*$/i;

/**
 * Indices of the lines that tell a failure. Where a known runner tells one in its own form, words like "error" in other
 * lines are noise.
 */
export function failureLines(lines: readonly string[]): readonly number[] {
  const matching = (tells: (line: string) => boolean) =>
    lines.flatMap((line, index) => (tells(line) && !IDLE.test(line) ? [index] : []));
  const telling = matching((line) => TELLING.some((form) => form.test(line)));
  return telling.length > 0 ? telling : matching((line) => LIKELY.test(line));
}
