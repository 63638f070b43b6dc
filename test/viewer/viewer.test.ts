import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { arrangeJournal, type Journal, type JournalRecord, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import type { ShownFailure } from '../../src/run/failure-report.ts';
import { between, type Scene } from '../../src/viewer/drawing/scene.ts';
import { SimulationScene } from '../../src/viewer/drawing/simulation-scene.ts';
import type { History } from '../../src/viewer/time/history.ts';
import { Lanes } from '../../src/viewer/time/lanes.ts';
import { Playback } from '../../src/viewer/time/playback.ts';
import { Viewer, type ViewerSource } from '../../src/viewer/viewer.ts';
import { Series } from '../../src/why/series.ts';
import { later, me, scene } from '../support/ai-scene.ts';
import { attribute, body, itemType, load, script, unitType } from '../support/play.ts';
import { sampleGame } from '../support/samples.ts';
import { FakeElement, type FakePage, fakePage, htmlOf, linesOf } from './fake-page.ts';

const unitOf = (variableName: string) => ({ function: 'getVariable', variableName });
const triggering = { function: 'getTriggeringPlayer' };

/** A game with one of everything that the lists of a page show. */
const game = load({
  title: 'The hill',
  variables: {
    hero: { dataType: 'unit', default: null },
    seconds: { dataType: 'number', default: 0 },
    hill: { dataType: 'region', default: { x: 640, y: 640, width: 256, height: 128 } },
  },
  playerTypes: {
    human: { name: 'human', attributes: { gold: attribute(5, { max: 50 }) }, variables: {}, relationships: {} },
  },
  unitTypes: {
    knight: unitType({
      name: 'Knight',
      attributes: {
        health: attribute(80, { max: 100, isVisible: ['unitBar'], color: '#00ff00' }),
        speed: attribute(5),
      },
      controls: {
        movementControlScheme: 'wasd',
        movementMethod: 'velocity',
        abilities: {},
        mouseBehaviour: {},
      },
    }),
    wolf: unitType({
      name: 'Wolf',
      ai: {
        enabled: true,
        pathFindingMethod: 'simple',
        idleBehaviour: 'stay',
        sensorResponse: 'none',
        attackResponse: 'none',
        sensorRadius: 90,
        maxAttackRange: 60,
      },
    }),
  },
  itemTypes: {
    apple: itemType({ name: 'Apple', quantity: 3 }),
    lamp: itemType({ name: 'Lamp', bodies: { dropped: body({ width: 20, height: 20 }) } }),
  },
  scripts: {
    join: script(
      'playerJoinsGame',
      [
        { type: 'assignPlayerType', entity: triggering, playerType: 'human' },
        {
          type: 'createUnitAtPosition',
          unitType: 'knight',
          entity: triggering,
          position: { x: 400, y: 400 },
          angle: 0,
        },
        { type: 'setVariable', variableName: 'hero', value: { function: 'getLastCreatedUnit' } },
        { type: 'giveNewItemToUnit', itemType: 'apple', unit: unitOf('hero') },
        { type: 'createItemAtPositionWithQuantity', itemType: 'lamp', position: { x: 700, y: 700 }, quantity: 2 },
        {
          type: 'createUnitAtPosition',
          unitType: 'wolf',
          entity: { function: 'computerPlayer', number: 1 },
          position: { x: 900, y: 200 },
          angle: 90,
        },
        { type: 'sendChatMessageToPlayer', player: triggering, message: 'Welcome to the hill' },
      ],
      { name: 'A player joins' },
    ),
    count: script(
      'secondTick',
      [
        {
          type: 'setVariable',
          variableName: 'seconds',
          value: { function: 'calculate', items: [{ operator: '+' }, unitOf('seconds'), 1] },
        },
        {
          type: 'condition',
          conditions: [{ operator: '>', operandType: 'number' }, unitOf('seconds'), 100],
          then: [{ type: 'sendChatMessage', message: 'late' }],
          else: [],
        },
        { type: 'makePlayerSendChatMessage', player: { function: 'getOwner', entity: unitOf('hero') }, message: 'hm' },
      ],
      { name: 'Count the seconds' },
    ),
  },
});

function recorded({ walks = 20, leaves = 70 } = {}): Journal {
  const sim = new Simulation(game, { seed: 'viewer' });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each), { hashTicks: 10, snapshotTicks: 50 });
  for (let tick = 1; tick <= 100; tick++) {
    if (tick === 3) sim.input({ kind: 'join', clientId: 'ann', name: 'Ann' });
    if (tick === walks) sim.input({ kind: 'keyDown', player: 'ann', key: 'd', device: 'key' });
    if (tick === 40) sim.input({ kind: 'join', clientId: 'bob', name: 'Bob' });
    if (tick === leaves) sim.input({ kind: 'leave', player: 'bob' });
    sim.step();
  }
  recorder.end();
  return arrangeJournal(records)!;
}

let journal: Journal;
beforeAll(() => {
  journal = recorded();
});

let page: FakePage;
let frames: ((now: number) => void)[];
let nowMs: number;
beforeEach(() => {
  page = fakePage();
  frames = [];
  nowMs = 0;
  vi.stubGlobal('requestAnimationFrame', (frame: (now: number) => void) => frames.push(frame));
  vi.stubGlobal('matchMedia', () => ({ addEventListener: () => {} }));
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Draws the next frame of the page. */
function frame(afterMs: number): void {
  nowMs += afterMs;
  for (const each of frames.splice(0)) each(nowMs);
}

/** Lets the page do what it does when it is idle. */
function settle(): void {
  for (let work = page.idle.shift(); work !== undefined; work = page.idle.shift()) work();
}

const steady = (html: string) =>
  html.replace(/[0-9a-f]{16}/g, 'HASH').replace(/ · version [^<]*/, ' · version VERSION');

class Visit {
  readonly root = new FakeElement('div');
  readonly viewer: Viewer;
  readonly canvas: FakeElement;

  /** `tick`: that of the page; null for a page without one. */
  constructor(more: Partial<ViewerSource> = {}, tick: number | null = 0) {
    page.body.append(this.root);
    this.viewer = new Viewer(this.root as never, { game, journal, ...more });
    this.canvas = this.root.one('.view').all('canvas')[0]!;
    [this.canvas.clientWidth, this.canvas.clientHeight] = [640, 640];
    this.viewer.show(tick ?? undefined);
  }

  key(key: string, more = {}): void {
    page.fire('keydown', { key, target: this.canvas, preventDefault: () => {}, ...more });
  }

  get tick(): number {
    return Number(this.root.one('#tick').textContent);
  }

  list(tab: string): string {
    this.root.one(`#tab-${tab}`).click();
    return steady(linesOf(this.root.one('#panel').childNodes));
  }

  get time(): string {
    return steady(htmlOf(this.root.one('.timeline')));
  }
}

describe('the page of a journal', () => {
  test('shows all of itself', () => {
    const visit = new Visit();
    expect(page.title).toBe('The hill · Reenact');
    expect(steady(linesOf(visit.root.childNodes))).toMatchInlineSnapshot(`
      "<header><h1>The hill</h1><span class="about">0:05.00 at 20 ticks a second · seed viewer · standard · version VERSION</span><form class="search" role="search"><input id="search" type="search" placeholder="u1.health < 50" autocomplete="off" spellcheck="false" aria-label="Find the tick at which this expression becomes true" aria-describedby="search-says" autocapitalize="off"></input><button type="submit" title="Find the first tick at which the expression holds (Enter)">Find</button><button id="search-previous" type="button" title="Find the previous tick at which the expression became true" aria-label="Find the previous tick at which the expression became true">‹</button><button id="search-next" type="button" title="Find the next tick at which the expression becomes true" aria-label="Find the next tick at which the expression becomes true">›</button><button id="search-why" type="button" title="Why the value is what it is now, with its history" aria-label="Why the value is what it is now, with its history">Why</button><output id="search-says" aria-live="polite"></output></form><button type="button" title="Keyboard shortcuts (?)" aria-label="Keyboard shortcuts">?</button><button type="button" title="Switch between light and dark (T)" aria-label="Switch between light and dark">◐</button></header>
      <main class="stage"><div class="view"><canvas role="img" aria-label="The map seen from above"></canvas><div class="banner" role="status" hidden></div><div class="tools"><button type="button" title="Zoom in (+)" aria-label="Zoom in">+</button><button type="button" title="Zoom out (-)" aria-label="Zoom out">−</button><button type="button" title="Show the whole map (0)" aria-label="Show the whole map">⤢</button><button type="button" title="Follow the selected entity (F)" aria-label="Follow the selected entity" aria-pressed="false" disabled>◎</button><details class="layers"><summary title="What the map shows" aria-label="What the map shows">☰</summary><div class="layer-list" role="group" aria-label="Layers"><label for="layer-floor"><input id="layer-floor" type="checkbox"></input> Floor tiles</label><label for="layer-items"><input id="layer-items" type="checkbox"></input> Items</label><label for="layer-names"><input id="layer-names" type="checkbox"></input> Names</label><label for="layer-hits"><input id="layer-hits" type="checkbox"></input> Damage and healing</label><label for="layer-shots"><input id="layer-shots" type="checkbox"></input> Shots and rays</label><label for="layer-sensors"><input id="layer-sensors" type="checkbox"></input> Sensor radii</label><label for="layer-ai"><input id="layer-ai" type="checkbox"></input> AI: targets and paths</label></div></details></div></div><ul class="legend" aria-label="Legend" tabindex="0" hidden></ul></main>
      <section class="timeline" aria-label="Time"><div class="track"><div class="scrub"><input id="scrub" type="range" step="1" aria-label="Tick" min="0" max="100" aria-valuetext="tick 0, 0:00.00" style="--share: 0.00%"></input></div><div class="plots"><div class="lanes" role="group" aria-label="Plots over the time line" aria-busy="true"></div><div class="rail"><i style="transform: translateX(0.00%)"></i></div></div></div><div class="controls"><div class="group"><button type="button" title="Go to the beginning (Home)" aria-label="Go to the beginning">«</button><button id="back" type="button" title="One tick back (←)" aria-label="One tick back">◂</button><button id="play" type="button" title="Play or pause (Space)" aria-label="Play or pause" class="main">▶</button><button id="forward" type="button" title="One tick forward (→)" aria-label="One tick forward">▸</button><button type="button" title="Go to the end (End)" aria-label="Go to the end">»</button></div><div class="group"><button type="button" title="Slower ([)" aria-label="Slower">−</button><span class="speed" title="Speed ([ and ])">1×</span><button type="button" title="Faster (])" aria-label="Faster">+</button></div><button id="whole" type="button" hidden>Whole play</button><div class="now"><span><span class="soft">tick </span><output id="tick" class="mono">0</output><span class="soft"> / 100</span></span><output id="time" class="mono soft">0:00.00</output><span class="hash"><output id="hash" class="mono" title="Hash of the state after this tick">HASH</output><span class="verdict"></span></span></div></div></section>
      <aside class="panels" aria-label="Details"><h2 class="unseen">Details</h2><div class="tabs" role="tablist" aria-label="Lists"><button id="tab-all" type="button" role="tab" aria-controls="panel" aria-selected="true">All</button><button id="tab-entity" type="button" role="tab" aria-controls="panel" aria-selected="false">Entity</button><button id="tab-value" type="button" role="tab" aria-controls="panel" aria-selected="false">Value</button><button id="tab-scripts" type="button" role="tab" aria-controls="panel" aria-selected="false">Scripts</button><button id="tab-triggers" type="button" role="tab" aria-controls="panel" aria-selected="false">Triggers</button><button id="tab-outputs" type="button" role="tab" aria-controls="panel" aria-selected="false">Outputs</button><button id="tab-faults" type="button" role="tab" aria-controls="panel" aria-selected="false">Faults</button></div><input class="filter" type="search" placeholder="Filter this list" aria-label="Filter this list"></input><div id="panel" class="body" role="tabpanel" tabindex="0" aria-labelledby="tab-all"><h3>Global variables</h3><table><tr><th scope="row"><button class="link" type="button" data-value="hero">hero</button></th><td><span class="soft">nothing</span></td></tr><tr><th scope="row"><button class="link" type="button" data-value="seconds">seconds</button></th><td><span class="mono">0</span></td></tr><tr><th scope="row">hill</th><td><span class="mono json">{"x":640,"y":640,"width":256,"height":128}</span></td></tr></table><h3>Regions<span class="count">1</span></h3><ul><li><button class="id" type="button" data-id="r:hill">r:hill</button><span>hill</span></li></ul></div></aside>
      <dialog class="window keys" aria-label="Keyboard shortcuts"><header><h2>Keyboard shortcuts</h2><button type="button" title="Close (Esc)" aria-label="Close">✕</button></header><table><tr><th scope="row"><kbd>0</kbd> </th><td>show the whole map, or follow again</td></tr><tr><th scope="row"><kbd>Space</kbd> </th><td>play or pause</td></tr><tr><th scope="row"><kbd>←</kbd> </th><td>one tick back (with Shift: one second)</td></tr><tr><th scope="row"><kbd>→</kbd> </th><td>one tick forward (with Shift: one second)</td></tr><tr><th scope="row"><kbd>Home</kbd> </th><td>go to the beginning</td></tr><tr><th scope="row"><kbd>End</kbd> </th><td>go to the end</td></tr><tr><th scope="row"><kbd>[</kbd> </th><td>slower</td></tr><tr><th scope="row"><kbd>]</kbd> </th><td>faster</td></tr><tr><th scope="row"><kbd>/</kbd> </th><td>search</td></tr><tr><th scope="row"><kbd>,</kbd> </th><td>the previous action, even in an earlier tick</td></tr><tr><th scope="row"><kbd>.</kbd> </th><td>the next action, even in a later tick</td></tr><tr><th scope="row"><kbd>+</kbd> <kbd>=</kbd> </th><td>zoom in</td></tr><tr><th scope="row"><kbd>-</kbd> </th><td>zoom out</td></tr><tr><th scope="row"><kbd>F</kbd> </th><td>follow the selected entity</td></tr><tr><th scope="row"><kbd>N</kbd> </th><td>select the next unit</td></tr><tr><th scope="row"><kbd>P</kbd> </th><td>select the previous unit</td></tr><tr><th scope="row"><kbd>W</kbd> <kbd>A</kbd> <kbd>S</kbd> <kbd>D</kbd> </th><td>move the view</td></tr><tr><th scope="row"><kbd>T</kbd> </th><td>switch between light and dark</td></tr><tr><th scope="row"><kbd>Esc</kbd> </th><td>clear the selection</td></tr><tr><th scope="row"><kbd>?</kbd> </th><td>show keyboard shortcuts</td></tr></table></dialog>"
    `);
  });

  test.each(['all', 'scripts', 'triggers', 'outputs', 'faults'])('lists of tick 45: %s', (tab) => {
    const visit = new Visit({}, 45);
    expect(visit.list(tab)).toMatchSnapshot();
  });

  test('what it knows of a unit, an item, a player and a region', () => {
    const visit = new Visit({}, 45);
    expect(visit.list('entity')).toBe('<p class="soft">Select an entity on the map or in the list “All”.</p>');
    const about = (id: string) => {
      visit.root.one('#tab-all').click();
      visit.root.one('#panel').one('button', id).click();
      expect(visit.root.one('#tab-entity').getAttribute('aria-selected')).toBe('true');
      return visit.list('entity');
    };
    expect(['r:hill', 'u2', 'i1', 'i2', 'ann', 'u1'].map(about)).toMatchSnapshot();
    visit.key('Home');
    expect(visit.list('entity')).toContain('<p class="soft">u1 is not in the game at this tick.</p>');
  });

  test('steps by keys and buttons, a second with Shift', () => {
    const visit = new Visit({}, 45);
    const tickAfter = (act: () => void) => {
      act();
      return visit.tick;
    };
    expect([
      tickAfter(() => visit.key('ArrowRight')),
      tickAfter(() => visit.key('ArrowLeft')),
      tickAfter(() => visit.key('ArrowRight', { shiftKey: true })),
      tickAfter(() => visit.key('ArrowLeft', { shiftKey: true })),
      tickAfter(() => visit.root.one('#forward').click()),
      tickAfter(() => visit.root.one('#back').click()),
      tickAfter(() => visit.key('End')),
      tickAfter(() => visit.key('ArrowRight')),
      tickAfter(() => visit.key('Home')),
      tickAfter(() => visit.key('ArrowLeft')),
      tickAfter(() => visit.root.one('button', '»').click()),
      tickAfter(() => {
        visit.root.one('button', '«').click();
        frame(16);
      }),
      tickAfter(() => visit.key('ArrowRight', { ctrlKey: true })),
    ]).toEqual([46, 45, 65, 45, 46, 45, 100, 100, 0, 0, 100, 0, 0]);
  });

  test('compares the state with the recorded hashes', () => {
    const visit = new Visit({}, 45);
    const verdict = () => visit.root.one('.verdict');
    expect(htmlOf(verdict())).toBe('<span class="verdict">✓ as recorded</span>');
    const others = { ...journal, hashes: new Map([...journal.hashes].map(([tick]) => [tick, '0'.repeat(16)])) };
    const other = new Visit({ journal: others }, 45);
    expect(htmlOf(other.root.one('.verdict'))).toBe('<span class="verdict bad">✗ not as recorded</span>');
    expect(htmlOf(new Visit({}, 5).root.one('.verdict'))).toBe('<span class="verdict"></span>');
  });

  test('plays at the chosen speed, and stops at the end', () => {
    const visit = new Visit({}, 60);
    const play = () => visit.root.one('#play');
    const speed = () => visit.root.one('.speed').textContent;
    // A focused button is pressed in place of it.
    visit.key(' ', { target: play() });
    expect(play().textContent).toBe('▶');
    visit.key(' ');
    expect(play().textContent).toBe('‖');
    const ticks = [50, 50, 25, 24, 1, 1000].map((ms) => {
      frame(ms);
      return visit.tick;
    });
    // At most a tenth of a second at once, after the page was hidden.
    expect(ticks).toEqual([61, 62, 62, 62, 63, 65]);
    visit.key(']');
    expect(speed()).toBe('2×');
    frame(50);
    expect(visit.tick).toBe(67);
    for (let i = 0; i < 9; i++) visit.key(']');
    expect(speed()).toBe('32×');
    for (let i = 0; i < 20; i++) visit.root.one('.timeline').one('button', '−').click();
    expect(speed()).toBe('0.1×');
    for (let i = 0; i < 20; i++) visit.root.one('.timeline').one('button', '+').click();
    frame(100);
    expect([visit.tick, play().textContent]).toEqual([100, '▶']);
    frame(16);
    expect(frames).toEqual([]);
    play().click();
    expect([visit.tick, play().textContent]).toEqual([0, '‖']);
    visit.key(' ');
    expect(play().textContent).toBe('▶');
  });

  test('while it plays, the scripts are one list, redrawn about six times a second', () => {
    const visit = new Visit({}, 36);
    visit.root.one('#tab-scripts').click();
    visit.key(' ');
    frame(100);
    frame(100);
    expect(steady(linesOf(visit.root.one('#panel').childNodes))).toMatchSnapshot();
    frame(100);
    expect(visit.root.one('#panel').textContent).not.toContain('tick 42');
    expect(visit.tick).toBe(42);
  });

  test('a jump that takes long waits for the play to be read, and shows how far that is', () => {
    const visit = new Visit();
    vi.mocked(performance.now).mockImplementation(() => (nowMs += 400));
    visit.key('End');
    expect(visit.tick).toBeLessThan(100);
    expect(visit.root.one('#scrub').value).toBe('100');
    expect(visit.root.one('.banner').textContent).toMatch(/^Reading the play: tick \d+ of 100 …$/);
    vi.mocked(performance.now).mockImplementation(() => nowMs);
    settle();
    expect(visit.tick).toBe(100);
    expect(visit.root.one('.banner').hidden).toBe(true);
  });

  test('the slider seeks, once in a frame', () => {
    const visit = new Visit();
    const slider = visit.root.one('#scrub');
    for (const tick of ['30', '50', '70']) {
      slider.value = tick;
      slider.fire('input');
    }
    expect([visit.tick, frames.length]).toEqual([0, 1]);
    frame(16);
    expect(visit.tick).toBe(70);
    expect(htmlOf(slider)).toMatchInlineSnapshot(
      `"<input id="scrub" type="range" step="1" aria-label="Tick" min="0" max="100" aria-valuetext="tick 70, 0:03.50" style="--share: 70.00%"></input>"`,
    );
  });

  test('chooses units by keys, follows them, and moves the view', () => {
    const visit = new Visit({}, 45);
    const chosen = () => visit.root.one('#panel').one('h2').textContent;
    const heads = ['n', 'n', 'p', 'p', 'p'].map((key) => {
      visit.key(key);
      return chosen();
    });
    expect(heads).toEqual(['Ann u1', 'AI 1 u2', 'Ann u1', 'AI 1 u4', 'Bob u3']);
    const drawn = (act: () => void) => {
      visit.canvas.drawn.length = 0;
      act();
      return visit.canvas.drawn.filter((call) => call.startsWith('setTransform')).slice(0, 2);
    };
    expect(['f', 'w', 'a', 's', 'd', '+', '=', '-', '0'].map((key) => drawn(() => visit.key(key)))).toMatchSnapshot();
    visit.key('Escape');
    expect(visit.list('entity')).toContain('Select an entity on the map');
  });

  test('shows its keys, which then do nothing', () => {
    const visit = new Visit({}, 45);
    visit.key('?');
    expect(visit.root.one('.keys').open).toBe(true);
    expect(linesOf(visit.root.one('.keys').one('table').childNodes)).toMatchInlineSnapshot(`
      "<tr><th scope="row"><kbd>0</kbd> </th><td>show the whole map, or follow again</td></tr>
      <tr><th scope="row"><kbd>Space</kbd> </th><td>play or pause</td></tr>
      <tr><th scope="row"><kbd>←</kbd> </th><td>one tick back (with Shift: one second)</td></tr>
      <tr><th scope="row"><kbd>→</kbd> </th><td>one tick forward (with Shift: one second)</td></tr>
      <tr><th scope="row"><kbd>Home</kbd> </th><td>go to the beginning</td></tr>
      <tr><th scope="row"><kbd>End</kbd> </th><td>go to the end</td></tr>
      <tr><th scope="row"><kbd>[</kbd> </th><td>slower</td></tr>
      <tr><th scope="row"><kbd>]</kbd> </th><td>faster</td></tr>
      <tr><th scope="row"><kbd>/</kbd> </th><td>search</td></tr>
      <tr><th scope="row"><kbd>,</kbd> </th><td>the previous action, even in an earlier tick</td></tr>
      <tr><th scope="row"><kbd>.</kbd> </th><td>the next action, even in a later tick</td></tr>
      <tr><th scope="row"><kbd>+</kbd> <kbd>=</kbd> </th><td>zoom in</td></tr>
      <tr><th scope="row"><kbd>-</kbd> </th><td>zoom out</td></tr>
      <tr><th scope="row"><kbd>F</kbd> </th><td>follow the selected entity</td></tr>
      <tr><th scope="row"><kbd>N</kbd> </th><td>select the next unit</td></tr>
      <tr><th scope="row"><kbd>P</kbd> </th><td>select the previous unit</td></tr>
      <tr><th scope="row"><kbd>W</kbd> <kbd>A</kbd> <kbd>S</kbd> <kbd>D</kbd> </th><td>move the view</td></tr>
      <tr><th scope="row"><kbd>T</kbd> </th><td>switch between light and dark</td></tr>
      <tr><th scope="row"><kbd>Esc</kbd> </th><td>clear the selection</td></tr>
      <tr><th scope="row"><kbd>?</kbd> </th><td>show keyboard shortcuts</td></tr>"
    `);
    visit.key('ArrowRight');
    expect(visit.tick).toBe(45);
    visit.root.one('.keys').one('button').click();
    expect(visit.root.one('.keys').open).toBe(false);
  });

  test('searches for the tick at which an expression becomes true', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const visit = new Visit({}, 45);
    const find = (text: string, button = 'Find') => {
      const input = visit.root.one('#search');
      input.value = text;
      input.fire('input');
      if (button === 'Find') visit.root.one('.search').fire('submit');
      else visit.root.one(button).click();
      vi.runAllTimers();
      return [htmlOf(visit.root.one('#search-says')), visit.tick];
    };
    expect([
      find('seconds == 3'),
      find('units of type wolf > 1'),
      find('units of type wolf > 1', '#search-next'),
      find('seconds > 90'),
      find(''),
      find('seconds =='),
    ]).toMatchInlineSnapshot(`
      [
        [
          "<output id="search-says" aria-live="polite">The expression becomes true at tick 60.</output>",
          60,
        ],
        [
          "<output id="search-says" aria-live="polite">The expression becomes true at tick 40.</output>",
          40,
        ],
        [
          "<output id="search-says" aria-live="polite" class="bad">The expression does not become true again. The last time was at tick 40.</output>",
          40,
        ],
        [
          "<output id="search-says" aria-live="polite" class="bad">The expression is never true in this recording.</output>",
          40,
        ],
        [
          "<output id="search-says" aria-live="polite" class="bad">Enter an expression, such as units of type zombie > 3, or u1.health falls.</output>",
          40,
        ],
        [
          "<output id="search-says" aria-live="polite" class="bad">Expected a value, found the end.
      seconds ==
                ^</output>",
          40,
        ],
      ]
    `);
    vi.useRealTimers();
  });
});

/** A failure of the scenario that was recorded. */
const failure: ShownFailure = {
  title: 'the hill is reached',
  names: [['knight', 'u1']],
  onset: { kind: 'changed', tick: 41, seconds: 2.05 },
  report: {
    kind: 'expectation',
    expected: 'seconds == 3',
    found: ['seconds is 4'],
    because: 'the clock runs on',
    expressions: ['seconds == 3'],
    tick: 90,
    seconds: 4.5,
    events: [
      { tick: 80, seconds: 4, text: 'secondTick', from: undefined },
      { tick: 85, seconds: 4.25, text: 'chat "hm"', from: 'scripts/count' },
    ],
    scripts: [{ script: 'Count the seconds', count: 4 }],
    falseConditions: [
      { script: 'Count', text: 'seconds > 100', sides: ['seconds is 4'], count: 3, tick: 80, seconds: 4 },
      { script: 'Other', text: 'seconds > 99', sides: [], count: 1, tick: 60, seconds: 3 },
    ],
    differences: [{ what: 'seconds', before: '2', after: '4' }],
    why: ['seconds was 3 for one second, and nothing was expected then.'],
  } as unknown as ShownFailure['report'],
};

describe('the page of a failure', () => {
  test('opens with what failed, and why; its ticks lead there', () => {
    const visit = new Visit({ failure }, 90);
    expect(page.title).toBe('✗ the hill is reached · The hill · Reenact');
    expect(htmlOf(visit.root.one('.failed'))).toMatchInlineSnapshot(
      `"<section class="failed" aria-label="The failure"><p><b class="bad">✗ </b><b>the hill is reached</b></p><p class="mono"><b>seconds == 3</b></p><p class="mono found">seconds is 4</p><p>because the clock runs on</p></section>"`,
    );
    expect(steady(linesOf(visit.root.one('#panel').childNodes))).toMatchInlineSnapshot(`
      "<h2>Why it failed</h2>
      <p>The expectation never held. Its value last changed at tick 41.</p>
      <p class="list"><button class="id" type="button" data-tick="41">Wrong since tick 41</button><button class="id" type="button" data-tick="90">Failed at tick 90, 4.50 s of the scenario</button></p>
      <p class="answer"><button class="link" type="button" data-value="seconds == 3" data-tick="90"><code>seconds == 3</code></button> is <b>false</b></p>
      <p class="write"><button class="id" type="button" data-tick="80">tick 80</button><span class="soft"> 4.00 s </span><span class="mono">true → false</span></p>
      <ul class="causes"><li><span><span class="soft">by </span><button class="link" type="button" data-script="scripts/count" data-line="0">set seconds = (seconds + 1)</button><span class="read"><button class="link" type="button" data-value="seconds" data-tick="80"><code>seconds</code></button> was <b>3</b> <button class="small" type="button" data-open="seconds 80 37" aria-expanded="false">why?</button></span></span></li><li><span><span class="soft">in </span><button class="link" type="button" data-script="scripts/count">script "Count the seconds"</button></span></li><li><span><span class="soft">from </span>trigger secondTick</span></li><li><span><span class="soft">from </span>the clock of the game</span></li></ul>
      <div class="part"><p class="answer"><button class="link" type="button" data-value="seconds" data-tick="90"><code>seconds</code></button> is <b>4</b></p><p class="write"><button class="id" type="button" data-tick="80">tick 80</button><span class="soft"> 4.00 s </span><span class="mono">3 → 4</span>; the cause is the same as above</p></div>
      <p>seconds was 3 for one second, and nothing was expected then.</p>
      <h3>Changes since the last passed expectation</h3>
      <p class="event"><button class="link" type="button" data-value="seconds">seconds</button> <span class="soft">2</span> → 4</p>
      <h3>Conditions that were false</h3>
      <p class="event"><button class="id" type="button" data-tick="80">tick 80</button> <code>seconds > 100</code><small>"Count" · seconds is 4 · 3 times</small></p>
      <p class="event"><button class="id" type="button" data-tick="60">tick 60</button> <code>seconds > 99</code><small>"Other"</small></p>
      <h3>Scripts that ran</h3>
      <p class="event"><button class="link" type="button" data-script="scripts/count">"Count the seconds"</button><span class="soft"> 4×</span></p>
      <h3>Last events</h3>
      <p class="event"><button class="id" type="button" data-tick="85">tick 85</button> chat "hm"<small>scripts/count</small></p>
      <p class="event"><button class="id" type="button" data-tick="80">tick 80</button> secondTick</p>"
    `);
    visit.root.one('#panel').all('[data-tick=80]')[1]!.click();
    expect(visit.tick).toBe(80);
  });
});

describe('the whole play', () => {
  /** A visit in which the page has read the play. */
  function informed(tick: number | null = 45, more: Partial<ViewerSource> = {}): Visit {
    const visit = new Visit(more, tick);
    settle();
    return visit;
  }

  const panel = (visit: Visit): string => {
    settle();
    return steady(linesOf(visit.root.one('#panel').childNodes));
  };

  test('a value leads to its plot, its writes, and why it is what it is', () => {
    const visit = informed();
    visit.root.one('#panel').all('[data-value=seconds]')[0]!.click();
    expect(visit.root.one('#tab-value').getAttribute('aria-selected')).toBe('true');
    expect(panel(visit)).toMatchSnapshot();
    // The value that the write read is opened in place.
    visit.root.one('#panel').one('button', 'why?').click();
    expect(panel(visit)).toContain('0 → 1');
    visit.root.one('#panel').one('button', '‹ previous change').click();
    expect(visit.tick).toBe(40);
    visit.root.one('#panel').one('button', 'next change ›').click();
    expect(visit.tick).toBe(60);
  });

  test('watched values, faults and chat are plotted over the time line', () => {
    const visit = informed();
    const lanes = () => visit.root.all('.lane-name').map(({ textContent }) => textContent);
    expect(lanes()).toEqual(['faults', 'chat']);
    const [faults] = visit.root.all('.lane');
    const canOpen = () => visit.root.all('.lane-name').map(({ disabled }) => !disabled);
    // No expression counts faults.
    expect(canOpen()).toEqual([false, true]);
    visit.root.one('#panel').all('[data-value=seconds]')[0]!.click();
    visit.root.one('#panel').one('button', 'Watch').click();
    expect([lanes(), canOpen()]).toEqual([
      ['seconds', 'faults', 'chat'],
      [true, false, true],
    ]);
    expect(page.visits.at(-1)).toBe('file:///play.html#tick=45&tab=value&value=seconds&watch=seconds');
    visit.root.one('.lane-close').click();
    expect(lanes()).toEqual(['faults', 'chat']);
    // A plot that is built anew would lose the click on it.
    expect(visit.root.all('.lane')[0]).toBe(faults);
  });

  test('without a tick, it opens at the first input, and then half a second before the first event', () => {
    const visit = new Visit({}, null);
    expect(visit.tick).toBe(3);
    settle();
    expect(visit.tick).toBe(10);
    const early = new Visit({}, null);
    early.key('ArrowRight');
    settle();
    expect(early.tick).toBe(4);
  });

  test('a range that is chosen in a plot fills the time line, until the whole play is wanted', () => {
    const visit = informed();
    const [faults, chat] = visit.root.all('.lane').map((lane) => lane.one('.plot')) as [FakeElement, FakeElement];
    for (const plot of [faults, chat]) plot.clientWidth = 100;
    const ends = () => {
      const { min, max } = visit.root.one('#scrub') as unknown as { min: string; max: string };
      return [min, max];
    };
    const whole = visit.root.one('#whole');
    expect([ends(), whole.hidden]).toEqual([['0', '100'], true]);
    chat.fire('pointerdown', { clientX: 60, pointerId: 1 });
    chat.fire('pointermove', { clientX: 50 });
    chat.fire('pointermove', { clientX: 30 });
    expect(chat.style.cssText).toContain('--from: 30px; --wide: 30px');
    chat.fire('pointerup', { clientX: 30 });
    chat.fire('click', { clientX: 30 });
    expect([ends(), whole.hidden, visit.tick]).toEqual([['30', '60'], false, 45]);
    // A click within the range goes to the tick that is there.
    faults.fire('pointerdown', { clientX: 50, pointerId: 1 });
    faults.fire('pointerup', { clientX: 51 });
    faults.fire('click', { clientX: 51 });
    expect(visit.tick).toBe(45);
    whole.click();
    expect([ends(), whole.hidden]).toEqual([['0', '100'], true]);
    chat.fire('pointerdown', { clientX: 70, pointerId: 1 });
    chat.fire('pointermove', { clientX: 90 });
    chat.fire('pointerup', { clientX: 90 });
    expect(visit.tick).toBe(70);
  });

  test('a variable "state" with few values is a lane of bands, also if it is a number', () => {
    const series = new Series();
    for (const [tick, value] of [
      [0, 0],
      [30, 1],
      [80, 2],
    ] as const)
      series.note(tick, value);
    const history = {
      events: [],
      isComplete: true,
      span: { first: 0, last: 100, known: 100 },
      seriesIfRight: () => undefined,
      globals: () => ['state', 'count'].map((name) => [name, series]),
    };
    const lanes = new Lanes({ seek() {}, open() {}, unwatch() {}, zoom() {} });
    lanes.show(history as unknown as History, [], undefined, history.span);
    const root = lanes.root as unknown as FakeElement;
    expect(root.all('.lane-name').map(({ textContent }) => textContent)).toEqual(['state']);
    expect(root.all('.band').map(({ textContent }) => textContent)).toEqual(['0', '1', '2']);
  });

  test('the text of a script shows what ran, how often, and the values of false conditions', () => {
    const visit = informed(40);
    visit.root.one('#tab-scripts').click();
    visit.root.one('#panel').one('button', 'Count the seconds').click();
    expect(panel(visit)).toMatchSnapshot();
    visit.root.one('#panel').all('[data-line=0]')[0]!.click();
    expect(panel(visit)).toContain('<h3>The chosen line</h3>');
    visit.root.one('#panel').one('button', '‹ all scripts').click();
    expect(panel(visit)).toContain('<h3>In tick 40</h3>');
  });

  test('stepping by action goes forth and back, across ticks', () => {
    const visit = informed(41);
    const place = () => {
      settle();
      return [visit.tick, visit.root.one('.step').textContent];
    };
    visit.key(' ');
    visit.key('.');
    expect(visit.root.one('#play').textContent).toBe('▶');
    expect(place()).toEqual([60, '●set seconds = (seconds + 1)']);
    expect(panel(visit)).toContain('Action 1 of 3 in this tick');
    visit.key('.');
    expect(place()).toEqual([60, '●if seconds > 100']);
    visit.key(',');
    visit.key(',');
    expect(place()[0]).toBe(40);
    expect(panel(visit)).toMatch(/Action (\d+) of \1 in this tick/);
  });

  test('each step of the user is a step in the history of the browser, which leads back', () => {
    const visit = informed();
    visit.root.one('#tab-scripts').click();
    visit.root.one('#panel').one('button', 'Count the seconds').click();
    expect(page.visits.map((url) => url.split('#')[1])).toEqual([
      'tick=45&tab=all',
      'tick=45&tab=scripts',
      'tick=45&tab=scripts&script=scripts%2Fcount',
    ]);
    Object.assign(page.location, { hash: '#tick=12&tab=entity&entity=u1&watch=seconds' });
    page.fire('popstate');
    settle();
    expect([visit.tick, visit.root.one('#panel').one('h2').textContent]).toEqual([12, 'Ann u1']);
    expect(visit.root.all('.lane-name')[0]!.textContent).toBe('seconds');
  });

  test('it opens where its address says, and ignores an address that says nothing', () => {
    Object.assign(page.location, { hash: '#tick=30&tab=value&value=seconds' });
    expect(panel(informed(5))).toContain('<b>1</b>');
    Object.assign(page.location, { hash: '#tick=soon&tab=none&value=' });
    expect(informed(5).tick).toBe(5);
    Object.assign(page.location, { hash: '#tab=value&value=secnds' });
    expect(panel(informed(5))).toContain('secnds');
  });

  test('a list can be filtered', () => {
    const visit = informed();
    const field = visit.root.one('.filter');
    visit.root.one('#tab-all').click();
    (field as unknown as { value: string }).value = 'lamp';
    field.fire('input');
    expect(panel(visit)).toContain('Lamp');
    expect(panel(visit)).not.toContain('Apple');
    // A tick without matching events has no heading.
    (field as unknown as { value: string }).value = 'playerJoinsGame';
    visit.root.one('#tab-triggers').click();
    expect(panel(visit).match(/tick \d+/g)).toEqual(['tick 40']);
  });

  test('a search finds where a value falls, rises or changes, forwards and back', async () => {
    const visit = informed();
    const find = async (button: string, text: string): Promise<string> => {
      (visit.root.one('#search') as unknown as { value: string }).value = text;
      visit.root.one(button).click();
      await vi.waitFor(() => expect(visit.root.one('#search-says').textContent).not.toMatch(/^searching/));
      return visit.root.one('#search-says').textContent;
    };
    expect(await find('#search-next', 'seconds rises')).toBe('The expression becomes true at tick 60.');
    expect(await find('#search-previous', 'seconds rises')).toBe('The expression became true at tick 40.');
    expect(await find('#search-previous', 'seconds falls')).toBe(
      'The expression did not become true before this tick.',
    );
    expect(await find('#search-next', 'seconds changes')).toBe('The expression becomes true at tick 60.');
  });

  test('the page of a failure explains the values that it concerns', () => {
    const visit = informed(90, { failure });
    expect(panel(visit)).toContain('3 → 4');
    const named = { ...failure, report: { ...failure.report, expressions: ['knight.health'] } };
    expect(panel(informed(90, { failure: named }))).toContain('<code>knight.health</code></button> is <b>80</b>');
  });

  test('figures move between ticks; who appears or jumps does not slide', () => {
    const [before, now] = [20, 21].map((tick) => {
      const playback = new Playback(game, journal);
      playback.seek(tick);
      return new SimulationScene().of(playback.sim);
    }) as [Scene, Scene];
    const xOf = ({ figures }: Scene) => figures.find(({ id }) => id === 'u1')!.x;
    expect(xOf(now)).toBeGreaterThan(xOf(before));
    expect(xOf(between(before, now, 0.25))).toBeCloseTo(xOf(before) * 0.75 + xOf(now) * 0.25, 9);
    expect(xOf(between(before, now, 1))).toBe(xOf(now));
    expect(between({ ...before, figures: [] }, now, 0.5).figures).toEqual(now.figures);
  });
});

test('the circle in which a unit notices others is gone once it has a type without AI', () => {
  const circles = (scripts: object) => {
    const { sim } = scene(
      { ai: { sensorRadius: 90, sensorResponse: 'fight' }, scripts: scripts as never },
      { dialect: 'standard' },
    );
    for (let tick = 0; tick < 20; tick++) sim.step();
    return new SimulationScene().of(sim).sensors.map(({ radius }) => radius);
  };
  expect(circles({})).toEqual([90]);
  expect(circles({ off: later(500, [{ type: 'changeUnitType', entity: me, unitType: 'prey' }]) })).toEqual([]);
});

test('the ray of a weapon is drawn up to the next wall', () => {
  const sim = new Simulation(sampleGame('team-elimination.json'), { seed: 'rays' });
  const bots = new Bots(sim, { count: 6, seed: 'rays' });
  const scenes = new SimulationScene();
  const ends: boolean[] = [];
  while (sim.tick < 300) {
    bots.beforeStep();
    sim.step();
    const { lines, ground } = scenes.of(sim);
    const isWall = (x: number, y: number): boolean =>
      ground.walls[Math.floor(y / ground.cellHeight) * ground.columns + Math.floor(x / ground.cellWidth)] === true;
    for (const { layer, points } of lines) {
      const [x, y, toX, toY] = points as [number, number, number, number];
      if (layer !== 'shots' || !sim.units().some((unit) => unit.x === x && unit.y === y)) continue;
      const length = Math.hypot(toX - x, toY - y);
      for (let along = 0; along < length - 4; along += 4)
        expect(isWall(x + ((toX - x) * along) / length, y + ((toY - y) * along) / length)).toBe(false);
      ends.push(isWall(toX, toY));
    }
  }
  expect(ends).toContain(true);
});
