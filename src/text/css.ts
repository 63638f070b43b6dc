/*
 * Styles that games wrote. They may lay out, hide and cover whatever the page puts beside them: a page keeps them to the game's own part. They load
 * nothing but pictures and fonts from hosts that the operator has named.
 */

/** Names of hosts, in lower case; `any` for all of them. */
export type StyleHosts = 'any' | readonly string[];

/**
 * A token of CSS, as far as it matters here: a comment, a string, an identifier that may begin a function, or one character. A browser splits a text at
 * the same places, so that nothing hides between two of them.
 */
const token =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n\r\f]|\\[\s\S])*"?|'(?:[^'\\\n\r\f]|\\[\s\S])*'?|@?(?:[-\w\u0080-\uffff]|\\(?:[\da-f]{1,6}\s?|[^\da-f\n\r\f]))+\(?|[\s\S]/giy;
const escaped = /\\(?:([\da-f]{1,6})(?:\r\n|\s)?|(\r\n|[\s\S]|$))/gi;
/** The rest of a function that takes one address: the address in quotes, or without. */
const quoted = /\s*("(?:[^"\\\n\r\f]|\\[\s\S])*"|'(?:[^'\\\n\r\f]|\\[\s\S])*')\s*\)/y;
const bare = /\s*((?:[^"'()\\\s]|\\[\s\S])*)\s*(?:\)|$)/y;

/** Functions that take an address without saying `url`, or that some browser has once run. */
const blockedFunctions: ReadonlySet<string> = new Set(
  ['image-set', 'image', 'cross-fade', 'filter', 'src', 'element', 'paint', 'expression'].flatMap((name) => [
    name,
    `-webkit-${name}`,
    `-moz-${name}`,
  ]),
);
const blockedWords: ReadonlySet<string> = new Set(['behavior', '-moz-binding', '@import', '@namespace']);
/** A word of no meaning: a browser drops the declaration or the rule that holds it. */
const blocked = 'blocked';

/**
 * Cleans a style sheet, or the declarations of one element. Addresses of other hosts than `hosts` are taken out. No `<` is left, so that the text cannot
 * end the element in which it stands.
 */
export function cleanCss(css: string, hosts: StyleHosts = []): string {
  const made: string[] = [];
  token.lastIndex = 0;
  for (let found = token.exec(css); found !== null && found[0] !== ''; found = token.exec(css)) {
    const [text] = found;
    if (text.startsWith('/*')) made.push(' ');
    else if (text.startsWith('"') || text.startsWith("'")) made.push(withEnd(text, css, token.lastIndex));
    else if (/[-\w\u0080-\uffff\\]/.test(text)) made.push(word(css, text, hosts));
    // No token may vanish: those beside it would become one.
    else made.push(text === '<' ? ' ' : text === '\0' ? '\ufffd' : text);
  }
  return made.join('').trim();
}

function withoutAngles(text: string): string {
  return text.replace(/\\[\s\S]|</g, (part) => (part.endsWith('<') ? '\\3c ' : part));
}

/** A string that ends with its line is none: browsers pass over it. One that ends with the text is whole. */
function withEnd(text: string, css: string, at: number): string {
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

/** A part of the same page, a picture that is in the style itself, or one of an allowed host. */
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
