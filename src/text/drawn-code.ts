/** Comments, directives, and lines for screen readers, mouse or colours only. */
const UNSEEN_LINE =
  /^\s*(?:%%|accTitle\b|accDescr\s*:|click\b|style\b|classDef\b|class\s+[\w,-]+\s+\w+\s*;?\s*$|linkStyle\b)/;

const UNSEEN_PARTS = [/%%\{[\s\S]*?(?:\}%%|$)/g, /^[ \t]*accDescr\s*\{[^}]*(?:\}|$)/gm];

const FRONT = /^\s*---\n([\s\S]*?)\n\s*---[ \t]*(?:\n|$)/;

/** The source of a Mermaid diagram, reduced to what is drawn. */
function drawnMermaid(source: string): string {
  const title = /^[ \t]*title:[^\n]*/m.exec(FRONT.exec(source)?.[1] ?? "")?.[0];
  let shown = source.replace(FRONT, title === undefined ? "" : `${title}\n`);
  for (const part of UNSEEN_PARTS) shown = shown.replace(part, "");
  return shown
    .split("\n")
    .filter((line) => !UNSEEN_LINE.test(line))
    .map((line) => line.split(" %%", 1)[0] ?? "")
    .join("\n");
}

const INVISIBLE_TEX = /\\(?:[hv]?phantom|label|require|htmlId|htmlClass|htmlData|class|cssId)\s*\{[^{}]*\}/g;

const MAX_PASSES = 8;

/** A TeX formula without comments and invisible parts. */
function drawnTex(source: string): string {
  let shown = source.replace(/(^|[^\\])((?:\\\\)*)%[^\n]*/g, "$1$2");
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const less = shown.replace(INVISIBLE_TEX, "");
    if (less === shown) break;
    shown = less;
  }
  return shown;
}

const FORMULA = /(\$\$?)([^$]+)(?=\$)/g;

/** A paragraph with its formulas (`$…$`, `$$…$$`) reduced to what is drawn. */
export function drawnFormulas(text: string): string {
  if (!text.includes("$")) return text;
  return text.replace(FORMULA, (all, mark: string, inner: string) => {
    const isFormula = mark === "$$" || (/^\S/.test(inner) && /\S$/.test(inner) && /[\\\n]/.test(inner));
    return isFormula ? mark + drawnTex(inner) : all;
  });
}

/** What GitHub draws of a fenced block in this language, as source. Code that it does not draw is returned as it is. */
export function drawnCode(source: string, language: string): string {
  switch (language.toLowerCase()) {
    case "mermaid":
      return drawnMermaid(source);
    case "math":
      return drawnTex(source);
    case "geojson":
    case "topojson":
      return "(a map)";
    case "stl":
      return "(a model in three dimensions)";
    default:
      return source;
  }
}
