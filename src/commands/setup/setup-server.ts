import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import { isMagisError, MagisError } from "../../data/error.ts";
import { isSameSecret, makeSecret } from "../../text/secrets.ts";
import { type Answer, SetupFlow, type SetupOptions, type SetupPath, type SetupResult } from "./setup-flow.ts";
import { openPages, type ShowPage } from "./setup-pages.ts";

/** Where to serve the pages. */
export interface SetupPlace {
  /** the address to listen on */
  host: string;
  /** 0: any free one */
  port: number;
  /** the pages' address for the browser, as the operator gave it; absent: the address that we listen on */
  url?: string | undefined;
  /** milliseconds of a steady clock */
  now?: () => number;
}

export interface SetupServer {
  /** the address to open in a browser; it works once */
  address: string;
  /** resolves when the last form has been handled and the final page shown */
  done: Promise<SetupResult>;
  close(): Promise<void>;
}

const MAX_FORM_BYTES = 64 * 1024;

/** The method of each page and form. */
const METHODS: Readonly<Record<SetupPath, "GET" | "POST">> = {
  "/setup": "GET",
  "/setup/registered": "GET",
  "/setup/register": "POST",
  "/setup/finish": "POST",
};

const isPath = (path: string): path is SetupPath => Object.hasOwn(METHODS, path);

/**
 * Serves the pages that register an app by GitHub's manifest flow, install it and create its label. Lets in only the
 * browser that opens `address`, once and within an hour. The pages' origin comes from the operator or the socket, never
 * from a request's header; a request with another Host is refused (DNS rebinding). Throws CONFIGURATION_INVALID when the
 * port cannot be opened.
 */
export async function startSetup(options: SetupOptions, place: SetupPlace): Promise<SetupServer> {
  const showPage = await openPages();
  const { tell } = options.world;
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000 });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "is in use by another program" : `cannot be opened on ${place.host}`;
      const message = `Port ${place.port} ${why}: choose another port.`;
      reject(new MagisError("CONFIGURATION_INVALID", message, { code: error.code }, error));
    });
    server.listen({ host: place.host, port: place.port }, () => resolve());
  });
  const { port } = server.address() as { port: number };
  const origin = originOf(place, port);
  const flow = new SetupFlow(options, showPage, makeSecret(), origin);
  const gate = createGate(tell, showPage, flow, origin, new Invitation(place.now));
  server.on("request", (request, response) => {
    gate.answer(request).then(
      (reply) => send(response, reply),
      async (error: unknown) => {
        if (!isMagisError(error)) tell(`A page of the setup failed: ${String(error)}`);
        const text = isMagisError(error) ? error.message : "An unexpected error: look at the terminal.";
        send(response, { status: 500, page: await showPage("fault", { fault: text, canContinue: true }) });
      },
    );
  });
  return {
    address: gate.address(),
    done: flow.done,
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

/** When listening on every interface, uses localhost. Anyone who publishes the port elsewhere sets `url`. */
function originOf({ host, url }: SetupPlace, port: number): string {
  if (url !== undefined) return new URL(url).origin;
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return new URL(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`).origin;
}

/** How long an invitation is valid. */
const INVITATION_MINUTES = 60;

/** Lets one browser in: a secret that works once, for an hour. `now` gives milliseconds of a steady clock. */
class Invitation {
  #secret = makeSecret();
  #until: number;
  #isUsed = false;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#until = this.#now() + INVITATION_MINUTES * 60_000;
  }

  get secret(): string {
    return this.#secret;
  }

  /** Uses it up. `renewed`: the secret was right but too late, and there is a new one. */
  take(given: string): "taken" | "refused" | "renewed" {
    if (this.#isUsed || !isSameSecret(given, this.#secret)) return "refused";
    if (this.#now() > this.#until) {
      this.#secret = makeSecret();
      this.#until = this.#now() + INVITATION_MINUTES * 60_000;
      return "renewed";
    }
    this.#isUsed = true;
    return "taken";
  }
}

type Reply = Answer | { status: number; text: string } | { cookie: string };

/** Decides who may see the pages. */
function createGate(
  tell: (text: string) => void,
  showPage: ShowPage,
  flow: SetupFlow,
  origin: string,
  invitation: Invitation,
) {
  const session = makeSecret();
  const address = () => `${origin}/setup?token=${invitation.secret}`;
  const refuse = async (status: number, text: string): Promise<Reply> => ({
    status,
    page: await showPage("fault", { fault: text }),
  });
  const letIn = async (token: string): Promise<Reply> => {
    const taken = invitation.take(token);
    if (taken === "taken") {
      const secure = origin.startsWith("https:") ? "; Secure" : "";
      return { cookie: `magis-setup=${session}; HttpOnly; SameSite=Lax; Path=/setup${secure}` };
    }
    if (taken === "refused")
      return refuse(403, "This address was used already, or it is not the one printed on the terminal.");
    tell(`The setup's address has expired. This one works once, within an hour:\n${address()}`);
    return refuse(403, "This address has expired. The terminal shows a new one.");
  };
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    // Monitors use paths of their own.
    if (path === "/healthz") return { status: 200, text: "ok" };
    if (path === "/readyz") return { status: 503, text: "no GitHub App is configured yet" };
    if (request.headers.host?.toLowerCase() !== new URL(origin).host) {
      return refuse(421, "Open the address as it was printed. A proxy in front of it must forward the Host header.");
    }
    if (!isPath(path)) return refuse(404, "There is no such page. Open the address printed on the terminal.");
    if (request.method !== METHODS[path]) return refuse(405, "This page does not accept that method.");
    const words = new URLSearchParams(query);
    const isIn = isSameSecret(cookieOf(request), session);
    const token = words.get("token");
    if (path === "/setup" && token !== null && !isIn) return letIn(token);
    if (!isIn) return refuse(403, "Open the address printed on the terminal.");
    if (METHODS[path] === "GET") return flow.answer(path, words);
    if (request.headers.origin !== origin) return refuse(403, "The form was sent from another page.");
    const form = await readForm(request);
    if (form === undefined) return refuse(413, "The form is too large.");
    return flow.answer(path, form);
  };
  return { address, answer };
}

function cookieOf({ headers }: IncomingMessage): string {
  const [, value = ""] = /(?:^|; )magis-setup=([^;]+)/.exec(headers.cookie ?? "") ?? [];
  return value;
}

/** Undefined when the form is too large. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  // Destroying the request would make it impossible to answer it.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_FORM_BYTES) return undefined;
    parts.push(part);
  }
  return new URLSearchParams(Buffer.concat(parts).toString("utf8"));
}

/** Do not wait for the rest of a form that is too large. */
const CLOSES: Readonly<Record<number, Readonly<Record<string, string>>>> = { 413: { connection: "close" } };

function send(response: ServerResponse, reply: Reply): void {
  if ("cookie" in reply) response.writeHead(303, { "set-cookie": reply.cookie, location: "/setup" }).end();
  else if ("to" in reply) response.writeHead(303, { location: reply.to }).end();
  else if ("text" in reply) response.writeHead(reply.status, { "content-type": "text/plain" }).end(reply.text);
  else response.writeHead(reply.status, { ...reply.page.headers, ...CLOSES[reply.status] }).end(reply.page.html);
}
