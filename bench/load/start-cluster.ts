import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { startProcess } from "./own-process.ts";

/** A PostgreSQL server for one bench. */
export interface Cluster {
  /** undefined for a server that was there before */
  pid: number | undefined;
  /** Makes an empty database; gives its URL. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** A cluster on a server that runs already. */
export function clusterAt(url: string): Cluster {
  return {
    pid: undefined,
    createDatabase: (name) => createDatabase(url, name),
    stop: async () => undefined,
  };
}

/**
 * Starts a cluster of its own with PostgreSQL's own settings, writes to the disk included; undefined where PostgreSQL is
 * not installed. As root it runs as the user postgres, since PostgreSQL refuses root.
 */
export async function startCluster(): Promise<Cluster | undefined> {
  const programs = findPrograms();
  if (programs === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "magis-bench-postgres-"));
  const user = process.getuid?.() === 0 ? userCalled("postgres") : undefined;
  if (user) {
    chownSync(folder, user.uid, user.gid);
    // The bench's own folder, which this user has to pass through.
    chmodSync(tmpdir(), 0o711);
  }
  const data = join(folder, "data");
  const options = ["-D", data, "-U", "magis", "-A", "trust", "-E", "UTF8"];
  execFileSync(join(programs, "initdb"), options, { ...user, cwd: folder, stdio: "ignore" });
  const port = await freePort();
  const where = ["-p", String(port), "-h", "127.0.0.1", "-k", folder, "-c", "max_connections=100"];
  const server = await startProcess([join(programs, "postgres"), "-D", data, ...where], {
    environment: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, LC_ALL: "C" },
    ready: /ready to accept connections/,
    user,
  });
  const url = `postgresql://magis@127.0.0.1:${port}/postgres`;
  return {
    pid: server.pid,
    createDatabase: (name) => createDatabase(url, name),
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`).finally(() => client.end());
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}

/** The folder of `initdb` and `postgres`, which Debian keeps out of the PATH. */
function findPrograms(): string | undefined {
  const folders = (process.env.PATH ?? "").split(":");
  for (const folder of [...folders, ...debianFolders()]) {
    try {
      const own = dirname(realpathSync(join(folder, "initdb")));
      realpathSync(join(own, "postgres"));
      return own;
    } catch {
      // It is not in this folder.
    }
  }
  return undefined;
}

function debianFolders(): readonly string[] {
  try {
    return readdirSync("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`);
  } catch {
    return [];
  }
}

function userCalled(name: string): { uid: number; gid: number } {
  const id = (option: string) => Number(execFileSync("id", [option, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** A port that was free just now: PostgreSQL cannot be asked for any. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
