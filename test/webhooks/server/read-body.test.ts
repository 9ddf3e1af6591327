import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect, it } from "@jest/globals";
import { createBodyReader } from "../../../src/webhooks/server/read-body.ts";

const MB = 1024 * 1024;

/** A request whose body has no declared length and comes as these pieces. */
function requestOf(...pieces: readonly Buffer[]): IncomingMessage {
  const request = Object.assign(new EventEmitter(), { headers: {}, setTimeout: () => request });
  setImmediate(() => {
    for (const piece of pieces) request.emit("data", piece);
    request.emit("end");
  });
  return request as never;
}

it("gives the memory of a body back when it is refused, and when it is released", async () => {
  const read = createBodyReader();
  const [tooLarge, large, small] = [26 * MB, 25 * MB, MB].map((size) => Buffer.alloc(size));
  // Of the answer only its kind: Jest takes minutes to print a body of 26 MB.
  for (let times = 0; times < 3; times++) expect((await read(requestOf(tooLarge as Buffer))).kind).toBe("too-large");
  const held = [await read(requestOf(large as Buffer)), await read(requestOf(large as Buffer))];
  expect((await read(requestOf(small as Buffer))).kind).toBe("busy");
  const [first] = held;
  if (first?.kind === "body") first.release();
  expect((await read(requestOf(small as Buffer))).kind).toBe("body");
});
