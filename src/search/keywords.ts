const DECLARING =
  "def class function func fn fun interface type struct enum trait module record protocol namespace macro_rules object union defp sub";
const BINDING = "const let var val static final";
const CALLING =
  "return new else await throw typeof in of yield case if while for not and or is assert elif delete import from print raise lambda with do go defer instanceof except unless until when match extends implements using switch catch super echo";

const declaring = DECLARING.split(" ");
const binding = BINDING.split(" ");

/** Words of this kind stand in sentences as well. */
const NOUNS = "class function interface type struct enum trait module record protocol object union sub fun";

/** Words that tell a declaration, in an order that turns "is it one" into a comparison of numbers. */
export const KEYWORDS = {
  names: [...declaring, ...binding, ...CALLING.split(" ")],
  /** ids below it are followed by the name they declare */
  declaringEnd: declaring.length,
  /** ids from `declaringEnd` to below it are so at the top level of a file only */
  bindingEnd: declaring.length + binding.length,
  nouns: new Set(NOUNS.split(" ").map((word) => declaring.indexOf(word))) as ReadonlySet<number>,
  class: declaring.indexOf("class"),
  function: declaring.indexOf("function"),
  func: declaring.indexOf("func"),
} as const;
