const MENTION = /(?<![a-z0-9])(?:@|&#0*64;|&#x0*40;|&commat;)(?![\s\u200b]|$)/gi;

/** Puts a zero-width space after each @ that could begin a mention, written out or as an entity: it pings nobody. */
export function breakMentions(text: string): string {
  return text.replace(MENTION, "@\u200b");
}
