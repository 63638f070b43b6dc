import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Lobby } from '../../src/server/viewer/live/lobby.ts';
import { RoomPage } from '../../src/server/viewer/live/room-page.ts';
import { keepOperatorToken } from '../../src/server/viewer/operator.ts';
import { chooseKey, gameKey, pressedFor } from '../../src/viewer/parts/own-keys.ts';
import { actionsOf } from '../../src/viewer/play/actions.ts';
import { Pad } from '../../src/viewer/play/pad.ts';
import { PlayerControls } from '../../src/viewer/play/player-controls.ts';
import { attribute, itemType, load, projectileType, unitType } from '../support/play.ts';
import { FakeElement, type FakePage, fakePage, htmlOf, linesOf } from './fake-page.ts';

/** HTML of games needs a real browser: `live.test.ts`. Here it is shown as text. */
vi.mock('../../src/viewer/play/game-html.ts', () => ({
  gameElement: (html: string, tag = 'div') => {
    const made = new FakeElement(tag);
    made.setAttribute('class', 'game-html');
    made.append(html);
    return made;
  },
  clickedElement: ({ target }: { target: FakeElement }) => target.getAttribute('data-own') ?? undefined,
}));

const offer = (price: object, isPurchasable = true) => ({
  isPurchasable,
  price: { coins: 0, playerAttributes: {}, requiredItemTypes: {}, ...price },
  requirement: { playerAttributes: {}, requiredItemTypes: {} },
});

const { definition } = load({
  title: 'The hill',
  map: {
    width: 4,
    height: 3,
    tilewidth: 64,
    tileheight: 64,
    layers: [{ name: 'walls', type: 'tilelayer', width: 4, height: 3, data: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] }],
    tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
  },
  settings: { persistentScoreAttributeId: 'score', camera: { zoom: { default: 200 } } },
  scripts: { dig: { name: 'e - dig a hole' } },
  playerTypes: {
    human: {
      name: 'Human',
      color: 'green',
      variables: {},
      relationships: {},
      attributes: { score: attribute(0), gold: attribute(0, { name: 'Gold' }) },
    },
    beast: { name: 'Beast', color: 'maroon', attributes: {}, variables: {}, relationships: {} },
  },
  unitTypes: {
    knight: unitType({
      name: 'Knight',
      inventorySize: 2,
      backpackSize: 1,
      attributes: { health: attribute(80, { name: 'Health', max: 100, isVisible: ['unitBar'], color: '#00ff00' }) },
      controls: {
        movementControlScheme: 'wasd',
        movementMethod: 'velocity',
        mouseBehaviour: {},
        abilities: { e: { keyDown: { scriptName: 'dig', cost: {} } } },
      },
    }),
    wolf: unitType({ name: 'Wolf', inventorySize: 0 }),
  },
  itemTypes: {
    apple: itemType({
      name: 'Apple',
      description: 'Red.',
      damage: { unitAttributes: { health: 2 } },
      bonus: {
        consume: { unitAttribute: { health: 15 } },
        passive: { unitAttribute: { speed: { type: 'percentage', value: 5 } } },
      },
    }),
    lamp: itemType({ name: 'Lamp' }),
    spell: itemType({ name: 'Spell', cost: { unitAttributes: { health: 5 } } }),
  },
  projectileTypes: { arrow: projectileType({ name: 'Arrow' }) },
  shops: {
    market: {
      name: 'Market',
      description: 'Buy here',
      itemTypes: {
        apple: offer({ playerAttributes: { gold: 3 }, requiredItemTypes: { lamp: 1 } }),
        lamp: offer({ coins: 2 }, false),
      },
      unitTypes: { wolf: offer({}) },
    },
    hut: {
      name: 'Hut',
      itemTypes: {
        apple: { ...offer({}), hideIfUnaffordable: true },
        lamp: { ...offer({}), hideIfRequirementNotMet: true },
      },
      unitTypes: {},
    },
    stall: { name: '', itemTypes: {}, unitTypes: {} },
  },
});

type Fields = Record<string, unknown>;

/** An entity as a client knows it. */
function replica(kind: string, id: string, more: Fields = {}) {
  const attributes = (more['attributes'] ?? {}) as Record<string, object>;
  return {
    kind,
    id,
    name: '',
    type: undefined,
    state: 'default',
    owner: undefined,
    items: [],
    x: 0,
    y: 0,
    angle: 0,
    width: 40,
    height: 40,
    opacity: 1,
    isPlaced: true,
    isHeld: false,
    quantity: null,
    slotIndex: null,
    variables: new Map(),
    isHuman: false,
    currentSlot: 0,
    selectedUnit: undefined,
    cameraUnit: undefined,
    ...more,
    attributes: new Map(Object.entries(attributes)),
    attribute: (key: string) => attributes[key],
  };
}

type Listener = (detail: never) => void;

/** The client of a room with two players, a wolf and their things. */
class FakeClient {
  readonly sent: unknown[] = [];
  readonly apple = replica('item', 'i1', {
    name: 'Apple',
    type: { key: 'apple' },
    quantity: 3,
    isPlaced: false,
    isHeld: true,
    slotIndex: 0,
  });
  readonly lamp = replica('item', 'i2', { name: 'Lamp', type: { key: 'lamp' }, isPlaced: false, slotIndex: 2 });
  readonly dropped = replica('item', 'i3', { name: 'Lamp', type: { key: 'lamp' }, x: 200.4, y: 100, opacity: 0.3 });
  readonly ann = replica('player', 'p1', {
    name: 'Ann',
    type: { key: 'human' },
    isHuman: true,
    chat: 'open',
    variables: new Map([['rank', 'first']]),
    attributes: { score: { value: 7, min: 0, max: 10 }, gold: { value: 5, min: 0, max: 5 } },
  });
  readonly bob = replica('player', 'p2', { name: 'Bob', type: { key: 'beast' }, isHuman: true });
  readonly computer = replica('player', 'c1', { name: 'AI 1', type: { key: 'beast' } });
  readonly knight = replica('unit', 'u1', {
    name: 'Ann',
    type: { key: 'knight' },
    owner: this.ann,
    items: [this.apple, this.lamp],
    x: 100,
    y: 60.6,
    attributes: { health: { value: 25, min: 0, max: 100 } },
  });
  readonly wolf = replica('unit', 'u2', { name: 'AI 1', type: { key: 'wolf' }, owner: this.computer, x: 30, y: 150 });
  readonly arrow = replica('projectile', 'b1', { type: { key: 'arrow' }, x: 150, y: 60, state: null });
  readonly hill = { ...replica('region', 'r:hill'), name: 'hill', x: 128, y: 64, width: 64, height: 64 };
  all = [
    this.ann,
    this.bob,
    this.computer,
    this.knight,
    this.wolf,
    this.apple,
    this.lamp,
    this.dropped,
    this.arrow,
    this.hill,
  ];
  readonly listeners = new Map<string, Listener[]>();
  readonly shownTexts = new Map<string, string>();
  readonly welcome = { room: 'hill-1' };
  readonly clock = { roundTripMs: 41.6 as number | undefined };
  isLeft = false;
  readonly state = {
    all: (kind: string) => this.all.filter((each) => each.kind === kind)[Symbol.iterator](),
    find: (id: string) => this.all.find((each) => each.id === id),
    variables: new Map<string, unknown>(),
    coins: 0,
    player: 'p1',
    frame: 120,
  };

  readonly player: FakeClient['ann'] | undefined;

  constructor(isWatching: boolean) {
    this.player = isWatching ? undefined : this.ann;
    Object.assign(this.ann, { selectedUnit: this.knight });
  }

  on(event: string, listener: Listener): () => void {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
    return () => this.listeners.delete(event);
  }

  emit(event: string, detail: unknown): void {
    for (const listener of this.listeners.get(event) ?? []) listener(detail as never);
  }

  send(input: unknown): number {
    return this.sent.push(input);
  }

  placeOf({ isPlaced, owner, x, y, angle }: ReturnType<typeof replica>) {
    return isPlaced || owner === undefined ? { x, y, angle } : (owner as ReturnType<typeof replica>);
  }

  leave(): void {
    this.isLeft = true;
  }
}

let page: FakePage;
let frames: ((now: number) => void)[];
let nowMs: number;
beforeEach(() => {
  page = fakePage();
  frames = [];
  nowMs = 1000;
  vi.stubGlobal('requestAnimationFrame', (frame: (now: number) => void) => frames.push(frame));
  vi.stubGlobal('matchMedia', () => ({ addEventListener: () => {}, removeEventListener: () => {} }));
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

class Visit {
  readonly root = new FakeElement('div');
  readonly client: FakeClient;
  readonly canvas: FakeElement;
  returned = 0;
  rejoined = 0;

  constructor({
    isWatching = false,
    events = [] as readonly object[],
    prediction = undefined as object | undefined,
    predict = (_held: () => readonly object[]): Promise<object> =>
      prediction === undefined ? new Promise(() => {}) : Promise.resolve(prediction),
    isSeen = false,
    prepare = (_client: FakeClient): void => {},
  } = {}) {
    this.client = new FakeClient(isWatching);
    prepare(this.client);
    if (isSeen) page.storage.setItem('reenact-seen The hill', 'yes');
    page.body.append(this.root);
    new RoomPage(
      this.root as never,
      {
        definition,
        shopRegions: ['hill'],
        client: this.client,
        predict,
        title: 'The hill',
        link: 'http://host/#room=hill-1',
        isWatching,
        events,
        leave: () => this.returned++,
        again: () => this.rejoined++,
      } as never,
    );
    this.canvas = this.root.one('.view').all('canvas')[0]!;
    [this.canvas.clientWidth, this.canvas.clientHeight] = [512, 384];
    this.frame(200);
    if (!isWatching && !isSeen) this.root.one('#begin').click();
  }

  frame(afterMs: number): void {
    nowMs += afterMs;
    for (const each of frames.splice(0)) each(nowMs);
  }

  event(event: object): void {
    this.client.emit('event', event);
  }

  key(key: string, code: string, type = 'keydown', more: Fields = {}): boolean {
    let isPrevented = false;
    page.fire(type, { key, code, target: this.canvas, preventDefault: () => (isPrevented = true), ...more });
    return isPrevented;
  }

  list(tab: string): string {
    this.root.one(`#tab-${tab}`).click();
    return linesOf(this.root.one('#panel').childNodes);
  }

  get window(): FakeElement {
    return this.root.children.find(
      (child) => child.tagName === 'DIALOG' && !['keys', 'intro'].some((name) => child.classList.contains(name)),
    )!;
  }

  get chat(): string {
    return linesOf(this.root.one('.chat-log').children[0]!.childNodes);
  }

  get drawn(): readonly string[] {
    this.canvas.drawn.length = 0;
    this.frame(1);
    return [...this.canvas.drawn];
  }

  texts(): readonly string[] {
    return this.drawn.filter((call) => call.startsWith('fillText'));
  }

  get walls(): string | undefined {
    return this.drawn && this.canvas.copied?.drawn.findLast((call) => call.startsWith('fill(path'));
  }
}

describe('the page of a player', () => {
  test('shows all of itself', () => {
    const visit = new Visit();
    expect(page.documentElement.dataset['state']).toBe('playing');
    expect(linesOf(visit.root.childNodes)).toMatchSnapshot();
  });

  test('draws the room: its walls, regions, entities with what they hold, bars and names', () => {
    const visit = new Visit();
    expect(visit.drawn.join('\n')).toMatchSnapshot();
    expect(visit.walls).toBe('fill(path[0,0,64,64 64,64,64,64])');
  });

  test.each(['players', 'entity', 'all'])('lists: %s', (tab) => {
    expect(new Visit().list(tab)).toMatchSnapshot();
  });

  test('lists of another entity, and of what is gone', () => {
    const visit = new Visit();
    const about = (id: string) => {
      visit.root.one('#tab-all').click();
      visit.root.one('#panel').one('button', id).click();
      return visit.list('entity');
    };
    expect(['u2', 'i1', 'i3', 'b1'].map(about)).toMatchSnapshot();
    visit.client.all = visit.client.all.filter(({ id }) => id !== 'b1');
    expect(visit.list('entity')).toBe('<p class="soft">b1 is not visible now.</p>');
    visit.client.all = [];
    expect(visit.list('players')).toBe('<p class="soft">Nobody is playing.</p>');
  });

  test('predicts with the first input, which it does not wait for', async () => {
    let load = (_prediction: object): void => {};
    let held = (): readonly object[] => [];
    const predict = vi.fn((given: typeof held) => {
      held = given;
      return new Promise<object>((resolve) => (load = resolve));
    });
    const visit = new Visit({ predict, isSeen: true });
    expect(predict).not.toHaveBeenCalled();
    visit.key('d', 'KeyD');
    visit.key('a', 'KeyA');
    visit.key('a', 'KeyA', 'keyup');
    expect(predict).toHaveBeenCalledOnce();
    expect(visit.client.sent).toHaveLength(3);
    expect(held()).toEqual([{ kind: 'keyDown', key: 'd', device: 'key' }]);
    const close = vi.fn();
    load({ ghosts: [], close });
    await new Promise((resolve) => setTimeout(resolve));
    visit.root.one('#leave').click();
    expect(close).toHaveBeenCalledOnce();
  });

  test('says that the unit answers late if what predicts it cannot be loaded', async () => {
    const visit = new Visit({ predict: () => Promise.reject(new Error('404')) });
    await new Promise((resolve) => setTimeout(resolve));
    expect(visit.chat).toContain('A part of the page could not be loaded, so your unit reacts late. Reload the page.');
    expect(visit.key('d', 'KeyD')).toBe(true);
  });

  test.each([
    [
      'may copy',
      { writeText: async () => {} },
      'Link copied. Friends can join this room with this link: http://host/#room=hill-1',
    ],
    [
      'may not copy',
      { writeText: async () => Promise.reject(new Error()) },
      'Friends can join this room with this link: http://host/#room=hill-1',
    ],
    ['cannot copy', undefined, 'Friends can join this room with this link: http://host/#room=hill-1'],
  ])('invites friends by a link, on a page that %s', async (_what, clipboard, said) => {
    vi.stubGlobal('navigator', { clipboard, getGamepads: () => [] });
    const visit = new Visit();
    visit.root.one('#invite').click();
    await new Promise((resolve) => setTimeout(resolve));
    expect(visit.window.open).toBe(true);
    expect(visit.window.one('p').textContent).toBe(said);
    await vi.waitFor(() => expect(visit.window.one('img')).toMatchObject({ src: expect.stringMatching(/svg.+path/) }));
  });

  test('draws shots at once, and what they leave in the hand', async () => {
    const shot = { id: 'ghost1', type: 'arrow', state: null, x: 190, y: 60, angle: 0, width: 40, height: 40 };
    const prediction = { ghosts: [] as object[], heldItem: { id: 'i1', quantity: 3, readyShare: 1 } };
    const visit = new Visit({ prediction });
    await new Promise((resolve) => setTimeout(resolve));
    const before = visit.drawn.length;
    prediction.ghosts = [shot];
    prediction.heldItem = { id: 'i1', quantity: 2, readyShare: 0.25 };
    expect(visit.drawn.length).toBeGreaterThan(before);
    const slots = visit.root.one('.slots');
    expect(slots.children[0]!.textContent).toBe('Slot 1 Apple ×2');
    expect(slots.style.cssText).toBe('--cooled: 25%');
    prediction.heldItem = { id: 'i1', quantity: 2, readyShare: 1 };
    visit.frame(1);
    expect(slots.style.cssText).toBe('--cooled: 0%');
  });

  test('redraws its lists five times a second', () => {
    const visit = new Visit();
    visit.client.knight.x = 300;
    visit.frame(199);
    expect(visit.root.one('#you').textContent).toBe('42 ms · Ann · u1 at 100, 61 · tick 120');
    visit.frame(1);
    expect(visit.root.one('#you').textContent).toBe('42 ms · Ann · u1 at 300, 61 · tick 120');
    visit.client.clock.roundTripMs = undefined;
    visit.frame(200);
    expect(visit.root.one('#you').textContent).toBe('Ann · u1 at 300, 61 · tick 120');
  });

  test('sends the keys of the game once, and releases them with the focus', () => {
    const visit = new Visit();
    expect([
      visit.key('w', 'KeyW'),
      visit.key('w', 'KeyW', 'keydown', { repeat: true }),
      visit.key('e', 'KeyE'),
      visit.key('x', 'KeyX'),
      visit.key('1', 'Digit1'),
      visit.key('s', 'KeyS', 'keydown', { ctrlKey: true }),
      visit.key('s', 'KeyS', 'keydown', { metaKey: true }),
      visit.key('s', 'KeyS', 'keydown', { altKey: true }),
      visit.key('w', 'KeyW', 'keyup'),
      visit.key('d', 'KeyD', 'keydown', { target: visit.root.one('#chat') }),
      visit.key(' ', 'Space', 'keydown', { target: visit.root.one('#leave') }),
    ]).toEqual([true, true, true, false, true, false, false, false, false, false, false]);
    // Held keys are not released by events that open nothing.
    visit.event({ kind: 'map.tiles', layer: 0, x: 0, y: 0, width: 1, height: 1, gid: 1 });
    expect(visit.client.sent).toHaveLength(4);
    page.fire('blur');
    expect(visit.client.sent).toEqual([
      { kind: 'keyDown', key: 'w', device: 'key' },
      { kind: 'keyDown', key: 'e', device: 'key' },
      { kind: 'keyDown', key: '1', device: 'key' },
      { kind: 'keyUp', key: 'w', device: 'key' },
      { kind: 'keyUp', key: 'e', device: 'key' },
      { kind: 'keyUp', key: '1', device: 'key' },
    ]);
    visit.key('Enter', 'Enter');
    expect(page.activeElement).toBe(visit.root.one('#chat'));
    visit.key('?', 'Slash');
    expect(visit.root.one('.keys').open).toBe(true);
    expect(linesOf(visit.root.one('.keys').one('table').childNodes)).toMatchInlineSnapshot(`
      "<tr><th scope="row"><button type="button" title="Choose another key">W</button> <button type="button" title="Choose another key">A</button> <button type="button" title="Choose another key">S</button> <button type="button" title="Choose another key">D</button> <button type="button" title="Choose another key">↑</button> <button type="button" title="Choose another key">←</button> <button type="button" title="Choose another key">↓</button> <button type="button" title="Choose another key">→</button> <button type="button" title="Choose another key">1</button> <button type="button" title="Choose another key">2</button> </th><td>control your unit</td></tr>
      <tr><th scope="row"><button type="button" title="Choose another key">E</button> </th><td>Dig a hole</td></tr>
      <tr><th scope="row"><kbd>0</kbd> </th><td>show the whole map, or follow again</td></tr>
      <tr><th scope="row"><kbd>+</kbd> <kbd>=</kbd> </th><td>zoom in</td></tr>
      <tr><th scope="row"><kbd>-</kbd> </th><td>zoom out</td></tr>
      <tr><th scope="row"><kbd>Enter</kbd> <kbd>/</kbd> </th><td>write a chat message</td></tr>
      <tr><th scope="row"><kbd>?</kbd> </th><td>show keyboard shortcuts</td></tr>"
    `);
    expect(visit.key('w', 'KeyW')).toBe(false);
  });

  test('its slots select, and swap with the backpack', () => {
    const visit = new Visit();
    const slots = () => visit.root.one('.slots').children;
    slots()[1]!.click();
    slots()[2]!.click();
    expect(visit.client.sent).toEqual([
      { kind: 'keyDown', key: '2', device: 'key' },
      { kind: 'keyUp', key: '2', device: 'key' },
      { kind: 'swapItems', from: 2, to: 0 },
    ]);
    slots()[1]!.focus();
    Object.assign(visit.client.knight, { currentSlot: 1, items: [] });
    visit.frame(200);
    expect(linesOf(slots())).toMatchInlineSnapshot(`
      "<button class="empty" type="button" aria-pressed="false"><span class="unseen">Slot </span><small>1</small> –</button>
      <button class="empty" type="button" aria-pressed="true"><span class="unseen">Slot </span><small>2</small> –</button>
      <button class="empty" type="button" aria-pressed="false"><span class="unseen">Backpack </span><small>▣</small> –</button>"
    `);
    expect(page.activeElement).toBe(slots()[1]);
  });

  test('the left stick walks and turns the unit, and buttons are named after what they do', () => {
    const visit = new Visit();
    const [walk] = visit.root.all('.pad') as [FakeElement, FakeElement];
    [walk.clientWidth, walk.clientHeight] = [100, 100];
    walk.fire('pointermove', { clientX: 90, clientY: 50 });
    walk.fire('pointerdown', { clientX: 90, clientY: 50 });
    visit.frame(60);
    walk.fire('pointermove', { clientX: 0, clientY: 100 });
    expect(walk.one('i').style.cssText).toBe('transform: translate(-49%, 49%)');
    visit.frame(60);
    walk.fire('pointerup');
    visit.frame(60);
    const keys = visit.root.one('.pad-keys').children;
    expect(keys.map(htmlOf)).toEqual(['<button type="button">Dig a hole</button>']);
    keys[0]!.fire('pointerdown');
    keys[0]!.fire('pointerup');
    expect(visit.client.sent.map((input: unknown) => Object.values(input as object).join(' '))).toEqual([
      'keyDown d key',
      'mouse 260 60.6',
      'keyDown a key',
      'keyUp d key',
      'keyDown s key',
      expect.stringMatching(/^mouse -41\.4\d+ 202\.0\d+$/),
      'keyUp a key',
      'keyUp s key',
      'keyDown e key',
      'keyUp e key',
    ]);
  });

  test('the player chooses a key for an action in the help, which tells it from then on', () => {
    const visit = new Visit();
    visit.key('?', 'Slash');
    const help = visit.root.one('.keys');
    const row = () => help.all('tr').find((each) => each.textContent.endsWith('Dig a hole'))!;
    expect(row().textContent).toBe('E Dig a hole');
    row().one('button').fire('click');
    expect(row().textContent).toBe('press a key Dig a hole');
    (help as unknown as { onkeydown(event: object): void }).onkeydown({ code: 'KeyQ', preventDefault: () => {} });
    expect(row().textContent).toBe('Q Dig a hole');
    help.close();
    visit.key('q', 'KeyQ');
    expect(visit.client.sent).toMatchObject([{ kind: 'keyDown', key: 'e' }]);
  });

  test('the right stick aims, and fires while it is held; the left one then only walks', () => {
    const visit = new Visit();
    const [walk, aim] = visit.root.all('.pad') as [FakeElement, FakeElement];
    for (const stick of [walk, aim]) [stick.clientWidth, stick.clientHeight] = [100, 100];
    walk.fire('pointerdown', { clientX: 50, clientY: 0 });
    aim.fire('pointerdown', { clientX: 0, clientY: 50 });
    visit.frame(60);
    visit.frame(60);
    aim.fire('pointerup');
    walk.fire('pointerup');
    expect(visit.client.sent.map((input: unknown) => Object.values(input as object).join(' '))).toEqual([
      'keyDown w key',
      'mouse -100 60.6',
      'keyDown button1 mouse',
      'keyUp button1 mouse',
      'keyUp w key',
    ]);
  });

  test.each(['blur', 'resize', 'visibilitychange'])(
    'at %s, everything is let go until it is pressed again',
    (event) => {
      const visit = new Visit();
      const [walk, aim] = visit.root.all('.pad') as [FakeElement, FakeElement];
      for (const stick of [walk, aim]) [stick.clientWidth, stick.clientHeight] = [100, 100];
      const sent = () => {
        visit.frame(60);
        const inputs = visit.client.sent.splice(0) as readonly { readonly kind: string; readonly key?: string }[];
        return inputs.filter(({ key }) => key !== undefined).map(({ kind, key }) => `${kind} ${key}`);
      };
      visit.key('w', 'KeyW');
      walk.fire('pointerdown', { clientX: 90, clientY: 50 });
      aim.fire('pointerdown', { clientX: 0, clientY: 50 });
      visit.root.one('.pad-keys').children[0]!.fire('pointerdown');
      expect(sent()).toEqual(['keyDown w', 'keyDown d', 'keyUp w', 'keyDown e', 'keyDown button1']);
      page.fire(event);
      walk.fire('pointermove', { clientX: 0, clientY: 50 });
      aim.fire('pointermove', { clientX: 90, clientY: 50 });
      expect(sent()).toEqual(['keyUp d', 'keyUp e', 'keyUp button1']);
      expect(walk.one('i').style.cssText).toBe('transform: translate(0%, 0%)');
      walk.fire('pointerdown', { clientX: 90, clientY: 50 });
      expect(sent()).toEqual(['keyDown d']);
    },
  );

  test('a gamepad does nothing while another window has the focus', () => {
    const gamepad = { mapping: 'standard', axes: [1, 0, 0, 0], buttons: [] };
    vi.stubGlobal('navigator', { userActivation: {}, getGamepads: () => [gamepad] });
    const visit = new Visit();
    const keys = () => {
      visit.frame(60);
      const inputs = visit.client.sent.splice(0) as readonly { readonly kind: string; readonly key?: string }[];
      return inputs.filter(({ key }) => key !== undefined).map(({ kind, key }) => `${kind} ${key}`);
    };
    expect(keys()).toEqual(['keyDown d']);
    page.isFocused = false;
    page.fire('blur');
    expect(keys()).toEqual(['keyUp d']);
    expect(keys()).toEqual([]);
    page.isFocused = true;
    expect(keys()).toEqual(['keyDown d']);
  });

  test('without a unit, the player is told so, and there are no sticks', () => {
    const visit = new Visit();
    const told = () => [visit.root.one('.hint').textContent, visit.root.one('.pad-area').hidden];
    expect(told()).toEqual(['', false]);
    Object.assign(visit.client.ann, { selectedUnit: undefined });
    visit.frame(200);
    const later = 'You play as soon as the game gives you a unit.';
    expect(told()).toEqual([`Your Knight is gone. You can watch. ${later}`, true]);
    // The event of the hit comes after the frame in which the unit is gone.
    visit.event({ kind: 'effect', effect: 'attacked', entityId: 'u1', attackerId: 'u2' });
    visit.frame(200);
    expect(told()).toEqual([`Your Knight is gone: Wolf hit it last. You can watch. ${later}`, true]);
  });

  test('a key is named after its script or built-in ability, and one that starts nothing has no action', () => {
    const binding = (keyDown: object) => ({ keyDown: { cost: {}, ...keyDown } });
    const { definition: bare } = load({
      scripts: { shop: { name: 'b - open shop' }, plain: {} },
      unitTypes: {
        elf: unitType({
          abilities: { g: { keyDown: 'drop' }, e: { keyDown: 'pickUp' } },
          controls: {
            abilities: {
              b: binding({ scriptName: 'shop' }),
              h: binding({ scriptName: 'removed' }),
              k: binding({ scriptName: 'plain' }),
            },
          },
        }),
      },
    });
    const names = actionsOf(bare, 'elf', [...'bhkge']).map(({ key, name }) => `${key}: ${name}`);
    expect(names).toEqual(['b: Open shop', 'k: K', 'g: Drop', 'e: Pick up']);
  });

  test('who joins before there is a unit sees the keys of the others, and why nothing can be steered', () => {
    const visit = new Visit({
      prepare: ({ ann, bob, knight }) => {
        Object.assign(ann, { selectedUnit: undefined });
        Object.assign(knight, { owner: bob });
      },
    });
    const why = 'You have no unit yet, so there is nothing to steer. You play as soon as the game gives you a unit.';
    expect(visit.root.one('.hint').textContent).toBe(why);
    expect(visit.root.one('.intro').all('p')[0]!.textContent).toBe(`You are Ann. ${why}`);
    expect(visit.root.one('.intro').one('table').textContent).toContain('W A S D or arrowsmove');
  });

  test('an item that its unit cannot use says what is missing', () => {
    const visit = new Visit();
    Object.assign(visit.client.apple, { quantity: 0 });
    visit.frame(200);
    expect(visit.root.one('.hint').textContent).toBe('Apple is empty.');
    Object.assign(visit.client.apple, { quantity: 1 });
    visit.frame(200);
    expect(visit.root.one('.hint').textContent).toBe('');
    Object.assign(visit.client.apple, { type: { key: 'spell' } });
    visit.frame(200);
    expect(visit.root.one('.hint').textContent).toBe('');
    Object.assign(visit.client.knight.attributes.get('health')!, { value: 4 });
    visit.frame(200);
    expect(visit.root.one('.hint').textContent).toBe('Spell needs 5 Health.');
  });

  test('who was away for too long joins the room anew with one press', () => {
    const visit = new Visit();
    visit.client.emit('end', { code: 'resume-unknown' });
    expect(visit.root.one('.banner').textContent).toBe(
      'You were disconnected for too long. Join again to play. Play again Back to the rooms',
    );
    visit.root.one('#again').click();
    expect([visit.rejoined, visit.returned, visit.root.childNodes.length]).toEqual([1, 0, 0]);
  });

  test('a stick that is held sends no more positions than a mouse, however many pictures there are', () => {
    vi.useFakeTimers();
    const visit = new Visit();
    const [, aim] = visit.root.all('.pad') as [FakeElement, FakeElement];
    [aim.clientWidth, aim.clientHeight] = [100, 100];
    aim.fire('pointerdown', { clientX: 0, clientY: 50 });
    for (let i = 0; i < 30; i++) visit.frame(1);
    const kinds = visit.client.sent.map((input: unknown) => (input as { kind: string }).kind);
    expect(kinds).toEqual(['mouse', 'keyDown']);
  });

  test('a gamepad walks, aims and fires with its sticks, and acts with its buttons', () => {
    const gamepad = { mapping: 'standard', axes: [0, 0, 0, 0], buttons: [{ pressed: false }, { pressed: false }] };
    vi.stubGlobal('navigator', { userActivation: {}, getGamepads: () => [null, { mapping: '' }, gamepad] });
    const visit = new Visit();
    const sent = () => {
      visit.frame(60);
      return visit.client.sent.splice(0).map((input: unknown) => {
        const { kind, key, x = 0, y = 0 } = input as { kind: string; key?: string; x?: number; y?: number };
        return kind === 'mouse' ? [kind, Math.round(x), Math.round(y)] : [kind, key];
      });
    };
    expect(sent()).toEqual([]);
    visit.key('w', 'KeyW');
    expect(sent()).toEqual([['keyDown', 'w']]);
    visit.key('w', 'KeyW', 'keyup');
    gamepad.axes = [1, 0.1, 0, 0];
    expect(sent()).toEqual([
      ['keyUp', 'w'],
      ['keyDown', 'd'],
      ['mouse', 300, 81],
    ]);
    gamepad.axes = [0, 0.1, 0, -1];
    expect(sent()).toEqual([
      ['keyUp', 'd'],
      ['mouse', 100, -139],
      ['keyDown', 'button1'],
    ]);
    gamepad.axes = [0, 0, 0, 0];
    gamepad.buttons[0]!.pressed = true;
    expect(sent()).toEqual([
      ['keyUp', 'button1'],
      ['keyDown', 'e'],
    ]);
    gamepad.buttons[0]!.pressed = false;
    expect(sent()).toEqual([['keyUp', 'e']]);
  });

  test('a finger on the map of a unit that walks points, and spends no round; a mouse button shoots', () => {
    const visit = new Visit();
    const press = (pointerType: string, offsetX: number) => {
      const at = { pointerId: 1, offsetX, offsetY: 192, button: 0, pointerType };
      visit.canvas.fire('pointerdown', at);
      visit.canvas.fire('pointerup', at);
      visit.frame(60);
      return visit.client.sent.splice(0).map((input: unknown) => (input as { kind: string }).kind);
    };
    expect(press('touch', 256)).toEqual(['mouse']);
    expect(press('mouse', 300)).toEqual(['mouse', 'keyDown', 'keyUp']);
  });

  test('help on a touch screen is about its sticks, not about keys', () => {
    vi.stubGlobal('matchMedia', () => ({ addEventListener: () => {}, matches: true }));
    const visit = new Visit();
    const help = visit.root.all('button').find((each) => each.getAttribute('aria-label') === 'How to play')!;
    help.click();
    expect(visit.root.one('.intro').open).toBe(true);
    expect(visit.root.one('.keys').open).not.toBe(true);
    const card = linesOf(visit.root.one('.intro').one('table').childNodes);
    expect(card).toContain('<kbd>Left stick</kbd>');
    expect(card).toContain('<kbd>Buttons</kbd></th><td>Dig a hole</td>');
  });

  test('shows the game alone, and all of the room on request', () => {
    const visit = new Visit();
    const { dataset } = page.documentElement;
    expect(dataset['mode']).toBe('play');
    expect(visit.texts().join()).not.toContain('hill');
    visit.root.one('#details').click();
    expect(dataset['mode']).toBe('inspect');
    expect(visit.texts().join()).toContain('hill');
    visit.root.one('#details').click();
    expect(dataset['mode']).toBe('play');
  });

  test('messages for this player alone stand out in the chat', () => {
    const visit = new Visit();
    visit.event({ kind: 'chat', op: 'system', text: 'Bob has left.' });
    visit.event({ kind: 'chat', op: 'system', text: 'You need a key.', playerId: 'p1' });
    Object.assign(visit.client.ann, { chat: 'muted' });
    visit.frame(1000);
    const told = visit.root.all('.told').map(({ textContent }) => textContent);
    expect(told).toEqual(['You need a key.', 'You have been muted and cannot chat.']);
  });

  test('a button that is pressed with the mouse leaves the focus on the map, and fields get it', () => {
    const visit = new Visit();
    expect(visit.root.one('#details').fire('mousedown')).toBe(true);
    expect(visit.root.one('#chat').fire('mousedown')).toBe(false);
  });

  test('who is removed reads why, even while the first card is open', () => {
    const visit = new Visit();
    const card = visit.root.one('.intro');
    card.showModal();
    visit.client.emit('end', { code: 'kicked' });
    expect([card.open, visit.root.one('.banner').hidden]).toEqual([false, false]);
  });

  test('chat: messages, results and limits', () => {
    const visit = new Visit({ events: [{ kind: 'chat', op: 'system', text: 'before' }] });
    visit.event({ kind: 'chat', op: 'player', fromPlayerId: 'p2', text: 'hello' });
    visit.event({ kind: 'chat', op: 'player', fromPlayerId: 'p9', text: 'who' });
    visit.event({ kind: 'chat', op: 'mute', playerId: 'p2', text: 'no' });
    visit.event({ kind: 'chat', op: 'system', text: 5 });
    const input = visit.root.one('#chat');
    const say = (text: string) => {
      input.value = text;
      visit.root.one('.chat').one('form').fire('submit');
      return visit.client.sent.length;
    };
    const [first, second, third] = [say('  hi '), say('bad'), say('worse')];
    expect(say('   ')).toBe(3);
    expect([input.value, page.activeElement]).toEqual(['', visit.canvas]);
    expect(visit.client.sent[0]).toEqual({ kind: 'chat', text: 'hi' });
    visit.client.emit('result', { sequence: first, tick: 5 });
    visit.client.emit('result', { sequence: 99, refused: 'too-many' });
    visit.client.emit('result', { sequence: second, refused: 'too-many' });
    visit.client.emit('result', { sequence: third, refused: 'no-such-player' });
    visit.client.emit('result', { sequence: third, refused: 'no-such-player' });
    expect(visit.chat).toMatchInlineSnapshot(`
      "<p class="soft">before</p>
      <p><b>Bob</b> hello</p>
      <p><b>p9</b> who</p>
      <p class="soft told">Not sent: “bad”. You have sent too many messages in a short time.</p>
      <p class="soft told">Not sent: “worse”. The server refused the message (no-such-player).</p>"
    `);
    expect(input.value).toBe('bad');
    Object.assign(visit.client.ann, { chat: 'muted' });
    visit.frame(200);
    expect(htmlOf(visit.root.one('#chat-closed'))).toContain('You have been muted and cannot chat.');
    expect(visit.root.one('.chat').one('form').hidden).toBe(true);
    for (let i = 0; i < 100; i++) visit.event({ kind: 'chat', op: 'system', text: `line ${i}` });
    expect(visit.root.one('.chat-log').children[0]!.children.map(({ textContent }) => textContent)).toEqual(
      Array.from({ length: 80 }, (_, i) => `line ${i + 20}`),
    );
  });

  test('tiles and floating texts change what is drawn; a new connection resets the map', () => {
    const visit = new Visit();
    const first = visit.walls;
    expect(first).toBe('fill(path[0,0,64,64 64,64,64,64])');
    visit.event({ kind: 'map.tiles', layer: 0, x: 2, y: -1, width: 5, height: 2, gid: 3 });
    expect(visit.walls).toBe('fill(path[0,0,64,64 128,0,128,64 64,64,64,64])');
    visit.event({ kind: 'map.tiles', layer: 0, x: -1, y: 0, width: 2, height: 9, gid: 0 });
    visit.event({ kind: 'map.tiles', layer: 1, x: 0, y: 0, width: 4, height: 3, gid: 1 });
    expect(visit.walls).toBe('fill(path[128,0,128,64 64,64,64,64])');
    visit.client.emit('welcome', {});
    expect(visit.walls).toBe(first);
    const layers = [
      { name: 'floor', type: 'tilelayer', data: [1, 1] },
      { name: 'walls', type: 'tilelayer', data: [0, 2] },
    ];
    visit.event({ kind: 'map.replace', map: { width: 2, height: 1, layers } });
    expect(visit.walls).toBe('fill(path[64,0,64,64])');
    visit.event({ kind: 'map.tiles', layer: 1, x: 0, y: 0, width: 1, height: 1, gid: 1 });
    expect(visit.walls).toBe('fill(path[0,0,128,64])');
  });

  test('floating texts rise from their place or unit, for their time', () => {
    const visit = new Visit();
    visit.event({ kind: 'ui.floatingText', text: '+5', color: 'gold', position: { x: 10, y: 10 } });
    visit.event({ kind: 'ui.floatingText', text: 'ouch', color: 'no colour!', unitId: 'u2', durationMs: 500 });
    visit.event({ kind: 'ui.floatingText', text: 'gone', unitId: 'u9', durationMs: 99_000 });
    const floating = () => visit.texts().filter((call) => /\+5|ouch|gone/.test(call));
    const shown = [floating()];
    for (const afterMs of [300, 198, 895, 20]) {
      visit.frame(afterMs);
      shown.push(floating());
    }
    expect(shown).toMatchInlineSnapshot(`
      [
        [
          "fillText(+5, 148.837, 117.729)",
          "fillText(ouch, 172.651, 284.388)",
        ],
        [
          "fillText(+5, 148.837, 111.279)",
          "fillText(ouch, 172.651, 266.328)",
        ],
        [
          "fillText(+5, 148.837, 107.015)",
        ],
        [
          "fillText(+5, 148.837, 87.815)",
        ],
        [],
      ]
    `);
  });

  test('players are told why the room is slow, and that it keeps up again', () => {
    const visit = new Visit();
    for (const reason of ['long-ticks', 'busy-machine', '']) visit.client.emit('pace', { speed: 0.3, reason });
    expect(visit.root.one('.chat-log').children[0]!.children.map(({ textContent }) => textContent)).toEqual([
      'The game is slow: the server cannot compute it fast enough.',
      'The game is slow: the server is busy.',
      'The game runs at full speed again.',
    ]);
  });

  test('a lost connection, its return, and its end', () => {
    const visit = new Visit();
    const banner = () => htmlOf(visit.root.one('.banner'));
    const state = () => page.documentElement.dataset['state'];
    visit.client.emit('lost', { code: undefined });
    expect([banner(), state()]).toEqual([
      '<div class="banner" role="status">Connection lost. Reconnecting …</div>',
      'lost',
    ]);
    visit.client.emit('welcome', {});
    expect([visit.root.one('.banner').hidden, state()]).toEqual([true, 'playing']);
    visit.client.emit('end', { code: 'kicked' });
    expect([banner(), state()]).toEqual([
      '<div class="banner" role="status">You were removed from the game. <button id="again" class="main" type="button">Play again</button> <button type="button">Back to the rooms</button></div>',
      'ended',
    ]);
    visit.root.one('.banner').all('button')[1]!.click();
    expect([visit.client.isLeft, visit.returned, visit.root.childNodes.length]).toEqual([true, 1, 0]);
    visit.client.emit('end', { code: 'left' });
    visit.frame(100);
    expect(frames).toEqual([]);
  });

  test('texts of the game lie over the map, and stay the same elements while they do not change', () => {
    const visit = new Visit();
    const { shownTexts } = visit.client;
    const shown = (texts: Record<string, string>) => {
      shownTexts.clear();
      for (const [area, html] of Object.entries(texts)) shownTexts.set(area, html);
      visit.frame(200);
      return visit.root.one('.areas').children;
    };
    const [top] = shown({ top: 'Hello', empty: '' });
    expect(htmlOf(top)).toBe('<div class="game-html area" data-area="top">Hello</div>');
    const both = shown({ bottom: 'Bye', top: 'Hello' });
    expect(both.map(({ textContent }) => textContent)).toEqual(['Bye', 'Hello']);
    expect(both[1]).toBe(top);
    expect(shown({ top: 'Changed' }).map(({ textContent }) => textContent)).toEqual(['Changed']);
    expect(shown({})).toEqual([]);
    const button = new FakeElement('button');
    button.setAttribute('data-own', 'spawn');
    visit.root.one('.areas').append(button);
    button.click();
    visit.root.one('.areas').fire('click');
    expect(visit.client.sent).toEqual([{ kind: 'htmlClick', element: { id: 'spawn' } }]);
  });
});

describe('windows of a game', () => {
  test('a shop: its offers with prices, a purchase, its answer', () => {
    const visit = new Visit();
    visit.key('w', 'KeyW');
    const refusals = { buyItem: { apple: 'not_affordable', lamp: 'not_purchasable' }, buyUnit: {} };
    visit.event({ kind: 'ui.shop', op: 'open', shopId: 'market', refusals });
    // An open window takes the keys, and releases those that are down.
    visit.key('a', 'KeyA');
    expect(visit.client.sent.splice(0)).toHaveLength(2);
    expect(htmlOf(visit.window)).toMatchInlineSnapshot(
      `"<dialog class="window" aria-labelledby="window-title" open><header><h2 id="window-title"><span class="game-html">Market</span></h2><button class="close" type="button" aria-label="Close">✕</button></header><div><p class="soft"><span class="game-html">Buy here</span></p><p>You have 5 Gold.</p><ul class="offers"><li><span>Apple</span><span class="bad">3 Gold, 1 Lamp</span><button type="button" aria-disabled="true" aria-label="Buy Apple">Buy</button><small><div class="game-html">Red.<br>Damage: 2 Health<br>When used: 15 Health<br>While carried: 5 % attribute</div></small></li><li><span>Wolf</span><span>free</span><button type="button" aria-label="Buy Wolf">Buy</button><small><div class="game-html"></div></small></li></ul></div><output class="soft" aria-live="polite"></output></dialog>"`,
    );
    const [apple, wolf] = visit.window.one('.offers').all('button');
    // The game may judge otherwise by now, so a refused offer can still be asked for.
    apple!.click();
    wolf!.click();
    expect(visit.client.sent.splice(0)).toEqual([
      { kind: 'buyItem', type: 'apple' },
      { kind: 'buyUnit', type: 'wolf' },
    ]);
    Object.assign(visit.client.ann.attributes.get('gold')!, { value: 2 });
    visit.event({ kind: 'ui.shop', op: 'response', result: 'purchase', shopId: 'market', refusals: { buyItem: {} } });
    expect(visit.window.textContent).toContain('You have 2 Gold, 0 coins.');
    expect(visit.window.one('.offers').textContent).toBe(
      'Apple3 Gold, 1 LampBuyRed.<br>Damage: 2 Health<br>When used: 15 Health<br>While carried: 5 % attributeLamp2 coinsBuyWolffreeBuy',
    );
    const answer = (result: string) => {
      visit.event({ kind: 'ui.shop', op: 'response', result });
      return visit.window.one('output').textContent;
    };
    expect(['purchase', 'not_affordable', 'odd'].map(answer)).toEqual(['Bought.', 'You cannot afford this.', 'odd']);
    visit.event({ kind: 'ui.shop', op: 'purchase', shopId: 'market', itemTypeId: 'apple' });
    expect(visit.window.one('.offers').textContent).toMatch(/^Apple3 Gold, 1 LampBuyRed/);
    visit.event({ kind: 'ui.dialogue', op: 'close' });
    expect(visit.window.open).toBe(true);
    visit.event({ kind: 'ui.shop', op: 'close' });
    expect(visit.window.open).toBe(false);
    visit.event({ kind: 'ui.shop', op: 'open', shopId: 'nowhere' });
    expect(visit.window.open).toBe(false);
    visit.event({ kind: 'ui.shop', op: 'open', shopId: 'stall' });
    expect(visit.window.one('h2').textContent).toBe('Shop');
    visit.window.one('.close').click();
    expect(visit.window.open).toBe(false);
  });

  test('a shop hides offers for which the player lacks the price or a requirement, if it says so', () => {
    const visit = new Visit();
    const open = (item: string) => {
      visit.event({ kind: 'ui.shop', op: 'open', shopId: 'hut', refusals: { buyItem: { apple: item, lamp: item } } });
      return visit.window.textContent;
    };
    expect(open('not_affordable')).not.toMatch(/Apple|Nothing/);
    expect(open('not_affordable')).toContain('Lamp');
    expect(open('requirement_not_met')).not.toContain('Lamp');
    expect(open('inventory_full')).toMatch(/Apple.*Lamp/);
    visit.event({ kind: 'ui.shop', op: 'open', shopId: 'stall' });
    expect(visit.window.textContent).toContain('Nothing is for sale to you now.');
  });

  test('a dialogue: what is said, and its options by name', () => {
    const visit = new Visit();
    const options = [{ id: 'o1', name: 'Yes, gladly' }, { id: 'o2' }];
    visit.event({ kind: 'ui.dialogue', op: 'open', dialogueId: 'd1', title: 'A question', message: 'Well?', options });
    expect(htmlOf(visit.window)).toMatchInlineSnapshot(
      `"<dialog class="window" aria-labelledby="window-title" open><header><h2 id="window-title"><span class="game-html">A question</span></h2></header><div class="said"><div class="game-html">Well?</div></div><div class="options"><button type="button"><span class="game-html">Yes, gladly</span></button><button type="button"><span class="game-html">o2</span></button></div><output class="soft" aria-live="polite"></output></dialog>"`,
    );
    const cancel = () => {
      let isPrevented = false;
      (visit.window as unknown as { oncancel(event: object): void }).oncancel({
        preventDefault: () => (isPrevented = true),
      });
      return isPrevented;
    };
    expect(cancel()).toBe(true);
    visit.window.one('.options').children[1]!.click();
    expect([visit.client.sent, visit.window.open]).toEqual([
      [{ kind: 'dialogueOption', dialogue: 'd1', option: 'o2' }],
      false,
    ]);
    visit.event({ kind: 'ui.dialogue', op: 'open', dialogueId: 'd2', message: 'Just so.' });
    expect([visit.window.all('.close').length, cancel()]).toEqual([1, false]);
    visit.event({ kind: 'ui.shop', op: 'close' });
    expect(visit.window.open).toBe(true);
    visit.event({ kind: 'ui.dialogue', op: 'close' });
    expect(visit.window.open).toBe(false);
  });

  test('questions, texts and pages of others', () => {
    const visit = new Visit();
    visit.event({ kind: 'ui.modal', modal: 'input', label: 'Your name?', dismissible: false });
    const input = visit.window.one('input');
    expect(htmlOf(visit.window)).toMatchInlineSnapshot(
      `"<dialog class="window" aria-labelledby="window-title" open><header><h2 id="window-title"><span class="game-html">Your name?</span></h2></header><form class="options"><input type="text" maxlength="2000" autocomplete="off" aria-labelledby="window-title"></input><button class="main" type="submit">OK</button></form><output class="soft" aria-live="polite"></output></dialog>"`,
    );
    expect(page.activeElement).toBe(input);
    input.value = 'Ada';
    visit.window.one('form').fire('submit');
    expect([visit.client.sent.splice(0), visit.window.open]).toEqual([[{ kind: 'customInput', text: 'Ada' }], false]);
    visit.event({ kind: 'ui.modal', modal: 'input', label: 'Again?' });
    expect(visit.window.all('.close')).toHaveLength(1);
    visit.window.one('form').all('button')[1]!.click();
    expect([visit.client.sent, visit.window.open]).toEqual([[], false]);
    visit.event({ kind: 'ui.modal', modal: 'text', title: 'News', content: 'All is well.' });
    expect(htmlOf(visit.window)).toMatchInlineSnapshot(
      `"<dialog class="window" aria-labelledby="window-title" open><header><h2 id="window-title"><span class="game-html">News</span></h2><button class="close" type="button" aria-label="Close">✕</button></header><div class="said"><div class="game-html">All is well.</div></div><output class="soft" aria-live="polite"></output></dialog>"`,
    );
    visit.window.one('.said').setAttribute('data-own', 'news');
    visit.window.one('.said').click();
    expect(visit.client.sent.splice(0)).toEqual([{ kind: 'htmlClick', element: { id: 'news' } }]);
    visit.event({ kind: 'ui.modal', modal: 'website', url: 'https://games.example/' });
    expect(htmlOf(visit.window.one('a'))).toMatchInlineSnapshot(
      `"<a href="https://games.example/" target="_blank" rel="noopener noreferrer nofollow">https://games.example/</a>"`,
    );
    visit.event({ kind: 'ui.modal', modal: 'website', url: 'javascript:alert(1)' });
    expect(htmlOf(visit.window)).toContain('games.example');
  });
});

describe('the page of a spectator', () => {
  test('has no controls, and sends nothing', () => {
    const visit = new Visit({ isWatching: true });
    expect(page.documentElement.dataset['state']).toBe('watching');
    expect(linesOf(visit.root.childNodes)).toMatchSnapshot();
    visit.key('n', 'KeyN');
    expect(visit.root.one('#panel').one('h2').textContent).toBe('Ann u1');
    visit.key('w', 'KeyW');
    visit.event({ kind: 'ui.shop', op: 'open', shopId: 'market' });
    visit.window.one('.offers').all('button')[0]!.click();
    expect(visit.client.sent).toEqual([]);
    expect(visit.texts().filter((call) => call.includes('Ann'))).toHaveLength(1);
  });

  test('leads the operator inside', () => {
    expect(new Visit({ isWatching: true }).root.all('#insight')).toEqual([]);
    keepOperatorToken('secret');
    expect(htmlOf(new Visit({ isWatching: true }).root.one('#insight'))).toBe(
      '<a id="insight" href="/insight?room=hill-1">History</a>',
    );
  });
});

describe('keys and mouse', () => {
  test('sticks are those that the game places on phones, or both if it places none', () => {
    const pad = new Pad(new PlayerControls(() => {}));
    const at = { x: 35, y: 204 };
    const sticks = (walk?: typeof at, aim?: typeof at) => {
      pad.show([], { movementWheel: walk, lookWheel: aim });
      return [...pad.root.querySelectorAll('.pad')].map((each) => (each as unknown as FakeElement).hidden).join();
    };
    expect([sticks(), sticks(at, at), sticks(at), sticks(undefined, at)]).toEqual([
      'false,false',
      'false,false',
      'false,true',
      'true,false',
    ]);
    expect(pad.hasAim).toBe(true);
  });

  test('keys are named by their place on the keyboard', () => {
    const codes = ['KeyQ', 'Digit7', 'Numpad3', 'Space', 'NumpadEnter', 'ArrowUp', 'ShiftRight', 'Backquote', 'F5'];
    expect(codes.map((code) => gameKey({ code }))).toEqual([
      'q',
      '7',
      '3',
      'space',
      'enter',
      'up',
      'shift',
      '`',
      undefined,
    ]);
  });

  test('a player chooses other keys, which change places', () => {
    chooseKey({ code: 'KeyQ' }, 'e');
    expect(gameKey({ code: 'KeyQ' })).toBe('e');
    expect(gameKey({ code: 'KeyE' })).toBe('q');
    expect(pressedFor('e')).toBe('q');
    chooseKey({ code: 'Space' }, 'q');
    expect(['KeyQ', 'KeyE', 'Space'].map((code) => gameKey({ code }))).toEqual(['e', 'space', 'q']);
    chooseKey({ code: 'KeyE' }, 'e');
    chooseKey({ code: 'F5' }, 'e');
    expect(['KeyQ', 'KeyE', 'Space'].map((code) => gameKey({ code }))).toEqual(['space', 'e', 'q']);
    expect([...'eq', 'space'].map(pressedFor)).toEqual(['e', 'space', 'q']);
  });

  test('a mouse at rest points at what moves under it, and nothing is sent while nothing moves', () => {
    const sent: unknown[] = [];
    const hand = new PlayerControls((input) => sent.push(input));
    let x = 1;
    hand.viewMoved();
    hand.point(() => [x, 1]);
    nowMs += 50;
    hand.viewMoved();
    x = 1.5;
    hand.viewMoved();
    expect(sent.splice(0)).toEqual([{ kind: 'mouse', x: 1, y: 1 }]);
    x = 3;
    hand.viewMoved();
    expect(sent.splice(0)).toEqual([{ kind: 'mouse', x: 3, y: 1 }]);
    hand.close();
  });

  test('the mouse is sent at most every 50 ms, its newest place, and before a button', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sent: unknown[] = [];
    const hand = new PlayerControls((input) => sent.push(input));
    hand.point(() => [1, 1]);
    hand.point(() => [2, 2]);
    hand.point(() => [3, 3]);
    expect(sent).toEqual([{ kind: 'mouse', x: 1, y: 1 }]);
    nowMs += 49;
    vi.advanceTimersByTime(49);
    expect(sent).toHaveLength(1);
    nowMs += 1;
    vi.advanceTimersByTime(1);
    expect(sent.splice(0)).toEqual([
      { kind: 'mouse', x: 1, y: 1 },
      { kind: 'mouse', x: 3, y: 3 },
    ]);
    hand.point(() => [4, 4]);
    hand.press(1);
    hand.press(1);
    expect(sent.splice(0)).toEqual([
      { kind: 'mouse', x: 4, y: 4 },
      { kind: 'keyDown', key: 'button1', device: 'mouse' },
    ]);
    vi.advanceTimersByTime(1000);
    hand.point(() => [5, 5]);
    hand.close();
    vi.advanceTimersByTime(1000);
    hand.release(1);
    expect(sent).toEqual([]);
  });
});

describe('the list of games', () => {
  const room = { slug: 'hill', title: 'The hill', tick: 2500, rate: 20, watchers: 0, speed: 1 };
  const rooms = [
    { ...room, id: 'hill-1', players: 1, isOpen: true },
    { ...room, id: 'hill-2', players: 8, watchers: 2, isOpen: false, speed: 0.504, slowReason: 'full-thread' },
  ];

  const hill = {
    slug: 'hill',
    title: 'The hill',
    cover: 'https://example.org/hill.png',
    instructions: '<p>Hold <b>it</b>.</p>',
  };
  const dale = { slug: 'dale', title: 'The dale', cover: 'data:image/png;base64,AA==' };

  async function opened(answer: (path: string) => object, why?: string, hasAccount = false) {
    const DOMParser = class {
      parseFromString(html: string) {
        return { body: { textContent: html.replace(/<[^>]*>/g, '') } };
      }
    };
    vi.stubGlobal('DOMParser', DOMParser);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (path: string) => {
      asked.push(path);
      return answer(path);
    });
    const root = new FakeElement('div');
    page.body.append(root);
    const entered: unknown[] = [];
    const lobby = new Lobby(root as never, {
      hasAccount,
      join: (id, name) => entered.push(['join', id, name]),
      watch: (id) => entered.push(['watch', id]),
    });
    lobby.open(why);
    await vi.advanceTimersByTimeAsync(0);
    return { root, lobby, entered, asked };
  }

  const listed = (list: readonly object[], definitions: readonly object[] = [dale, hill]) => ({
    ok: true,
    json: async () => ({ rooms: list, definitions }),
  });

  test('shows each game with its rooms, where most people are first, and enters once', async () => {
    const { root, entered } = await opened(() => listed(rooms), 'The game is over.');
    expect(page.title).toBe('Games · Reenact');
    expect(linesOf(root.childNodes)).toMatchInlineSnapshot(
      `"<main class="lobby"><h1>Games</h1><p class="soft">Choose a game, or go where most people play.</p><form class="who"><input id="name" type="text" maxlength="32" placeholder="Your name" autocomplete="nickname" aria-label="Your name"></input><button class="main" type="submit">Play The hill</button></form><output class="bad" role="alert">The game is over.</output><output id="fault" class="bad" role="alert"></output><ul class="rooms cards" aria-label="Games"><li><img class="cover" src="/rooms/hill-2/picture" alt></img><h2>The hill</h2><p class="soft">Hold it.</p><p class="acts"><button id="play-hill" class="main" type="button" aria-label="Play The hill">Play</button><b>9 players</b></p><ul aria-label="Rooms of The hill"><li title="hill-2"><span>Room 2 · 8 players · 2 watching · slow: runs at 50 % speed (full-thread)</span><span class="acts"><button id="join-hill-2" type="button" disabled aria-label="Join The hill, Room 2">Full</button><button id="watch-hill-2" type="button" aria-label="Watch The hill, Room 2">Watch</button></span></li><li title="hill-1"><span>Room 1 · 1 player</span><span class="acts"><button id="join-hill-1" type="button" aria-label="Join The hill, Room 1">Join</button><button id="watch-hill-1" type="button" aria-label="Watch The hill, Room 1">Watch</button></span></li></ul></li><li><img class="cover" src="data:image/png;base64,AA==" alt></img><h2>The dale</h2><p class="soft"></p><p class="acts"><button id="play-dale" class="main" type="button" aria-label="Play The dale">Play</button><b>Nobody is playing</b></p></li></ul><p id="notice" class="soft" hidden></p><form class="who"><input id="code" type="text" maxlength="16" autocomplete="off" placeholder="Code of a private room" aria-label="Code of a private room"></input><button type="submit">Enter</button></form><p><a href="/admin">For operators</a></p></main>"`,
    );
    root.one('#name').value = ' Ann ';
    root.one('#join-hill-2').click();
    root.one('#play-hill').click();
    root.one('#join-hill-1').click();
    root.one('#watch-hill-1').click();
    expect(entered).toEqual([['join', 'hill', 'Ann']]);
    expect(page.storage.getItem('reenact-name')).toBe('Ann');
  });

  test('watches, or plays in any room', async () => {
    const first = await opened(() => listed(rooms));
    first.root.one('#watch-hill-2').click();
    expect(first.entered).toEqual([['watch', 'hill-2']]);
    const second = await opened(() => listed([]));
    expect(second.root.one('.rooms').textContent).toBe(
      'The dalePlayNobody is playingThe hillHold it.PlayNobody is playing',
    );
    second.root.all('form')[0]!.fire('submit');
    expect(second.entered).toEqual([['join', 'dale', '']]);
  });

  test('asks every two seconds until it is closed, and says if it cannot; nobody can join meanwhile', async () => {
    let answer: object = listed(rooms);
    const { root, lobby, asked } = await opened(() => {
      if (answer instanceof Error) throw answer;
      return answer;
    });
    const usable = () =>
      ['button', 'a']
        .flatMap((name) => root.all(name))
        .filter((each) => /^(?:play|join|watch)-/.test(each.id) || /^(?:Play|Enter)/.test(each.textContent))
        .filter((each) => !each.disabled)
        .map((each) => each.id || each.textContent);
    const all = ['Play The hill', 'play-hill', 'watch-hill-2', 'join-hill-1', 'watch-hill-1', 'play-dale', 'Enter'];
    expect(usable()).toEqual(all);
    const row = root.one('#join-hill-1');
    row.focus();
    answer = { ok: false, status: 503 };
    await vi.advanceTimersByTimeAsync(2000);
    expect(root.one('#fault').textContent).toBe(
      'The server responded with status 503. This page tries again automatically.',
    );
    expect(usable()).toEqual([]);
    answer = new TypeError('Failed to fetch');
    await vi.advanceTimersByTimeAsync(2000);
    expect(root.one('#fault').textContent).toBe('The server cannot be reached. This page tries again automatically.');
    expect([usable(), root.one('.rooms').textContent]).toEqual([[], expect.stringContaining('The hill')]);
    answer = listed([{ ...rooms[0]!, players: 2 }]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(root.one('#fault').textContent).toBe('');
    expect(root.one('.rooms').textContent).toContain('2 players');
    expect(root.one('.rooms').textContent).toContain('Room 1Join');
    expect(usable()).toEqual(['Play The hill', 'play-hill', 'join-hill-1', 'watch-hill-1', 'play-dale', 'Enter']);
    expect(page.activeElement).toBe(root.one('#join-hill-1'));
    lobby.close();
    await vi.advanceTimersByTimeAsync(9000);
    expect(asked).toEqual(Array.from({ length: 4 }, () => ['/rooms', '/definitions']).flat());
  });

  test('says before playing whether a game needs an account or an own IP address', async () => {
    const both = [dale, { ...hill, needs: { account: true, ownAddress: true } }];
    const guest = await opened(() => listed(rooms, both));
    const card = guest.root.one('.rooms').textContent;
    expect(card).toContain('Only for players with an account.');
    expect(card).toContain('Only one player from each IP address.');
    for (const id of ['play-hill', 'join-hill-1', 'watch-hill-1']) expect(guest.root.one(`#${id}`).disabled).toBe(true);
    guest.root.all('form')[0]!.fire('submit');
    expect(guest.entered).toEqual([['join', 'dale', '']]);
    const known = await opened(() => listed(rooms, both), undefined, true);
    known.root.one('#play-hill').click();
    expect(known.entered).toEqual([['join', 'hill', '']]);
  });

  test('shows a game that is no longer served as long as somebody plays it', async () => {
    const { root } = await opened(() => listed(rooms.slice(0, 1), [dale]));
    expect(
      root
        .one('.rooms')
        .all('h2')
        .map(({ textContent }) => textContent),
    ).toEqual(['The hill', 'The dale']);
  });
});
