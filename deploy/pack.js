import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What `npm pack` and `npm publish` do before they read the folder (`before`) and after it (`after`): the package gets the
 * build, and the very dependencies of the lock file. They are bundled, since npm heeds a package's npm-shrinkwrap.json
 * only where the registry says that it has one, and never its overrides; the shrinkwrap says what the bundle holds.
 * npm reads all of it from the checkout itself: one that was killed in between is put right by the next pack.
 */
const root = join(import.meta.dirname, "..");
const [manifest, lock, shrinkwrap] = ["package.json", "package-lock.json", "npm-shrinkwrap.json"].map((file) =>
  join(root, file),
);
const kept = join(root, "build", "package.json");

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);

function npm(...words) {
  const { status, error } = spawnSync(process.execPath, [process.env.npm_execpath, ...words], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw error ?? new Error(`npm ${words[0]} failed`);
}

function before() {
  after(); // of a pack that was cut off
  if (!existsSync(join(root, "node_modules", ".package-lock.json"))) npm("ci", "--ignore-scripts");
  rmSync(join(root, "dist"), { recursive: true, force: true });
  npm("run", "--silent", "build");
  const { devDependencies: _, scripts: __, overrides: ___, ...shown } = readJson(manifest);
  const locked = lockedFor(shown);
  // From here on until `after`, the checkout is not as it was: nothing that takes long, or can fail, comes in between.
  mkdirSync(join(root, "build"), { recursive: true });
  copyFileSync(manifest, kept);
  writeJson(shrinkwrap, locked);
  writeJson(manifest, { ...shown, bundleDependencies: Object.keys(shown.dependencies) });
}

/** The lock file's part that an install of the package needs. */
function lockedFor({ name, version }) {
  const { packages, ...rest } = readJson(lock);
  const { devDependencies: _, ...top } = packages[""];
  const needed = Object.entries(packages).filter(([place, { dev }]) => place !== "" && !dev);
  return { ...rest, name, version, packages: { "": { ...top, name, version }, ...Object.fromEntries(needed) } };
}

/** Puts the checkout back as it was. What somebody has written into package.json since a pack was cut off stays. */
function after() {
  rmSync(shrinkwrap, { force: true });
  if (existsSync(kept) && "bundleDependencies" in readJson(manifest)) copyFileSync(kept, manifest);
  rmSync(kept, { force: true });
}

if (process.argv[2] === "after") after();
else before();
