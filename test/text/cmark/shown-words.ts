import { filterRawText } from "../../../src/text/parse-markdown.ts";
import { sanitiseHtml } from "../../../src/text/sanitise-html.ts";
import { visibleText } from "../../../src/text/visible-text.ts";

/** The words (`w1x`) that a text shows. */
export const wordsOf = (shown: string): readonly string[] => [...new Set(shown.match(/w\d+x/g) ?? [])].sort();

/** The words (`w1x`) that a page shows after its HTML is sanitised as on GitHub. */
export const wordsOnPage = (html: string): readonly string[] =>
  wordsOf(visibleText(sanitiseHtml(filterRawText(html)).tree));
