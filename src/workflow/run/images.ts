import pMap from "p-map";
import type { KeepPart, RecordParts, RunRecord } from "../../model/run-record.ts";
import type { FetchImage, PromptImage } from "../../ports/language-model.ts";

const AT_ONCE = 2;

interface Sources {
  /** the run's record: of images only address, type and hash are kept there */
  kept(): Promise<RunRecord>;
  readonly record: KeepPart;
  token(): Promise<string>;
  /** absent: no images are shown */
  readonly fetchImage: FetchImage | undefined;
}

/**
 * Gives the images that the run's issue shows, for prompts. Their bytes are kept nowhere: they are fetched once in every
 * process. An image that cannot be fetched any more keeps its place by its hash, so that answers which were paid for
 * with it are found again.
 */
export function createIssueImages(sources: Sources): (signal: AbortSignal) => Promise<readonly PromptImage[]> {
  let images: Promise<readonly PromptImage[]> | undefined;
  return (signal) => {
    images ??= fetchAll(sources, signal).catch((error: unknown) => {
      images = undefined;
      throw error;
    });
    return images;
  };
}

async function fetchAll(
  { kept, record, token, fetchImage }: Sources,
  signal: AbortSignal,
): Promise<readonly PromptImage[]> {
  const { start, images: known } = await kept();
  const urls = known?.map(({ url }) => url) ?? start?.issue.images ?? [];
  if (urls.length === 0 || !fetchImage) return [];
  const fetched = await pMap(urls, (url) => fetchImage(url, token, signal), { concurrency: AT_ONCE });
  if (known) {
    return known.map(({ mediaType, hash }, at) => {
      const image = fetched[at];
      return image?.hash === hash ? image : { mediaType, hash };
    });
  }
  const images = fetched.flatMap((image, at) => (image ? [{ image, url: urls[at] ?? "" }] : []));
  const described: RecordParts["images"] = images.map(({ image: { mediaType, hash }, url }) => ({
    url,
    mediaType,
    hash,
  }));
  await record("images", described);
  return images.map(({ image }) => image);
}
