import { escapeHtml } from '../text/index.ts';
import { plotLibrary } from './plot-library.ts';
import { type PagePlot, plotScript } from './plots.ts';

interface WebPage {
  /** Distinguishes this page from similar ones in browser tabs, such as `3 failed`. */
  readonly state: string;
  readonly body: string;
  readonly style: string;
  readonly script: string;
  readonly plots: readonly PagePlot[];
}

/**
 * A self-contained page, which needs no network and no other files. It follows the colour scheme of the system and the
 * width of the window.
 */
export function webPage({ state, body, style, script, plots }: WebPage): string {
  const hasPlots = plots.length > 0;
  const scripts = [...(hasPlots ? [plotLibrary.script, plotScript(plots)] : []), script];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(state)} · Scenarios</title>
<style>${hasPlots ? plotLibrary.style : ''}
${commonStyle}
${style}</style></head>
<body>
<main>
${body}
</main>
${scripts.map((text) => `<script>${text}</script>`).join('\n')}
</body></html>
`;
}

const commonStyle = `:root {
  color-scheme: light dark;
  --back: #f6f7f9;
  --card: #fff;
  --text: #18202c;
  --soft: #5c6675;
  --line: #dfe3e9;
  --code: #f1f3f6;
  --good: #1d7f4c;
  --bad: #c22f45;
  --wait: #8a5a00;
  --goodback: #e3f4ea;
  --badback: #fce8eb;
  --waitback: #fdf1d8;
  --accent: #2563c9;
  --mark: #fdecee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #11151b;
    --card: #191f27;
    --text: #e4e8ee;
    --soft: #98a3b3;
    --line: #2d3642;
    --code: #11161d;
    --good: #57c98a;
    --bad: #ff8293;
    --wait: #e9b44c;
    --goodback: #16301f;
    --badback: #3a1b22;
    --waitback: #352a12;
    --accent: #79aaff;
    --mark: #33191f;
  }
}
* {
  box-sizing: border-box;
}
html {
  -webkit-text-size-adjust: 100%;
}
body {
  margin: 0 auto;
  max-width: 72rem;
  padding: 1.5rem 1.25rem 4rem;
  background: var(--back);
  color: var(--text);
  font:
    15px / 1.5 system-ui,
    sans-serif;
  overflow-wrap: break-word;
}
h1 {
  font-size: 1.7rem;
  line-height: 1.2;
  margin: 0 0 0.3rem;
}
h2 {
  font-size: 1.15rem;
  margin: 2.2rem 0 0.6rem;
  overflow-wrap: anywhere;
}
h3 {
  font-size: 1rem;
  margin: 1.2rem 0 0.4rem;
}
p {
  margin: 0.4rem 0;
}
a {
  color: var(--accent);
}
small,
.soft {
  color: var(--soft);
}
code,
pre,
.mono {
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  font-size: 0.87em;
}
.card {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 10px;
  padding: 0.9rem 1.1rem;
  margin: 0.6rem 0;
}
.scroll {
  overflow-x: auto;
}
table {
  border-collapse: collapse;
}
th,
td {
  padding: 0.22rem 0.8rem 0.22rem 0;
  text-align: left;
  vertical-align: top;
}
th {
  font-weight: 600;
  color: var(--soft);
  font-size: 0.87em;
}
tr + tr > td {
  border-top: 1px solid var(--line);
}
.number {
  text-align: right;
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
}
.plot {
  margin: 0.8rem 0 0;
}
.uplot,
.u-legend {
  font:
    13px / 1.4 system-ui,
    sans-serif !important;
  color: var(--text);
}
.u-legend.u-inline tr {
  margin-right: 0.9rem;
}
.u-legend th {
  color: inherit;
}
.u-legend td {
  border: 0 !important;
}
.u-title {
  font-size: 0.95rem;
  text-align: left;
}
.u-select {
  background: #7f8ea333 !important;
}
@media (pointer: coarse) {
  button,
  input,
  summary {
    min-height: 2.75rem;
  }
}
@media (max-width: 40rem) {
  body {
    padding: 1rem 0.8rem 3rem;
  }
  .card {
    padding: 0.7rem 0.8rem;
  }
}`;
