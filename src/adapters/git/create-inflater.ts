import { deflateSync } from "node:zlib";
import { createHandleInflater } from "./handle-inflater.ts";
import { type Inflater, SPARE_BYTES } from "./inflater.ts";
import { createPublicInflater } from "./public-inflater.ts";

const throws = (action: () => unknown): boolean => {
  try {
    action();
    return false;
  } catch {
    return true;
  }
};

/** Two streams in a row, the first in two pieces, then a damaged one and one longer than announced. */
function passes(inflater: Inflater): boolean {
  const text = Buffer.from("the quick brown fox ".repeat(50));
  const packed = deflateSync(text);
  const empty = deflateSync(Buffer.alloc(0));
  const out = Buffer.alloc(text.length + 2 + SPARE_BYTES);
  inflater.begin(out, 1, text.length);
  if (inflater.write(packed.subarray(0, 9), 0) !== -1) return false;
  const rest = Buffer.concat([packed.subarray(5), empty, Buffer.from("end")]);
  if (inflater.write(rest, 4) !== empty.length + 3 || !out.subarray(1, text.length + 1).equals(text)) return false;
  inflater.begin(out, 0, 0);
  if (inflater.write(rest, rest.length - empty.length - 3) !== 3) return false;
  const damaged = Buffer.concat([packed.subarray(0, -1), Buffer.from([packed.at(-1) === 0 ? 1 : 0]), empty]);
  inflater.begin(out, 0, text.length);
  if (!throws(() => inflater.write(damaged, 0))) return false;
  inflater.begin(out, 0, text.length - 1);
  return throws(() => inflater.write(packed, 0));
}

/** The fastest inflater that works on this Node: zlib's handle when it passes a self-test, else the public function. */
export function createInflater(makeFast: () => Inflater = createHandleInflater): Inflater {
  try {
    if (passes(makeFast())) return makeFast();
  } catch {
    // A Node whose zlib is built otherwise: the public way is slower and always there.
  }
  return createPublicInflater();
}
