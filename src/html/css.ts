/*
 * Sanitises the CSS of games. A game may lay out, hide and cover anything in its own part of the page. The page
 * confines the styles of the game to that part. The CSS can load only images and fonts, and only from hosts that the
 * operator allows.
 */

/** Host names in lower case. `any` stands for all hosts. */
export type StyleHosts = 'any' | readonly string[];

/**
 * Matches a CSS token as far as it matters here: a comment, a string, an identifier that may start a function, or a
 * single character. Browsers split CSS at the same positions, so nothing can hide between two tokens.
 */
const token =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n\r\f]|\\[\s\S])*"?|'(?:[^'\\\n\r\f]|\\[\s\S])*'?|@?(?:[-\w\u0080-\uffff]|\\(?:[\da-f]{1,6}\s?|[^\da-f\n\r\f]))+\(?|[\s\S]/giy;
const escaped = /\\(?:([\da-f]{1,6})(?:\r\n|\s)?|(\r\n|[\s\S]|$))/gi;
/** The rest of a `url(` call: the URL, quoted or not, and the closing parenthesis. */
const quoted = /\s*("(?:[^"\\\n\r\f]|\\[\s\S])*"|'(?:[^'\\\n\r\f]|\\[\s\S])*')\s*\)/y;
const bare = /\s*((?:[^"'()\\\s]|\\[\s\S])*)\s*(?:\)|$)/y;

/** Functions that load a URL without `url`, and functions that some browsers used to execute as code. */
const blockedFunctions: ReadonlySet<string> = new Set(
  'image-set image cross-fade filter src element paint expression'
    .split(' ')
    .flatMap((name) => [name, `-webkit-${name}`, `-moz-${name}`]),
);
const blockedWords = new Set('behavior -moz-binding @import @namespace'.split(' '));
/** A word without a meaning in CSS. Browsers ignore a declaration or rule that contains it. */
const blocked = 'blocked';

/**
 * Sanitises a style sheet, or the style declarations of one element. URLs on hosts other than `hosts` are removed. The
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
    // No token is removed completely, because then its two neighbours would merge into one token.
    else made.push(text === '<' ? ' ' : text === '\0' ? '\ufffd' : text);
  }
  return made.join('').trim();
}

function withoutAngles(text: string) {
  return text.replace(/\\[\s\S]|</g, (part) => (part.endsWith('<') ? '\\3c ' : part));
}

/**
 * Closes an unterminated string at the end of the CSS, as browsers do. An unterminated string at the end of a line is
 * invalid, and is removed.
 */
function closedString(text: string, css: string, at: number) {
  const quote = text[0]!;
  const isWhole = text.length > 1 && /^(?:[^\\]|\\[\s\S])*$/.test(text.slice(0, -1)) && text.endsWith(quote);
  if (isWhole) return withoutAngles(text);
  return at < css.length ? ' ' : `${withoutAngles(text)}${quote}`;
}

function word(css: string, text: string, hosts: StyleHosts) {
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

/** Whether a URL may be loaded: a fragment of the same page, an embedded image or font, or a URL on an allowed host. */
function isAllowed(address: string, hosts: StyleHosts) {
  if (/^#[^\s]*$/.test(address) || /^data:(?:image|font)\//i.test(address)) return true;
  const url = /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && (hosts === 'any' || hosts.includes(url.hostname));
}

function unescaped(text: string) {
  return text.replace(escaped, (_, hex: string | undefined, other: string | undefined) => {
    if (hex === undefined) return other === undefined || /^[\n\r\f]/.test(other) ? '' : other;
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
  });
}
