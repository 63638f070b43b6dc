import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { moddio } from '../../src/server/client-protocols/moddio.ts';
import { type Serving, serve, temporaryFolder } from '../server/support.ts';

/** A minimal checkout: our own template, and packages of one line each. */
const template = `<html lang="en"><head><title>x</title>
<link rel="stylesheet" href="https://maxcdn.bootstrapcdn.com/bootstrap/4.1.3/css/bootstrap.min.css">
<link rel="stylesheet" href="https://use.fontawesome.com/all.css">
<script src="https://cdn.jsdelivr.net/npm/jquery@3.6.0/dist/jquery.min.js"></script>
<script src="https://example.org/anything.js"></script>
<script>var gsAuthToken = '<%= token %>'; var guestUserToken = '<%= guestUserToken %>'; var gameId = '<%= gameId %>';</script>
</head><body><%- include('templates/menu'); -%><script>window.isStandalone = true;</script></body></html>`;

const packages = [
  ['jquery', 'dist/jquery.min.js'],
  ['jquery-ui-dist', 'jquery-ui.min.js'],
  ['jquery-contextmenu', 'dist/jquery.contextMenu.min.css'],
  ['jquery-contextmenu', 'dist/jquery.contextMenu.min.js'],
  ['jquery-contextmenu', 'dist/jquery.ui.position.min.js'],
  ['popper.js', 'dist/umd/popper.min.js'],
  ['bootstrap', 'dist/css/bootstrap.min.css'],
  ['bootstrap', 'dist/js/bootstrap.min.js'],
  ['lz-string', 'libs/lz-string.min.js'],
  ['lodash', 'lodash.min.js'],
  ['sweetalert2', 'dist/sweetalert2.min.js'],
  ['axios', 'dist/axios.min.js'],
  ['nipplejs', 'dist/nipplejs.js'],
  ['dompurify', 'dist/purify.min.js'],
  ['handlebars', 'dist/handlebars.min.js'],
] as const;

let folder: ReturnType<typeof temporaryFolder>;
let client: string;
let serving: Serving | undefined;

beforeEach(() => {
  folder = temporaryFolder();
  client = join(folder.path, 'client');
  put('src/index.ejs', template);
  put('src/templates/menu.ejs', '<div id="menu"></div>');
  put('src/ClientConfig.js', 'var a;');
  put('src/renderer/phaser/PhaserRenderer.js', 'var b;');
  put('engine/loader.js', 'var ä;');
  put('server/secret.js', 'var secret;');
  put('src/.hidden.js', 'var hidden;');
  put('package.json', '{}');
  for (const [name, file] of packages) put(`node_modules/${name}/${file}`, '// a library');
});
afterEach(async () => {
  await serving?.server.stop();
  serving = undefined;
  folder.remove();
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(client, path)), { recursive: true });
  writeFileSync(join(client, path), text);
}

async function start(): Promise<string> {
  serving = await serve(folder.path, { protocols: [moddio], client });
  return serving.url;
}

describe('the page of a client', () => {
  test('shows its leaderboard above the map, which is drawn later', async () => {
    const page = await (await fetch(`${await start()}/`)).text();
    expect(page).toMatch(/#leaderboard \{ z-index: 1 \}/);
  });

  test('retries to reconnect for ten minutes, and tells the player', async () => {
    const page = await (await fetch(`${await start()}/`)).text();
    const script = /<script>(\nwindow\.WebSocket[\s\S]*?)<\/script>/.exec(page)![1]!;
    interface Heard {
      onopen?: () => void;
      onerror?: () => void;
      onclose?: () => void;
    }
    const tried: Heard[] = [];
    class Socket implements Heard {
      declare onopen?: () => void;
      declare onerror?: () => void;
      declare onclose?: () => void;
      constructor(url: string, protocols: readonly string[]) {
        tried.push(this);
        expect([url, protocols[0]]).toEqual(['ws://a', 'netio1']);
      }
    }
    const window = { WebSocket: Socket };
    let nowMs = 0;
    const later = (act: () => void, ms: number) => {
      nowMs += ms;
      act();
    };
    const shown = new Set<object>();
    const document = {
      createElement: () => {
        const made = { style: {}, setAttribute: () => {}, remove: () => shown.delete(made) };
        return made;
      },
      body: { append: (notice: object) => shown.add(notice) },
    };
    const told = () => [...shown].map((notice) => (notice as { textContent: string }).textContent);
    new Function('window', 'document', 'Date', 'setTimeout', script)(window, document, { now: () => nowMs }, later);
    const fail = () => {
      const socket = tried.at(-1)!;
      socket.onerror?.();
      socket.onclose?.();
    };
    const come = (...protocols: readonly string[]) => {
      const heard: string[] = [];
      tried.length = 0;
      const socket = new window.WebSocket('ws://a', protocols);
      for (const name of ['onopen', 'onerror', 'onclose'] as const) socket[name] = () => heard.push(name);
      return heard;
    };

    const first = come('netio1');
    fail();
    expect([first, tried.length, told()]).toEqual([['onerror', 'onclose'], 1, []]);

    const back = come('netio1', 'reconnect');
    fail();
    fail();
    expect([back, tried.length, told()]).toEqual([[], 3, ['Connection lost. Reconnecting …']]);
    tried[2]!.onopen!();
    expect([back, told()]).toEqual([['onopen'], []]);
    fail();
    expect([back, tried.length]).toEqual([['onopen', 'onerror', 'onclose'], 3]);

    const vain = come('netio1', 'reconnect');
    while (vain.length === 0) fail();
    expect([vain, tried.length, told()]).toEqual([['onerror', 'onclose'], 1201, []]);
  });

  test('without an account gives the client a token that it can parse, as it does when it gives up reconnecting', async () => {
    const page = await (await fetch(`${await start()}/`)).text();
    const script = /BASE_URL = [\s\S]*?;\n(gsAuthToken = [^\n]*)/.exec(page)![1]!;
    const tokenAt = (search: string): string =>
      new Function('window', 'atob', `let gsAuthToken; ${script} return gsAuthToken;`)({ location: { search } });

    for (const search of ['', '?token=']) {
      const token = tokenAt(search);
      const read: unknown = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
      expect(read).toEqual({});
      const offered = { query: new URLSearchParams({ token }), offered: [], userAgent: '' };
      expect(moddio.codec.joinOf?.(offered as never)).toEqual(
        moddio.codec.joinOf?.({ ...offered, query: new URLSearchParams() } as never),
      );
    }
    expect(tokenAt('?token=a.b.c')).toBe('a.b.c');
  });

  test('is rendered with its includes, its own ticket, and no script of another site', async () => {
    const url = await start();
    const pages = [await (await fetch(`${url}/`)).text(), await (await fetch(`${url}/play/small-game`)).text()];
    for (const page of pages) {
      expect(page).toContain('<div id="menu"></div>');
      expect(page).toContain("gameId = 'small-game'");
      expect(page).toContain('/libraries/jquery/dist/jquery.min.js');
      expect(page).toContain('window.isStandalone = false');
      expect(page).not.toMatch(/<%|https?:\/\//);
    }
    const tickets = pages.map((page) => /guestUserToken = '(\w+)'/.exec(page)![1]!);
    expect(tickets[0]).toMatch(/^[0-9a-f]{48}$/);
    expect(tickets[0]).not.toBe(tickets[1]);
  });

  test('keeps the ticket of its tab when it is reloaded, and its own where the browser stores nothing', async () => {
    const url = await start();
    const ticketOf = async (tab: () => object): Promise<string> => {
      const page = await (await fetch(`${url}/`)).text();
      const [own, kept] = [/var guestUserToken = '\w+';/.exec(page)![0], /^try .*guestUserToken.*$/m.exec(page)![0]];
      return new Function('tab', `${own} with (tab) { ${kept} } return guestUserToken;`)({
        get sessionStorage() {
          return tab();
        },
      });
    };
    const [one, two] = [{}, {}];
    const tickets = [await ticketOf(() => one), await ticketOf(() => one), await ticketOf(() => two)];
    expect(tickets[1]).toBe(tickets[0]);
    expect(tickets[2]).not.toBe(tickets[0]);
    const refused = () => {
      throw new Error('The browser stores nothing.');
    };
    expect(await ticketOf(refused)).toMatch(/^[0-9a-f]{48}$/);
  });

  test('has the elements that the client needs and its template lacks, each once, and a template for dialogues', async () => {
    put('src/templates/menu.ejs', '<div id="menu"></div><div id="custom-modal">their own</div>');
    const page = await (await fetch(`${await start()}/`)).text();
    const ids = [
      'player-input-modal',
      'player-input-field',
      'player-input-submit',
      'player-input-cancel',
      'modd-shop-modal',
      'default-ingame-ui-container',
    ];
    for (const id of [...ids, 'custom-modal']) expect(page.split(`id="${id}"`)).toHaveLength(2);
    expect(page).toContain('their own');
    expect(page).toContain('defaultUI.dialogueview ??= defaultUI.defaultDialogueTemplate');
  });

  test('has a content security policy that allows no script of another site', async () => {
    const { headers } = await fetch(`${await start()}/`);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self' 'unsafe-inline' 'unsafe-eval';/);
  });

  test('is served the files of the client as UTF-8, and libraries', async () => {
    const url = await start();
    const script = await fetch(`${url}/engine/loader.js?v=1`);
    expect(script.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
    expect(await script.text()).toBe('var ä;');
    expect((await fetch(`${url}/libraries/lodash/lodash.min.js`)).status).toBe(200);
    expect((await fetch(`${url}/play/nothing`)).status).toBe(404);
  });

  test.each([
    '/server/secret.js',
    '/src/.hidden.js',
    '/src/..%2fserver/secret.js',
    '/engine/%2e%2e/package.json',
    '/engine/..%5c..%5cpackage.json',
    '/package.json',
    '/libraries/lodash/../jquery/dist/jquery.min.js.map',
    '/libraries/other/index.js',
    '/src/index.ejs',
    '/src',
    '/engine/%00loader.js',
  ])('is not served %s', async (path) => {
    expect((await fetch(`${await start()}${path}`)).status).toBe(404);
  });
});

describe('a folder without a client', () => {
  test.each([
    [
      'no template',
      () => rmSync(join(client, 'src/index.ejs')),
      /template of the client is missing\. .*checkout of https:\/\/github\.com\/moddio\/moddio2/,
    ],
    ['no compiled files', () => rmSync(join(client, 'src/renderer'), { recursive: true }), /npm run tsc/],
    [
      'no libraries',
      () => rmSync(join(client, 'node_modules/lodash'), { recursive: true }),
      /npm install .* lodash@4\.17\.21$/,
    ],
  ])('that has %s is refused, and the message says what to do', async (_, remove, message) => {
    remove();
    await expect(serve(folder!.path, { protocols: [moddio], client })).rejects.toMatchObject({
      code: 'bad-client',
      message: expect.stringMatching(message),
    });
  });
});
