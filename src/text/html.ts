import sanitize from 'sanitize-html';
import { htmlMembers, type Input, type OutputEvent } from '../../engine/index.ts';
import { cleanCss, type StyleHosts } from './css.ts';
import { addressAttributes, allowedAttributes, allowedTags, dataTags, styleAttributes } from './html-tags.ts';

/*
 * The border between games and browsers. Games publish HTML as they wrote it; it passes here before a browser shows it. It keeps its looks, and loses
 * everything that could run or send. Texts that players typed hold no markup from the start.
 */

/** A sheet on its way through the cleaner, which is one of elements. */
const sheetTag = 'reenact-sheet';
const sheetMark = new RegExp(`<${sheetTag} n="(\\d+)"></${sheetTag}>|</?${sheetTag}[^>]*>`, 'g');
/** Sheets, and comments, in which a sheet is none. Wherever one ends here: what is in it is cleaned as a sheet, and the rest as HTML. */
const sheetOrComment = /<!--[\s\S]*?(?:-->|$)|<style\b[^<>]*>([\s\S]*?)(?:<\/style\b[^<>]*>?|$)/gi;
/** No attribute has it: ends of elements that hold text, which a second reading could take for markup. */
const endOfText = /(?:--!?|\])>|<\/(?:style|script|title|xmp|textarea|noscript|iframe|noembed|noframes)/i;

const fixed: sanitize.IOptions = {
  allowedTags: [...allowedTags, sheetTag],
  allowedAttributes: { ...allowedAttributes, [sheetTag]: ['n'] },
  // Styles of elements are cleaned here, as sheets are.
  parseStyleAttributes: false,
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: Object.fromEntries(dataTags.map((tag) => [tag, ['http', 'https', 'data']])),
  allowedSchemesAppliedToAttributes: [...addressAttributes],
  allowProtocolRelative: false,
  // With what is in them.
  nonTextTags: 'iframe noembed noframes noscript script style template textarea xmp'.split(' '),
  nestingLimit: 50,
};

/**
 * HTML that a browser may show in a part of its page that is the game's own. Its styles apply to that whole part, and load only from `hosts`.
 * Characters that are no markup stay as text: `a < b` is `a &lt; b`. A text with more than 1000 elements open at once is all
 * text.
 */
export function cleanHtml(html: string, hosts: StyleHosts = []): string {
  return cleaned(html, hosts, false);
}

/**
 * The same of a template of Handlebars, which the page fills in after it is cleaned. In its attributes and sheets no value of the game can stand: one
 * with a quotation mark would end the attribute.
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
/** Marks of a template that choose among the author's own words, or count. */
const choice = new RegExp(
  `^(?:[#^](?:if|unless|each) ${name}|else|/(?:if|unless|each)|@(?:index|first|last)|ternary ${name}(?: '[^'"{}]*'){2})$`,
);

/** Without the marks of a template that put a value of the game there; the picture of a dialogue is checked where dialogues are cleaned. */
function withoutValues(value: string, attribute: string): string {
  if (attribute === 'src' && /^\{\{\s*dialogue\.image\s*\}\}$/.test(value)) return value;
  return value.replace(/\{\{+([^{}]*)\}*|\{\{+/g, (mark, inside = '') =>
    choice.test(String(inside).trim().replace(/\s+/g, ' ')) && mark === `{{${inside}}}` ? mark : '',
  );
}

/** More open elements than any page has. The time of the parser grows with the square of them. */
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

/** The sheet of the original engine's page that `ui.style` is about: what is put into it is no HTML. */
const sheetElement = 'realtime-css';

/** Properties that scripts may set on an element of a page: those of which a text cannot load or run anything. */
const textProperties: ReadonlySet<string> = new Set(
  'textContent innerText value placeholder title disabled hidden checked className ariaLabel'.split(' '),
);

/**
 * An event as a browser may be sent it; undefined for one that a browser must not be sent. HTML and styles are cleaned, and styles load from no other
 * host than `hosts`. Chat is a text, as it was typed.
 */
export function outputForBrowser(event: OutputEvent, hosts: StyleHosts = []): OutputEvent | undefined {
  if (event.kind === 'ui.element' && event['elementId'] === sheetElement) {
    const texts = ['html', 'value'].filter((member) => typeof event[member] === 'string');
    return { ...event, ...Object.fromEntries(texts.map((member) => [member, cleanCss(String(event[member]), hosts)])) };
  }
  if (event.kind === 'ui.element' && event['op'] === 'setProperty') {
    const { key, value } = event;
    if (key === 'innerHTML') return { ...event, value: cleanHtml(String(value), hosts) };
    return textProperties.has(String(key)) ? event : undefined;
  }
  if (event.kind === 'ui.style' && typeof event['css'] === 'string') {
    return { ...event, css: cleanCss(event['css'], hosts) };
  }
  if (event.kind === 'chat' && typeof event['text'] === 'string') return { ...event, text: asTyped(event['text']) };
  let clean: OutputEvent = event;
  for (const path of htmlMembers[event.kind] ?? []) clean = withClean(clean, path.split('/'), hosts) as OutputEvent;
  return clean;
}

/** A copy in which the texts at a path are cleaned; of a list, those of each member. */
function withClean(value: unknown, [member, ...deeper]: readonly string[], hosts: StyleHosts): unknown {
  if (member === undefined) return typeof value === 'string' ? cleanHtml(value, hosts) : value;
  if (Array.isArray(value)) return value.map((each) => withClean(each, [member, ...deeper], hosts));
  if (typeof value !== 'object' || value === null || !(member in value)) return value;
  return { ...value, [member]: withClean((value as Readonly<Record<string, unknown>>)[member], deeper, hosts) };
}

/*
 * Games put typed texts between their own HTML. A character that begins or ends an element or an attribute is replaced when the text arrives, by one that
 * looks like it. However a script cuts and joins the text, it makes no markup of it.
 */

const lookalikes: Readonly<Record<string, string>> = { '<': '\u02c2', '"': '\u02ee', "'": '\u02bc' };
const markupOf = new Map(Object.entries(lookalikes).map(([markup, lookalike]) => [lookalike, markup]));

/** A typed text without any character that could begin or end an element or an attribute. */
export function typedText(text: string): string {
  return text.replace(/[<"']/g, (character) => lookalikes[character]!);
}

function asTyped(text: string): string {
  return text.replace(/[\u02c2\u02ee\u02bc]/g, (character) => markupOf.get(character)!);
}

/** The same of data that a page's scripts send. Objects that are written as texts keep their quotation marks, unless an attribute could follow one. */
function typedData(value: unknown): unknown {
  if (typeof value === 'string')
    return value.includes('=') ? typedText(value) : value.replaceAll('<', lookalikes['<']!);
  if (Array.isArray(value)) return value.map(typedData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, typedData(member)]));
}

/** An input that came from a browser: whatever of it scripts may show to other players is text, and no HTML. */
export function inputFromBrowser(input: Input): Input {
  switch (input.kind) {
    case 'chat':
    case 'customInput':
      return { ...input, text: typedText(input.text) };
    case 'data':
      return { ...input, data: typedData(input.data) as typeof input.data };
    case 'htmlClick':
      return { ...input, element: typedData(input.element) as typeof input.element };
    case 'moderate':
      return input.message === undefined ? input : { ...input, message: typedText(input.message) };
    default:
      return input;
  }
}
