import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * `npm run package`: makes the tarball, in the folder it is called from. It holds the build and the very dependencies of the
 * lock file. They are bundled, since npm heeds a package's npm-shrinkwrap.json only where the registry says that it has one,
 * and never its overrides; the shrinkwrap says what the bundle holds. All of it is put together in a folder of its own: the
 * checkout stays as it is.
 */
const root = join(import.meta.dirname, "..");
const readJson = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

/** Standard output is for what the last step says, which `--json` makes data. */
function npm(cwd, words, stdout = 2) {
  const { status, error } = spawnSync(process.execPath, [process.env.npm_execpath, ...words], {
    cwd,
    stdio: ["ignore", stdout, "inherit"],
  });
  if (status !== 0) throw error ?? new Error(`npm ${words[0]} failed`);
}

/** The lock file's part that an install of the package needs. */
function lockedFor({ name, version }) {
  const { packages, ...rest } = readJson("package-lock.json");
  const { devDependencies: _, ...top } = packages[""];
  const needed = Object.entries(packages).filter(([place, { dev }]) => place !== "" && !dev);
  return { ...rest, name, version, packages: { "": { ...top, name, version }, ...Object.fromEntries(needed) } };
}

/** What no package loads when it runs, by its place in node_modules: tests, a fixture, grammars and extensions that are not ours. */
const UNREAD = [
  /\.(?:map|[cm]?ts)$/,
  /(?:^|\/node_modules\/)(?:@[^/]+\/)?[^@/][^/]*\/(?:tests?|docs|debug)\//,
  /^superjson\/src\//,
  /^@vscode\/tree-sitter-wasm\/wasm\/tree-sitter-(?:bash|css|ini|powershell|regex)\.wasm$/,
  /^@electric-sql\/pglite\/dist\/pgcrypto\.tar\.gz$/,
];

/** Removes what Node never reads of the packages: half of all files. */
function removeUnread(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const place = relative(folder, file).replaceAll(sep, "/");
    if (entry.isFile() && UNREAD.some((pattern) => pattern.test(place))) rmSync(file);
  }
}

const staging = mkdtempSync(join(tmpdir(), "magis-pack-"));
const write = (file, value) => writeFileSync(join(staging, file), `${JSON.stringify(value, undefined, 2)}\n`);
try {
  const { scripts: _, ...manifest } = readJson("package.json");
  write("package.json", manifest);
  cpSync(join(root, "package-lock.json"), join(staging, "package-lock.json"));
  npm(staging, ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
  removeUnread(join(staging, "node_modules"));
  npm(root, ["exec", "--", "tsc", "-p", "src", "--outDir", join(staging, "dist")]);
  const { makeTemplate } = await import(pathToFileURL(join(staging, "dist/queue/database/open-embedded.js")).href);
  await makeTemplate();
  for (const file of ["LICENSE", "README.md", ...manifest.files.filter((one) => !/^!|^dist$|shrinkwrap/.test(one))]) {
    cpSync(join(root, file), join(staging, file), { recursive: true });
  }
  const { devDependencies: __, overrides: ___, ...shown } = manifest;
  write("package.json", { ...shown, bundleDependencies: Object.keys(shown.dependencies) });
  write("npm-shrinkwrap.json", lockedFor(shown));
  const destination = process.env.INIT_CWD ?? process.cwd();
  npm(staging, ["pack", "--pack-destination", destination, ...process.argv.slice(2)], "inherit");
} finally {
  rmSync(staging, { recursive: true, force: true });
}
