import type { VisibleParts } from "../queue/visible.ts";
import type { Visitor } from "./gate.ts";
import type { Templates } from "./templates.ts";

/** US dollars for the whole bot; absent: no limit. */
export interface BotLimits {
  readonly day?: number | undefined;
  readonly month?: number | undefined;
}

/** What a page is made of. */
export interface PageParts extends VisibleParts {
  readonly templates: Templates;
  readonly limits: BotLimits;
  readonly visitor: Visitor;
}
