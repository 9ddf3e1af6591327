/** The page's style: light and dark, from 320 px up. Only boxes scroll sideways, never the page. */
export const PAGE_STYLE = `
:root { --paper: #fff; --ink: #1b1f24; --soft: #5b6470; --line: #d5dae0; --shade: #f4f6f8; --link: #0b5cad;
  --good: #14692c; --good-shade: #dff5e3; --bad: #b3201b; --bad-shade: #fde5e3; --warn: #7d4f00; --warn-shade: #fdf0cf; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #12161b; --ink: #dde3ea; --soft: #98a3b0; --line: #333b45; --shade: #1b2129; --link: #76b3f5;
    --good: #7fd494; --good-shade: #14351f; --bad: #ff9d96; --bad-shade: #451a1a; --warn: #eec069; --warn-shade: #3c2e0e; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0 auto; padding: 1rem; max-width: 78rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main { min-width: 0; }
main > section { margin-bottom: 2.25rem; scroll-margin-top: 1rem; }
.run nav { margin: 1rem 0; padding: .75rem 1rem; background: var(--shade); border-radius: .5rem; font-size: .925rem; }
.run nav ol { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; }
@media (min-width: 64rem) {
  body { padding: 2rem; }
  .run { display: grid; grid-template-columns: 14rem minmax(0, 1fr); column-gap: 2.5rem; }
  .run header { grid-column: 1 / -1; }
  .run nav { position: sticky; top: 1.5rem; align-self: start; }
  .run nav ol { flex-direction: column; gap: .5rem; }
}
@media print { nav { display: none; } .run { display: block; } }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .1rem 0 1rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .75rem; padding-bottom: .3rem; border-bottom: 2px solid var(--line); }
h3, h4, h5, h6 { font-size: 1.05rem; line-height: 1.35; margin: 1.5rem 0 .5rem; }
p { margin: .5rem 0; white-space: pre-wrap; }
a { color: var(--link); }
ul, ol { padding-left: 1.5rem; margin: .5rem 0; }
li > p { margin: .15rem 0; }
.quiet, dt { color: var(--soft); font-size: .875rem; font-weight: normal; }
header .quiet { margin: 0; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.warn { color: var(--warn); }
dl { margin: .5rem 0 .75rem; display: grid; gap: .3rem; }
dl > div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: .75rem; }
dt { line-height: 1.3; padding-top: .22rem; }
dd { margin: 0; white-space: pre-wrap; }
@media (max-width: 30rem) { dl > div { grid-template-columns: 5.75rem minmax(0, 1fr); gap: .6rem; } }
.badge { display: inline-block; padding: .05rem .5rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600;
  line-height: 1.5; vertical-align: .1em; background: var(--shade); border: 1px solid var(--line); }
.badge.good { background: var(--good-shade); border-color: transparent; }
.badge.bad { background: var(--bad-shade); border-color: transparent; }
.badge.warn { background: var(--warn-shade); border-color: transparent; }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem; padding: 0 .8rem; }
details[open] { padding-bottom: .6rem; }
summary { padding: .5rem 0; cursor: pointer; }
summary .title { font-weight: 600; }
.box { overflow-x: auto; max-width: 100%; margin: .5rem 0; background: var(--shade); border-radius: .4rem; overflow-wrap: normal; }
pre, code { font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; tab-size: 4; }
pre { padding: .7rem .8rem; }
code { background: var(--shade); padding: .1rem .3rem; border-radius: .25rem; }
pre code { padding: 0; background: none; }
h1 code, h2 code, h3 code, h4 code, h5 code, h6 code { font-size: .9em; }
.diff { padding: .4rem 0; }
.diff code { display: inline-block; min-width: 100%; }
.diff span { display: block; padding: 0 .8rem; min-height: 1.5em; white-space: pre; }
.added { background: var(--good-shade); color: var(--good); }
.removed { background: var(--bad-shade); color: var(--bad); }
.hunk, .head { color: var(--soft); }
figure, blockquote { margin: .75rem 0; padding: .1rem 0 .1rem .8rem; border-left: 3px solid var(--line); }
figcaption { font-weight: 600; font-size: .925rem; }
figure > blockquote { margin: 0; padding: 0; border: 0; }
table { border-collapse: collapse; font-size: .875rem; min-width: 100%; }
th, td { padding: .35rem .7rem; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); }
.figure { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
.badge, .note { margin-inline-start: .4em; }
tbody th { font-weight: normal; }
tfoot th, tfoot td { font-weight: 700; border-bottom: 0; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1rem 0; }
`;
