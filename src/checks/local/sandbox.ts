import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findProgram, SYSTEM_FOLDERS } from "../../git/programs.ts";

/** The program that confines a command. */
export const SANDBOX = "bwrap";

/** A sandbox that works on this machine. */
export interface Sandbox {
  /** the program's absolute path */
  program: string;
  /** the options that make namespaces here */
  isolation: readonly string[];
  /** whether it can limit the size of a tmpfs (since 0.7) */
  limitsSize: boolean;
}

/** What a command sees and may write besides the system. All paths are absolute. */
export interface SandboxView {
  /** the copy: all of the disk that it may write to */
  folder: string;
  /** our own empty folder for the sandbox's files; not shown */
  scratch: string;
  /** a new home directory, gone at the end */
  home: string;
  /** places shown as they are, read-only; missing ones are skipped */
  tools: readonly string[];
  /** folders shown elsewhere, read-only, by the places where they appear */
  shown: ReadonlyMap<string, string>;
  environment: Readonly<Record<string, string>>;
  /** the most bytes in each folder in memory: /tmp, /dev/shm, the home directory */
  memoryBytes: number;
}

/**
 * Finds this machine's sandbox and tries it, since it may be installed and not allowed. `missing` ends a sentence that
 * says why there is none. Only the system's folders are searched: the search path may lead to what is to be confined.
 */
export function openSandbox(folders: readonly string[] = SYSTEM_FOLDERS): Sandbox | { missing: string } {
  const program = findProgram(SANDBOX, folders);
  if (program === undefined) return { missing: `${SANDBOX} (bubblewrap) is not there` };
  const help = spawnSync(program, ["--help"], { env: {}, encoding: "utf8" });
  const known = (option: string) => `${help.stdout}${help.stderr}`.includes(`--${option} `);
  const hard = known("disable-userns") ? ["--unshare-user", "--disable-userns"] : ["--unshare-user"];
  let why = "";
  // Root may make namespaces where user namespaces are forbidden.
  for (const users of [hard, ["--unshare-user"], []]) {
    const sandbox = { program, isolation: [...ISOLATION, ...users], limitsSize: known("size") };
    const words = [...sandbox.isolation, ...systemArguments(sandbox, SMALLEST), "true"];
    const tried = spawnSync(program, words, { env: {}, encoding: "utf8" });
    if (tried.status === 0) return sandbox;
    why = tried.error?.message ?? tried.stderr.trim().split("\n").at(-1) ?? "";
  }
  return { missing: `${SANDBOX} does not work here (${why})` };
}

/** The program becomes process 1 of its namespace: when that ends, the kernel ends all others before it says so. */
const ISOLATION = [
  "--unshare-all",
  "--as-pid-1",
  "--die-with-parent",
  "--new-session",
  "--cap-drop",
  "ALL",
  "--clearenv",
];

/** The file descriptor on which bwrap tells the number of the sandbox's first process. */
export const INFO_FD = 3;

const SMALLEST = 1_048_576;

/**
 * The words with which `sandbox.program` runs the program that follows. The root is empty except for what is named
 * here; later mounts cover earlier ones.
 */
export function sandboxArguments(
  sandbox: Sandbox,
  { folder, scratch, home, tools, shown, environment, memoryBytes }: SandboxView,
): readonly string[] {
  return [
    ...sandbox.isolation,
    "--info-fd",
    String(INFO_FD),
    ...systemArguments(sandbox, memoryBytes),
    ...writeSettings(scratch, home).flatMap(([from, to]) => ["--ro-bind", from, to]),
    ...inMemory(sandbox, home, memoryBytes),
    ...tools.filter((one) => !isOfSystem(one)).flatMap((one) => ["--ro-bind-try", one, one]),
    "--bind",
    folder,
    folder,
    ...[...shown].flatMap(([at, from]) => ["--ro-bind", from, at]),
    "--remount-ro",
    "/",
    ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
    "--chdir",
    folder,
  ];
}

/** The system's folders, devices, a `/proc` in which nothing can be set, and a `/tmp` of its own. */
function systemArguments(sandbox: Sandbox, memoryBytes: number): string[] {
  return [
    ...SYSTEM.filter((one) => existsSync(one)).flatMap(likeHere),
    "--dir",
    "/etc",
    ...settings().flatMap((one) => ["--ro-bind-try", one, one]),
    // As root, /proc/sys would be this machine's to change: kernel.core_pattern runs what it names, outside.
    "--proc",
    "/proc",
    "--remount-ro",
    "/proc",
    "--dev",
    "/dev",
    ...inMemory(sandbox, "/dev/shm", memoryBytes),
    "--remount-ro",
    "/dev",
    ...inMemory(sandbox, "/tmp", memoryBytes),
    "--dir",
    "/var",
    "--symlink",
    "/tmp",
    "/var/tmp",
  ];
}

const inMemory = ({ limitsSize }: Sandbox, place: string, bytes: number) => [
  ...(limitsSize ? ["--size", String(bytes)] : []),
  "--tmpfs",
  place,
];

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Programs and libraries of the system, and the stores of systems that keep them elsewhere. */
const SYSTEM = words("/usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix/store /gnu/store");

const isOfSystem = (place: string) =>
  SYSTEM.some((top) => !isLink(top) && existsSync(top) && (place === top || place.startsWith(`${top}/`)));

const isLink = (place: string) => lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;

const likeHere = (place: string) =>
  isLink(place) ? ["--symlink", readlinkSync(place), place] : ["--ro-bind", place, place];

/** What programs read in /etc to start and to check certificates. No private keys, no package managers' settings. */
const SETTINGS = words(`
  alternatives ca-certificates ca-certificates.conf crypto-policies debian_version fonts inputrc
  java ld.so.cache ld.so.conf ld.so.conf.d locale.alias localtime magic mime.types mono os-release
  perl php pki/ca-trust/extracted pki/java pki/tls/cert.pem pki/tls/certs pki/tls/openssl.cnf
  protocols python python3 services ssl/cert.pem ssl/certs ssl/openssl.cnf static terminfo timezone`);

/** Names with a version in them. */
const VERSIONED = /^(?:java-\d[\w.-]*|python\d[\d.]*|ImageMagick-\d+|erlang|ghc|dotnet)$/;

/** Without Maven's settings, which may hold passwords. */
const MAVEN = words("maven/m2.conf maven/logging");

function settings(): string[] {
  const versioned = existsSync("/etc") ? readdirSync("/etc").filter((name) => VERSIONED.test(name)) : [];
  return [...SETTINGS, ...MAVEN, ...versioned].map((name) => `/etc/${name}`);
}

/** Users and name lookup, written anew: the machine's own files tell about its people and network. */
function writeSettings(scratch: string, home: string): [string, string][] {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const people = [`root:x:0:0:root:${uid === 0 ? home : "/root"}:/bin/sh`, "nobody:x:65534:65534:nobody:/:/bin/sh"];
  const groups = ["root:x:0:", "nogroup:x:65534:"];
  if (uid !== 0) people.push(`check:x:${uid}:${gid}:check:${home}:/bin/sh`);
  if (gid !== 0) groups.push(`check:x:${gid}:`);
  const files = {
    passwd: people,
    group: groups,
    hosts: ["127.0.0.1 localhost", "::1 localhost"],
    "nsswitch.conf": ["passwd: files", "group: files", "hosts: files"],
  };
  const folder = path.join(scratch, "etc");
  mkdirSync(folder);
  return Object.entries(files).map(([name, lines]) => {
    const file = path.join(folder, name);
    writeFileSync(file, `${lines.join("\n")}\n`, { flag: "wx", mode: 0o644 });
    return [file, `/etc/${name}`];
  });
}
