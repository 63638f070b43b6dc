/**
 * Markup that games show to players contains text of players (names, chat), so it is cleaned before it is published. Only tags and attributes that
 * format stay. The text is taken apart and written anew, so that nothing passes which was not understood.
 */

const tags: ReadonlySet<string> = new Set(
  (
    'a abbr b bdi bdo blockquote br button caption center cite code col colgroup dd del details div dl dt em figcaption figure font h1 h2 h3 h4 ' +
    'h5 h6 hr i img ins kbd label legend li main mark meter nav ol p pre progress q s samp section small span strike strong sub summary sup ' +
    'table tbody td tfoot th thead tr tt u ul var wbr'
  ).split(' '),
);

/** Of these the content goes as well: it is not text for people, or is read by other rules than those of markup. */
const contentTags: ReadonlySet<string> = new Set(
  'embed iframe math noembed noframes noscript object plaintext script style svg template textarea title xmp'.split(
    ' ',
  ),
);

const attributes: ReadonlySet<string> = new Set(
  'align alt bgcolor border class cellpadding cellspacing color colspan disabled face height high id low max min name optimum role rowspan size src href style target title type value width'.split(
    ' ',
  ),
);

const urlAttributes: ReadonlySet<string> = new Set(['href', 'src']);

/** An address with a harmless scheme, or without one. A scheme hidden behind character references does not look like either. */
const harmlessUrl = /^(?:https?:\/\/|mailto:|data:image\/(?:png|gif|jpe?g|webp);base64,|[/#?.]|[\w-]+(?:[/.?#]|$))/i;

/** Whether clients may follow an address: no `javascript:` and its like, however it is written. */
export function isHarmlessUrl(url: string): boolean {
  return harmlessUrl.test(url);
}

const tagName = /[A-Za-z][A-Za-z0-9]*/y;
const attribute = /[\s/]*([^\s/>=<"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'<]+)))?/y;
const tagEnd = /[\s/]*>/y;

export function cleanHtml(html: string): string {
  let clean = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) return clean + html.slice(at);
    clean += html.slice(at, open);
    at = open + 1;
    if (html.startsWith('!--', at)) {
      const end = html.indexOf('-->', at + 3);
      if (end < 0) return clean;
      at = end + 3;
      continue;
    }
    const isClosing = html[at] === '/';
    const name = match(tagName, html, isClosing ? at + 1 : at)?.[0];
    if (name === undefined) {
      clean += '&lt;';
      continue;
    }
    const tag = name.toLowerCase();
    at += name.length + (isClosing ? 1 : 0);
    let kept = '';
    for (let found = match(attribute, html, at); found !== undefined; found = match(attribute, html, at)) {
      at += found[0].length;
      kept += keep(found[1]!.toLowerCase(), found[2] ?? found[3] ?? found[4]);
    }
    const end = match(tagEnd, html, at);
    // A tag that is not closed, or holds what is no attribute, is no tag that any of us means.
    if (end === undefined) {
      const next = html.indexOf('>', at);
      if (next < 0) return clean;
      at = next + 1;
      if (!isClosing && contentTags.has(tag)) at = skipContent(html, tag, at);
      continue;
    }
    at += end[0].length;
    if (isClosing) {
      if (tags.has(tag)) clean += `</${tag}>`;
    } else if (contentTags.has(tag)) {
      at = skipContent(html, tag, at);
    } else if (tags.has(tag)) {
      clean += `<${tag}${kept}>`;
    }
  }
  return clean;
}

/** Behind the closing tag of an element whose content is not shown; the end of the text when it is never closed. */
function skipContent(html: string, tag: string, from: number): number {
  // Compared without regard to case by hand: lower-casing the whole text could move positions.
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + tag.length).toLowerCase() !== tag) continue;
    const end = html.indexOf('>', at);
    return end < 0 ? html.length : end + 1;
  }
  return html.length;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function keep(name: string, value: string | undefined): string {
  if (!attributes.has(name) && !/^(?:data|aria)-[\w-]+$/.test(name)) return '';
  if (value === undefined) return ` ${name}`;
  if (urlAttributes.has(name) && !harmlessUrl.test(value)) return '';
  return ` ${name}="${value.replace(/["<>]/g, (character) => quoted[character]!)}"`;
}

const quoted: Readonly<Record<string, string>> = { '"': '&quot;', '<': '&lt;', '>': '&gt;' };
