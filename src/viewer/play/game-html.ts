import purify from 'dompurify';
import { areImagesAllowed } from '../drawing/images.ts';

/*
 * HTML of games. The server has sanitized it, and DOMPurify sanitizes it again. It is put into a shadow root, so that
 * its styles do not affect the page. The elements around it have the CSS property `contain`, so that positioned content
 * cannot leave them.
 */

/**
 * Forbids elements that could escape from their position in the page, and those that the content security policy would
 * block anyway.
 */
const settings = {
  FORBID_TAGS: [
    'style',
    'form',
    'audio',
    'video',
    'track',
    ...(areImagesAllowed() ? [] : ['img', 'picture', 'source', 'image', 'feimage']),
  ],
  FORBID_ATTR: ['action', 'popover', 'popovertarget', 'popovertargetaction'],
  ADD_ATTR: ['target'],
};

/**
 * The base style for HTML of games. Only clickable elements receive mouse events, so that a container over the whole
 * map does not block the game. Elements of the class `trigger` are clickable in the original client.
 */
const baseStyle = `:host{display:block}:host([hidden]){display:none}img,svg{max-width:100%}
h1,h2,h3,h4,h5,h6{font-size:1em;margin:0;display:block}a{color:inherit}
button{font:inherit;color:inherit;background:none;border:1px solid;border-radius:7px;padding:.25rem .6rem;cursor:pointer}
a,button,input,select,label,summary,.trigger{pointer-events:auto}`;

/** The style sheet is created on first use, because programs without a document import this module, too. */
let base: CSSStyleSheet | undefined;

function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

/** Returns an element that shows HTML of a game. */
export function gameElement(html: string, tag: 'div' | 'span' = 'div'): HTMLElement {
  const host = document.createElement(tag);
  host.className = 'game-html';
  const root = host.attachShadow({ mode: 'open' });
  base ??= sheetOf(baseStyle);
  const sheets: CSSStyleSheet[] = [base];
  // The content security policy blocks inline styles. Style sheets are adopted instead, and style attributes are set
  // through the DOM.
  const markup = html
    .replaceAll(/<style>([^<]*)<\/style>/g, (_, css: string) => {
      sheets.push(sheetOf(css));
      return '';
    })
    .replaceAll(/<[a-z][^<>]*>/gi, (element) => element.replaceAll(/\sstyle\s*=/gi, ' data-style='));
  const content = purify.sanitize(markup, { ...settings, RETURN_DOM_FRAGMENT: true });
  for (const element of content.querySelectorAll<HTMLElement | SVGElement>('[data-style]')) {
    element.style.cssText = element.dataset['style']!;
    delete element.dataset['style'];
  }
  // Headings of a game must not count as headings of the page.
  for (const heading of content.querySelectorAll('h1,h2,h3,h4,h5,h6')) heading.setAttribute('role', 'presentation');
  for (const button of content.querySelectorAll('button')) button.type = 'button';
  root.adoptedStyleSheets = sheets;
  root.append(content);
  return host;
}

/** The id of the clicked element of the game, or of its nearest ancestor with an id; undefined if there is none. */
export function clickedElement(event: Event): string | undefined {
  for (const target of event.composedPath()) {
    if (target instanceof ShadowRoot) return undefined;
    if (target instanceof Element && target.id !== '')
      return target.getRootNode() instanceof ShadowRoot ? target.id : undefined;
  }
  return undefined;
}
