import type { Delivery } from "../../model/delivery.ts";

/** A webhook as it arrives; the payload is not trusted beyond its signature. */
export interface Webhook {
  /** X-GitHub-Delivery */
  readonly id: string;
  /** X-GitHub-Event */
  readonly name: string;
  readonly payload: unknown;
}

export type ParsedDelivery = { readonly delivery: Delivery } | { readonly ignored: string };
