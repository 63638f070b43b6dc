import { expect, test } from 'vitest';
import type { Exploration, Unexamined } from '../../src/explore/explore.ts';
import {
  amountOfTime,
  type ExploreReport,
  exploreText,
  progressText,
  searchProgressText,
} from '../../src/explore/explore-text.ts';
import type { Finding } from '../../src/explore/finding/shrink.ts';

const finding = (message: string, inputs: number) =>
  ({
    message,
    inputsBefore: 40,
    rate: 20,
    recording: { ticks: 87, inputs: Array(inputs).fill({}) },
  }) as unknown as Finding;
const seen = (message: string): Unexamined => ({ key: message, kind: 'never', message, tick: 700, journal: undefined });
/** A run in which there is more of everything than is shown. */
const full: ExploreReport = {
  title: 'The hill',
  seed: 'a',
  rate: 20,
  exploration: {
    plays: 12,
    ranges: [],
    ran: new Set(),
    best: undefined,
    unconfirmed: ['wrong-value at scripts/a/actions/0'],
    unexamined: [seen('gold < 0 holds'), seen('coins < 0 holds')],
    findings: [finding('coins is NaN', 1), finding('no-such-entity at scripts/b/actions/1', 3)],
  } satisfies Exploration,
  plays: 12,
  ticks: 200_000,
  standing: ['seconds == 3 holds'],
  gone: ['more than 100 units'],
  untried: 0,
  isInterrupted: false,
  goesOn: false,
  transitions: 9,
  missing: Array.from({ length: 7 }, (_, i) => `state: ${i} → ${i + 1} by count`),
  viewCommands: ({ message }) => [`reenact view ${message.slice(0, 2)}.rj`],
};

test('a report says everything of a run, up to its limits', () => {
  expect(`\n${exploreText(full)}`).toMatchInlineSnapshot(`
    "
    The hill
    12 plays, 2.8 h in the game, seed a

    ✗ known: seconds == 3 holds
    ✓ gone: more than 100 units
    2 findings, each replayed from the start of the game
    ✗ coins is NaN
        after 4.35 s with 1 input (shortened from 40)
        reenact view co.rj
    ✗ no-such-entity at scripts/b/actions/1
        after 4.35 s with 3 inputs (shortened from 40)
        reenact view no.rj
    2 further sightings not confirmed by a replay
    ? gold < 0 holds
        after 35 s
        reenact view go.rj
    ? coins < 0 holds
        after 35 s
        reenact view co.rj
    7 of 9 transitions between states did not happen in this run
        state: 0 → 1 by count
        state: 1 → 2 by count
        state: 2 → 3 by count
        state: 3 → 4 by count
        state: 4 → 5 by count
    not reproducible from its inputs, which is a bug in Reenact; please report: wrong-value at scripts/a/actions/0
    "
  `);
});

test('a report of a run that found nothing', () => {
  const empty = { ...full.exploration, findings: [], unexamined: [], unconfirmed: [] };
  const report = { ...full, exploration: empty, plays: 1, ticks: 0, missing: [] };
  const text = (standing: string[]) => exploreText({ ...report, standing, gone: [] });
  expect(`\n${text([])}`).toMatchInlineSnapshot(`
    "
    The hill
    1 play, 0 s in the game, seed a

    nothing wrong found
    "
  `);
  expect(text(['x holds'])).toContain('\n✗ known: x holds\nnothing else found\n');
});

test('an interrupted run says so, and what happens to what it has seen', () => {
  const { exploration } = full;
  const text = (findings: readonly Finding[], unexamined: Exploration['unexamined'], goesOn: boolean) =>
    exploreText({
      ...full,
      exploration: { ...exploration, findings, unexamined, unconfirmed: [] },
      isInterrupted: true,
      goesOn,
    });
  expect(text([], exploration.unexamined, true)).toContain(
    [
      'interrupted; until then nothing confirmed',
      '2 sightings not confirmed by a replay; the next run with this corpus replays them',
      '? gold < 0 holds',
      '    after 35 s',
      '    reenact view go.rj',
      '? coins < 0 holds',
      '    after 35 s',
      '    reenact view co.rj',
      '',
    ].join('\n'),
  );
  expect(text([], exploration.unexamined, false)).toContain('2 sightings not confirmed by a replay\n? gold');
  expect(text(exploration.findings, [], true)).toContain('interrupted; until then 2 findings, each replayed');
  const many = Array.from({ length: 14 }, (_, i) => seen(`mistake ${i}`));
  expect(text([], many, true)).toMatch(/\? mistake 11\n.*\n.*\nand 2 more; --json lists all of them\n/);
});

test('the progress of a run', () => {
  const state = { ticks: 2400, share: 0.5, sightings: 1, examined: 0 };
  expect(progressText({ phase: 'play', ...state }, 20)).toBe('2 min in the game, 1 sighting');
  expect(progressText({ phase: 'shrink', ...state }, 20)).toBe('replaying and shrinking: 0 of 1 sighting');
  expect(progressText({ phase: 'play', ...state, ticks: 0 }, 20)).toBe('first play');
  expect(searchProgressText({ phase: 'play', ...state, sightings: 0 }, 20)).toBe('2 min in the game: not reached yet');
  expect(searchProgressText({ phase: 'play', ...state }, 20)).toBe(
    '2 min in the game: reached; looking for a better play',
  );
  expect([0.05, 99.5, 100, 7199, 7200].map(amountOfTime)).toEqual(['0.05 s', '99.5 s', '2 min', '120 min', '2.0 h']);
});
