import { expect, test } from 'vitest';
import type { Summary } from '../../src/run/summary.ts';
import { summaryText } from '../../src/run/summary-text.ts';

/** `count` names with numbers that fall. */
const counts = (name: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i + 1}`, count - i]));

const fault = (i: number) => ({
  ...{ code: 'wrong-value', at: `scripts/s${i}/actions/0`, message: `Message ${i}.`, count: i, firstTick: 10 * i },
});

/** A run in which there is more of everything than is shown. */
const full: Summary = {
  file: 'games/hill.json',
  title: 'The hill',
  dialect: 'standard',
  seed: 'a',
  bots: 2,
  ending: 'time',
  ticks: 1200,
  frameRate: 20,
  simulatedSeconds: 60,
  wallMs: 512.3,
  speed: 117.1,
  hash: '0123456789abcdef',
  players: 3,
  units: 5,
  items: 0,
  projectiles: 1,
  joined: 4,
  left: 1,
  refused: { 'buyItem: not_affordable': 5, 'chat: not-permitted': 3, ...counts('input', 8) },
  entities: { units: counts('unit', 17), items: {}, projectiles: { arrow: 1 } },
  variables: {
    ...Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`v${i + 1}`, i])),
    long: 'x'.repeat(70),
    none: null,
    'no\u0007ne': null,
  },
  triggers: counts('trigger', 22),
  scripts: { ...counts('Script ', 17), never: 0 },
  actions: counts('action', 17),
  outputs: counts('output', 23),
  unknown: counts('unknown', 16),
  faults: Array.from({ length: 22 }, (_, i) => fault(i + 1)) as unknown as Summary['faults'],
  skips: [
    { ...fault(1), count: 4 },
    { ...fault(2), count: 6 },
  ] as unknown as Summary['skips'],
  issues: { error: 0, warning: 1, info: 2 },
  time: { inputs: 1.4, timers: 0, entities: 100.6, physics: 300 } as unknown as Summary['time'],
  startup: { modulesMs: 1, readMs: 2, parseMs: 3, loadMs: 4, compileMs: 5, startMs: 6, firstTickMs: 207.6 },
};

test('a summary says everything of a run, up to its limits', () => {
  expect(summaryText(full, 100)).toMatchInlineSnapshot(`
    "The hill
    60 s played in 0.51 s (117x real time): 1200 ticks, 20 per second; standard, seed a, 2 bots

    players      3 in the game, 4 joined, 1 left
    inputs       44 rejected: buyItem: not_affordable 5, chat: not-permitted 3, input1 8, input2 7,
                 input3 6, input4 5, input5 4, input6 3, … 2 more
    units        5: unit1 17, unit2 16, unit3 15, unit4 14, unit5 13, unit6 12, unit7 11, unit8 10,
                 unit9 9, unit10 8, unit11 7, unit12 6, unit13 5, unit14 4, unit15 3, … 2 more
    items        0
    projectiles  1: arrow 1
    variables    v1 = 0
                 v2 = 1
                 v3 = 2
                 v4 = 3
                 v5 = 4
                 v6 = 5
                 v7 = 6
                 v8 = 7
                 v9 = 8
                 v10 = 9
                 v11 = 10
                 v12 = 11
                 v13 = 12
                 v14 = 13
                 v15 = 14
                 v16 = 15
                 v17 = 16
                 v18 = 17
                 v19 = 18
                 v20 = 19
                 v21 = 20
                 v22 = 21
                 v23 = 22
                 v24 = 23
                 … 3 more (--json has all)
                 2 without a value
    triggers     trigger1 22, trigger2 21, trigger3 20, trigger4 19, trigger5 18, trigger6 17,
                 trigger7 16, trigger8 15, trigger9 14, trigger10 13, trigger11 12, trigger12 11,
                 trigger13 10, trigger14 9, trigger15 8, trigger16 7, trigger17 6, trigger18 5,
                 trigger19 4, trigger20 3, … 2 more
    scripts      17 of 18 ran: Script 1 17, Script 2 16, Script 3 15, Script 4 14, Script 5 13,
                 Script 6 12, Script 7 11, Script 8 10, Script 9 9, Script 10 8, Script 11 7,
                 Script 12 6, Script 13 5, Script 14 4, Script 15 3, … 2 more
    actions      action1 17, action2 16, action3 15, action4 14, action5 13, action6 12, action7 11,
                 action8 10, action9 9, action10 8, action11 7, action12 6, action13 5, action14 4,
                 action15 3, … 2 more
    outputs      output1 23, output2 22, output3 21, output4 20, output5 19, output6 18, output7 17,
                 output8 16, output9 15, output10 14, output11 13, output12 12, output13 11,
                 output14 10, output15 9, output16 8, output17 7, output18 6, output19 5, output20 4,
                 … 3 more
    unknown      unknown1 16, unknown2 15, unknown3 14, unknown4 13, unknown5 12, unknown6 11,
                 unknown7 10, unknown8 9, unknown9 8, unknown10 7, unknown11 6, unknown12 5,
                 unknown13 4, unknown14 3, unknown15 2, … 1 more
    faults       22 places, 253 in all
                 22x wrong-value at scripts/s22/actions/0, first in tick 220
                   Message 22.
                 21x wrong-value at scripts/s21/actions/0, first in tick 210
                   Message 21.
                 20x wrong-value at scripts/s20/actions/0, first in tick 200
                   Message 20.
                 19x wrong-value at scripts/s19/actions/0, first in tick 190
                   Message 19.
                 18x wrong-value at scripts/s18/actions/0, first in tick 180
                   Message 18.
                 17x wrong-value at scripts/s17/actions/0, first in tick 170
                   Message 17.
                 16x wrong-value at scripts/s16/actions/0, first in tick 160
                   Message 16.
                 15x wrong-value at scripts/s15/actions/0, first in tick 150
                   Message 15.
                 14x wrong-value at scripts/s14/actions/0, first in tick 140
                   Message 14.
                 13x wrong-value at scripts/s13/actions/0, first in tick 130
                   Message 13.
                 12x wrong-value at scripts/s12/actions/0, first in tick 120
                   Message 12.
                 11x wrong-value at scripts/s11/actions/0, first in tick 110
                   Message 11.
                 10x wrong-value at scripts/s10/actions/0, first in tick 100
                   Message 10.
                 9x wrong-value at scripts/s9/actions/0, first in tick 90
                   Message 9.
                 8x wrong-value at scripts/s8/actions/0, first in tick 80
                   Message 8.
                 7x wrong-value at scripts/s7/actions/0, first in tick 70
                   Message 7.
                 6x wrong-value at scripts/s6/actions/0, first in tick 60
                   Message 6.
                 5x wrong-value at scripts/s5/actions/0, first in tick 50
                   Message 5.
                 4x wrong-value at scripts/s4/actions/0, first in tick 40
                   Message 4.
                 3x wrong-value at scripts/s3/actions/0, first in tick 30
                   Message 3.
                 … 2 more places (--json has all)
    skips        actions in 2 places had nothing to act on, 10 times (--json has all)
    time         inputs 1 ms (0 %), timers 0 ms (0 %), entities 101 ms (20 %), physics 300 ms (59 %),
                 first tick 208 ms after the process started
    hash         0123456789abcdef
    "
  `);
});

test('a summary of nothing', () => {
  const nothing: Summary = {
    ...full,
    title: null,
    bots: 0,
    players: 0,
    units: 0,
    projectiles: 0,
    joined: 0,
    left: 0,
    wallMs: 0,
    ticks: 1,
    speed: 0,
    refused: {},
    entities: { units: {}, items: {}, projectiles: {} },
    variables: {},
    triggers: {},
    scripts: {},
    actions: {},
    outputs: {},
    unknown: {},
    faults: [],
    skips: [],
    startup: { ...full.startup, firstTickMs: null },
  };
  expect(summaryText(nothing, 60)).toMatchInlineSnapshot(`
    "games/hill.json
    60 s played in 0.00 s (0.0x real time): 1 tick, 20 per second; standard, seed a

    players      0 in the game, 0 joined, 0 left,
                 add bots with --bots 8
    units        0
    items        0
    projectiles  0
    variables    none
    triggers     none
    scripts      0 of 0 ran
    actions      none
    outputs      none
    faults       none
    time         inputs 1 ms (0 %), timers 0 ms (0 %),
                 entities 101 ms (0 %), physics 300 ms (0 %)
    hash         0123456789abcdef
    "
  `);
});

test.each(['until', 'game', 'interrupted', 'time'] as const)('how a run ended: %s', (ending) => {
  const until = { expression: 'seconds > 99', lines: ['seconds is 60', 'which is not more than 99'] };
  const heads = [
    { ...full, ending },
    { ...full, ending, until: until as unknown as NonNullable<Summary['until']> },
  ].map((summary) => summaryText(summary, 100).split('\n\n')[0]!.split('\n').slice(2));
  expect(heads).toMatchSnapshot();
});
