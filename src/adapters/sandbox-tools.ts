import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { searchPathOf, trustedSearchPath } from "./programs.ts";

export interface ToolNeeds {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** paths of the commit: its manifests show which package managers' stores help */
  readonly paths: Iterable<string>;
  /** the person's checkout: no tool, though the search path may lead into it */
  readonly beside?: string | undefined;
}

/**
 * Absolute places of tools outside the system's folders that a command may need: programs by the search path and by
 * variables that name a tool's home, and fetched packages by the commit's manifests. Only places known to hold programs
 * and packages, never a folder that also holds credentials or settings.
 */
export function toolPlaces({ environment, paths, beside }: ToolNeeds): readonly string[] {
  const home = environment.HOME;
  const entries = trustedSearchPath(searchPathOf(environment))
    .split(path.delimiter)
    .filter((entry) => entry !== "" && !isWithin(entry, beside))
    .map((entry) => path.normalize(entry).replace(/(?<=.)\/$/, ""));
  const named = TOOL_HOMES.flatMap((name) => environment[name] ?? []).filter((one) => path.isAbsolute(one));
  const places = [...entries.flatMap((entry) => partsBeside(entry, home)), ...named.flatMap((top) => partsOf(top))];
  const ofManagers = home === undefined ? [] : [...managers(entries, home), ...fetched(paths, home)];
  const rustup = environment.RUSTUP_HOME;
  if (rustup !== undefined && path.isAbsolute(rustup)) ofManagers.push(...within(rustup, RUSTUP));
  return [...new Set([...places, ...ofManagers])].filter((place) => isNarrow(place, home));
}

/** Variables that name one tool's home; its known parts are shown. */
const TOOL_HOMES = ["JAVA_HOME", "GOROOT", "DOTNET_ROOT", "CONDA_PREFIX", "ANDROID_HOME"];

const isWithin = (place: string, top: string | undefined) =>
  top !== undefined && `${path.normalize(place)}/`.startsWith(`${path.resolve(top)}/`);

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** A tool's folders beside its programs. Not `etc`, where npm keeps tokens. */
const PARTS = words("bin sbin lib lib32 lib64 libexec include share");

/** Beside a `bin` in a hidden folder of the home directory (`~/.local`), where applications also keep data. */
const FEW_PARTS = words("bin lib lib64 libexec");

/** Further parts of tools, recognised by a file in their home. */
const KNOWN_TOOLS: readonly { readonly sign: string; readonly parts: readonly string[] }[] = [
  { sign: "release", parts: words("conf jmods legal release") },
  { sign: "VERSION", parts: words("src pkg misc api VERSION go.env") },
  { sign: "conda-meta", parts: words("conda-meta ssl") },
  { sign: "host/fxr", parts: words("dotnet host shared sdk packs templates sdk-manifests") },
  {
    sign: "platform-tools",
    parts: words("platforms build-tools platform-tools cmdline-tools licenses ndk cmake sources"),
  },
];

const RUSTUP = words("toolchains settings.toml");

/** What tool managers need besides the folder on the search path; below the home directory. */
const MANAGERS: Readonly<Record<string, readonly string[]>> = {
  ".cargo/bin": words(".rustup/toolchains .rustup/settings.toml"),
  ".volta/bin": words(".volta/tools"),
  ".asdf/shims": words(".asdf/bin .asdf/lib .asdf/libexec .asdf/asdf.sh .asdf/plugins .asdf/installs"),
  ".pyenv/shims": words(".pyenv/bin .pyenv/libexec .pyenv/plugins .pyenv/pyenv.d .pyenv/version .pyenv/versions"),
  ".rbenv/shims": words(".rbenv/bin .rbenv/libexec .rbenv/plugins .rbenv/rbenv.d .rbenv/version .rbenv/versions"),
  ".local/share/mise/shims": words(".local/share/mise/installs .local/bin/mise"),
  ".local/bin": words(".local/share/pipx/venvs .local/share/uv/tools .local/share/uv/python"),
  ".dotnet": words(`
    .dotnet/dotnet .dotnet/host .dotnet/shared .dotnet/sdk .dotnet/packs .dotnet/templates .dotnet/sdk-manifests`),
  ".bun/bin": words(".bun/install/global/node_modules"),
  ".sdkman/candidates": words(".sdkman/candidates"),
};

/** Package managers' stores, by the manifests that use them; below the home directory. */
const FETCHED: readonly { readonly manifests: readonly string[]; readonly places: readonly string[] }[] = [
  { manifests: words("pom.xml"), places: words(".m2/repository .m2/wrapper/dists") },
  {
    manifests: words("build.gradle build.gradle.kts settings.gradle settings.gradle.kts"),
    places: words(".gradle/caches .gradle/wrapper/dists .m2/repository"),
  },
  { manifests: words("Cargo.toml"), places: words(".cargo/registry .cargo/git") },
  { manifests: words("go.mod"), places: words("go/pkg/mod") },
  { manifests: words("Gemfile *.gemspec"), places: words(".gem/ruby .local/share/gem/ruby") },
  { manifests: words("*.csproj *.fsproj *.vbproj *.sln *.slnx"), places: words(".nuget/packages") },
  {
    manifests: words("mix.exs"),
    places: words(".hex/packages .hex/cache.ets .mix/archives .mix/elixir .mix/rebar .mix/rebar3"),
  },
  { manifests: words("pubspec.yaml"), places: words(".pub-cache/hosted .pub-cache/git .pub-cache/global_packages") },
  { manifests: words("composer.json"), places: words(".composer/cache .cache/composer") },
  { manifests: words("pyproject.toml"), places: words(".cache/pypoetry/virtualenvs") },
];

const within = (top: string, names: readonly string[]) => names.map((name) => path.join(top, name));

function partsOf(top: string, parts = PARTS): string[] {
  const known = KNOWN_TOOLS.filter(({ sign }) => existsSync(path.join(top, sign))).flatMap((tool) => tool.parts);
  return within(path.normalize(top), [...parts, ...known]).filter((place) => existsSync(place));
}

/** Folders in which a tool keeps nothing but programs. */
const PROGRAM_FOLDERS = new Set(["bin", "sbin", "shims"]);

/** The programs in a folder of the search path and, for a tool's `bin`, the tool's other parts. */
export function partsBeside(entry: string, home: string | undefined): string[] {
  const above = path.dirname(entry);
  if (!PROGRAM_FOLDERS.has(path.basename(entry)) || above === home) return programsIn(entry);
  if (path.basename(entry) === "shims") return [entry];
  const isHidden = home !== undefined && path.dirname(above) === home && path.basename(above).startsWith(".");
  return [entry, ...(isHidden ? within(above, FEW_PARTS).filter((place) => existsSync(place)) : partsOf(above))];
}

const MAX_PROGRAMS = 500;

/** Only the executables of a folder that may hold anything: a project on the search path has its `.env` there too. */
function programsIn(folder: string): string[] {
  const files = safely(() => readdirSync(folder), []).filter((name) => !name.startsWith("."));
  return within(folder, files.slice(0, MAX_PROGRAMS)).filter((file) =>
    safely(() => {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    }, false),
  );
}

function safely<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

function managers(entries: readonly string[], home: string): string[] {
  const isNamed = (folder: string) => entries.some((entry) => `${entry}/`.startsWith(`${path.join(home, folder)}/`));
  return Object.entries(MANAGERS).flatMap(([folder, places]) => (isNamed(folder) ? within(home, places) : []));
}

function fetched(paths: Iterable<string>, home: string): string[] {
  const names = new Set([...paths].map((file) => path.posix.basename(file)));
  const endings = new Set([...names].map((name) => `*${path.posix.extname(name)}`));
  const isThere = (manifest: string) => names.has(manifest) || endings.has(manifest);
  return FETCHED.flatMap(({ manifests, places }) => (manifests.some(isThere) ? within(home, places) : []));
}

/** Not the home directory, nor a folder in which machines keep everything. */
function isNarrow(place: string, home: string | undefined): boolean {
  const isAbove = home !== undefined && `${path.normalize(home)}/`.startsWith(`${place}/`);
  return !isAbove && !BROAD.has(place) && !NOT_FILES.some((top) => place === top || place.startsWith(`${top}/`));
}

const BROAD = new Set(words("/ /etc /home /media /mnt /opt /root /run /srv /tmp /Users /var /var/lib /var/tmp"));

/** No disk behind them. */
const NOT_FILES = words("/dev /proc /sys");
