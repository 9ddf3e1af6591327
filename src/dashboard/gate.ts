import type { Visible } from "../queue/visible.ts";

/** A request to the dashboard. */
export interface Asked {
  readonly method: string;
  /** as it came, without its query */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly host: string;
  readonly origin: string | undefined;
  readonly cookies: ReadonlyMap<string, string>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** Whom the pages are for. */
export interface Visitor {
  readonly visible: Visible;
  /** sees the limits of the whole bot */
  readonly isOperator: boolean;
  /** absent on loopback, where nobody signs in */
  readonly login?: string | undefined;
}

/** Decides who may see the pages: a visitor, or the reply in place of the page. */
export type Gate = (asked: Asked) => Promise<Visitor | Reply>;

export const isReply = (one: Visitor | Reply): one is Reply => "status" in one;

export const redirect = (to: string, cookies: readonly string[] = []): Reply => ({
  status: 303,
  headers: { location: to, "set-cookie": cookies, "cache-control": "no-store" },
  body: "",
});
