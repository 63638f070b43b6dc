import { File } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { engineVersion } from '../../engine/core/version.ts';
import { App } from '../../src/playground/app.ts';
import { readDocument } from '../../src/playground/document.ts';
import { samples } from '../../src/playground/samples.ts';
import { Session } from '../../src/playground/session.ts';
import { document, joinAs, script, unitType } from '../support/play.ts';
import { FakeElement, type FakePage, fakePage, linesOf } from '../viewer/fake-page.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A worker with the engine, in the thread of the page. */
const { FakePort, FakeEditor } = vi.hoisted(() => {
  class FakePort {
    static all: FakePort[] = [];
    /** Answers to requests for tools. */
    static answers: Record<string, (params: never) => unknown> = {};
    readonly session = new Session();
    readonly asked: [kind: string, params: Fields][] = [];
    readonly died: (why: string) => void;
    isClosed = false;
    isBusy = false;
    waitingCount = 0;

    constructor(died: (why: string) => void) {
      this.died = died;
      FakePort.all.push(this);
    }

    async request(kind: string, params: Fields, progress: () => void = () => {}): Promise<unknown> {
      this.asked.push([kind, params]);
      this.waitingCount++;
      const answer = this.isBusy ? new Promise(() => {}) : this.answerOf(kind, params, progress);
      await Promise.resolve(answer).catch(() => {});
      if (this.isClosed) return new Promise(() => {});
      this.waitingCount--;
      return answer;
    }

    private async answerOf(kind: string, params: Fields, progress: () => void): Promise<unknown> {
      const { session } = this;
      const { answers } = FakePort;
      if (kind in answers) return answers[kind]!(params as never);
      if (kind === 'seek') return session.seek(params['tick'] as number);
      if (kind === 'take') return session.take(params['selected'] as string | undefined);
      return (session as unknown as Record<string, (...given: unknown[]) => unknown>)[kind]!(params, progress);
    }

    close(): void {
      this.isClosed = true;
    }
  }
  class FakeEditor {
    static last: FakeEditor;
    readonly root = new FakeElement('div');
    text: string;
    gone: readonly number[] = [];
    readonly ports: Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>;

    constructor(text: string, ports: never) {
      this.text = text;
      this.ports = ports;
      FakeEditor.last = this;
    }

    go(...span: readonly number[]): void {
      this.gone = span;
    }

    goToLine(number: number): void {
      this.gone = [number];
    }
  }
  return { FakePort, FakeEditor };
});
vi.mock('../../src/playground/engine-port.ts', () => ({ EnginePort: FakePort }));
vi.mock('../../src/playground/editor.ts', () => ({ Editor: FakeEditor }));
/** HTML of games needs a real browser: `playground.test.ts`. */
vi.mock('../../src/viewer/play/game-html.ts', () => ({
  gameElement: (html: string, tag = 'div') => {
    const made = new FakeElement(tag);
    made.append(html);
    return made;
  },
  clickedElement: ({ target }: { target: FakeElement }) => target.getAttribute('data-own') ?? undefined,
}));

const abilities = Object.fromEntries(['e', 'q'].map((key) => [key, { keyDown: { scriptName: key, cost: {} } }]));
const yard = document({
  title: 'The yard',
  variables: { clock: { dataType: 'number', default: 0 } },
  unitTypes: {
    walker: unitType({
      inventorySize: 1,
      controls: { movementControlScheme: 'wasd', movementMethod: 'velocity', mouseBehaviour: {}, abilities },
    }),
  },
  shops: { stall: { name: 'Stall', itemTypes: {}, unitTypes: {} } },
  scripts: {
    join: joinAs('walker'),
    greet: script('playerJoinsGame', [
      { type: 'sendChatMessage', message: 'welcome' },
      { type: 'updateUiTextForEveryone', target: 'top', value: 'a <b>yard</b>' },
    ]),
    count: script('secondTick', [
      {
        type: 'setVariable',
        variableName: 'clock',
        value: {
          function: 'calculate',
          items: [{ operator: '+' }, { function: 'getVariable', variableName: 'clock' }, 1],
        },
      },
    ]),
    e: { ...script([], [{ type: 'endGame' }]), name: 'e' },
    q: {
      ...script(
        [],
        [
          {
            type: 'openShopForPlayer',
            shop: 'stall',
            player: { function: 'getOwner', entity: { function: 'getTriggeringUnit' } },
          },
        ],
      ),
      name: 'q',
    },
  },
});
const patience = { interval: 1, timeout: 30_000 };
const noFile = { text: async () => '', status: 404, ok: false, body: null };
const elsewhere = 'https://games.example/the-yard.json';

let page: FakePage;
let frames: ((now: number) => void)[];
let nowMs: number;
let root: FakeElement;
let loads: string[];
beforeEach(() => {
  page = fakePage();
  root = new FakeElement('div');
  page.body.append(root);
  frames = [];
  nowMs = 1000;
  loads = [];
  FakePort.all = [];
  FakePort.answers = {};
  vi.stubGlobal('requestAnimationFrame', (frame: (now: number) => void) => frames.push(frame));
  vi.stubGlobal('matchMedia', (query: string) => ({ addEventListener: () => {}, matches: query.includes('reduced') }));
  vi.stubGlobal('fetch', async (address: string) => {
    loads.push(address);
    if (address === 'https://nowhere.example/') throw new TypeError('Failed to fetch');
    if (address === elsewhere) return new Response(JSON.stringify(yard));
    const file = { 'games/coins.json': 'game.json', 'games/coins.scenario.yaml': 'game.scenario.yaml' }[address];
    return file === undefined ? noFile : new Response(readFileSync(`templates/coins/${file}`, 'utf8'));
  });
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(async () => {
  for (const each of FakePort.all) each.close();
  await settled();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The address of an example of the documentation. */
const exampleAddress = (example: object): string =>
  `#try=${deflateRawSync(JSON.stringify(example)).toString('base64url')}`;

const inState = (state: string) =>
  vi.waitFor(() => expect(page.documentElement.dataset['state']).toBe(state), patience);
const port = () => FakePort.all.at(-1)!;
const settled = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) await new Promise(setImmediate);
};

async function start(fragment = ''): Promise<void> {
  page.location.hash = fragment;
  await new App(root as never).start();
}

/** Draws a frame after so many ms: 50 are a tick. */
async function frame(afterMs = 50): Promise<void> {
  nowMs += afterMs;
  for (const each of frames.splice(0)) each(nowMs);
  await settled();
}

async function playTo(tick: number): Promise<void> {
  while (shownTick() < tick) await frame();
}

/** Pastes a game, which is then played by eight bots. */
async function paste(data: object = yard): Promise<void> {
  await start();
  page.fire('paste', { target: page.body, clipboardData: { files: [], getData: () => JSON.stringify(data) } });
  await vi.waitFor(() => root.one('.timeline'), patience);
  await frame(1);
  await inState('watching');
}

const shownTick = (): number => Number(root.one('#tick').textContent);
const banner = (): string => (root.one('.banner').hidden ? '' : root.one('.banner').textContent);
const panel = (): string => root.one('#panel').textContent;
const fault = (): string => root.one('#fault').textContent;

/** Presses and releases a key. */
async function press(key: string, code = '', more: Fields = {}): Promise<boolean> {
  const isPrevented = keyDown(key, code, more);
  page.fire('keyup', { key, code, target: page.body, ...more });
  await frame(1);
  return isPrevented;
}

function keyDown(key: string, code = '', more: Fields = {}): boolean {
  let isPrevented = false;
  page.fire('keydown', { key, code, target: page.body, preventDefault: () => (isPrevented = true), ...more });
  return isPrevented;
}

describe('the gallery', () => {
  test('offers all games; one press plays one, and the way back leads here', async () => {
    await start();
    expect(page.title).toBe('Reenact playground');
    expect(root.all('.sample')).toHaveLength(samples.length);
    root.one('[data-sample=coins]').click();
    await inState('loading');
    expect(root.one('h1').textContent).toBe('Coins');
    await vi.waitFor(() => root.one('.timeline'), patience);
    expect([page.title, page.visits.at(-1)]).toEqual(['Coins · Reenact', '#sample=coins']);
    expect(root.one('.about').textContent).toBe(`20 ticks a second · seed reenact · version ${engineVersion}`);
    const played = port();
    await playTo(10);
    expect(root.one('.legend').textContent).toContain('Coin');
    root.one('#games').click();
    expect([page.documentElement.dataset['state'], page.visits.at(-1)]).toEqual(['start', '/play.html']);
    expect(played.isClosed).toBe(true);
    await frame();
    expect(frames).toEqual([]);
  });

  test.each([
    ['#sample=chess', 'There is no sample "chess".'],
    ['#play=abcdefgh', 'The link is damaged or incomplete. Ask for the link again.'],
    [exampleAddress({ game: { sample: 'chess' } }), 'This page does not have the game of the link.'],
    [exampleAddress({ game: 5 }), 'The link to the example is damaged, or is for another version of this page.'],
  ])('says what is wrong with the address %s', async (fragment, text) => {
    await start(fragment);
    expect(fault()).toBe(text);
  });

  test.each([
    ['https://games.example/none.json', 'the server answered with status 404.'],
    ['https://nowhere.example/', 'the server does not exist, or does not allow this page to read the file (CORS).'],
    ['javascript:alert(1)', '"javascript:alert(1)" is not an http:// or https:// URL.'],
  ])('says why %s cannot be loaded', async (address, text) => {
    await start();
    root.one('#url').value = ` ${address} `;
    root.all('form').at(-1)!.fire('submit');
    await vi.waitFor(() => expect(fault()).toContain(text), patience);
  });

  test('plays a chosen, a dropped and a pasted file, but no text that is pasted into a field', async () => {
    const file = (name: string) => new File([JSON.stringify({ data: document()['data'] })], name);
    await start();
    const field = root.one('#url');
    page.fire('paste', { target: field, clipboardData: { files: [], getData: () => '{}' } });
    root.all('form')[0]!.fire('submit');
    await settled();
    expect(page.documentElement.dataset['state']).toBe('start');
    // The browser asks for a file.
    const asked = vi.fn();
    root.one('#file').addEventListener('click', asked);
    root.one('#choose').click();
    expect(asked).toHaveBeenCalledOnce();
    Object.assign(root.one('#file'), { files: [file('my-first_game.json')] }).fire('change');
    await vi.waitFor(() => expect(page.title).toBe('My first game · Reenact'), patience);
    const dragged = { types: ['Files'], files: [file('dropped.json.gz')] };
    const drag = (type: string, more: Fields = {}): boolean => {
      let isPrevented = false;
      page.fire(type, {
        dataTransfer: dragged,
        preventDefault: () => (isPrevented = true),
        stopPropagation() {},
        ...more,
      });
      return isPrevented;
    };
    const { classList } = page.documentElement;
    expect(drag('dragover', { dataTransfer: { types: ['text/plain'] } })).toBe(false);
    expect([drag('dragover'), classList.contains('dropping')]).toEqual([true, true]);
    drag('dragleave', { relatedTarget: root });
    expect(classList.contains('dropping')).toBe(true);
    drag('dragleave', { relatedTarget: null });
    expect(classList.contains('dropping')).toBe(false);
    drag('dragover');
    expect([drag('drop'), classList.contains('dropping')]).toEqual([true, false]);
    await vi.waitFor(() => expect(page.title).toBe('Dropped · Reenact'), patience);
    root.one('#games').click();
    page.fire('paste', { target: page.body, clipboardData: { files: [file('pasted.json')], getData: () => '' } });
    await vi.waitFor(() => expect(page.title).toBe('Pasted · Reenact'), patience);
  });

  test.each([
    ['syntax-error', '{ "data": '],
    ['not-a-definition', '[1, 2]'],
    ['too-deep', '['.repeat(5000)],
    ['forbidden-key', '{"__proto__": 1}'],
  ])('a document that cannot be played is opened in an editor at its first problem: %s', async (code, text) => {
    await start();
    FakePort.answers = { check: (given: Fields) => readDocument(String(given['text']), true) };
    const before = FakeEditor.last;
    root.one('#paste').value = text;
    root.all('form')[0]!.fire('submit');
    await inState('broken');
    expect(root.one('h1').textContent).toBe('Pasted game cannot be played');
    await vi.waitFor(() => expect(FakeEditor.last).not.toBe(before), patience);
    const editor = FakeEditor.last;
    await editor.ports['check']!(editor.text);
    expect(root.one('.problems').textContent).toContain(code);
    expect(editor.gone).toHaveLength(2);
    root.one('.back').click();
    await inState('start');
  });

  test('a game of another server is loaded only after the visitor agrees', async () => {
    await start(`#url=${encodeURIComponent(elsewhere)}`);
    await inState('asking');
    expect([loads, root.one('#load').textContent]).toEqual([[], 'Load the game from games.example']);
    root.one('#load').click();
    await vi.waitFor(() => expect(page.title).toBe('The yard · Reenact'), patience);
    expect(loads).toEqual([elsewhere]);
  });

  test('a game of its own server is loaded without a question, also by a path', async () => {
    Object.assign(page.location, { href: 'https://games.example/play/', origin: 'https://games.example' });
    await start(`#url=${encodeURIComponent(new URL(elsewhere).pathname)}`);
    await vi.waitFor(() => expect(page.title).toBe('The yard · Reenact'), patience);
    expect(loads).toEqual([elsewhere]);
  });

  test('the loading of a large game shows its progress, and can be stopped', async () => {
    await start();
    const answers: ((opened: unknown) => void)[] = [];
    FakePort.answers = { open: () => new Promise((resolve) => answers.push(resolve)) };
    page.fire('paste', { target: page.body, clipboardData: { files: [], getData: () => '{}' } });
    await inState('loading');
    root.one('button', 'Stop').click();
    expect(page.documentElement.dataset['state']).toBe('start');
    answers[0]!({ game: undefined, problems: [] });
    await settled();
    expect(page.documentElement.dataset['state']).toBe('start');
  });
});

describe('a game', () => {
  test('plays at the chosen speed, pauses, and goes tick by tick', async () => {
    await paste();
    const before = shownTick();
    for (let i = 0; i < 4; i++) await frame();
    expect(shownTick()).toBe(before + 4);
    await press(']');
    expect(root.one('.speed').textContent).toBe('2×');
    for (let i = 0; i < 2; i++) await frame();
    const fast = shownTick();
    expect(fast - before - 4).toBeGreaterThanOrEqual(4);
    // A page that slept does not play what it missed.
    await frame(60_000);
    await frame();
    expect(shownTick() - fast).toBeLessThanOrEqual(7);
    for (let i = 0; i < 9; i++) await press('[');
    expect(root.one('.speed').textContent).toBe('0.1×');
    for (let i = 0; i < 12; i++) await press(']');
    expect(root.one('.speed').textContent).toBe('32×');
    await press(' ');
    const paused = shownTick();
    for (let i = 0; i < 3; i++) await frame();
    expect([shownTick(), root.one('#play').textContent]).toEqual([paused, '▶']);
    // The newest tick plays on, an earlier one is only shown.
    await press('ArrowRight');
    await frame(1);
    expect(shownTick()).toBe(paused + 1);
    await press('ArrowLeft');
    await frame(1);
    expect(shownTick()).toBe(paused);
    await press('ArrowRight');
    await frame(1);
    expect([shownTick(), root.one('#scrub').getAttribute('max')]).toEqual([paused + 1, String(paused + 1)]);
    await press('Home');
    await frame(1);
    expect(shownTick()).toBe(0);
    await press('ArrowRight', '', { shiftKey: true });
    await frame(1);
    expect(shownTick()).toBe(Math.min(20, paused + 1));
    await press('ArrowLeft', '', { shiftKey: true });
    await frame(1);
    expect(shownTick()).toBe(Math.max(0, Math.min(20, paused + 1) - 20));
    await press('End');
    await frame(1);
    expect(shownTick()).toBe(paused + 1);
  });

  test('steps go on from the tick that was asked for, also before it is shown', async () => {
    await paste();
    await playTo(30);
    await press(' ');
    const at = shownTick();
    for (let i = 0; i < 3; i++) keyDown('ArrowLeft');
    await frame(1);
    expect(shownTick()).toBe(at - 3);
  });

  test('of the positions of a slider that moves, the last one before a frame is shown', async () => {
    await paste();
    await playTo(30);
    for (const value of ['5', '12', '9']) Object.assign(root.one('#scrub'), { value }).fire('input');
    await frame(1);
    await frame(1);
    expect(shownTick()).toBe(9);
    expect(port().asked.filter(([kind]) => kind === 'seek')).toEqual([['seek', { tick: 9 }]]);
    expect(root.one('.verdict').textContent).toBe('');
  });

  test('plays on from an earlier tick, and forgets what came after', async () => {
    await paste();
    const branch = root.one('#branch');
    await playTo(40);
    expect(branch.hidden).toBe(true);
    Object.assign(root.one('#scrub'), { value: '10' }).fire('input');
    await frame(1);
    await frame(1);
    expect(branch.hidden).toBe(false);
    branch.click();
    await frame();
    await frame();
    expect(shownTick()).toBeLessThan(15);
    expect([branch.hidden, root.one('#scrub').getAttribute('min'), root.one('#play').textContent]).toEqual([
      true,
      '10',
      '‖',
    ]);
  });

  test('is played by a person, with keys, chat and windows, until it is given back', async () => {
    await paste();
    const take = root.one('#take');
    const deck = root.one('.deck');
    await playTo(5);
    expect([take.textContent, deck.hidden, root.one('.view').one('canvas').getAttribute('role')]).toEqual([
      'Play yourself',
      true,
      'img',
    ]);
    await press('Enter');
    await frame();
    await inState('playing');
    expect([take.textContent, deck.hidden]).toEqual(['Give back to the bot', false]);
    expect([root.one('.view').one('canvas').getAttribute('role'), page.activeElement]).toEqual([
      'application',
      root.one('.view').one('canvas'),
    ]);
    expect(root.one('.slots').textContent).toContain('Slot 1');
    // Keys go to the game, once each; of the page's keys only a few remain.
    expect([keyDown('d', 'KeyD'), keyDown('d', 'KeyD', { repeat: true }), keyDown(']'), keyDown('+')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    const x = () =>
      port()
        .session.frame({ wantsLists: false } as never)
        .scene.figures.find(({ id }) => id === unit)!.x;
    const unit = port().session.frame({ wantsLists: false } as never).you!.unit!.id;
    const before = x();
    for (let i = 0; i < 10; i++) await frame();
    expect(x()).toBeGreaterThan(before + 5);
    page.fire('blur');
    const inputs = () =>
      port()
        .asked.filter(([kind]) => kind === 'input')
        .map(([, input]) => input);
    expect(inputs()).toEqual([
      { kind: 'keyDown', key: 'd', device: 'key' },
      { kind: 'keyUp', key: 'd', device: 'key' },
    ]);
    await press('Enter');
    expect(page.activeElement).toBe(root.one('#chat'));
    root.one('#chat').value = 'hello';
    root.one('.chat').one('form').fire('submit');
    await frame();
    await frame();
    expect(root.one('.chat-log').textContent).toContain('hello');
    expect(keyDown('d', 'KeyD', { target: root.one('#chat') })).toBe(false);
    // A window of the game takes the keys away.
    keyDown('q', 'KeyQ');
    await frame();
    await frame();
    const window = root.children.find((child) => child.getAttribute('aria-labelledby') === 'window-title')!;
    expect([window.open, window.one('h2').textContent]).toEqual([true, 'Stall']);
    expect(inputs().at(-1)).toEqual({ kind: 'keyUp', key: 'q', device: 'key' });
    expect(keyDown('d', 'KeyD')).toBe(false);
    take.click();
    await frame();
    await inState('watching');
    expect([window.open, deck.hidden, take.textContent]).toEqual([false, true, 'Play yourself']);
    expect(keyDown('d', 'KeyD')).toBe(true);
    expect(inputs()).toHaveLength(5);
  });

  test('of a person has a unit called You, and help with the keys of now; Escape keeps the unit', async () => {
    await paste();
    await playTo(5);
    const help = root.one('.keys');
    const canvas = root.one('.view').one('canvas');
    [canvas.clientWidth, canvas.clientHeight] = [512, 384];
    const isListed = (text: string): boolean => linesOf(help.one('table').childNodes).includes(text);
    expect([isListed('play or pause'), isListed('control your unit')]).toEqual([true, false]);
    await press('Enter');
    await frame();
    await inState('playing');
    await frame();
    expect(canvas.drawn.some((call) => call.startsWith('fillText(You'))).toBe(true);
    expect(keyDown('?', 'Slash')).toBe(true);
    expect(help.open).toBe(true);
    expect([isListed('play or pause'), isListed('control your unit')]).toEqual([false, true]);
    help.close();
    await press('Escape', 'Escape');
    await frame();
    await inState('playing');
    expect(port().asked.filter(([kind]) => kind === 'give')).toEqual([]);
    root.one('#take').click();
    await frame();
    await inState('watching');
    keyDown('?', 'Slash');
    expect([isListed('play or pause'), isListed('control your unit')]).toEqual([true, false]);
  });

  test('says when it has ended, or has no map, or has errors', async () => {
    await paste();
    expect(banner()).toBe('');
    await playTo(5);
    root.one('#take').click();
    await frame();
    await press('e', 'KeyE');
    for (let i = 0; i < 3; i++) await frame();
    expect([banner(), root.one('#play').textContent]).toEqual(['The game has ended.', '▶']);
    root.one('#games').click();
    await paste({ data: { variables: {} } });
    expect(banner()).toBe('The game has no map, so nothing can be drawn.');
    root.one('#games').click();
    await paste({ data: { ...(yard['data'] as object), itemTypes: 7 } });
    expect(banner()).toBe('The definition has an error: parts of the game may be missing. Show Hide');
    root.one('.banner').one('button', 'Hide').click();
    expect([banner(), root.one('.side').classList.contains('wide')]).toEqual(['', false]);
    root.one('#games').click();
    await paste({ data: { ...(yard['data'] as object), itemTypes: 7 } });
    root.one('#show-errors').click();
    expect([banner(), root.one('.side').classList.contains('wide')]).toEqual(['', true]);
  });

  test('shows the texts and what went wrong in lists; a click asks for more', async () => {
    await paste();
    await playTo(25);
    expect(root.one('.areas').textContent).toBe('a <b>yard</b>');
    expect(root.one('.chat-log').textContent).toContain('welcome');
    await press('n');
    await frame();
    expect([root.one('#tab-entity').getAttribute('aria-selected'), panel()]).toEqual([
      'true',
      expect.stringContaining('walker'),
    ]);
    root.one('#tab-scripts').click();
    await frame();
    root.one('#panel').one('[data-script="scripts/join"]').click();
    await frame(1);
    expect(panel()).toContain('createUnitAtPosition');
    root.one('#search').value = 'clock == 1';
    root.one('.search').fire('submit');
    await vi.waitFor(
      () => expect(root.one('#search-says').textContent).toBe('The expression becomes true at tick 20.'),
      patience,
    );
    await frame(1);
    expect(shownTick()).toBe(20);
    root.one('#search').value = 'clock';
    root.one('#search-why').click();
    await vi.waitFor(async () => {
      await frame(400);
      expect(panel()).toContain('by set clock = (clock + 1)');
    }, patience);
    expect(root.one('#tab-value').getAttribute('aria-selected')).toBe('true');
  });

  test('keys show the help, the colours and the whole map; keys of the browser and of buttons stay theirs', async () => {
    await paste();
    expect([
      keyDown('r', 'KeyR', { ctrlKey: true }),
      keyDown('x', 'KeyX'),
      keyDown(' ', 'Space', { target: root.one('#share') }),
    ]).toEqual([false, false, false]);
    const before = page.documentElement.dataset['theme'];
    expect(keyDown('t', 'KeyT')).toBe(true);
    expect(page.documentElement.dataset['theme']).not.toBe(before);
    expect(keyDown('/', 'Slash')).toBe(true);
    expect(page.activeElement).toBe(root.one('#search'));
    keyDown('Escape', 'Escape', { target: root.one('#search') });
    expect(page.activeElement).toBe(root.one('.view').one('canvas'));
    // The slider uses arrows only.
    expect([
      keyDown(' ', 'Space', { target: root.one('#scrub') }),
      keyDown(']', '', { target: root.one('#scrub') }),
    ]).toEqual([false, true]);
    keyDown('?', 'Slash');
    expect(root.one('.keys').open).toBe(true);
    expect(linesOf(root.one('.keys').one('table').childNodes)).toContain('<kbd>N</kbd>');
    expect(keyDown(']')).toBe(false);
  });

  test('shows the number of faults', async () => {
    await paste();
    const game = port();
    FakePort.answers = {
      frame: (params: Fields) => {
        const shot = game.session.frame(params as never);
        return { ...shot, lists: shot.lists && { ...shot.lists, faults: 2 } };
      },
    };
    await playTo(10);
    expect(root.one('#tab-faults').textContent).toBe('Faults 2');
  });

  test('that takes long says so, and is ended after ten seconds', async () => {
    await paste();
    const game = port();
    game.isBusy = true;
    for (let i = 0; i < 16; i++) await frame(100);
    expect(banner()).toBe('');
    await frame(100);
    expect(banner()).toBe('The game needs a long time for this tick …');
    for (let i = 0; i < 84; i++) await frame(100);
    expect(page.documentElement.dataset['state']).toBe('watching');
    await frame(100);
    expect(page.documentElement.dataset['state']).toBe('died');
    expect(root.one('[role=alert]').textContent).toContain(
      'tick-too-long: A tick of the game did not end within ten seconds.',
    );
    expect(game.isClosed).toBe(true);
    game.died('later');
    root.one('.back').click();
    expect(page.documentElement.dataset['state']).toBe('start');
  });

  test('whose worker fails or dies says why', async () => {
    await paste();
    FakePort.answers = { frame: () => Promise.reject(new Error('out of order')) };
    await frame();
    expect([banner(), frames.length]).toEqual(['The game has stopped: out of order', 1]);
    port().died('state-too-large: 300 MB');
    expect(page.documentElement.dataset['state']).toBe('died');
    expect(root.one('h1').textContent).toBe('Pasted game has stopped');
  });
});

describe('the moment that is shown', () => {
  test('is sent as a link, which opens the same one, paused', async () => {
    const copied: string[] = [];
    const clipboard = { writeText: async (text: string) => copied.push(text) };
    vi.stubGlobal('navigator', { userActivation: {}, getGamepads: () => [], clipboard });
    await paste();
    await playTo(20);
    root.one('#take').click();
    await playTo(23);
    keyDown('d', 'KeyD');
    await playTo(30);
    root.one('#share').click();
    await vi.waitFor(() => expect(root.one('#copy')), patience);
    const dialog = root.all('dialog').find((each) => each.getAttribute('aria-labelledby') === 'share-title')!;
    const [link, hash] = [dialog.one('#link').value, dialog.one('code').textContent];
    expect(dialog.textContent).toContain(`sees tick ${shownTick()} with the same state`);
    root.one('#copy').click();
    await settled();
    expect([...copied, dialog.textContent.includes('Copied.')]).toEqual([link, true]);
    const [tick, at] = [shownTick(), new URL(link)];
    root.one('#games').click();
    page.location.hash = at.hash;
    page.fire('popstate');
    await vi.waitFor(() => root.one('.timeline'), patience);
    await frame(1);
    for (let i = 0; i < 3; i++) await frame();
    expect([shownTick(), root.one('#hash').textContent, root.one('#play').textContent]).toEqual([tick, hash, '▶']);
    expect(banner()).toBe('');
    expect(page.title).toBe('The yard · Reenact');
  });

  test('of another version says that it may play differently', async () => {
    await paste();
    await playTo(5);
    root.one('#share').click();
    await vi.waitFor(() => expect(root.one('#copy')), patience);
    const { hash } = new URL(root.one('#link').value);
    const { momentIn, fragmentOf } = await import('../../src/playground/link.ts');
    root.one('#games').click();
    await start(await fragmentOf({ ...(await momentIn(hash))!, version: '0.0.7' }));
    expect(banner()).toBe(
      `This link was made with version 0.0.7; this page has version ${engineVersion}, which may play the game differently.`,
    );
  });

  test('is saved as files with the name of the game', async () => {
    const saved: string[] = [];
    vi.spyOn(FakeElement.prototype, 'click').mockImplementation(function (this: FakeElement) {
      if (this.tagName === 'A') saved.push(this.getAttribute('download')!);
      else this.fire('click');
    });
    await paste();
    await playTo(5);
    root.one('#share').click();
    await vi.waitFor(() => expect(root.one('#copy')), patience);
    for (const ending of ['rj', 'scenario-yaml', 'json', 'zip']) {
      const count = saved.length;
      root.one(`#save-${ending}`).click();
      await vi.waitFor(() => expect(saved.length).toBe(count + 1), patience);
    }
    expect(saved).toEqual(['the-yard.rj', 'the-yard.scenario.yaml', 'the-yard.json', 'the-yard.zip']);
    expect(root.one('.shared').one('output').textContent).toMatch(/^Saved the-yard\.zip, \d+ kB\.$/);
  });
});

describe('the tools beside a game', () => {
  test('play a changed text on from the same inputs, or from the start, or say what is wrong', async () => {
    FakePort.answers = {
      check: () => ({
        problems: [
          {
            severity: 'error',
            code: 'unknown-key',
            message: 'No such key.',
            pointer: '/a',
            line: 2,
            column: 3,
            from: 7,
            to: 9,
          },
        ],
        counts: { error: 1, warning: 0, info: 2 },
      }),
    };
    await paste();
    await playTo(30);
    const game = port();
    root.one('#open-edit').click();
    expect(root.one('.side').classList.contains('wide')).toBe(true);
    await vi.waitFor(() => expect(root.one('#edit-status').textContent).toBe('Ctrl+Space completes'), patience);
    const editor = FakeEditor.last;
    expect(JSON.parse(editor.text)).toEqual(yard);
    expect(editor.text).toContain('\n  "data": {\n');
    await editor.ports['check']!(editor.text);
    const summary = root.one('.found-problems').one('summary');
    expect([summary.textContent, summary.classList.contains('bad')]).toEqual(['1 error, 0 warnings, 2 notes', true]);
    root.one('.problems').one('button', 'line 2, column 3').click();
    expect(editor.gone).toEqual([7, 9]);
    editor.text = editor.text.replace('welcome', 'good day');
    root.one('#run').click();
    await vi.waitFor(
      () => expect(root.one('#edit-status').textContent).toMatch(/^Repeated \d+ ticks with the changed game\.$/),
      patience,
    );
    expect(game.session.state().tick).toBeGreaterThanOrEqual(30);
    const before = game.session.state().tick;
    await frame();
    await frame();
    expect(shownTick()).toBeGreaterThan(before);
    root.one('#restart').click();
    await vi.waitFor(
      () => expect(root.one('#edit-status').textContent).toBe('Started again with the changed game.'),
      patience,
    );
    await frame(1);
    expect(shownTick()).toBeLessThan(3);
    editor.text = '{';
    await editor.ports['run']!();
    await vi.waitFor(() => expect(root.one('#edit-status').textContent).toContain('not a valid game'), patience);
    // A link now carries the changed game.
    root.one('#share').click();
    await vi.waitFor(() => expect(root.one('#copy')), patience);
    const { momentIn } = await import('../../src/playground/link.ts');
    expect(JSON.stringify((await momentIn(new URL(root.one('#link').value).hash))!.game)).toContain('good day');
    root.one('#open-inspect').click();
    expect(root.one('.side').classList.contains('wide')).toBe(false);
  });

  test('run the scenarios of the game, and lead to the line of a failure', async () => {
    await start('#sample=coins');
    await frame(1);
    const result = { note: undefined, line: 3, simulatedSeconds: 2, wallMs: 1500, story: undefined, picture: '' };
    FakePort.answers = {
      runScenarios: () => ({
        problems: [],
        results: [
          { ...result, title: 'good', outcome: 'passed' },
          { ...result, title: 'bad', outcome: 'failed', story: 'coins is 0', picture: '<svg/>' },
          { ...result, title: 'later', outcome: 'skipped', note: 'not yet' },
        ],
      }),
    };
    root.one('#open-test').click();
    const status = () => root.one('#test-status').textContent;
    await vi.waitFor(
      () => expect(status()).toBe('The scenarios play the text of the game under "Edit and check"'),
      patience,
    );
    expect(FakeEditor.last.text).toBe(readFileSync('templates/coins/game.scenario.yaml', 'utf8'));
    const run = root.one('#run-tests');
    run.click();
    await vi.waitFor(() => expect(status()).toBe('1 passed, 1 failed, in 4.5 s'), patience);
    expect([root.one('#test-status').classList.contains('bad'), run.textContent, port().isClosed]).toEqual([
      true,
      'Run the scenarios',
      true,
    ]);
    expect(linesOf(root.one('#results').one('ul').childNodes)).toMatchInlineSnapshot(`
      "<li><div class="head"><span class="sign passed" title="passed">✓</span><span class="title">good</span><small>2.0 s</small></div></li>
      <li><details open><summary class="head"><span class="sign bad" title="failed">✗</span><span class="title">bad</span><small>2.0 s</small></summary><button class="id" type="button">line 3</button><pre tabindex="0">coins is 0</pre><img alt="The map at that moment" src="data:image/svg+xml,%3Csvg%2F%3E"></img></details></li>
      <li><div class="head"><span class="sign skipped" title="skipped">–</span><span class="title">later<small> not yet</small></span><small></small></div></li>"
    `);
    FakeEditor.last.text = 'one\ntwo\nthree\nfour';
    root.one('#results').one('button', 'line 3').click();
    expect(FakeEditor.last.gone).toEqual([3]);
    const problem = {
      severity: 'error',
      code: 'unknown-key',
      message: 'No "nam".',
      pointer: '',
      line: 1,
      column: 1,
      from: 0,
      to: 1,
    };
    FakePort.answers = { runScenarios: () => ({ problems: [problem], results: [] }) };
    run.click();
    await vi.waitFor(() => expect(status()).toBe('These scenarios cannot be run.'), patience);
    expect(root.one('#results').textContent).toContain('No "nam".');
    // A run that takes long is stopped by the same button.
    FakePort.answers = { runScenarios: () => new Promise(() => {}) };
    run.click();
    await settled();
    expect(run.textContent).toBe('Stop');
    run.click();
    expect([status(), run.textContent]).toEqual(['Stopped.', 'Run the scenarios']);
  });

  test('keep the scenarios that were edited while another panel is open', async () => {
    await start('#sample=coins');
    await frame(1);
    root.one('#open-test').click();
    const status = () => root.one('#test-status').textContent;
    await vi.waitFor(() => expect(status()).toMatch(/^The scenarios play/), patience);
    const editor = FakeEditor.last;
    editor.text = 'game: game.json # mine';
    root.one('#open-inspect').click();
    root.one('#open-test').click();
    await settled();
    expect(FakeEditor.last).toBe(editor);
    const played: unknown[] = [];
    FakePort.answers = {
      runScenarios({ text }: Fields) {
        played.push(text);
        return { problems: [], results: [] };
      },
    };
    root.one('#run-tests').click();
    await vi.waitFor(() => expect(status()).toMatch(/^0 passed/), patience);
    expect(played).toEqual(['game: game.json # mine']);
  });
});

/** The browser's worker, driven by the test. */
test('a worker answers each request once, reports progress, and may end by itself', async () => {
  const { EnginePort } = await vi.importActual<typeof import('../../src/playground/engine-port.ts')>(
    '../../src/playground/engine-port.ts',
  );
  const sent: Fields[] = [];
  const listeners = new Map<string, (event: object) => void>();
  let ends = 0;
  const worker = {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    postMessage: (message: Fields) => sent.push(message),
    terminate: () => ends++,
  };
  vi.stubGlobal(
    'Worker',
    class {
      constructor() {
        Object.assign(this, worker);
      }
    },
  );
  const died: string[] = [];
  const made = new EnginePort((why) => died.push(why));
  const receive = (data: Fields) => listeners.get('message')!({ data });
  const progress: unknown[] = [];
  const first = made.request('journal', null, (...given) => progress.push(given));
  const second = made.request('seek', { tick: 5 });
  expect(sent).toEqual([
    { id: 1, kind: 'journal', params: null },
    { id: 2, kind: 'seek', params: { tick: 5 } },
  ]);
  receive({ id: 1, progress: 0.5, doing: 'Writing' });
  expect([progress, made.waitingCount]).toEqual([[[0.5, 'Writing']], 2]);
  receive({ id: 2, error: 'too early', isEnd: false });
  await expect(second).rejects.toThrow('too early');
  receive({ id: 1, answer: 'bytes' });
  receive({ id: 1, answer: 'again' });
  expect([await first, made.waitingCount, ends]).toEqual(['bytes', 0, 0]);
  void made.request('state', null);
  receive({ id: 3, error: 'state-too-large', isEnd: true });
  expect([died, ends, made.waitingCount]).toEqual([['state-too-large'], 1, 0]);
  listeners.get('error')!({ preventDefault() {}, message: '' });
  expect([died.at(-1), ends]).toEqual([expect.stringContaining('probably because its memory ran out'), 2]);
});
