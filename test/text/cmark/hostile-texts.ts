/** Random numbers in [0, 1), the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Each "@" becomes a different word. */
const INLINE = [
  "@ @ @ `@` ``@` @`` ` `` ``` \\ \\\\ \\` \\[ \\< \\! &lt; &#60; &#x3c; &amp; &nosuch; &#0; & < > <b> </b> <b",
  "<x-y @> </i @> <i/> [ ] ![ ]( ) ](/u) ](<@>) ](https://x.y/@) ][ ][a] ][] [a] [@] ![a] [^ ^] [^a] [^b] [^@] [x](y)",
  "![@](z) <!-- --> <!--> <!---> -- - <? ?> <!A <!a <![CDATA[ ]]> ??> ]]]> * ** _ ~ ~~ ~~~ | \\| || http://x.y/@ https://@.z/`",
  "www.a.b/` www.@.z <http://x@> <@@x.y> http:// ftp://a.b/<!-- www.a.b/[ $ % \" ' ( ) : ; . , ! # = + 1. <pre> </pre>",
  "<script> </script> <style> </style> <textarea> </textarea> <title> <template> <svg> </svg> <td> <details> </details>",
]
  .join(" ")
  .split(" ");

const ODD_INLINE = [
  ' title="@"',
  " 'a\n",
  "<!-- @ -->",
  "<!-- @ - -->",
  "<!-- @ -- @ -->",
  "<? @ ?>",
  "<!A @>",
  "<![CDATA[ @ ]]>",
  '<a href="https://x.y/@">',
  "</a>",
  '<img alt="@">',
  "<i a=@ b=\"@\" c='@' d>",
  '[@](https://x.y/ "@")',
  "[@](<a b> '@')",
  "[@](a (@))",
  "![@ [@](b) @](c)",
  "[@ ![@](b) @](c)",
  "[@ [@](b) @](c)",
  "` @\n@ `",
  "  \n",
  "\\\n",
  " ",
  "  ",
  "\t",
  "\0",
  "\r",
  "\r\n",
  "\f",
  "\u00a0",
  "\u00e9",
];

const BLOCKS = [
  "<!-- @",
  "<!-- @\n@\n-->",
  "<!-- @ --> @",
  "<!--> @",
  "@ -->",
  "-->",
  "<? @",
  "?> @",
  "<!X @",
  "<!x @",
  "> @",
  "<![CDATA[ @",
  "]]> @",
  "<script> @",
  "</script> @",
  "<pre @",
  "</pre> @",
  "<style>\n@",
  "<textarea>\n\n@",
  "<div @",
  "<div>\n@",
  "</div> @",
  "<div>\n\n@",
  "<table><tr><td> @",
  "<details><summary>@</summary>",
  "</details>",
  "<x-y>",
  "<x-y> @",
  "<i @>",
  '<i a="@"',
  "</i >",
  "<li> @",
  "<p @ />",
  "# @",
  "## @ ##",
  "#",
  "####### @",
  "===",
  "---",
  "--",
  "-",
  "***",
  "* * *",
  "_ _ _",
  "- @",
  "* @",
  "+ @",
  "-\t@",
  "-     @",
  "1. @",
  "1) @",
  "2. @",
  "10. @",
  "1234567890. @",
  "- [ ] @",
  "- [x] @",
  "- [X] <!-- @",
  "- [ ]",
  "1. [ ] @",
  "12x [ ] @",
  "-",
  "*",
  "1.",
  "- - @",
  "- > @",
  "> - @",
  "> @",
  ">",
  ">@",
  "> > @",
  "```",
  "```js",
  "``` @",
  "````",
  "~~~",
  "~~~ @ `",
  "~~~~ @",
  "    @",
  "   @",
  "  @",
  "\t@",
  " \t@",
  "> \t@",
  "-\t\t@",
  "| @ | @ |",
  "@ | @",
  "| @ | @ | @ |",
  "| a |",
  "|-|-|",
  "|---|---|",
  "-|-",
  ":-",
  "|-|",
  ":-:|:-",
  "|",
  "||",
  "| @ \\| @ | `@ | @` |",
  "@ | <!-- @ |",
  "[a]: /u",
  "[a]: /u '@'",
  '[a]: /u "@\n@"',
  "[@]: /u",
  "[a]:\n/u\n(@)",
  "[b]: <@>",
  "[a]: /u @",
  "[//]: # (@)",
  "[^a]: @",
  "[^b]: @",
  "[^a]:",
  "[^a]: @\n\n    @",
  "[^b]: > @",
  "    [^a]: @",
  "@[^a]",
  "@[^b]",
];

type Random = () => number;

const pick = <T>(from: readonly T[], random: Random): T => from[Math.floor(random() * from.length)] as T;

const PREFIXES = [
  "",
  "",
  "",
  "",
  " ",
  "  ",
  "   ",
  "    ",
  "> ",
  ">",
  "> > ",
  "- ",
  "  - ",
  "1. ",
  "\t",
  ">\t",
  "* > ",
];

const ENDS = ["\n", "\n", "\n", "\n", "\n\n", "\n\n", "\r\n", "\r", "\n \n", "\n>\n", ""];

function inline(random: Random): string {
  let text = "";
  for (let left = 1 + random() * 7; left > 1; left -= 1) {
    text += pick(random() < 0.7 ? INLINE : ODD_INLINE, random);
    if (random() < 0.4) text += " ";
  }
  return text;
}

/**
 * A text that opens, closes and mixes constructs that may hide something, with a different word in each place: `w1x`,
 * `w2x` and so on. The same for the same random numbers.
 */
export function hostileText(random: Random): string {
  let text = "";
  const prefix = random() < 0.3 ? pick(PREFIXES, random) : "";
  for (let left = 1 + random() * 8; left > 1; left -= 1) {
    const block = random() < 0.6 ? pick(BLOCKS, random) : inline(random);
    const lead = random() < 0.3 ? pick(PREFIXES, random) : prefix;
    text += `${lead}${random() < 0.15 ? `${block} ${inline(random)}` : block}${pick(ENDS, random)}`;
  }
  let count = 0;
  return text.replace(/@/g, () => `w${++count}x`);
}
