import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { listed } from "../src/text/patterns.ts";
import { projectRoot } from "./world/project-root.ts";

/**
 * Anyone who registers a name that we point to but do not own could run code with the reader's keys. Documents,
 * manifests, workflows and strings of the program fetch or point to the names listed here only. None is ours: we
 * publish nothing.
 */
const PACKAGES = (() => {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(read("package.json")) as Record<
    string,
    object
  >;
  return new Set([...Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }), "node"]);
})();

/** Programs of installed packages, which `npx` may start. */
const PROGRAMS = new Set(["jest", "tsc", "knip", "biome"]);

const ACTIONS = new Set(["actions", "docker", "github", "googleapis", "sigstore"]);

const IMAGES = new Set(["node", "postgres"]);

const HOSTS = [
  "arxiv.org",
  "docs.github.com",
  "docs.npmjs.com",
  "www.postgresql.org",
  "www.conventionalcommits.org",
  "pglite.dev",
  // What the program speaks to, and where its users get their keys.
  "api.anthropic.com",
  "api.openai.com",
  "api.github.com",
  "platform.claude.com",
  "cloud.google.com",
  "aiplatform.googleapis.com",
  "git-lfs.github.com",
  "smee.io",
  // Names in XML and JSON that nobody fetches.
  "www.w3.org",
  "json-schema.org",
  "localhost",
  "127.0.0.1",
  "0.0.0.0",
  "host",
];

/** On hosts where anybody can take a name, only these addresses. */
const PLACES = [
  "github.com/settings/apps/new",
  "github.com/organizations/ORG/settings/apps/new",
  "github.com/containers/bubblewrap",
  // the repository of the samples in test/report
  "github.com/ana/shop/",
  // cloned for evaluations
  "github.com/django/django",
  "raw.githubusercontent.com/googleapis/release-please/",
];

function read(path: string): string {
  return readFileSync(join(projectRoot(), path), "utf8");
}

/**
 * Not searched: generated and fetched files, data of measurements, the loopback GitHub of tests and demo, and
 * the lists of other tools' files, which link to their documentation.
 */
const LEFT_OUT = listed(
  "^",
  String.raw`
  (?:node_modules|dist|build|data|coverage|test|demo|eval|\.git)/
  package-lock\.json$ bench/(?!.*\.md$) lists/`,
  "",
);

const files = readdirSync(projectRoot(), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(projectRoot(), join(entry.parentPath, entry.name)).split(sep).join(posix.sep))
  .filter((path) => !LEFT_OUT.test(path) && !/\.(?:png|svg|tgz)$/.test(path));

/** The words after a command, up to its end in a shell or in Markdown. */
const wordsAfter = (text: string, command: RegExp) =>
  [...text.matchAll(new RegExp(`${command.source}((?:[ \\t]+[^\\s\`|&;,)]+)*)`, "g"))].map(([, rest = ""]) =>
    rest
      .trim()
      .split(/\s+/)
      .filter((word) => word !== "" && !word.startsWith("-") && !word.startsWith("#")),
  );

const nameOf = (spec: string) => spec.replace(/(?<=.)@[^/]*$/, "");

/** Paths and placeholders, which are no names. */
const isOwn = (word: string) => /^(?:\.|~|"?\$|[A-Z@/]+$)/.test(word);

/** The names in a text that are not listed above. */
function strangersIn(text: string): readonly string[] {
  const installed = wordsAfter(text, /\b(?:npm|pnpm|yarn)[ \t]+(?:install|i|add|link|update)\b/)
    .flatMap((words) => words.slice(0, 1))
    .filter((word) => !isOwn(word) && !PACKAGES.has(nameOf(word)));
  const started = wordsAfter(text, /\b(?:npx|bunx|npm[ \t]+exec|npm[ \t]+init|pnpm[ \t]+dlx|yarn[ \t]+dlx)\b/)
    .flatMap((words) => words.slice(0, 1))
    .filter((word) => !PROGRAMS.has(nameOf(word)));
  const actions = [...text.matchAll(/\buses:[ \t]*["']?([\w.-]+\/[^\s"'#`,;]+)/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !name.startsWith("./") && name !== "OWNER/REPO@COMMIT" && !ACTIONS.has(name.split("/")[0] ?? ""));
  const images = [
    ...text.matchAll(/^[ \t]*(?:-[ \t]+)?image:[ \t]*["']?(\w[^\s"'#`]*)/gm),
    ...text.matchAll(/^FROM[ \t]+(?:--\S+[ \t]+)?(\S+)/gm),
    ...text.matchAll(/\b(?:docker|podman)[ \t]+(?:pull|run|create)\b(?:[ \t]+-\S+)*[ \t]+([\w./:@-]+)/g),
  ]
    .map(([, name = ""]) => name)
    .filter((name) => !name.startsWith("registry.example/") && !IMAGES.has(name.split(/[:@]/)[0] ?? ""));
  return [...installed, ...started, ...actions, ...images, ...addressesIn(text)];
}

function addressesIn(text: string): readonly string[] {
  const web = [...text.matchAll(/\b(?:https?|git|ssh|git\+https):\/\/([^\s"'`<>()\]]+)/g)].map(([, rest = ""]) => rest);
  const registries = [...text.matchAll(/(?<![/\w.])((?:ghcr\.io|docker\.io|quay\.io)\/[^\s"'`,)]+)/g)].map(
    ([, rest = ""]) => rest,
  );
  return [...web, ...registries].filter((rest) => {
    const [host = ""] = rest.split(/[/:?#,;]/);
    // Templates, placeholders, and names that nobody can own (RFC 2606).
    if (/^\W|\$\{|^[A-Z-]+$/.test(host) || /(?:^|\.)example(?:\.com|\.org)?$/.test(host)) return false;
    if (/^(?:ghcr\.io|github\.com)\/?(?:$|[.…]|OWNER\/|\$)/.test(rest)) return false;
    return !HOSTS.includes(host) && !PLACES.some((place) => rest.startsWith(place));
  });
}

describe("names that documents, manifests, workflows and the program fetch or point to", () => {
  it("are searched for in files of every kind", () => {
    const kinds = ["README.md", "action.yml", "app.yml", "compose.yaml", "package.json", "Dockerfile", ".env.example"];
    const folders = [".github/workflows/release.yml", ".ci/run", "deploy/kubernetes.yaml", "docs/action.md"];
    expect(files).toEqual(expect.arrayContaining([...kinds, ...folders, "src/commands/setup/setup-pages.ts"]));
  });

  it.each(files)("are all listed here: %s", (path) => {
    expect(strangersIn(read(path))).toEqual([]);
  });

  it.each([
    "npx magis resolve",
    "npm install --global magis && magis start",
    "npm i magis@0.1.0",
    "npm exec magis",
    "npm install --prefix x @magis/magis",
    "    - uses: magis/magis@v0.1.0",
    "    image: ghcr.io/magis/magis:v0.1.0",
    "    image: magis",
    "FROM magis AS build",
    "docker run --rm magis/magis",
    "see ghcr.io/magis/magis for it",
    "Documentation=https://github.com/magis/magis",
    '"url": "git+https://github.com/magis/magis.git"',
    "https://magis.dev/install.sh",
    "$schema=https://raw.githubusercontent.com/magis/magis/main/a.json",
    "https://www.npmjs.com/package/magis",
  ])("would be reported: %s", (text) => {
    expect(strangersIn(text)).not.toEqual([]);
  });

  it("do not include our own package, which is private and names no repository", () => {
    const manifest = JSON.parse(read("package.json")) as Record<string, unknown>;
    expect(manifest.private).toBe(true);
    for (const name of ["homepage", "bugs", "repository"]) expect(manifest).not.toHaveProperty(name);
  });
});
