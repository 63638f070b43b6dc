import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OutputEvent } from '../../engine/index.ts';
import { cleanCss } from '../../src/html/css.ts';
import { cleanHtml, cleanTemplate, outputForBrowser } from '../../src/html/html.ts';
import { inputFromBrowser, typedText } from '../../src/html/typed-text.ts';
import { runs } from '../support/property.ts';

describe('HTML that a browser may show', () => {
  test.each([
    ['plain text', 'plain text'],
    ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
    ['<B>bold</B>', '<b>bold</b>'],
    ['<span class="text-danger">Zombies win!</span>', '<span class="text-danger">Zombies win!</span>'],
    ['<button disabled id=go>Go</button>', '<button disabled id="go">Go</button>'],
    ['<b data-id="7" aria-label="l">x</b>', '<b data-id="7" aria-label="l">x</b>'],
    ['<span style="color: red">x</span>', '<span style="color: red">x</span>'],
    [
      '<div style="position:absolute;width:35%;background:#0008;display:none">x</div>',
      '<div style="position:absolute;width:35%;background:#0008;display:none">x</div>',
    ],
    ['<style>#bar > i { width: 20% }</style><i>x</i>', '<style>#bar > i { width: 20% }</style><i>x</i>'],
    ['<style media="print">a{}', '<style>a{}</style>'],
    ['<style>a::before{content:"<\\f00c"}</style>', '<style>a::before{content:"\\3c \\f00c"}</style>'],
    ['<!-- <style>a{}</style> -->x', 'x'],
    ['<input type="text" placeholder="Name" value="a">', '<input type="text" placeholder="Name" value="a" />'],
    [
      '<select name="c"><option value="1">One</option></select>',
      '<select name="c"><option value="1">One</option></select>',
    ],
    [
      '<svg viewBox="0 0 9 9"><linearGradient id="g"/><path d="M0 0L9 9" fill="url(#g)" class="trigger"/></svg>',
      '<svg viewbox="0 0 9 9"><lineargradient id="g"></lineargradient><path d="M0 0L9 9" fill="url(&quot;#g&quot;)" class="trigger"></path></svg>',
    ],
    ['<img src="https://example.com/a.png">', '<img src="https://example.com/a.png" />'],
    ['<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA" />'],
    ['<a href="/here#there">x</a>', '<a href="/here#there" target="_blank" rel="noopener noreferrer nofollow">x</a>'],
    ['<table><tr><td colspan="2">x</td></tr></table>', '<table><tr><td colspan="2">x</td></tr></table>'],
    ['<b>never closed', '<b>never closed</b>'],
  ])('%j becomes %j', (html, expected) => {
    expect(cleanHtml(html)).toBe(expected);
  });

  test.each(['<b>', '<b><i>', '<p>', '<a></b>'])(
    'a text with more open elements than any page has is all text: %s',
    (tags) => {
      const many = tags.repeat(1001);
      expect(cleanHtml(`${many}x`)).toBe(`${many.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}x`);
    },
  );

  test.each([
    ['<br>', '<br />'],
    ['<p>a</p>', '<p>a</p>'],
    ['<b><i>a</i></b>', '<b><i>a</i></b>'],
    ['<u><b>a</u>', '<u><b>a</b></u>'],
  ])('a long text is not: %s', (part, clean) => {
    expect(cleanHtml(part.repeat(1500))).toBe(clean.repeat(1500));
  });

  test.each([
    '<script>alert(1)</script>',
    '<SCRIPT src="https://example.com/x.js"></ScRiPt >',
    '<scr<script>ipt>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<b onclick=alert(1)>x</b>',
    '<div/onclick="alert(1)">x</div>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href=" java\tscript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="//example.com/x">x</a>',
    '<svg><script>alert(1)</script></svg>',
    '<xmp><script>alert(1)</script></xmp>',
    '<xmp><img src=x onerror=alert(1)></xmp>',
    '<svg><xmp><img src=x onerror=alert(1)></xmp></svg>',
    '<b><xmp></b><img src=x onerror=alert(1)></xmp>',
    '<textarea></textarea/><img src=x onerror=alert(1)>',
    '<math><textarea></textarea/><img src=x onerror=alert(1)></math>',
    '<noembed><img src=x onerror=alert(1)></noembed>',
    '<plaintext><script>alert(1)</script>',
    '<style></style/><script>alert(1)</script>',
    '<svg onload=alert(1)>',
    '<math><mtext><script>alert(1)</script></mtext></math>',
    '<iframe src="https://example.com"></iframe>',
    '<object data="x"></object><embed src="x">',
    '<style></style><script>alert(1)</script>',
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
    '<svg></p><style><a id="</style><img src=x onerror=alert(1)>">',
    '<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=alert(1)>',
    '<svg><foreignObject><iframe srcdoc="x"></iframe><script>alert(1)</script></foreignObject></svg>',
    '<svg><use href="https://example.com/x.svg#a"/><animate attributeName=href values="javascript:alert(1)"/></svg>',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a><set attributeName=onload to=alert(1) /></svg>',
    '<div style="background:url(javascript:alert(1))" title="</style><img src=x onerror=alert(1)>">x</div>',
    '<style>@import "https://example.com/x.css";@im\\port url(//example.com/x);</style>',
    '<style>a{background:u\\72l(https://example.com/x)}b{background:\\<url(https://example.com/x)}</style>',
    '<style>a{x:url("https://example.com/x"}b{x:ur\0l(https://example.com/x)}c{x:ur/**/l(https://example.com/x)}</style>',
    '<style>a{x:image-set("https://example.com/x" 1x);behavior:url(x);-moz-binding:url(x);y:expression(alert(1))}</style>',
    '<style>a{content:"\\"}b{x:url(https://example.com/x)}</style>',
    '<style>a{x:"\n;y:url(https://example.com/x)}</style>',
    '<reenact-sheet n=0></reenact-sheet><style>x</style><b title="<style>a{}</style>">x</b>',
    '<input type="image" formaction="javascript:alert(1)"><button popovertarget="x">x</button><p popover>x</p>',
    '<video src="javascript:alert(1)" poster="javascript:alert(1)"></video><img srcset="javascript:alert(1) 1x">',
    '<textarea><script>alert(1)</script></textarea><template><script>alert(1)</script></template>',
    '<link rel=stylesheet href="https://example.com/x.css">',
    '<meta http-equiv=refresh content="0;url=https://example.com">',
    '<base href="https://example.com">',
    '<form action="https://example.com"><input name=password></form>',
    '<div style="background:url(https://example.com/x)">x</div>',
    '<div style="color:red;background-image:u\\72l(https://example.com/x)">x</div>',
    '<div style="color:expression(alert(1))">x</div>',
    '<!-- <b>x</b> --><![CDATA[<script>alert(1)</script>]]>',
    '<img src="x` `<script>alert(1)</script>"` `>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  ])('of %j nothing dangerous remains', (html) => {
    const clean = cleanHtml(html);
    expect(dangersOf(clean)).toEqual([]);
    expect(clean).not.toContain('alert(1)</script>');
  });

  test('the result is harmless, and sanitising it again does not change it', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ...['<', '>', '"', "'", '=', '/', ' ', '<b', '<img', ' src=', '<script', '</script', '<a href=', ' onclick='],
        ...[
          '<xmp>',
          '</xmp>',
          '<textarea>',
          '</textarea/>',
          '<svg>',
          '<img src=x onerror=alert(1)>',
          '</style>',
          '</svg>',
        ],
        ...[
          '<style>',
          '@import ',
          'u\\72l(',
          '\\',
          '/*',
          '*/',
          '{',
          '}',
          ' fill="',
          '<math>',
          '<title>',
          '<reenact-sheet n=0>',
        ],
        'javascript:',
        '<!--',
        '-->',
        '<svg',
        '<style',
        ' style="',
        'position:fixed',
        'url(x)',
        ';',
        'color:red',
        '&#',
        'x',
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const clean = cleanHtml(parts.join(''));
        expect(dangersOf(clean)).toEqual([]);
        expect(cleanHtml(clean)).toBe(clean);
      }),
      runs(2000),
    );
  });
});

/** Dangerous tags, attributes and styles that are left in clean HTML, in which every value is quoted. */
function dangersOf(html: string): string[] {
  const dangers: string[] = [];
  const outside = html.replaceAll(/<style>([^<]*)<\/style>/g, (_, css: string) => {
    if (loads(css)) dangers.push(css);
    return '';
  });
  for (const [tag] of outside.matchAll(/<[^>]*>/g)) {
    const isDangerous =
      /^<\/?(?:script|style|iframe|object|embed|link|meta|base|noscript|template|textarea|xmp|title|use|set|animate|foreignobject|reenact-sheet)\b/i;
    if (isDangerous.test(tag) && !/^<\/?title>$/.test(tag)) dangers.push(tag);
    if (/\s(?:on\w+|srcdoc|\w*action|popover\w*)\s*=/i.test(tag.replaceAll(/"[^"]*"/g, '""'))) dangers.push(tag);
    for (const [, name, value] of tag.matchAll(/([\w:-]+)="([^"]*)"/g)) {
      // Parses a URL like the URL Standard: control characters and spaces are ignored, and a scheme begins with a
      // letter.
      const scheme = /^[a-z][a-z\d+.-]*:/i.exec(value!.replaceAll(/[\0-\x20]/g, ''))?.[0].toLowerCase();
      const isAddress = /^(?:xlink:href|href|src|poster|srcset)$/.test(name!);
      if (isAddress && scheme !== undefined && !['http:', 'https:', 'mailto:', 'tel:', 'data:'].includes(scheme)) {
        dangers.push(tag);
      }
      if (name === 'href' && scheme === 'data:' && !tag.startsWith('<image')) dangers.push(tag);
      if (isAddress && value!.startsWith('//')) dangers.push(tag);
      if (/^(?:style|fill)$/.test(name!) && loads(value!.replaceAll('&quot;', '"'))) dangers.push(tag);
    }
  }
  return dangers;
}

/** Whether a style might load something. Stricter than a browser: text inside strings counts, too. */
function loads(css: string): boolean {
  // An escaped character is part of the name in which it occurs.
  const plain = css.replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, hex: string) => {
    const character = String.fromCodePoint(Number.parseInt(hex, 16) % 0x110000);
    return /\w/.test(character) ? character : 'x';
  });
  const code = plain.replaceAll(/"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/g, '""').replaceAll('url("")', '');
  return /(?<![\w\\-])(?:url|image-set|expression)\(|@import|behavior\s*:/i.test(code) || css.includes('<');
}

describe('styles of a game', () => {
  test.each([
    ['a{background:url(https://example.com/a.png)}', 'a{background:none}'],
    ['a{background:url( "https://cdn.example/a.png" )}', 'a{background:url("https://cdn.example/a.png")}'],
    ['a{background:u\\72 l(https://cdn.example/a.png)}', 'a{background:url("https://cdn.example/a.png")}'],
    ['a{background:url(https://cdn.example.evil.example/a.png)}', 'a{background:none}'],
    ['a{background:url(https://cdn.example@evil.example/a.png)}', 'a{background:none}'],
    ['a{background:url(/rooms)}', 'a{background:none}'],
    ['a{fill:url(#g)}', 'a{fill:url("#g")}'],
    ['a{background:url(data:image/png;base64,AAAA)}', 'a{background:url("data:image/png;base64,AAAA")}'],
    ['@font-face{src:url(https://example.com/f.woff2)}', '@font-face{src:none}'],
    ['@import url(https://cdn.example/x.css);a{}', '@blocked url("https://cdn.example/x.css");a{}'],
    [
      '@media (max-width: 600px) { #a > .b:not(.c)::after { content: "\\f00c" } }',
      '@media (max-width: 600px) { #a > .b:not(.c)::after { content: "\\f00c" } }',
    ],
    [
      'a{width:calc(100% - 2 * var(--gap));transform:translate(-50%,-50%)}',
      'a{width:calc(100% - 2 * var(--gap));transform:translate(-50%,-50%)}',
    ],
  ])('%j is %j where only cdn.example may be asked', (css, clean) => {
    expect(cleanCss(css, ['cdn.example'])).toBe(clean);
  });

  test('load from any host if the operator allows it', () => {
    expect(cleanCss('a{background:url(https://example.com/a.png)}', 'any')).toContain('https://example.com/a.png');
  });
});

describe('a template of a dialogue', () => {
  test.each([
    ['<p>{{dialogue.message}}</p>', '<p>{{dialogue.message}}</p>'],
    [
      "<i class=\"a {{ternary dialogue.image 'b c' ''}}\">x</i>",
      "<i class=\"a {{ternary dialogue.image 'b c' ''}}\">x</i>",
    ],
    ['<img src="{{dialogue.image}}">', '<img src="{{dialogue.image}}" />'],
    [
      '<p style="{{#if a.b}}margin:0{{else}}top:1px{{/if}}">x</p>',
      '<p style="{{#if a.b}}margin:0{{else}}top:1px{{/if}}">x</p>',
    ],
    ['<i title="{{name}}" id="o{{@index}}">x</i>', '<i id="o{{@index}}">x</i>'],
    ['<img src="x" alt="{{json \' onerror=alert(1) \'}}">', '<img src="x" />'],
    ['<img src="x" alt="{{{dialogue.message}}}">', '<img src="x" />'],
    ['<style>{{dialogue.message}} a{}</style>', '<style>{dialogue.message}} a{}</style>'],
  ])('%j inserts no value where it could end an attribute: %j', (template, clean) => {
    expect(cleanTemplate(template)).toBe(clean);
  });
});

describe('an output event for a browser', () => {
  const event = (kind: OutputEvent['kind'], members: object) =>
    ({ kind, tick: 1, time: 0.05, ...members }) as OutputEvent;
  const hostile = '<i onclick="x()">y</i>';

  test.each([
    ['a text', event('ui.text', { value: hostile, target: '<top>' }), { value: '<i>y</i>', target: '<top>' }],
    ['an element', event('ui.element', { op: 'setHtml', html: hostile }), { html: '<i>y</i>' }],
    ['a window', event('ui.modal', { title: hostile, content: hostile }), { title: '<i>y</i>', content: '<i>y</i>' }],
    [
      'a dialogue',
      event('ui.dialogue', { op: 'open', message: hostile, options: [{ id: 'a', name: hostile }] }),
      { message: '<i>y</i>', options: [{ id: 'a', name: '<i>y</i>' }] },
    ],
    [
      'a style sheet',
      event('ui.style', { op: 'update', css: 'a{background:url(https://example.com/x)}' }),
      { css: 'a{background:none}' },
    ],
    ['a property', event('ui.element', { op: 'setProperty', key: 'innerHTML', value: hostile }), { value: '<i>y</i>' }],
    ['a text property', event('ui.element', { op: 'setProperty', key: 'value', value: '<' }), { value: '<' }],
    ['what has no HTML', event('chat', { text: hostile }), { text: hostile }],
  ])('%s', (_, given, expected) => {
    expect(outputForBrowser(given)).toMatchObject(expected);
  });

  test.each(['onclick', 'outerHTML', 'srcdoc', 'href', 'src', 'style', 'cssText'])(
    'a property %s is not sent',
    (key) => {
      expect(outputForBrowser(event('ui.element', { op: 'setProperty', key, value: 'x' }))).toBeUndefined();
    },
  );

  test('a closing dialogue is unchanged', () => {
    const closing = event('ui.dialogue', { op: 'close' });
    expect(outputForBrowser(closing)).toBe(closing);
  });
});

describe('what a player typed', () => {
  const hostile = [
    '<style>*{display:none}</style>',
    '<div style="position:fixed;inset:0">x</div>',
    '" style="position:fixed;inset:0',
    "' style='position:fixed;inset:0",
    '<svg onload=alert(1)>',
    '<',
  ];

  test.each(hostile)('%s is text, wherever a game puts it', (text) => {
    const typed = typedText(text);
    for (const html of [`<p>${typed}b>x</p>`, `<p title="${typed}">x</p>`, `<p title='${typed}'>x</p>`]) {
      const clean = cleanHtml(html);
      expect(clean.match(/<\w+/g)).toEqual(['<p']);
      expect(clean.match(/\s[\w-]+="/g)?.filter((attribute) => !attribute.includes('title')) ?? []).toEqual([]);
    }
  });

  test.each(['chat', 'customInput'] as const)('in %s has no character with which markup begins or ends', (kind) => {
    const { text } = inputFromBrowser({ kind, player: 'p', text: `a <b style="x" id='y'> & c` }) as { text: string };
    expect(text).toBe('a \u02c2b style=\u02eex\u02ee id=\u02bcy\u02bc> & c');
  });

  test('is shown in the chat as it was typed', () => {
    const { text } = inputFromBrowser({ kind: 'chat', player: 'p', text: 'I don\'t <3 "it"' }) as { text: string };
    expect(outputForBrowser({ kind: 'chat', tick: 1, time: 0, op: 'player', text })).toMatchObject({
      text: 'I don\'t <3 "it"',
    });
  });

  test('as data is text as well, and objects written as JSON remain readable', () => {
    const data = { a: '<b onclick="x()">y</b>', list: ['<i>'], json: '{"a":"b"}', n: 1, yes: true };
    expect(inputFromBrowser({ kind: 'data', player: 'p', data })).toEqual({
      kind: 'data',
      player: 'p',
      data: { a: '\u02c2b onclick=\u02eex()\u02ee>y\u02c2/b>', list: ['\u02c2i>'], json: '{"a":"b"}', n: 1, yes: true },
    });
  });

  test('does not affect other inputs', () => {
    const key = { kind: 'keyDown', player: 'p', key: "'" } as const;
    expect(inputFromBrowser(key)).toBe(key);
  });
});
