import { expect, test } from 'vitest';
import type { Exploration, Unexamined } from '../../src/explore/explore.ts';
import {
  amountOfTime,
  type ExploreReport,
  exploreText,
  progressText,
  searchProgressText,
} from '../../src/explore/explore-text.ts';
import type { Progress } from '../../src/explore/progress.ts';
import type { Finding } from '../../src/explore/shrink.ts';
import type { Obstacle } from '../../src/explore/unreached.ts';
import type { CoverageReport } from '../../src/scenario/coverage.ts';

const share = (ran: number, total: number) => ({ ran, total });
const finding = (message: string, inputs: number) =>
  ({
    message,
    inputsBefore: 40,
    rate: 20,
    recording: { ticks: 87, inputs: Array(inputs).fill({}) },
  }) as unknown as Finding;
const seen = (message: string): Unexamined => ({ key: message, kind: 'never', message, tick: 700, journal: undefined });
const blocked = (actions: number, i = 0): Obstacle => ({
  ...{ kind: 'blocked', script: 'opens the gate', at: `scripts/gate/actions/${i}`, actions },
  needs: 'keys > 3',
  notes: ['keys was at most 2; set by "takes a key"'],
});

/** A run in which there is more of everything than is shown. */
const full: ExploreReport = {
  title: 'The hill',
  seed: 'a',
  rate: 20,
  exploration: {
    plays: 12,
    ranges: [],
    best: undefined,
    unconfirmed: ['wrong-value at scripts/a/actions/0'],
    unexamined: [seen('gold < 0 holds'), seen('coins < 0 holds')],
    findings: [finding('coins is NaN', 1), finding('no-such-entity at scripts/b/actions/1', 3)],
  } satisfies Exploration,
  progress: {
    next: 12,
    ticks: 200_000,
    newsTicks: 50_000,
  } as unknown as Progress,
  coverage: {
    actions: share(181, 188),
    branches: share(9, 10),
    triggers: share(0, 0),
  } as unknown as CoverageReport,
  obstacles: [
    blocked(3),
    ...Array.from({ length: 16 }, (_, i) => blocked(1, i + 1)),
    { ...blocked(1), kind: 'impossible', needs: '1 == 2', notes: [] },
    { ...blocked(2), kind: 'dead', needs: 'nothing calls it', notes: [] },
  ],
  standing: ['seconds == 3 holds'],
  gone: ['more than 100 units'],
  isInterrupted: false,
  goesOn: false,
  viewCommands: ({ message }) => [`reenact view ${message.slice(0, 2)}.rj`],
};

test('a report says everything of a run, up to its limits', () => {
  expect(`\n${exploreText(full, 80)}`).toMatchInlineSnapshot(`
    "
    The hill
    12 plays, 2.8 h in the game, seed a; last new coverage after 42 min (25 %)

    actions         181 of 188    96 %
    branches          9 of 10     90 %

    ✗ known: seconds == 3 holds
    ✓ gone: more than 100 units
    2 findings, each replayed from the start of the game
    ✗ coins is NaN
        after 4.35 s with 1 input (of 40)
        reenact view co.rj
    ✗ no-such-entity at scripts/b/actions/1
        after 4.35 s with 3 inputs (of 40)
        reenact view no.rj
    2 further sightings not confirmed by a replay
    ? gold < 0 holds
        after 35 s
        reenact view go.rj
    ? coins < 0 holds
        after 35 s
        reenact view co.rj
    not reproduced by its inputs, please report: wrong-value at scripts/a/actions/0

    not reached: 19 actions
         3  "opens the gate"  scripts/gate/actions/0
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/1
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/2
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/3
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/4
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/5
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/6
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/7
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/8
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/9
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/10
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/11
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/12
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/13
            needs keys > 3
              keys was at most 2; set by "takes a key"
         1  "opens the gate"  scripts/gate/actions/14
            needs keys > 3
              keys was at most 2; set by "takes a key"
            and 2 more places; all with --json
    cannot be reached: 1 action
         1  "opens the gate"  scripts/gate/actions/0
            needs 1 == 2
    started by nothing: 2 actions
         2  "opens the gate"  scripts/gate/actions/0
            nothing calls it
    "
  `);
});

test('a report of a run that found nothing', () => {
  const empty = { ...full.exploration, findings: [], unexamined: [], unconfirmed: [] };
  const progress = { ...full.progress, next: 1, ticks: 0, newsTicks: 0 };
  const report = { ...full, exploration: empty, progress };
  const text = (standing: string[]) => exploreText({ ...report, obstacles: [], standing, gone: [] }, 80);
  expect(`\n${text([])}`).toMatchInlineSnapshot(`
    "
    The hill
    1 play, 0 s in the game, seed a; last new coverage after 0 s (0 %)

    actions         181 of 188    96 %
    branches          9 of 10     90 %

    nothing wrong found
    "
  `);
  expect(text(['x holds'])).toContain('\n✗ known: x holds\nnothing else found\n');
});

test('an interrupted run says so, and what happens to what it has seen', () => {
  const { exploration } = full;
  const text = (findings: readonly Finding[], unexamined: Exploration['unexamined'], goesOn: boolean) =>
    exploreText(
      { ...full, exploration: { ...exploration, findings, unexamined, unconfirmed: [] }, isInterrupted: true, goesOn },
      80,
    );
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
  expect(text([], many, true)).toMatch(/\? mistake 11\n.*\n.*\nand 2 more; all with --json\n/);
});

test('the progress of a run', () => {
  const state = { ticks: 2400, share: 0.5, seen: 17, sightings: 1, examined: 0 };
  expect(progressText({ phase: 'play', ...state }, 20, 3400)).toBe(
    '2 min in the game: 17 covered, the last 3 s ago, 1 sighting',
  );
  expect(progressText({ phase: 'shrink', ...state }, 20, 0)).toBe('replaying and shrinking: 0 of 1 sighting');
  expect(progressText({ phase: 'play', ...state, ticks: 0 }, 20, 0)).toBe('first play');
  expect(searchProgressText({ phase: 'play', ...state, sightings: 0 }, 20)).toBe('2 min in the game: not reached yet');
  expect(searchProgressText({ phase: 'play', ...state }, 20)).toBe(
    '2 min in the game: reached; looking for a better play',
  );
  expect([0.05, 99.5, 100, 7199, 7200].map(amountOfTime)).toEqual(['0.05 s', '99.5 s', '2 min', '120 min', '2.0 h']);
});
