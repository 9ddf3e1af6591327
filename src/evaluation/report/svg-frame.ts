import { escapeXml } from "./escape-xml.ts";

/** They differ in lightness too, for those who do not see the colours. */
export const COLOURS = ["#2f6fde", "#e08a1e", "#5b9b57", "#9a5bb0"] as const;

/** An SVG document that is readable on light and dark pages, with its title as text and for screen readers. */
export function svgFrame({
  title,
  width,
  height,
  body,
}: {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly body: readonly string[];
}): string {
  const style =
    "text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:15px}.grid{stroke:#ddd}" +
    "@media(prefers-color-scheme:dark){.paper{fill:#161b22}text{fill:#d0d7de}.grid{stroke:#30363d}}";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${style}</style>`,
    `<rect class="paper" width="${width}" height="${height}" fill="#fff"/>`,
    `<text class="title" x="16" y="22">${escapeXml(title)}</text>`,
    ...body,
    "</svg>",
    "",
  ].join("\n");
}
