import type { PromptImage } from "./language-model.ts";

/**
 * Fetches images that people have uploaded to the code host. One that is gone, too large, of another type than it seems
 * or somewhere else is undefined: an image never ends a run. `token` is sent to the configured host only.
 */
export type FetchImage = (
  url: string,
  token: () => Promise<string>,
  signal: AbortSignal,
) => Promise<(PromptImage & { readonly data: string }) | undefined>;
