import type { YAMLError } from "yaml";
import { plain } from "../../text/plain.ts";

const MAX_LENGTH = 200;

const SENTENCES: Readonly<Partial<Record<YAMLError["code"], string>>> = {
  DUPLICATE_KEY: "This key stands here a second time: keep one of the two.",
  TAB_AS_INDENT: "This line is indented with a tab: YAML is indented with blanks.",
  MULTIPLE_DOCS: "A second document begins here: the file holds one only, so leave the line `---` out.",
  NON_STRING_KEY: "A key must be a plain text.",
  TAG_RESOLVE_FAILED: "This begins with `!`, which YAML takes for a tag: put the value in quotes.",
  BAD_INDENT:
    "The indentation is wrong here, or a bracket above is not closed: indent the keys of one mapping alike, by blanks.",
  BLOCK_AS_IMPLICIT_KEY: "There are two `:` on this line: put a value that holds one in quotes.",
};

/** What is wrong with the YAML, in a sentence or two. */
export function describeYamlError({ code, message }: YAMLError): string {
  return SENTENCES[code] ?? `This is not valid YAML: ${plain(message.slice(0, MAX_LENGTH)).replace(/\.?$/, ".")}`;
}
