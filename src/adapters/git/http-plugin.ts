import { createHash } from "node:crypto";
import type { GitHttpResponse, HttpClient } from "isomorphic-git";
import { collectBody } from "./collect-body.ts";
import type { GitTransport } from "./git-transport.ts";
import { FLUSH, pktLine } from "./pkt-line.ts";

export interface HttpPluginOptions {
  readonly url: string;
  /** the one commit that can be fetched */
  readonly commit: string;
  /** the branch name under which isomorphic-git is shown the commit */
  readonly branch: string;
  readonly transport: GitTransport;
  /** fetches the commit into the object store; gives the ids of shallow commits */
  readonly fetch: () => Promise<readonly string[]>;
}

const CAPABILITIES = "side-band-64k ofs-delta shallow agent=git/magis";

/** A pack of no objects: isomorphic-git leaves it alone, the objects are in the store already. */
function emptyPack(): Buffer {
  const head = Buffer.from([0x50, 0x41, 0x43, 0x4b, 0, 0, 0, 2, 0, 0, 0, 0]);
  return Buffer.concat([head, createHash("sha1").update(head).digest()]);
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function answer(url: string, method: string, type: string, parts: readonly Buffer[]): GitHttpResponse {
  const headers = { "content-type": `application/x-git-upload-pack-${type}` };
  return { url, method, statusCode: 200, statusMessage: "OK", headers, body: once(Buffer.concat(parts)) };
}

/**
 * The `http` that isomorphic-git is handed. Its request for refs is answered from here: the commit is known, and
 * a server may have tens of thousands of refs. Its request for the pack runs `fetch`, which fills the object store,
 * and is answered with an empty pack, so that isomorphic-git's own pass over it is skipped.
 * Everything else goes to the server.
 */
export function createHttpPlugin(options: HttpPluginOptions): HttpClient {
  const { commit, branch, transport, fetch } = options;
  const base = options.url.replace(/\/+$/, "");
  return {
    async request({ url, method = "GET", headers = {}, body }) {
      const path = url.slice(base.length);
      if (path === "/info/refs?service=git-upload-pack") {
        const ref = pktLine(`${commit} refs/heads/${branch}\0${CAPABILITIES} symref=HEAD:refs/heads/${branch}\n`);
        return answer(url, method, "advertisement", [pktLine("# service=git-upload-pack\n"), FLUSH, ref, FLUSH]);
      }
      if (path === "/git-upload-pack") {
        const shallow = (await fetch()).map((id) => pktLine(`shallow ${id}\n`));
        const pack = pktLine(Buffer.concat([Buffer.from([1]), emptyPack()]));
        return answer(url, method, "result", [...shallow, FLUSH, pktLine("NAK\n"), pack, FLUSH]);
      }
      const sent = method === "POST" && body ? { body: await collectBody(body, Number.POSITIVE_INFINITY) } : {};
      const response = await transport({ method: method === "POST" ? "POST" : "GET", path, headers, ...sent });
      const type = String(response.headers["content-type"] ?? "");
      const given = { "content-type": type };
      return { url, method, statusCode: 200, statusMessage: "OK", headers: given, body: response.body };
    },
  };
}
