/** What may precede the "www." of an address. */
const BEFORE_WWW = /[*_~( \t\r\n]/;

const NO_HOST = /[\t\n\f\r\p{Zs}!-/:-@[-`{-~]|\p{P}/u;

/** The end of the address that begins with "www." at `at`; -1 when there is none. */
export function wwwEnd(text: string, at: number): number {
  if (!text.startsWith("www.", at) || (at > 0 && !BEFORE_WWW.test(text[at - 1] as string))) return -1;
  return addressEnd(text, at, domainEnd(text, at, false));
}

const SCHEMES = ["http", "https", "ftp"];

/** The start and end of the address whose "://" is at `at`; undefined when there is none. */
export function urlAround(text: string, at: number): { readonly from: number; readonly to: number } | undefined {
  if (!text.startsWith("://", at)) return undefined;
  let from = at;
  while (from > 0 && at - from < 6 && /[a-z]/i.test(text[from - 1] as string)) from -= 1;
  if (!SCHEMES.includes(text.slice(from, at).toLowerCase())) return undefined;
  if (!isHost(text, at + 3)) return undefined;
  const to = addressEnd(text, at, domainEnd(text, at + 3, true));
  return to < 0 ? undefined : { from, to };
}

function isHost(text: string, at: number): boolean {
  const code = text.codePointAt(at);
  return code !== undefined && !NO_HOST.test(String.fromCodePoint(code));
}

/** The end of a domain, or -1. `short`: a domain without a dot will do. */
function domainEnd(text: string, from: number, short: boolean): number {
  let dots = 0;
  let underscores = 0;
  let before = 0;
  let at = from + 1;
  for (; at < text.length - 1; at += 1) {
    const char = text[at] as string;
    if (char === "_") underscores += 1;
    else if (char === ".") {
      before = underscores;
      underscores = 0;
      dots += 1;
    } else if (char !== "-" && !isHost(text, at) && !/[\udc00-\udfff]/.test(char)) break;
  }
  if (before > 0 || underscores > 0) return -1;
  return short || dots > 0 ? at : -1;
}

const WHITE = /[ \t\r\n]/g;

function addressEnd(text: string, from: number, domain: number): number {
  if (domain < 0) return -1;
  WHITE.lastIndex = domain;
  const end = WHITE.exec(text)?.index ?? text.length;
  const tag = text.indexOf("<", from);
  return trimEnd(text, from, tag < 0 ? end : Math.min(tag, end));
}

/** Drops what only follows an address: punctuation, an entity, unmatched closing parentheses. */
function trimEnd(text: string, from: number, end: number): number {
  const address = text.slice(from, end);
  let surplus = address.split(")").length - address.split("(").length;
  let to = end;
  while (to > from) {
    const char = text[to - 1] as string;
    if ("?!.,:*_~'\"".includes(char)) to -= 1;
    else if (char === ";") {
      const entity = /&[a-z]+;$/i.exec(text.slice(Math.max(from, to - 40), to));
      to -= entity?.[0].length ?? 1;
    } else if (char === ")" && surplus > 0) {
      surplus -= 1;
      to -= 1;
    } else break;
  }
  return to > from ? to : -1;
}
