import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isMagisError } from "../../model/error.ts";
import { SetupFlow, type SetupOptions, same } from "./setup-flow.ts";
import { faultPage, showPage } from "./setup-pages.ts";

export interface SetupServer {
  /** what to open in a browser; it works once */
  readonly address: string;
  /** resolves when the last form was sent and examined, with the doctor's words */
  readonly done: Promise<string>;
  close(): Promise<void>;
}

/**
 * Serves the pages that register an app by GitHub's manifest flow, install it and make its label. Only the browser that
 * opened `address`, which is for one use, is let in; requests for another host name (DNS rebinding) are refused.
 */
export async function startSetup(
  options: SetupOptions,
  listen: { readonly host: string; readonly port: number },
): Promise<SetupServer> {
  const [token, session, state] = [0, 0, 0].map(() => randomBytes(32).toString("base64url")) as [
    string,
    string,
    string,
  ];
  let unused = true;
  let origin = "";
  const setup = new SetupFlow(options, state, () => origin);
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!isMagisError(error)) options.tell(error);
      const text = isMagisError(error) ? error.message : "An unexpected error: look at the terminal.";
      if (!response.headersSent) showPage(response, faultPage(text), 500);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(listen, () => resolve());
  });
  const { port } = server.address() as { port: number };
  const isLoopback = ["127.0.0.1", "localhost", "::1"].includes(listen.host);
  const name = listen.host === "::1" ? "[::1]" : isLoopback ? listen.host : "localhost";
  origin = `http://${name}:${port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host = "" } = request.headers;
    if (isLoopback && host !== `${name}:${port}`)
      return showPage(response, faultPage("Open the address as it was printed."), 421);
    if (!isLoopback) origin = `http://${host}`;
    const url = new URL(request.url ?? "/", origin);
    const given = url.searchParams.get("token");
    if (url.pathname === "/setup" && given !== null) {
      if (!unused || !same(given, token))
        return showPage(response, faultPage("This address has been used, or is not the one that was printed."), 403);
      unused = false;
      const cookie = `magis-setup=${session}; HttpOnly; SameSite=Lax; Path=/setup`;
      return void response.writeHead(303, { "set-cookie": cookie, location: "/setup" }).end();
    }
    const [, sent = ""] = /(?:^|; )magis-setup=([^;]+)/.exec(request.headers.cookie ?? "") ?? [];
    if (!same(sent, session))
      return showPage(response, faultPage("Open the address that was printed on the terminal."), 403);
    await setup.handle(request, url, response);
  }

  return {
    address: `${origin}/setup?token=${token}`,
    done: setup.done,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 1_000).unref();
      await closed;
    },
  };
}
