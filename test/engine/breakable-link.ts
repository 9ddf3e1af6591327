import { connect, createServer, type Server, type Socket } from "node:net";

/** A link to a server that can be cut and mended. */
export interface BreakableLink {
  readonly url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Opens a link in front of the server of `target` (a URL with host and port). */
export async function breakableLink(target: string): Promise<BreakableLink> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  const listen = (at: number) =>
    new Promise<number>((resolve) => {
      server = createServer((near) => {
        const far = connect(Number(port || 5432), hostname);
        for (const [from, to] of [[near, far] as const, [far, near] as const]) {
          sockets.add(from);
          from.pipe(to);
          from.on("error", () => to.destroy()).on("close", () => to.destroy());
        }
      }).listen(at, "127.0.0.1", () => {
        const address = server?.address();
        resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
      });
    });

  const ownPort = await listen(0);
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(ownPort);
  return {
    url: url.href,
    async cut() {
      const closed = new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await closed;
    },
    async mend() {
      await listen(ownPort);
    },
  };
}
