import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AdminPage } from '../../src/server/viewer/admin/admin-page.ts';
import { keepOperatorToken, operatorToken } from '../../src/server/viewer/operator.ts';
import { type HttpCode, refusal } from '../../src/server/web/refusals.ts';
import { FakeElement, type FakePage, fakePage, htmlOf, linesOf } from './fake-page.ts';

type Fields = Readonly<Record<string, unknown>>;

const ann = { player: 'p1', name: 'Ann', isMuted: false, isConnected: true };
const bob = {
  ...ann,
  player: 'p2',
  name: 'Bob',
  userId: 'bob@example',
  address: '10.0.0.7',
  isMuted: true,
  isConnected: false,
};
const room = {
  id: 'hill-1',
  title: 'The hill',
  players: 1,
  watchers: 0,
  isClosed: false,
  share: 0.042,
  stateBytes: 20_000,
  people: [ann] as object[],
};
const minute = { players: 1, rooms: 1, lateTicks: 0, cores: 0.1, memoryBytes: 90e6 };
const process = { id: 'a', isAdmitting: true, threads: 1, hour: [minute], rooms: [room] as object[] };
const ban = { id: 'b1', address: '10.0.0.0/24', reason: 'noise', by: 'root' };
const mute = { id: 'b3', userId: 'bob', chat: true, reason: '', by: 'ops' };
const report = {
  id: 'f00',
  atMs: 0,
  room: 'hill-1',
  tick: 90,
  text: 'bad language',
  playBytes: 5,
  by: { player: 'p1', name: 'Ann' },
  about: { player: 'p2', name: 'Bob' },
};

let page: FakePage;
let root: FakeElement;
let server: { processes: object[]; bans: object[]; reports: object[] };
/** What was asked besides the lists. */
let asked: unknown[];
let authorization: unknown;
let scopes: string[];
/** Answers in place of 200. */
let refusals: Map<string, Response | Error>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  page = fakePage();
  root = new FakeElement('div');
  page.body.append(root);
  server = { processes: [process], bans: [], reports: [] };
  asked = [];
  scopes = ['look', 'moderate', 'operate', 'addresses'];
  refusals = new Map();
  keepOperatorToken(undefined);
  vi.stubGlobal(
    'fetch',
    async (
      path: string,
      { method, headers, body }: { method?: string; headers: Fields; body?: string } = { headers: {} },
    ) => {
      authorization = headers['authorization'];
      const lists = { '/admin/rooms': 'processes', '/admin/bans': 'bans', '/admin/reports': 'reports' } as const;
      const list = method === 'GET' ? lists[path as keyof typeof lists] : undefined;
      if (list === undefined) {
        asked.push(body === undefined ? [method, path] : [method, path, JSON.parse(body)]);
        if (body !== undefined) expect(headers['content-type']).toBe('application/json');
      }
      const refusal = refusals.get(path);
      if (refusal instanceof Error) throw refusal;
      return (
        refusal?.clone() ??
        new Response(list === undefined ? '' : JSON.stringify({ name: 'mo', scopes, [list]: server[list] }))
      );
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const refused = (status: number, code: HttpCode): Response => Response.json(refusal(code), { status });

/** Lets the answers arrive. */
async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
}

async function refreshed(): Promise<void> {
  vi.advanceTimersByTime(2000);
  await settled();
}

async function open(): Promise<void> {
  keepOperatorToken('secret');
  new AdminPage(root as never).open();
  await settled();
}

const section = (name: string): FakeElement =>
  root.all('section').find((each) => each.getAttribute('aria-label') === name)!;
const lines = (name: string): string[] =>
  section(name)
    .all('li')
    .map((each) => each.textContent);
const notes = (name = 'Rooms and players', row = 0): string =>
  section(name).all('li')[row]!.all('small')[0]!.textContent;
const says = (): string => root.one('#fault').textContent;
const state = () => page.documentElement.dataset['state'];

/** Presses a button, answers the form that it opens, and waits. */
async function act(id: string, answers?: Readonly<Record<string, string>>): Promise<void> {
  root.one(`#${id}`).click();
  if (answers !== undefined) {
    const form = root.one('dialog').one('form');
    for (const [name, value] of Object.entries(answers)) form.one(`#field-${name}`).value = value;
    form.fire('submit');
  }
  await settled();
}

describe('the page of administrators', () => {
  test('begins with players, rooms, late ticks, processor and memory of all processes in the last hour', async () => {
    server.processes = [
      { ...process, hour: [minute, { ...minute, players: 5, lateTicks: 3, cores: 0.5 }, { ...minute, players: 2 }] },
      { ...process, id: 'b', hour: [minute] },
    ];
    await open();
    const tiles = section('The last hour').children;
    expect(tiles.map(({ textContent }) => textContent)).toEqual([
      '3 playersat most 5 in 3 minutes',
      '2 roomsat most 2 in 3 minutes',
      '0 late ticks/minat most 3 in 3 minutes',
      '20 % of a coreat most 50 % in 3 minutes',
      '180 MB memoryat most 180 MB in 3 minutes',
    ]);
    const heights = tiles[0]!.one('i').style.cssText.match(/% \d+%/g);
    expect(heights).toEqual(['% 100%', '% 81%', '% 81%', '% 5%', '% 5%', '% 43%', '% 43%', '% 100%']);
  });

  test('asks for a token, sends it, and asks again if it is wrong or to be forgotten', async () => {
    new AdminPage(root as never).open();
    expect([page.title, state(), page.activeElement?.id]).toEqual(['Administration · Reenact', 'asking', 'admin']);
    const enter = async (token: string) => {
      root.one('#admin').value = token;
      root.one('form').fire('submit');
      await settled();
    };
    await enter('  ');
    expect(state()).toBe('asking');
    refusals.set('/admin/rooms', new Response('{}', { status: 401 }));
    await enter('guess');
    expect([state(), operatorToken(), root.one('output').textContent]).toEqual([
      'asking',
      undefined,
      'This token is wrong.',
    ]);
    refusals.clear();
    await enter(' secret ');
    expect([state(), authorization, operatorToken()]).toEqual(['ready', 'Bearer secret', 'secret']);
    root.one('#leave').click();
    expect([state(), operatorToken(), root.one('output').textContent]).toEqual(['asking', undefined, '']);
    authorization = undefined;
    await refreshed();
    expect(authorization).toBeUndefined();
  });

  test('finds players in all rooms by name, account or address', async () => {
    server.processes = [{ ...process, rooms: [room, { ...room, id: 'hill-2', people: [bob] }] }];
    await open();
    const find = async (text: string) => {
      root.one('#find').value = text;
      root.one('#find').fire('input');
      await settled();
      return section('Rooms and players')
        .all('bdi')
        .map(({ textContent }) => textContent);
    };
    expect(await find('BOB@ex')).toEqual(['Bob']);
    expect(lines('Rooms and players')).toHaveLength(2);
    expect(await find('10.0.0')).toEqual(['Bob']);
    expect(await find('ann')).toEqual(['Ann']);
    expect(await find('cid')).toEqual([]);
    expect(lines('Rooms and players')).toEqual(['No such player is here.']);
    expect(await find('')).toEqual(['Ann', 'Bob']);
  });

  test('what takes something from players is red, and behind a sentence', async () => {
    await open();
    const red = root.all('.danger').map(({ textContent }) => textContent);
    expect(red).toEqual([
      'Ban an account or address',
      'Drain (no new players)',
      'Close to new players',
      'End the room',
      'Kick',
      'Ban',
    ]);
    for (const id of ['drain-a', 'close-hill-1', 'end-hill-1', 'kick-hill-1-p1', 'ban-hill-1-p1']) {
      root.one(`#${id}`).click();
      expect(root.one('#about').textContent, id).toMatch(/\.$/);
      root.one('dialog').all('button').at(-1)!.click();
    }
    await settled();
    expect(asked).toEqual([]);
  });

  test('shows what a room needs, and who is in it', async () => {
    await open();
    expect(section('Rooms and players').one('h2').textContent).toBe('Rooms ');
    expect(lines('Rooms and players')).toEqual([
      'The hillhill-1 · 1 player · 5 % of a coreWriteClose to new playersEnd the roomInspect',
      'Annp1 · guestMuteKickBan',
    ]);
    const busy = {
      ...room,
      players: 12,
      watchers: 3,
      isClosed: true,
      slowReason: 'long-ticks',
      share: 0.374,
      stateBytes: 2_400_000,
      people: [bob],
    };
    server.processes = [{ ...process, threads: 2, rooms: [busy] }];
    await refreshed();
    expect(lines('Rooms and players')).toEqual([
      'The hillhill-1 · 12 players · 3 watching · closed to new players · slow (long-ticks) · 2 MB · 35 % of a coreWriteOpen to new playersMoveEnd the roomInspect',
      'Bobp2 · bob@example · 10.0.0.7 · disconnected · mutedUnmuteKickBan',
    ]);
    expect(root.one('#inspect-hill-1').getAttribute('href')).toBe('/insight?room=hill-1');
    server.processes = [
      { ...process, isAdmitting: false, rooms: [] },
      { ...process, id: 'b', rooms: [{ ...room, players: 0, stateBytes: 1e6, people: [] }] },
    ];
    await refreshed();
    expect(
      section('Rooms and players')
        .all('h2')
        .map((each) => each.textContent),
    ).toEqual(['Process a accepts no new players; rooms end when their last player leaves', 'Process b ']);
    expect(lines('Rooms and players')).toEqual([
      'No room is open.',
      'The hillhill-1 · 0 playersWriteClose to new playersEnd the roomInspect',
    ]);
    expect([root.one('#drain-a').textContent, root.one('#drain-b').textContent]).toEqual([
      'Admit players again',
      'Drain (no new players)',
    ]);
  });

  test.each([
    [['look'], []],
    [
      ['look', 'moderate'],
      ['Write to all', 'Ban an account or address', 'Done', 'Write', 'Mute', 'Kick', 'Ban', 'Unban', 'Unmute'],
    ],
    [
      ['look', 'operate'],
      ['Drain (no new players)', 'Close to new players', 'Move', 'End the room'],
    ],
    [
      ['look', 'addresses'],
      ['Watch', 'Save', 'Inspect'],
    ],
  ])('shows a token of %j only what it may do', async (granted, expected) => {
    scopes = granted;
    server = { processes: [{ ...process, threads: 2 }], bans: [ban, mute], reports: [report] };
    await open();
    const shown = ['a', 'button'].flatMap((name) => root.all(name)).map((each) => each.textContent);
    expect(shown.sort()).toEqual(['Forget the token', ...expected].sort());
    expect(root.one('#scopes').textContent).toContain(`(mo) allows: ${granted.join(', ')}.`);
  });

  test('shows bans, mutes and reports, or that there are none', async () => {
    await open();
    expect(['Bans', 'Mutes', 'Reports'].flatMap(lines)).toEqual([
      'Nobody is banned.',
      'Nobody is muted.',
      'There are no reports.',
    ]);
    server.bans = [ban, mute, { id: 'b2', userId: 'bob', slug: 'hill', reason: '', by: 'ops', untilMs: 1e12 }];
    server.reports = [report, { ...report, id: 'f01', playBytes: 0 }];
    await refreshed();
    expect(lines('Bans')[0]).toBe('Address 10.0.0.0/24permanently · all games · by root · \u2068noise\u2069Unban');
    expect(lines('Bans')[1]).toMatch(/^Account bobuntil .*2001.* · in hill · by opsUnban$/);
    expect(lines('Bans')).toHaveLength(2);
    expect(lines('Mutes')).toEqual(['Account bobpermanently · all games · by opsUnmute']);
    expect(notes('Reports')).toMatch(/ · hill-1 · p2 reported by \u2068Ann\u2069 \(p1\) · tick 90$/);
    expect(lines('Reports').map((each) => each.slice(each.indexOf('tick 90')))).toEqual([
      'tick 90WatchSaveDone',
      'tick 90Done',
    ]);
    expect(root.one('#watch-f00').getAttribute('href')).toBe('/insight?report=f00');
  });

  test.each<[string, Readonly<Record<string, string>> | undefined, ...unknown[]]>([
    ['message', { text: ' Supper ' }, 'POST', '/admin/message', { text: 'Supper' }],
    [
      'ban',
      { userId: 'bob', address: '', seconds: '3600', reason: '' },
      'POST',
      '/admin/bans',
      { userId: 'bob', seconds: 3600 },
    ],
    ['drain-a', {}, 'POST', '/admin/newcomers', { admit: false, process: 'a' }],
    ['write-hill-1', { text: 'Hello' }, 'POST', '/admin/rooms/hill-1/message', { text: 'Hello' }],
    ['close-hill-1', {}, 'POST', '/admin/rooms/hill-1/newcomers', { admit: false }],
    ['move-hill-1', undefined, 'POST', '/admin/rooms/hill-1/move'],
    ['end-hill-1', {}, 'DELETE', '/rooms/hill-1'],
    ['mute-hill-1-p1', undefined, 'POST', '/admin/rooms/hill-1/players/p1/mute', {}],
    ['mute-hill-1-p2', undefined, 'POST', '/admin/rooms/hill-1/players/p2/unmute', {}],
    ['kick-hill-1-p1', { reason: 'Night' }, 'POST', '/admin/rooms/hill-1/players/p1/kick', { reason: 'Night' }],
    [
      ...(['ban-hill-1-p2', { what: 'both', seconds: '', reason: 'x' }, 'POST'] as const),
      '/admin/rooms/hill-1/players/p2/ban',
      { what: 'both', reason: 'x' },
    ],
    ['lift-b1', undefined, 'DELETE', '/admin/bans/b1'],
    ['done-f00', {}, 'DELETE', '/admin/reports/f00'],
  ])('the button %s asks the server once, and shows what changed', async (id, answers, ...request) => {
    server = {
      processes: [{ ...process, threads: 2, rooms: [{ ...room, people: [ann, bob] }] }],
      bans: [ban],
      reports: [report],
    };
    await open();
    server.processes = [];
    await act(id, answers);
    expect(asked).toEqual([request]);
    expect([lines('Rooms and players'), says()]).toEqual([[], '']);
  });

  test.each([
    [
      'end-hill-1',
      'End The hill (hill-1)?',
      'The game ends for 1 player, and everything that the game has not saved is lost.',
      'End the room',
    ],
    [
      'close-hill-1',
      'Close The hill (hill-1) to new players?',
      'New players cannot join the room until you open it again. Players in the room play on.',
      'Close to new players',
    ],
    [
      'drain-a',
      'Drain the server?',
      'New players can no longer join. Rooms without players end now (1 of 2), the others when their last player leaves. What the games have not saved is lost.',
      'Drain',
    ],
    [
      'done-f00',
      'Delete the report about \u2068Bob\u2069?',
      'The report and its recording will be deleted permanently.',
      'Delete',
    ],
  ])(
    'before %s ends something it asks, says what is lost, and a thoughtless Enter loses nothing',
    async (id, ...texts) => {
      server.processes = [{ ...process, rooms: [room, { ...room, id: 'hill-2', players: 0, people: [] }] }];
      server.reports = [report];
      await open();
      root.one(`#${id}`).click();
      const dialog = root.one('dialog');
      expect([
        ...['h2', '#about'].map((one) => dialog.one(one).textContent),
        dialog.all('button')[0]!.textContent,
      ]).toEqual(texts);
      const focused = dialog.all('button').filter((each) => each.getAttribute('autofocus') !== null);
      expect(focused.map((each) => each.textContent)).toEqual(['Cancel']);
      expect(asked).toEqual([]);
      focused[0]!.click();
      await settled();
      expect([asked, root.all('dialog')]).toEqual([[], []]);
    },
  );

  test('a form that is cancelled asks the server nothing', async () => {
    await open();
    for (const id of ['message', 'ban', 'kick-hill-1-p1', 'ban-hill-1-p1', 'write-hill-1']) {
      root.one(`#${id}`).click();
      if (id === 'ban') root.one('dialog').fire('cancel');
      else root.one('dialog').one('button', 'Cancel').click();
      await settled();
      expect(root.all('dialog')).toEqual([]);
    }
    expect(asked).toEqual([]);
  });

  test('a closed room is opened, a draining process admits again; what can be banned depends on the player', async () => {
    server.processes = [{ ...process, isAdmitting: false, rooms: [{ ...room, isClosed: true, people: [ann, bob] }] }];
    await open();
    await act('close-hill-1');
    await act('drain-a');
    expect(asked).toEqual([
      ['POST', '/admin/rooms/hill-1/newcomers', { admit: true }],
      ['POST', '/admin/newcomers', { admit: true, process: 'a' }],
    ]);
    const choices = (player: string) => {
      root.one(`#ban-hill-1-${player}`).click();
      const found = root
        .one('#field-what')
        .all('option')
        .map((each) => each.value);
      root.one('dialog').one('button', 'Cancel').click();
      return found;
    };
    expect([choices('p1'), choices('p2')]).toEqual([['address'], ['both', 'account', 'address']]);
    root.one('#message').click();
    expect(linesOf(root.one('dialog').childNodes)).toMatchInlineSnapshot(
      `"<form><h2 id="asks">Write a message</h2><label><span>All players of all rooms see the message.</span><input id="field-text" name="text" type="text" maxlength="500" required autocomplete="off"></input></label><p class="acts"><button class="main" type="submit">Send</button><button type="button">Cancel</button></p></form>"`,
    );
  });

  test.each<[string, Response | Error, string]>([
    ['not permitted', refused(403, 'not-permitted'), 'The token does not allow this.'],
    ['gone', refused(404, 'no-such-player'), 'No player in the room has this id.'],
    ['of a proxy', new Response('<html>', { status: 502 }), 'The server answered: 502.'],
    ['no answer', new TypeError('Failed to fetch'), 'The server cannot be reached.'],
  ])('says why something failed (%s), until the next time', async (_how, refusal, text) => {
    await open();
    refusals.set('/admin/rooms/hill-1/players/p1/mute', refusal);
    await act('mute-hill-1-p1');
    expect(says()).toBe(text);
    refusals.clear();
    await refreshed();
    expect(says()).toBe('');
    refusals.set('/admin/bans', refusal);
    await refreshed();
    expect(says()).toBe(text);
    await refreshed();
    refusals.clear();
    await act('mute-hill-1-p1');
    expect(says()).toBe('');
  });

  test('saves the page of a report, or says why not', async () => {
    const saved: unknown[] = [];
    vi.spyOn(FakeElement.prototype, 'click').mockImplementation(function (this: FakeElement) {
      if (this.tagName === 'A') saved.push(this.getAttribute('download'));
      else this.fire('click');
    });
    server.reports = [report];
    await open();
    await act('page-f00');
    expect([saved, authorization]).toEqual([['report-f00.html'], 'Bearer secret']);
    refusals.set('/admin/reports/f00/page', refused(403, 'not-permitted'));
    await act('page-f00');
    expect(says()).toBe('The token does not allow this.');
    refusals.set('/admin/reports/f00/page', refused(404, 'no-such-report'));
    await act('page-f00');
    expect([says(), saved.length]).toEqual(['No report has this id, or its recording is no longer kept.', 1]);
    refusals.set('/admin/reports/f00/page', new TypeError('Failed to fetch') as never);
    await act('page-f00');
    expect([says(), saved.length]).toEqual(['The server cannot be reached.', 1]);
    vi.restoreAllMocks();
  });

  test('is not redrawn while only figures change, so that no click is lost; the focus stays', async () => {
    await open();
    const mute = root.one('#mute-hill-1-p1');
    server.processes = [{ ...process, rooms: [{ ...room, share: 0.0433, stateBytes: 9e9 }] }];
    await refreshed();
    expect(root.one('#mute-hill-1-p1')).toBe(mute);
    mute.focus();
    server.processes = [{ ...process, rooms: [{ ...room, players: 2 }] }];
    await refreshed();
    expect(root.one('#mute-hill-1-p1')).not.toBe(mute);
    expect(htmlOf(page.activeElement)).toBe(htmlOf(root.one('#mute-hill-1-p1')));
    expect(page.activeElement).toBe(root.one('#mute-hill-1-p1'));
    // Of two answers, that of the later request counts, whichever arrives first.
    const { fetch } = globalThis;
    let answer = (): void => {};
    const slow = new Promise<void>((resolve) => {
      answer = resolve;
    });
    vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
      const answered = await fetch(...given);
      await slow;
      return answered;
    });
    await refreshed();
    vi.stubGlobal('fetch', fetch);
    server.processes = [{ ...process, rooms: [] }];
    await refreshed();
    answer();
    await settled();
    expect(lines('Rooms and players')).toEqual(['No room is open.']);
  });
});
