import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { readList } from "../../data/own-files.ts";
import { searchPathOf, trustedSearchPath } from "../../git/programs.ts";

export interface ToolNeeds {
  environment: Readonly<Record<string, string | undefined>>;
  /** paths of the commit: its manifests show which package managers' stores help */
  paths: Iterable<string>;
  /** the person's checkout: no tool, though the search path may lead into it */
  beside?: string | undefined;
}

/**
 * Absolute places of tools outside the system's folders that a command may need: programs by the search path and by
 * variables that name a tool's home, and fetched packages by the commit's manifests, as `lists/check-tools.txt` says.
 */
export function toolPlaces({ environment, paths, beside }: ToolNeeds): readonly string[] {
  const home = environment.HOME;
  const entries = trustedSearchPath(searchPathOf(environment))
    .split(path.delimiter)
    .filter((entry) => entry !== "" && !isWithin(entry, beside))
    .map((entry) => path.normalize(entry).replace(/(?<=.)\/$/, ""));
  const named = listed("home")
    .flatMap(({ names: [name = ""] }) => environment[name] ?? [])
    .filter((one) => path.isAbsolute(one));
  const places = [...entries.flatMap((entry) => partsOfTool(entry, home)), ...named.flatMap((top) => partsOf(top))];
  const ofManagers = home === undefined ? [] : [...managers(entries, home), ...fetched(paths, home)];
  const rustup = environment.RUSTUP_HOME;
  if (rustup !== undefined && path.isAbsolute(rustup))
    ofManagers.push(...within(rustup, ["toolchains", "settings.toml"]));
  return [...new Set([...places, ...ofManagers])].filter((place) => isNarrow(place, home));
}

/** The lines of `lists/check-tools.txt` of one kind: names before the colon, places behind it. */
function listed(kind: "home" | "parts" | "manager" | "packages") {
  return readList("check-tools").flatMap((line) => {
    const [own, ...rest] = line.split(" ");
    const [names = "", places = ""] = rest.join(" ").split(": ");
    return own === kind ? [{ names: words(names), places: words(places) }] : [];
  });
}

const isWithin = (place: string, top: string | undefined) =>
  top !== undefined && `${path.normalize(place)}/`.startsWith(`${path.resolve(top)}/`);

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** A tool's folders beside its programs. Not `etc`, where npm keeps tokens. */
const PARTS = words("bin sbin lib lib32 lib64 libexec include share");

/** Beside a `bin` in a hidden folder of the home directory (`~/.local`), where applications also keep data. */
const FEW_PARTS = words("bin lib lib64 libexec");

const within = (top: string, names: readonly string[]) => names.map((name) => path.join(top, name));

function partsOf(top: string, parts = PARTS): string[] {
  const known = listed("parts").filter(({ names: [sign = ""] }) => existsSync(path.join(top, sign)));
  return within(path.normalize(top), [...parts, ...known.flatMap(({ places }) => places)]).filter((place) =>
    existsSync(place),
  );
}

/** Folders in which a tool keeps nothing but programs. */
const PROGRAM_FOLDERS = new Set(["bin", "sbin", "shims"]);

/** The programs in a folder of the search path and, for a tool's `bin`, the tool's other parts. */
export function partsOfTool(entry: string, home: string | undefined): string[] {
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
  return listed("manager").flatMap(({ names: [folder = ""], places }) => (isNamed(folder) ? within(home, places) : []));
}

function fetched(paths: Iterable<string>, home: string): string[] {
  const names = new Set([...paths].map((file) => path.posix.basename(file)));
  const endings = new Set([...names].map((name) => `*${path.posix.extname(name)}`));
  const isThere = (manifest: string) => names.has(manifest) || endings.has(manifest);
  return listed("packages").flatMap(({ names, places }) => (names.some(isThere) ? within(home, places) : []));
}

/** Not the home directory, nor a folder in which machines keep everything. */
function isNarrow(place: string, home: string | undefined): boolean {
  const isAbove = home !== undefined && `${path.normalize(home)}/`.startsWith(`${place}/`);
  return !isAbove && !BROAD.has(place) && !NOT_FILES.some((top) => place === top || place.startsWith(`${top}/`));
}

const BROAD = new Set(words("/ /etc /home /media /mnt /opt /root /run /srv /tmp /Users /var /var/lib /var/tmp"));

/** No disk behind them. */
const NOT_FILES = words("/dev /proc /sys");
