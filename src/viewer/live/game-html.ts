/*
 * HTML that games show. The server has cleaned it; here it is read a second time, by a parser that runs and loads nothing. Only elements
 * and properties of this list are made anew. No text of a game is ever set as HTML, so that the page's policy need not allow that.
 */

const tags: ReadonlySet<string> = new Set(
  (
    'A ABBR B BDI BDO BLOCKQUOTE BR BUTTON CAPTION CENTER CITE CODE DD DEL DETAILS DIV DL DT EM FIGCAPTION FIGURE H1 H2 H3 H4 H5 H6 HR I INS KBD LI ' +
    'MARK METER OL P PRE PROGRESS Q S SAMP SECTION SMALL SPAN STRIKE STRONG SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TR TT U UL VAR'
  ).split(' '),
);
/** With all that is in them. */
const dropped: ReadonlySet<string> = new Set(
  'SCRIPT STYLE TEMPLATE NOSCRIPT IFRAME OBJECT EMBED SVG MATH TITLE'.split(' '),
);
const properties = ['color', 'background-color', 'font-size', 'font-weight', 'font-style', 'text-align'] as const;
const attributes = ['value', 'min', 'max', 'colspan', 'rowspan', 'title', 'open'] as const;
const deepest = 50;

/** The nodes of a text of a game. An element with an id keeps it in `data-element`: a click on it is sent to the game. */
export function gameNodes(html: string): DocumentFragment {
  const made = document.createDocumentFragment();
  copyChildren(new DOMParser().parseFromString(withoutStyles(html), 'text/html').body, made, 0);
  return made;
}

/** The page's policy refuses style attributes, in a parsed text too: they are read under another name and set one by one. */
function withoutStyles(html: string): string {
  return html.replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/\sstyle\s*=/gi, ' data-style='));
}

function copyChildren(from: Node, to: Node, depth: number): void {
  for (const child of from.childNodes) {
    if (child instanceof Text) to.appendChild(new Text(child.data));
    else if (child instanceof HTMLElement && !dropped.has(child.tagName) && depth < deepest) {
      const isKnown = tags.has(child.tagName);
      const copy = isKnown ? to.appendChild(copyOf(child)) : to;
      copyChildren(child, copy, depth + 1);
    }
  }
}

function copyOf(given: HTMLElement): HTMLElement {
  // A heading of a game is none of the page.
  const isHeading = /^H[1-6]$/.test(given.tagName);
  const copy = document.createElement(isHeading ? 'strong' : given.tagName);
  if (isHeading) copy.className = 'heading';
  for (const name of attributes) {
    const value = given.getAttribute(name);
    if (value !== null) copy.setAttribute(name, value);
  }
  if (copy instanceof HTMLButtonElement) copy.type = 'button';
  const address = given.getAttribute('href') ?? '';
  if (copy instanceof HTMLAnchorElement && /^https?:\/\//i.test(address)) {
    copy.href = address;
    copy.target = '_blank';
    copy.rel = 'noopener noreferrer nofollow';
  }
  for (const declaration of (given.dataset['style'] ?? '').split(';')) {
    const [name = '', value = ''] = declaration.split(':', 2).map((part) => part.trim());
    // A browser takes no value that its property cannot have, and none of these loads anything.
    if ((properties as readonly string[]).includes(name)) copy.style.setProperty(name, value);
  }
  if (given.id !== '') copy.dataset['element'] = given.id;
  return copy;
}
