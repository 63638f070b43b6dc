import sanitize from 'sanitize-html';
import type { Dictionary } from '../../engine/core/index.ts';
import { htmlMembers, type OutputEvent } from '../../engine/index.ts';
import { cleanCss, type StyleHosts } from './css.ts';
import { addressAttributes, allowedAttributes, allowedTags, dataTags, styleAttributes } from './html-tags.ts';
import { asTyped } from './typed-text.ts';

/*
 * The boundary between games and browsers. HTML that games publish is sanitised here before a browser shows it: it
 * keeps its appearance, but loses everything that could execute code or send data. Strings that players type never
 * contain markup.
 */

/**
 * An element that replaces each style sheet while the HTML is sanitised, because `sanitize-html` handles only elements.
 */
const sheetTag = 'reenact-sheet';
const sheetMark = new RegExp(`<${sheetTag} n="(\\d+)"></${sheetTag}>|</?${sheetTag}[^>]*>`, 'g');
/**
 * Matches style sheets and comments. A `<style>` inside a comment is not a style sheet. The content of a matched style
 * sheet is sanitised as CSS, and everything outside the matches as HTML.
 */
const sheetOrComment = /<!--[\s\S]*?(?:-->|$)|<style\b[^<>]*>([\s\S]*?)(?:<\/style\b[^<>]*>?|$)/gi;
/**
 * Attributes whose value matches are removed: the value contains the end of a comment or of an element with raw text,
 * which a second parser could read as markup.
 */
const endOfText = /(?:--!?|\])>|<\/(?:style|script|title|xmp|textarea|noscript|iframe|noembed|noframes)/i;

const fixed: sanitize.IOptions = {
  allowedTags: [...allowedTags, sheetTag],
  allowedAttributes: { ...allowedAttributes, [sheetTag]: ['n'] },
  // `sanitize-html` does not sanitise style attributes, because `cleanCss` does, as for style sheets.
  parseStyleAttributes: false,
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: Object.fromEntries(dataTags.map((tag) => [tag, ['http', 'https', 'data']])),
  allowedSchemesAppliedToAttributes: [...addressAttributes],
  allowProtocolRelative: false,
  // `sanitize-html` removes these elements together with their content.
  nonTextTags: 'iframe noembed noframes noscript script style template textarea xmp'.split(' '),
  nestingLimit: 50,
};

/**
 * Sanitises HTML for the game's own part of the page. Styles in the HTML apply to that whole part, and load only from
 * `hosts`. Characters that are not markup are kept and escaped: `a < b` becomes `a &lt; b`. If more than 1000 elements
 * are open at the same position, all of the HTML is treated as plain text.
 */
export function cleanHtml(html: string, hosts: StyleHosts = []): string {
  return cleaned(html, hosts, false);
}

/**
 * Like `cleanHtml`, for a Handlebars template whose values the page inserts after sanitising. Attributes and style
 * sheets may not insert values of the game, because a value with a quotation mark would end the attribute.
 */
export function cleanTemplate(html: string, hosts: StyleHosts = []): string {
  return cleaned(html, hosts, true);
}

function cleaned(html: string, hosts: StyleHosts, isTemplate: boolean) {
  if (isTooDeep(html)) return sanitize(html.replaceAll('<', '&lt;'), fixed);
  const sheets: string[] = [];
  const marked = html.replace(sheetOrComment, (_, given?: string) => {
    const sheet = given === undefined ? '' : cleanCss(isTemplate ? given.replaceAll(/\{(?=\{)/g, '') : given, hosts);
    return sheet === '' ? '' : `<${sheetTag} n=${sheets.push(sheet) - 1}></${sheetTag}>`;
  });
  const transformTags = {
    '*': (tagName: string, given: sanitize.Attributes): sanitize.Tag => ({
      tagName,
      attribs: cleanAttributes(tagName, given, hosts, isTemplate),
    }),
  };
  return sanitize(marked, { ...fixed, transformTags }).replace(sheetMark, (_, n?: string) => {
    const sheet = sheets[Number(n)];
    return sheet === undefined ? '' : `<style>${sheet}</style>`;
  });
}

function cleanAttributes(
  tag: string,
  given: sanitize.Attributes,
  hosts: StyleHosts,
  isTemplate: boolean,
): sanitize.Attributes {
  const clean: sanitize.Attributes = {};
  for (const [name, value] of Object.entries(given)) {
    if (endOfText.test(value)) continue;
    const shown = isTemplate ? withoutValues(value, name) : value;
    const safe = styleAttributes.has(name) ? cleanCss(shown, hosts) : shown;
    if (safe !== '' || value === '') clean[name] = safe;
  }
  return tag === 'a' || tag === 'area' ? { ...clean, target: '_blank', rel: 'noopener noreferrer nofollow' } : clean;
}

const name = '[A-Za-z_][\\w.]*';
/** Matches template tags that choose between strings of the template's author, or that insert a counter. */
const choice = new RegExp(
  `^(?:[#^](?:if|unless|each) ${name}|else|/(?:if|unless|each)|@(?:index|first|last)|ternary ${name}(?: '[^'"{}]*'){2})$`,
);

/**
 * Removes the template tags that insert values of the game into an attribute. The image of a dialogue is kept, because
 * it is checked when the dialogue is sanitised.
 */
function withoutValues(value: string, attribute: string) {
  if (attribute === 'src' && /^\{\{\s*dialogue\.image\s*\}\}$/.test(value)) return value;
  return value.replace(/\{\{+([^{}]*)\}*|\{\{+/g, (mark, inside = '') =>
    choice.test(String(inside).trim().replace(/\s+/g, ' ')) && mark === `{{${inside}}}` ? mark : '',
  );
}

/**
 * The maximum number of elements that are open at one position; no real page has as many. The parser needs time
 * quadratic in this number.
 */
const openMax = 1000;
const withoutEnd = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

function isTooDeep(html: string) {
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

/** The style element in the page of the original engine to which `ui.style` writes. Its content is CSS, not HTML. */
const sheetElement = 'realtime-css';

/** Properties that scripts may set on an element of the page. None of them can load or execute anything. */
const textProperties = new Set(
  'textContent innerText value placeholder title disabled hidden checked className ariaLabel'.split(' '),
);

/**
 * Sanitises an output event for a browser. Returns undefined if browsers must not receive the event. HTML and styles
 * are sanitised, and styles load only from `hosts`. In chat messages, the characters that the player typed are
 * restored.
 */
export function outputForBrowser(event: OutputEvent, hosts: StyleHosts = []): OutputEvent | undefined {
  if (event.kind === 'ui.element' && event.elementId === sheetElement) {
    const texts = (['html', 'value'] as const).filter((member) => typeof event[member] === 'string');
    return { ...event, ...Object.fromEntries(texts.map((member) => [member, cleanCss(String(event[member]), hosts)])) };
  }
  if (event.kind === 'ui.element' && event.op === 'setProperty') {
    const { key, value } = event;
    if (key === 'innerHTML') return { ...event, value: cleanHtml(String(value), hosts) };
    return textProperties.has(String(key)) ? event : undefined;
  }
  if (event.kind === 'ui.style' && typeof event.css === 'string') {
    return { ...event, css: cleanCss(event.css, hosts) };
  }
  if (event.kind === 'chat' && typeof event.text === 'string') return { ...event, text: asTyped(event.text) };
  let clean: OutputEvent = event;
  for (const path of htmlMembers[event.kind] ?? []) clean = withClean(clean, path.split('/'), hosts) as OutputEvent;
  return clean;
}

/**
 * Returns a copy in which the string at a path of members is sanitised. If a member of the path is a list, the rest of
 * the path applies to each of its items.
 */
function withClean(value: unknown, [member, ...deeper]: readonly string[], hosts: StyleHosts): unknown {
  if (member === undefined) return typeof value === 'string' ? cleanHtml(value, hosts) : value;
  if (Array.isArray(value)) return value.map((each) => withClean(each, [member, ...deeper], hosts));
  if (typeof value !== 'object' || value === null || !(member in value)) return value;
  return { ...value, [member]: withClean((value as Dictionary)[member], deeper, hosts) };
}
