import purify from 'dompurify';
import { areImagesAllowed } from '../../../viewer/images.ts';

/*
 * HTML that games show. The server has cleaned it, and DOMPurify does so again. It stands in a shadow root, so that its styles reach nothing of ours. The
 * elements around it contain what it positions (`contain`).
 */

/** Not what leaves its place in the page, nor what the page's policy does not let load. */
const settings = {
  FORBID_TAGS: [
    ...['style', 'form', 'audio', 'video', 'track'],
    ...(areImagesAllowed() ? [] : ['img', 'picture', 'source', 'image', 'feimage']),
  ],
  FORBID_ATTR: ['action', 'popover', 'popovertarget', 'popovertargetaction'],
  ADD_ATTR: ['target'],
};

/**
 * The style that texts of games begin with. Only what can be clicked takes the mouse, so that a container over the whole map leaves it to the game; the
 * clients that games were written for send clicks on elements of the class `trigger`.
 */
const base = new CSSStyleSheet();
base.replaceSync(
  `:host{display:block}:host([hidden]){display:none}img,svg{max-width:100%}
h1,h2,h3,h4,h5,h6{font-size:1em;margin:0;display:block}a{color:inherit}
button{font:inherit;color:inherit;background:none;border:1px solid;border-radius:7px;padding:.25rem .6rem;cursor:pointer}
a,button,input,select,label,summary,.trigger{pointer-events:auto}`,
);

/** A text of a game, in an element that is its own part of the page. */
export function gameElement(html: string, tag: 'div' | 'span' = 'div'): HTMLElement {
  const host = document.createElement(tag);
  host.className = 'game-html';
  const root = host.attachShadow({ mode: 'open' });
  const sheets: CSSStyleSheet[] = [base];
  // The page's policy refuses styles that stand in HTML: sheets are adopted, and those of elements are set one by one.
  const markup = html
    .replaceAll(/<style>([^<]*)<\/style>/g, (_, css: string) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      sheets.push(sheet);
      return '';
    })
    .replaceAll(/<[a-z][^<>]*>/gi, (element) => element.replaceAll(/\sstyle\s*=/gi, ' data-style='));
  const content = purify.sanitize(markup, { ...settings, RETURN_DOM_FRAGMENT: true });
  for (const element of content.querySelectorAll<HTMLElement | SVGElement>('[data-style]')) {
    element.style.cssText = element.dataset['style']!;
    delete element.dataset['style'];
  }
  // A heading of a game is none of the page.
  for (const heading of content.querySelectorAll('h1,h2,h3,h4,h5,h6')) heading.setAttribute('role', 'presentation');
  for (const button of content.querySelectorAll('button')) button.type = 'button';
  root.adoptedStyleSheets = sheets;
  root.append(content);
  return host;
}

/** The id of the element of a game that was clicked: it is sent to the game. */
export function clickedElement(event: Event): string | undefined {
  for (const target of event.composedPath()) {
    if (target instanceof ShadowRoot) return undefined;
    if (target instanceof Element && target.id !== '')
      return target.getRootNode() instanceof ShadowRoot ? target.id : undefined;
  }
  return undefined;
}
