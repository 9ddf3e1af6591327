import { listed } from "../../text/patterns.ts";

const COMMENT = /comment$/;

const STRING = listed(
  "^",
  String.raw`
  string template_string regex jsx_text text_block \w*string_literal \w*char(?:acter)?_literal rune_literal
  heredoc(?:_body)? nowdoc encapsed_string interpolated_string_expression string_array symbol_array subshell
  system_lib_string shell_command_expression`,
  "$",
);

/** Whether a named node of this type is a comment, or a text in quotes. */
export function spanKind(type: string): "comment" | "string" | undefined {
  if (COMMENT.test(type)) return "comment";
  return STRING.test(type) ? "string" : undefined;
}
