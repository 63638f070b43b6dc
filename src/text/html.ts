import sanitize from 'sanitize-html';
import { htmlMembers, type Input, type OutputEvent } from '../../engine/index.ts';

/*
 * The border between games and browsers. Games publish HTML as they wrote it, with whatever players typed into it; before a browser shows it, it
 * passes here. Only tags that format, and attributes that cannot load, run or cover anything, are let through.
 */

const tags =
  'a abbr b bdi bdo blockquote br button caption center cite code col colgroup dd del details div dl dt em figcaption figure font h1 h2 h3 h4 ' +
  'h5 h6 hr i img ins kbd label legend li mark meter ol p pre progress q s samp section small span strike strong sub summary sup ' +
  'table tbody td tfoot th thead tr tt u ul var wbr';

const word = /^[a-z-]{1,30}$/i;
const color = /^(?:[a-z]{1,30}|#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([\d\s.,%/]{1,40}\))$/i;
/** Up to 999 of a unit, and no fraction of more than two digits: large enough for any headline. */
const length = /^\d{1,3}(?:\.\d{1,2})?(?:px|em|rem|%|pt)?$/;

const options: sanitize.IOptions = {
  allowedTags: tags.split(' '),
  allowedAttributes: {
    // Elements are addressed by their ids (`ui.element`, `htmlClick`).
    '*': ['class', 'id', 'title', 'align', 'style', 'role', 'aria-*', 'data-*'],
    a: ['href', 'target', 'rel'],
    button: ['disabled', 'type'],
    details: ['open'],
    font: ['color', 'face', 'size'],
    img: ['src', 'alt', 'width', 'height'],
    meter: ['value', 'min', 'max', 'low', 'high', 'optimum'],
    ol: ['start'],
    progress: ['value', 'max'],
    table: ['bgcolor', 'border', 'cellpadding', 'cellspacing'],
    td: ['bgcolor', 'colspan', 'rowspan'],
    th: ['bgcolor', 'colspan', 'rowspan'],
  },
  // No property that moves an element, and no function that loads something.
  allowedStyles: {
    '*': {
      color: [color],
      'background-color': [color],
      'font-size': [length, word],
      'font-weight': [/^\d{3}$/, word],
      'font-style': [word],
      'text-align': [word],
      'text-decoration': [word],
    },
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowProtocolRelative: false,
  transformTags: { a: sanitize.simpleTransform('a', { target: '_blank', rel: 'noopener noreferrer nofollow' }) },
  nestingLimit: 50,
};

/** More open elements than any page has. The time of the parser grows with the square of them. */
const openMax = 1000;
const withoutEnd = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/**
 * HTML that a browser may show to players. Characters that are no markup stay as text: `a < b` is `a &lt; b`. A text with more than 1000 elements open
 * at once is all text.
 */
export function cleanHtml(html: string): string {
  return isTooDeep(html) ? sanitize(html.replaceAll('<', '&lt;'), options) : sanitize(html, options);
}

function isTooDeep(html: string): boolean {
  const open: string[] = [];
  for (const [, slash, tag] of html.matchAll(/<(\/?)([a-z][^\s/>]*)/gi)) {
    const name = tag!.toLowerCase();
    const at = slash === '' ? -1 : open.lastIndexOf(name);
    if (at >= 0) open.length = at;
    else if (slash === '' && !withoutEnd.has(name)) open.push(name);
    if (open.length > openMax) return true;
  }
  return false;
}

/** Properties that scripts may set on an element of a page: those of which a text cannot load or run anything. */
const textProperties: ReadonlySet<string> = new Set(
  'textContent innerText value placeholder title disabled hidden checked className ariaLabel'.split(' '),
);

/** An event as a browser may be sent it; undefined for one that a browser must not be sent. Members that are no HTML are left as they are. */
export function outputForBrowser(event: OutputEvent): OutputEvent | undefined {
  if (event.kind === 'ui.element' && event['op'] === 'setProperty') {
    const { key, value } = event;
    if (key === 'innerHTML') return { ...event, value: cleanHtml(String(value)) };
    return textProperties.has(String(key)) ? event : undefined;
  }
  let clean: OutputEvent = event;
  for (const path of htmlMembers[event.kind] ?? []) clean = withClean(clean, path.split('/')) as OutputEvent;
  return clean;
}

/** A copy in which the texts at a path are cleaned; of a list, those of each member. */
function withClean(value: unknown, [member, ...deeper]: readonly string[]): unknown {
  if (member === undefined) return typeof value === 'string' ? cleanHtml(value) : value;
  if (Array.isArray(value)) return value.map((each) => withClean(each, [member, ...deeper]));
  if (typeof value !== 'object' || value === null || !(member in value)) return value;
  return { ...value, [member]: withClean((value as Readonly<Record<string, unknown>>)[member], deeper) };
}

/** An input that came from a browser: texts of `data`, which scripts may show to other players, are cleaned on their way in. */
export function inputFromBrowser(input: Input): Input {
  if (input.kind !== 'data' || typeof input.data !== 'object' || input.data === null || Array.isArray(input.data)) {
    return input;
  }
  const members = Object.entries(input.data).map(([key, value]) => [
    key,
    typeof value === 'string' ? cleanHtml(value) : value,
  ]);
  return { ...input, data: Object.fromEntries(members) };
}
