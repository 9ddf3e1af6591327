import type { VisibleParts } from "../queue/visible.ts";
import type { Visitor } from "./gate.ts";
import type { Templates } from "./templates.ts";

/** US dollars for the whole bot; absent: no limit. */
export interface BotLimits {
  day?: number | undefined;
  month?: number | undefined;
}

/** What a page is made of. */
export interface PageParts extends VisibleParts {
  templates: Templates;
  limits: BotLimits;
  visitor: Visitor;
}
