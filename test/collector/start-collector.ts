import { serve } from "../serve.ts";

/** A span as it came over the wire. */
export interface ReceivedSpan {
  trace: string;
  span: string;
  /** "" for the first span of a trace */
  parent: string;
  name: string;
  attributes: Readonly<Record<string, string | number | boolean>>;
}

/** A collector that takes traces by OTLP over HTTP, in protobuf. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const headers: (string | undefined)[] = [];
  let raw = "";
  const served = await serve((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      raw += body.toString("latin1");
      headers.push(request.headers.authorization);
      if (request.url === "/v1/traces") spans.push(...spansIn(body));
      response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    });
  });
  return {
    ...served,
    spans,
    headers,
    /** everything that was sent */
    raw: () => raw,
  };
}

/** Numbers of fields in opentelemetry/proto/trace/v1/trace.proto. */
function spansIn(body: Buffer): readonly ReceivedSpan[] {
  return fieldsOf(body, 1)
    .flatMap((resource) => fieldsOf(resource, 2))
    .flatMap((scope) => fieldsOf(scope, 2))
    .map((span) => {
      const [trace, id, parent, name] = [1, 2, 4, 5].map((number) => fieldsOf(span, number)[0] ?? Buffer.alloc(0));
      return {
        trace: trace?.toString("hex") ?? "",
        span: id?.toString("hex") ?? "",
        parent: parent?.toString("hex") ?? "",
        name: name?.toString() ?? "",
        attributes: Object.fromEntries(fieldsOf(span, 9).map(attributeOf)),
      };
    });
}

function attributeOf(pair: Buffer): readonly [string, string | number | boolean] {
  const key = fieldsOf(pair, 1)[0]?.toString() ?? "";
  const [value = { number: 0, bytes: Buffer.alloc(0) }] = allFields(fieldsOf(pair, 2)[0] ?? Buffer.alloc(0));
  if (value.number === 1) return [key, value.bytes.toString()];
  if (value.number === 4) return [key, value.bytes.readDoubleLE()];
  return [key, Number(value.bytes.toString())];
}

const fieldsOf = (message: Buffer, wanted: number) =>
  allFields(message)
    .filter(({ number }) => number === wanted)
    .map(({ bytes }) => bytes);

/** Bytes of a field of fixed length, by its type on the wire. */
const FIXED: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** The fields of a protobuf message; whole numbers as decimal text. */
function allFields(message: Buffer): readonly { number: number; bytes: Buffer }[] {
  const fields: { number: number; bytes: Buffer }[] = [];
  let at = 0;
  const varint = () => {
    let [value, shift] = [0n, 0n];
    for (;;) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
      shift += 7n;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const [number, type] = [tag >> 3, tag & 7];
    if (type === 0) {
      fields.push({ number, bytes: Buffer.from(String(varint())) });
      continue;
    }
    const length = type === 2 ? Number(varint()) : (FIXED[type] ?? 0);
    fields.push({ number, bytes: message.subarray(at, at + length) });
    at += length;
  }
  return fields;
}
