import type { Visible } from "../queue/visible.ts";

/** A request to the dashboard. */
export interface Asked {
  method: string;
  /** as it came, without its query */
  path: string;
  query: URLSearchParams;
  host: string;
  origin: string | undefined;
  cookies: ReadonlyMap<string, string>;
}

export interface Reply {
  status: number;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: string;
}

/** Whom the pages are for. */
export interface Visitor {
  visible: Visible;
  /** sees the limits of the whole bot */
  isOperator: boolean;
  /** absent on loopback, where nobody signs in */
  login?: string | undefined;
}

/** Decides who may see the pages: a visitor, or the reply in place of the page. */
export type Gate = (asked: Asked) => Promise<Visitor | Reply>;

export const isReply = (one: Visitor | Reply): one is Reply => "status" in one;

export const redirect = (to: string, cookies: readonly string[] = []): Reply => ({
  status: 303,
  headers: { location: to, "set-cookie": cookies, "cache-control": "no-store" },
  body: "",
});
