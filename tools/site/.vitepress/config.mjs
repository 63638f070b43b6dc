// The documentation as a searchable site: `npm run docs`. VitePress is run by npx in a pinned version, because it would
// double what `npm ci` installs; therefore nothing is imported from it here. The build fails on broken links.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { examplesOf, fragmentOf } from '../examples.mjs';

const project = fileURLToPath(new URL('../../../', import.meta.url));

/** Pages in reading order. A page of docs/ that is in no group is added to the last one. */
const groups = {
  Guides: [
    'README.md',
    'docs/checking.md',
    'docs/rules.md',
    'docs/reviewing.md',
    'docs/scenarios.md',
    'docs/explore.md',
    'docs/writing-a-game.md',
    'docs/recipes.md',
    'docs/measuring.md',
    'docs/server.md',
    'docs/client.md',
    'docs/library.md',
    'docs/viewer.md',
    'docs/why.md',
    'docs/playground.md',
    'docs/editors.md',
    'docs/mcp.md',
    'docs/options.md',
  ],
  Games: ['docs/expressions.md', 'docs/ops.md', 'docs/issues.md', 'docs/semantics.md'],
  Servers: [
    'docs/operations.md',
    'docs/server-reference.md',
    'docs/protocol.md',
    'docs/existing-clients.md',
    'docs/colyseus.md',
    'docs/durable-objects.md',
    'docs/scaling.md',
    'docs/security.md',
  ],
  'How it works': [
    'ARCHITECTURE.md',
    'docs/determinism.md',
    'docs/performance.md',
    'docs/reliability.md',
    'docs/stability.md',
    'docs/open-ends.md',
    'CHANGELOG.md',
  ],
};

function pagesIn(folder) {
  return readdirSync(join(project, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => `${folder}/${name}`);
}

function entry(page) {
  const heading = /^# +(.+)$/m.exec(readFileSync(join(project, page), 'utf8'))?.[1];
  return { text: (heading ?? page).replaceAll('`', ''), link: `/${addressOf(page)}` };
}

const landing = 'tools/site/landing.md';

/**
 * A README is the index page of its folder, as on GitHub, except in the top folder, whose index is the landing page.
 */
function addressOf(page) {
  if (page === landing) return 'index.md';
  if (page === 'README.md') return 'overview.md';
  return page.replace(/README\.md$/, 'index.md');
}

const named = Object.values(groups).flat();
const others = pagesIn('docs').filter((page) => !named.includes(page));

/** Files that pages link to, such as a sample game; they are copied to the site. */
const linked = new Set(['docs/outbreak.gif']);

const base = process.env.DOCS_BASE ?? '/';

/** Adds a link to the playground below each example that it can open. */
function tryIt(markdown) {
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const shown = fence(tokens, index, options, env, self);
    const path = env.relativePath === 'overview.md' ? 'README.md' : env.relativePath;
    // Index pages made from READMEs of folders have no examples.
    const text = existsSync(join(project, path)) ? readFileSync(join(project, path), 'utf8') : '';
    const example = examplesOf(path, text).find(({ block }) => block === tokens[index].content);
    if (example === undefined) return shown;
    const what = example.scenarios === undefined ? 'Play it' : 'Run it';
    const address = `${base}playground/index.html${fragmentOf(example)}`;
    return `${shown}<p class="try"><a href="${address}" target="_self">▶ ${what} in the playground</a></p>`;
  };
}

/** Rewrites links to project files into links to their pages, or to the page of a folder. */
function links(markdown) {
  markdown.core.ruler.push('links-of-the-project', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href === null || /^(?:[a-z]+:|#)/i.test(href)) continue;
      const [path, anchor] = href.split('#');
      const target = posix.join(dirname(env.relativePath), path);
      const isFolder = posix.extname(target) === '';
      if (!isFolder && !target.endsWith('.md')) {
        linked.add(target);
        continue;
      }
      const page = isFolder ? posix.join(target, 'README.md') : target;
      token.attrSet('href', `/${addressOf(page)}${anchor === undefined ? '' : `#${anchor}`}`);
    }
  });
}

/** Shows the plot of the theme that is chosen on the site, which need not be that of the browser. */
function plots(markdown) {
  markdown.core.ruler.before('normalize', 'plots', (state) => {
    state.src = state.src.replace(
      /<picture><source [^>]*srcset="([^"]+)"><img alt="([^"]+)" src="([^"]+)"><\/picture>/g,
      '<img class="of-light" alt="$2" src="$3"><img class="of-dark" alt="$2" src="$1">',
    );
  });
}

/** An empty cell in the head of a table is no heading. */
function emptyHeads(markdown) {
  markdown.core.ruler.push('empty-heads', ({ tokens }) => {
    tokens.forEach(({ type, content }, i) => {
      if (type !== 'inline' || content !== '' || tokens[i - 1].tag !== 'th') return;
      for (const each of [tokens[i - 1], tokens[i + 1]]) each.tag = 'td';
    });
  });
}

/** Two braces in code inside a line are text, which VitePress would evaluate: templates of games have them, too. */
function braces(markdown) {
  const { rules } = markdown.renderer;
  const code = rules.code_inline;
  rules.code_inline = (...given) => code(...given).replaceAll('{{', '&#123;{');
}

/** The anchor that GitHub generates for a heading, so that links work in both places. */
function slugify(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/**
 * Wide tables of operations wrap long words and JSON where there is room for columns. Tables without headings show no
 * empty head. On wide screens, pages are wide enough for most blocks of code. On a phone in landscape orientation, the
 * picture of the first page would push its text off the screen.
 */
const style = `:root { --vp-button-brand-bg: #3451b2; --vp-code-lang-color: var(--vp-c-text-2); }
.dark .of-light, html:not(.dark) .of-dark { display: none; }
.vp-doc .try { margin: -0.6rem 0 1.2rem; }
.vp-doc .tried { width: 100%; height: min(46rem, 85vh); border: 1px solid var(--vp-c-divider); border-radius: 8px; }
.VPFeature .VPImage { width: 100%; height: 9rem; object-fit: contain; background: var(--vp-c-bg); border-radius: 8px; margin-bottom: 0.8rem; }
.VPHero .image-src { border-radius: 12px; max-height: 400px; }
.vp-doc thead:not(:has(th)) { display: none; }
@media (max-height: 500px) {
  .VPHero .image { display: none; }
}
@media (min-width: 1440px) {
  .VPDoc.has-aside .content-container.content-container { max-width: 790px; }
}
@media (min-width: 960px) {
  .vp-doc table { display: table; width: 100%; }
  .vp-doc td, .vp-doc td code { overflow-wrap: anywhere; white-space: normal; }
  .vp-doc td:first-child:has(code) { min-width: 9rem; }
}`;

/**
 * Opens an example below it where there is room; another press closes it. With a key held, or on a phone, the link is
 * followed.
 */
const embed = `addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('.try a');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || innerWidth < 960) return;
  event.preventDefault();
  const after = link.parentElement;
  if (after.nextElementSibling?.className === 'tried') return after.nextElementSibling.remove();
  const frame = document.createElement('iframe');
  Object.assign(frame, { className: 'tried', title: 'Playground', src: link.href });
  after.after(frame);
  frame.focus();
}, true);`;

export default {
  title: 'Reenact',
  // The base path of the site: DOCS_BASE=/reenact/ npm run docs.
  base,
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    ['style', {}, style],
    ['script', {}, embed],
  ],
  description: 'Run a game definition without its client: headless, deterministic, fast.',
  srcDir: project,
  srcExclude: ['{bench,dist,dist-docs,engine,src,templates,tools/!(site),coverage}/**', 'test/!(conformance)/**'],
  rewrites: addressOf,
  // The address of a server on the reader's machine is an example.
  ignoreDeadLinks: 'localhostLinks',
  outDir: join(project, 'dist-docs'),
  cacheDir: join(project, 'node_modules/.cache/vitepress'),
  markdown: {
    anchor: { slugify },
    // Some colours of the default themes are too faint on the background of code.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config(markdown) {
      plots(markdown);
      emptyHeads(markdown);
      links(markdown);
      braces(markdown);
      tryIt(markdown);
    },
  },
  themeConfig: {
    // A page of its own, beside those of VitePress.
    nav: [{ text: 'Playground', link: '/playground/index.html', target: '_self' }],
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      ...Object.entries(groups).map(([text, pages]) => ({ text, items: pages.map(entry) })),
      { text: 'More', items: others.map(entry) },
      // Groups with a link of their own: VitePress would make others a button with a button inside.
      { text: 'Semantics', link: '/docs/semantics', collapsed: true, items: pagesIn('docs/semantics').map(entry) },
      {
        text: 'Reference',
        link: '/docs/reference/',
        collapsed: true,
        items: pagesIn('docs/reference').map(entry),
      },
    ],
  },
  // The home page of VitePress has no main landmark.
  transformHtml: (html) => html.replace('<div class="VPContent is-home"', '<div role="main" class="VPContent is-home"'),
  buildEnd({ outDir }) {
    for (const path of linked) {
      if (!existsSync(join(project, path))) throw new Error(`A page links to ${path}, which does not exist.`);
      mkdirSync(dirname(join(outDir, path)), { recursive: true });
      cpSync(join(project, path), join(outDir, path));
    }
  },
};
