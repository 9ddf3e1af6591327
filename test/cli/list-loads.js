import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

// Runs command lines one after the other in this process, and writes as JSON what each ended with, said, and loaded that none
// before it had: packages by their names. Given: the program's file, a file for notes, the command lines as JSON.
const [program, notes, given] = process.argv.slice(2);

const HOOKS = `import { appendFileSync } from "node:fs";
let notes;
export const initialize = (file) => { notes = file; };
export const load = (url, context, next) => { appendFileSync(notes, url + "\\n"); return next(url, context); };`;

writeFileSync(notes, "");
register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: notes });
const { runCommand } = await import(pathToFileURL(program).href);

const results = [];
for (const { words, environment } of JSON.parse(given)) {
  let said = "";
  const into = () =>
    new Writable({
      write(bytes, _, done) {
        said += String(bytes);
        done();
      },
    });
  const exitCode = await runCommand(words, {
    environment,
    stdin: Readable.from([]),
    stdout: into(),
    stderr: into(),
    signal: new AbortController().signal,
    startBot: async () => undefined,
  });
  const addresses = readFileSync(notes, "utf8").split("\n");
  writeFileSync(notes, "");
  const names = addresses.flatMap((address) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(address)?.[1] ?? []);
  results.push({ exitCode, said, packages: [...new Set(names)] });
}
appendFileSync(notes, JSON.stringify(results));
