import sanitize from 'sanitize-html';
import { htmlMembers, type OutputEvent } from '../../engine/index.ts';
import { cleanCss, type StyleHosts } from './css.ts';
import { addressAttributes, allowedAttributes, allowedTags, dataTags, styleAttributes } from './html-tags.ts';
import { asTyped } from './typed-text.ts';

/*
 * The boundary between games and browsers. HTML that games publish is sanitised here before a browser shows it: it
 * keeps its appearance and loses everything that could execute or send data. Texts typed by players never contain
 * markup.
 */

/** Stands for a style sheet while the HTML is sanitised, because `sanitize-html` only handles elements. */
const sheetTag = 'reenact-sheet';
const sheetMark = new RegExp(`<${sheetTag} n="(\\d+)"></${sheetTag}>|</?${sheetTag}[^>]*>`, 'g');
/**
 * Matches style sheets, and comments, inside which a sheet does not count. Wherever a match ends, its content is
 * cleaned as CSS and the rest as HTML.
 */
const sheetOrComment = /<!--[\s\S]*?(?:-->|$)|<style\b[^<>]*>([\s\S]*?)(?:<\/style\b[^<>]*>?|$)/gi;
/**
 * Never allowed in an attribute: the end of a comment or a text element, which a second parser could read as markup.
 */
const endOfText = /(?:--!?|\])>|<\/(?:style|script|title|xmp|textarea|noscript|iframe|noembed|noframes)/i;

const fixed: sanitize.IOptions = {
  allowedTags: [...allowedTags, sheetTag],
  allowedAttributes: { ...allowedAttributes, [sheetTag]: ['n'] },
  // Styles of elements are sanitised here, like style sheets.
  parseStyleAttributes: false,
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: Object.fromEntries(dataTags.map((tag) => [tag, ['http', 'https', 'data']])),
  allowedSchemesAppliedToAttributes: [...addressAttributes],
  allowProtocolRelative: false,
  // Removed together with their content.
  nonTextTags: 'iframe noembed noframes noscript script style template textarea xmp'.split(' '),
  nestingLimit: 50,
};

/**
 * Sanitises HTML for the game's own part of the page. Its styles apply to that whole part, and load only from `hosts`.
 * Characters that are not markup stay as text: `a < b` becomes `a &lt; b`. A text with more than 1000 elements open at
 * once is treated as plain text.
 */
export function cleanHtml(html: string, hosts: StyleHosts = []): string {
  return cleaned(html, hosts, false);
}

/**
 * The same for a Handlebars template, which the page fills in after sanitising. Attributes and style sheets may not
 * insert values of the game: a value with a quotation mark would end the attribute.
 */
export function cleanTemplate(html: string, hosts: StyleHosts = []): string {
  return cleaned(html, hosts, true);
}

function cleaned(html: string, hosts: StyleHosts, isTemplate: boolean): string {
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
/** Template tags that choose between texts of the author, or insert a counter. */
const choice = new RegExp(
  `^(?:[#^](?:if|unless|each) ${name}|else|/(?:if|unless|each)|@(?:index|first|last)|ternary ${name}(?: '[^'"{}]*'){2})$`,
);

/**
 * Removes template tags that insert a value of the game. The image of a dialogue stays, because it is checked when the
 * dialogue is sanitised.
 */
function withoutValues(value: string, attribute: string): string {
  if (attribute === 'src' && /^\{\{\s*dialogue\.image\s*\}\}$/.test(value)) return value;
  return value.replace(/\{\{+([^{}]*)\}*|\{\{+/g, (mark, inside = '') =>
    choice.test(String(inside).trim().replace(/\s+/g, ' ')) && mark === `{{${inside}}}` ? mark : '',
  );
}

/** More open elements than any real page has. The parser takes time quadratic in their number. */
const openMax = 1000;
const withoutEnd = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

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

/** The style element of the original engine's page that `ui.style` writes to: its content is CSS, not HTML. */
const sheetElement = 'realtime-css';

/**
 * Properties that scripts may set on an element of the page: those through which a text cannot load or execute
 * anything.
 */
const textProperties: ReadonlySet<string> = new Set(
  'textContent innerText value placeholder title disabled hidden checked className ariaLabel'.split(' '),
);

/**
 * Sanitises an output event for a browser; undefined if a browser must not receive it. HTML and styles are sanitised,
 * and styles load only from `hosts`. Chat is restored to the text that was typed.
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

/** Returns a copy with the text at a path sanitised; in a list, the text of each member. */
function withClean(value: unknown, [member, ...deeper]: readonly string[], hosts: StyleHosts): unknown {
  if (member === undefined) return typeof value === 'string' ? cleanHtml(value, hosts) : value;
  if (Array.isArray(value)) return value.map((each) => withClean(each, [member, ...deeper], hosts));
  if (typeof value !== 'object' || value === null || !(member in value)) return value;
  return { ...value, [member]: withClean((value as Readonly<Record<string, unknown>>)[member], deeper, hosts) };
}
