import { describe, expect, test, vi } from 'vitest';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import { Session } from '../../src/playground/session.ts';
import type { ActionLocation, FrameRequest, Opening, Shot } from '../../src/playground/worker-messages.ts';
import type { JournalTab } from '../../src/viewer/panels/journal-tabs.ts';
import { smallGame } from '../server/support.ts';

const document = JSON.stringify(smallGame());
const beginning = { seed: 'a', dialect: 'standard' } as const;
const quiet = (): void => {};
/** Loading what explains values takes a while on a busy machine. */
const patience = { timeout: 60_000 };

/** A session as the page asks it, without its worker. */
class Visit {
  readonly session = new Session();

  async open(opening: Partial<Opening> = {}) {
    return this.session.open({ document, beginning, bots: 2, ...opening }, quiet);
  }

  look(dueMs?: number, wantsLists = false, about: Partial<FrameRequest> = {}): Shot {
    const nothing = { selected: undefined, script: undefined, line: undefined, value: undefined, opened: [] };
    const seen = { tab: 'outputs', ...nothing, wantsLists, ...about } as const;
    return this.session.frame({ ...seen, isPlaying: dueMs !== undefined, dueMs: dueMs ?? 0 });
  }

  /** Plays tick by tick, because a slow machine skips ticks that are due at once. */
  playTo(tick: number): Shot {
    let shot = this.look();
    while (shot.tick < tick) shot = this.look(50);
    return shot;
  }
}

test('a play is repeated from its orders, to the bit', async () => {
  const visit = new Visit();
  const { game, problems } = await visit.open();
  expect(problems).toEqual([]);
  expect(game).toMatchObject({ title: 'Small game', rate: 20 });
  visit.playTo(40);
  visit.session.take(undefined);
  visit.session.input({ kind: 'keyDown', key: 'd', device: 'key' });
  visit.playTo(70);
  const state = visit.session.state();
  expect(state.tick).toBe(70);
  const again = new Visit();
  await again.open({ beginning: state.beginning, repeat: state });
  expect(again.session.state()).toEqual(state);
});

test('an earlier tick is shown as it was; playing from there leads back to the newest one', async () => {
  const visit = new Visit();
  await visit.open();
  visit.playTo(20);
  const { hash } = visit.session.state();
  visit.playTo(50);
  visit.session.seek(20);
  expect(visit.look()).toMatchObject({ tick: 20, startTick: 0, lastTick: 50, isNewest: false });
  expect(visit.session.state()).toMatchObject({ tick: 20, hash });
  visit.playTo(50);
  expect(visit.look(50)).toMatchObject({ tick: 51, lastTick: 51, isNewest: true });
  visit.session.seek(20);
  visit.session.seek(99);
  expect(visit.look()).toMatchObject({ tick: 51, isNewest: true });
});

test('going on from an earlier tick forgets what came after', async () => {
  const visit = new Visit();
  await visit.open();
  visit.playTo(50);
  visit.session.branch();
  expect(visit.look()).toMatchObject({ tick: 50, startTick: 0 });
  visit.session.seek(20);
  const { hash } = visit.session.state();
  visit.session.branch();
  expect(visit.look()).toMatchObject({ tick: 20, startTick: 20, lastTick: 20, isNewest: true });
  expect(visit.session.state().hash).toBe(hash);
  visit.playTo(40);
  const state = visit.session.state();
  const again = new Visit();
  await again.open({ beginning: state.beginning, repeat: state });
  expect(again.session.state()).toEqual(state);
  await expect(visit.session.scenario({ game: 'a.json', journalFile: 'a.rj' })).rejects.toThrow('was branched');
});

describe('a person', () => {
  test('takes over a bot, plays its unit, and gives it back', async () => {
    const visit = new Visit();
    await visit.open();
    visit.playTo(110);
    expect(visit.look().you).toBeUndefined();
    const unit = visit.look().scene.figures.find(({ kind }) => kind === 'unit')!;
    visit.session.take(unit.id);
    const { you } = visit.playTo(112);
    expect(you).toMatchObject({ unit: { id: unit.id }, shortage: '' });
    const x = () => visit.look().scene.figures.find(({ id }) => id === you!.unit!.id)!.x;
    const before = x();
    for (const key of ['a', 'd'] as const) {
      visit.session.input({ kind: 'keyDown', key, device: 'key' });
      visit.playTo(visit.look().tick + 20);
      visit.session.input({ kind: 'keyUp', key, device: 'key' });
      visit.playTo(visit.look().tick + 1);
      if (Math.abs(x() - before) > 3) break;
    }
    expect(Math.abs(x() - before)).toBeGreaterThan(3);
    visit.session.give();
    expect(visit.playTo(visit.look().tick + 1).you).toBeUndefined();
  });

  test('joins a game without bots, and is told what is said to its player, once', async () => {
    const visit = new Visit();
    await visit.open({ bots: 0 });
    visit.session.take(undefined);
    const told = Array.from({ length: 3 }, () => visit.look(50).told).flat();
    expect(told.filter(({ kind }) => kind === 'chat')).toMatchObject([{ text: 'welcome' }]);
    expect(visit.look().you).toMatchObject({ unit: { id: 'u1', kind: 'Walker' } });
    visit.session.give();
    expect(visit.look(50).you).toBeUndefined();
  });
});

test('the play can be kept as a recording, a scenario and a film', async () => {
  const visit = new Visit();
  await visit.open();
  visit.playTo(50);
  const { records } = readJournalBytes(await visit.session.journal())!;
  expect(records.length).toBeGreaterThan(1);
  const scenario = await visit.session.scenario({ game: 'a.json', journalFile: 'a.rj' });
  expect(scenario).toContain('game: a.json');
});

test('a paused play explains a value, and reads on after it was played on', async () => {
  const visit = new Visit();
  await visit.open({ bots: 1 });
  visit.playTo(30);
  const value = (name: string): Promise<string> =>
    vi.waitUntil(() => {
      const { panel, isReading } = visit.look(undefined, true, { tab: 'value', value: name }).lists!;
      return !isReading && JSON.stringify(panel);
    }, patience);
  const unit = visit.look().scene.figures.find(({ kind }) => kind === 'unit')!.id;
  expect(await value(`${unit}.x`)).toContain('createUnitAtPosition');
  const lists = (tab: JournalTab): string => JSON.stringify(visit.look(undefined, true, { tab }).lists!.panel);
  expect(lists('all')).not.toContain('data-watch');
  visit.playTo(40);
  expect(JSON.stringify(visit.look(50, true, { tab: 'value' }).lists!.panel)).toContain('Pause to see why.');
  expect(await value('outputs chat with text ""')).toContain('sendChatMessage');
  // The scripts `join`, `greet` and `answer`: a bot has joined once, and answered nothing.
  for (const script of ['join', 'greet']) expect(await value(`runs ${script}`)).toContain(' 1 of 1 ');
  expect(await value('runs answer')).toContain(' 0 of 0 ');
  expect(await value('nonsense')).toContain('nonsense');
});

test('a paused play goes through its actions, forth and back, across ticks', async () => {
  const visit = new Visit();
  await visit.open({ bots: 1 });
  visit.playTo(45);
  const back = [];
  for (let i = 0; i < 3; i++) back.push(await visit.session.stepAction(-1));
  expect(back.every((place) => place !== null && place.tick <= 45)).toBe(true);
  const [last, , third] = back as ActionLocation[];
  expect(visit.look().tick).toBe(third!.tick);
  const text = (): string => {
    const { script, line } = third!;
    return JSON.stringify(visit.look(undefined, true, { tab: 'scripts', script, line }).lists!.panel);
  };
  expect(text()).toMatch(/Action \d+ of \d+ in this tick/);
  expect(text()).not.toContain('data-watch');
  await vi.waitUntil(() => text().includes('The chosen line') && text().includes('next run ›'), patience);
  expect([await visit.session.stepAction(1), await visit.session.stepAction(1)]).toEqual([back[1], last]);
  // A play that goes on shows no step; the first tick has none before it.
  expect(JSON.stringify(visit.look(50, true, { tab: 'scripts', script: last!.script }).lists!.panel)).not.toContain(
    'Action ',
  );
  visit.session.seek(0);
  expect(await visit.session.stepAction(-1)).toBeNull();
});

test('a search finds the tick since which an expression holds', async () => {
  const visit = new Visit();
  await visit.open({ bots: 0 });
  visit.playTo(5);
  visit.session.take(undefined);
  visit.playTo(20);
  const search = (text: string) => visit.session.search({ text, after: -1, isBack: false }, quiet);
  expect(await search('players == 1')).toMatchObject({ found: 6, isDone: true });
  expect(await search('players == 2')).toMatchObject({ found: undefined, isDone: true });
  expect(await search('plyers == 1')).toEqual({ wrong: expect.stringContaining('"players"') });
});

test('lists belong to the tick that is shown', async () => {
  const visit = new Visit();
  await visit.open();
  visit.playTo(30);
  const first = visit.look(undefined, true);
  expect(first.lists).toMatchObject({ hash: visit.session.state().hash, faults: 0 });
  expect(first.scene.ground).toBeUndefined();
  expect(visit.look().lists).toBeUndefined();
  visit.session.seek(10);
  expect(visit.look(undefined, true).lists).toMatchObject({ hash: visit.session.state().hash });
});

test('what cannot be played is refused with its problems', async () => {
  const visit = new Visit();
  const refused = await visit.open({ document: '{"unitTypes": 5' });
  expect([refused.game, refused.text]).toEqual([undefined, '{"unitTypes": 5']);
  expect(refused.problems[0]).toMatchObject({ severity: 'error', line: 1 });
  expect(() => visit.look()).toThrow('No game is open.');
});
