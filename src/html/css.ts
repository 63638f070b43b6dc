/*
 * Sanitises the CSS of games. A game may lay out, hide and cover anything in its own part of the page; the page
 * confines its styles to that part. The CSS can load only images and fonts from hosts that the operator allows.
 */

/** Host names in lower case; `any` allows all of them. */
export type StyleHosts = 'any' | readonly string[];

/**
 * A CSS token, as far as needed here: a comment, a string, an identifier that may start a function, or one character.
 * Browsers split a text at the same places, so nothing can hide between two tokens.
 */
const token =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n\r\f]|\\[\s\S])*"?|'(?:[^'\\\n\r\f]|\\[\s\S])*'?|@?(?:[-\w\u0080-\uffff]|\\(?:[\da-f]{1,6}\s?|[^\da-f\n\r\f]))+\(?|[\s\S]/giy;
const escaped = /\\(?:([\da-f]{1,6})(?:\r\n|\s)?|(\r\n|[\s\S]|$))/gi;
/** The rest of a `url(` call: the address, quoted or not. */
const quoted = /\s*("(?:[^"\\\n\r\f]|\\[\s\S])*"|'(?:[^'\\\n\r\f]|\\[\s\S])*')\s*\)/y;
const bare = /\s*((?:[^"'()\\\s]|\\[\s\S])*)\s*(?:\)|$)/y;

/** Functions that load an address without `url`, or that some browser once executed. */
const blockedFunctions: ReadonlySet<string> = new Set(
  ['image-set', 'image', 'cross-fade', 'filter', 'src', 'element', 'paint', 'expression'].flatMap((name) => [
    name,
    `-webkit-${name}`,
    `-moz-${name}`,
  ]),
);
const blockedWords: ReadonlySet<string> = new Set(['behavior', '-moz-binding', '@import', '@namespace']);
/** A meaningless word: browsers drop the declaration or rule that contains it. */
const blocked = 'blocked';

/**
 * Sanitises a style sheet, or the declarations of one element. Addresses on hosts other than `hosts` are removed. The
 * result contains no `<`, so it cannot close the element that contains it.
 */
export function cleanCss(css: string, hosts: StyleHosts = []): string {
  const made: string[] = [];
  token.lastIndex = 0;
  for (let found = token.exec(css); found !== null && found[0] !== ''; found = token.exec(css)) {
    const [text] = found;
    if (text.startsWith('/*')) made.push(' ');
    else if (text.startsWith('"') || text.startsWith("'")) made.push(closedString(text, css, token.lastIndex));
    else if (/[-\w\u0080-\uffff\\]/.test(text)) made.push(word(css, text, hosts));
    // A token is never removed entirely, or its neighbours would merge into one.
    else made.push(text === '<' ? ' ' : text === '\0' ? '\ufffd' : text);
  }
  return made.join('').trim();
}

function withoutAngles(text: string): string {
  return text.replace(/\\[\s\S]|</g, (part) => (part.endsWith('<') ? '\\3c ' : part));
}

/**
 * An unterminated string at a line end is invalid, and browsers drop it; at the end of the text it counts as closed.
 */
function closedString(text: string, css: string, at: number): string {
  const quote = text[0]!;
  const isWhole = text.length > 1 && /^(?:[^\\]|\\[\s\S])*$/.test(text.slice(0, -1)) && text.endsWith(quote);
  if (isWhole) return withoutAngles(text);
  return at < css.length ? ' ' : `${withoutAngles(text)}${quote}`;
}

function word(css: string, text: string, hosts: StyleHosts): string {
  const name = unescaped(text.replace(/\($/, '')).toLowerCase();
  if (!text.endsWith('('))
    return blockedWords.has(name) ? `${name.startsWith('@') ? '@' : ''}${blocked}` : withoutAngles(text);
  if (blockedFunctions.has(name)) return `${blocked}(`;
  if (name !== 'url') return withoutAngles(text);
  for (const form of [quoted, bare]) {
    form.lastIndex = token.lastIndex;
    const [whole, address] = form.exec(css) ?? [];
    if (whole === undefined) continue;
    token.lastIndex += whole.length;
    const plain = unescaped(form === quoted ? address!.slice(1, -1) : address!).trim();
    return isAllowed(plain, hosts) ? `url("${plain.replace(/["\\\n\r\f<]/g, encodeURIComponent)}")` : 'none';
  }
  return `${blocked}(`;
}

/** Allows fragments of the same page, embedded images and fonts, and addresses on allowed hosts. */
function isAllowed(address: string, hosts: StyleHosts): boolean {
  if (/^#[^\s]*$/.test(address) || /^data:(?:image|font)\//i.test(address)) return true;
  const url = /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && (hosts === 'any' || hosts.includes(url.hostname));
}

function unescaped(text: string): string {
  return text.replace(escaped, (_, hex: string | undefined, other: string | undefined) => {
    if (hex === undefined) return other === undefined || /^[\n\r\f]/.test(other) ? '' : other;
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
  });
}
