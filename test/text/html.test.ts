import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OutputEvent } from '../../engine/index.ts';
import { cleanHtml, inputFromBrowser, outputForBrowser } from '../../src/text/html.ts';
import { runs } from '../support/property.ts';

describe('HTML that a browser may show', () => {
  test.each([
    ['plain text', 'plain text'],
    ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
    ['<B>bold</B>', '<b>bold</b>'],
    ['<span class="text-danger">Zombies win!</span>', '<span class="text-danger">Zombies win!</span>'],
    ['<button disabled id=go>Go</button>', '<button disabled id="go">Go</button>'],
    ['<b data-id="7" aria-label="l">x</b>', '<b data-id="7" aria-label="l">x</b>'],
    ['<span style="color: red">x</span>', '<span style="color:red">x</span>'],
    ['<p style="text-align:center;font-size:24px">x</p>', '<p style="text-align:center;font-size:24px">x</p>'],
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
    '<style>*{position:fixed}</style>',
    '<link rel=stylesheet href="https://example.com/x.css">',
    '<meta http-equiv=refresh content="0;url=https://example.com">',
    '<base href="https://example.com">',
    '<form action="https://example.com"><input name=password></form>',
    '<div style="position:fixed;top:0;left:0;width:100%;height:100%">x</div>',
    '<div style="background:url(https://example.com/x)">x</div>',
    '<div style="color:red;background-image:u\\72l(https://example.com/x)">x</div>',
    '<div style="color:expression(alert(1))">x</div>',
    '<div style="width:9999px;margin-left:-9999px;transform:scale(99);z-index:9999">x</div>',
    '<div style="font-size:9999px">x</div>',
    '<!-- <b>x</b> --><![CDATA[<script>alert(1)</script>]]>',
    '<img src="x` `<script>alert(1)</script>"` `>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  ])('nothing dangerous is left of %j', (html) => {
    const clean = cleanHtml(html);
    expect(dangersOf(clean)).toEqual([]);
    expect(clean).not.toContain('alert(1)</script>');
  });

  test('what is cleaned is harmless, and stays as it is when it is cleaned again', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ...['<', '>', '"', "'", '=', '/', ' ', '<b', '<img', ' src=', '<script', '</script', '<a href=', ' onclick='],
        ...['<xmp>', '</xmp>', '<textarea>', '</textarea/>', '<svg>', '<img src=x onerror=alert(1)>'],
        ...[
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
        ],
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

/** Tags and attributes of clean HTML, in which every value stands between quotes, that no player must be shown. */
function dangersOf(html: string): string[] {
  const dangers: string[] = [];
  for (const [tag] of html.matchAll(/<[^>]*>/g)) {
    if (/^<\/?(?:script|style|svg|math|iframe|object|embed|form|input|link|meta|base|noscript|template)\b/i.test(tag)) {
      dangers.push(tag);
    }
    if (/\s(?:on\w+|srcdoc|formaction)\s*=/i.test(tag.replaceAll(/"[^"]*"/g, '""'))) dangers.push(tag);
    for (const [, name, value] of tag.matchAll(/([\w-]+)="([^"]*)"/g)) {
      // As the URL Standard reads one: control characters and spaces are passed over, and a scheme begins with a letter.
      const scheme = /^[a-z][a-z\d+.-]*:/i.exec(value!.replaceAll(/[\0-\x20]/g, ''))?.[0].toLowerCase();
      const isKnown = scheme === undefined || ['http:', 'https:', 'mailto:', 'data:'].includes(scheme);
      if (/^(?:href|src)$/.test(name!) && !isKnown) dangers.push(tag);
      if (name === 'href' && scheme === 'data:') dangers.push(tag);
      if (/^(?:href|src)$/.test(name!) && value!.startsWith('//')) dangers.push(tag);
      if (name === 'style' && /position|url|expression|\d{4}|transform|z-index|margin|\\/i.test(value!))
        dangers.push(tag);
    }
  }
  return dangers;
}

describe('an output event for a browser', () => {
  const event = (kind: OutputEvent['kind'], members: object): OutputEvent => ({
    kind,
    tick: 1,
    time: 0.05,
    ...members,
  });
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

  test('what a dialogue says when it closes stays as it is', () => {
    const closing = event('ui.dialogue', { op: 'close' });
    expect(outputForBrowser(closing)).toBe(closing);
  });
});

test('texts that a browser sends as data are cleaned; other inputs are what they were', () => {
  const data = { a: '<b onclick="x()">y</b>', n: 1, yes: true, __proto__: null };
  expect(inputFromBrowser({ kind: 'data', player: 'p', data })).toEqual({
    kind: 'data',
    player: 'p',
    data: { a: '<b>y</b>', n: 1, yes: true },
  });
  const chat = { kind: 'chat', player: 'p', text: '<b>' } as const;
  expect(inputFromBrowser(chat)).toBe(chat);
  expect(inputFromBrowser({ kind: 'data', player: 'p', data: ['<b>'] })).toEqual({
    kind: 'data',
    player: 'p',
    data: ['<b>'],
  });
});
