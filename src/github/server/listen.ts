import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { MagisError } from "../../model/magis-error.ts";

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use: stop the program that has it, or set PORT to another",
  EACCES: "may not be opened by this user: set PORT to one above 1023",
  EADDRNOTAVAIL: "cannot be opened at the address of HOST: set HOST to an address of this machine",
  ENOTFOUND: "cannot be opened at the address of HOST: set HOST to an address of this machine",
};

/** Listens, and gives the port, which is a free one for 0. Throws CONFIGURATION_INVALID where that cannot be. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const reason = REASONS[code] ?? "cannot be opened: check HOST and PORT";
    throw new MagisError("CONFIGURATION_INVALID", `Port ${port} ${reason}.`, { code, host, port }, error);
  }
  return (server.address() as AddressInfo).port;
}
