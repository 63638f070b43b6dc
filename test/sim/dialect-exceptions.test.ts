import { expect, test } from 'vitest';
import {
  arrangeJournal,
  type DialectName,
  dialects,
  type JournalRecord,
  Replay,
  Simulation,
} from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import { play, script } from '../support/play.ts';
import { sampleGame } from '../support/samples.ts';

/** Depending on the dialect, `return` ends the script or only the loop, and the default is a number or a string. */
const game = {
  variables: { went: { dataType: 'number', default: 0 }, given: { dataType: 'number', default: '7' } },
  scripts: {
    main: script(
      ['gameStart'],
      [
        { type: 'repeat', count: 3, actions: [{ type: 'return' }] },
        { type: 'setVariable', variableName: 'went', value: 1 },
      ],
    ),
  },
};

test.each<[DialectName, number, unknown]>([
  ['standard', 0, 7],
  ['moddio', 1, '7'],
  ['moddio except returnEndsScript', 0, '7'],
  ['moddio except globalDefaultsAreConverted, returnEndsScript', 0, 7],
  ['standard except returnEndsScript', 1, 7],
])('%s', (dialect, went, given) => {
  const { variable } = play(game, { dialect });
  expect([variable('went'), variable('given')]).toEqual([went, given]);
});

test('exceptions are listed in canonical order', () => {
  const { sim } = play({}, { dialect: 'moddio except lastKeyWins,returnEndsScript , lastKeyWins' });
  expect(sim.dialect).toBe('moddio except returnEndsScript, lastKeyWins');
});

test.each([
  ['moddio except lastKeyCount', 'unknown-difference', 'Did you mean "lastKeyWins"?'],
  ['moddio except ', 'unknown-difference', 'There is no dialect difference called "".'],
  ['moddio except name', 'unknown-difference', 'There is no dialect difference called "name".'],
  ['modio except lastKeyWins', 'unknown-dialect', 'Did you mean "moddio"?'],
  ['moddio except lastKeyWins except name', 'unknown-dialect', 'There is no dialect'],
])('%s is refused', (dialect, code, message) => {
  expect(() => play({}, { dialect: dialect as DialectName })).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

const outbreak = sampleGame('outbreak.json');
const differences = Object.keys(dialects.standard).filter((each) => each !== 'name');
/** Only every sixth difference alone, because all of them would take as long as the rest of this folder. */
const some = (base: 'standard' | 'moddio', from: number) =>
  differences.filter((_, at) => at % 6 === from).map((each): DialectName => `${base} except ${each}`);
const half = (base: 'standard' | 'moddio', rest: number): DialectName =>
  `${base} except ${differences.filter((_, index) => index % 2 === rest).join()}`;

function begin(dialect: DialectName): { readonly sim: Simulation; steps(count: number): void } {
  const sim = new Simulation(outbreak, { dialect, seed: 'e' });
  const bots = new Bots(sim, { count: 4, seed: 'e' });
  const steps = (count: number): void => {
    for (let step = 0; step < count; step++) {
      bots.beforeStep();
      sim.step();
    }
  };
  return { sim, steps };
}

test.each([...some('standard', 0), ...some('moddio', 3), half('standard', 0), half('standard', 1)])(
  'a game with %s runs without a fault, and a snapshot goes on alike',
  (dialect) => {
    const { sim, steps } = begin(dialect);
    steps(20);
    const restored = Simulation.restore(outbreak, sim.snapshot());
    for (const each of [sim, restored]) each.run({ ticks: 10 });
    expect(restored.hash()).toBe(sim.hash());
    expect(sim.faults()).toEqual([]);
  },
);

test('journals and snapshots carry the exceptions', () => {
  const dialect = 'moddio except singleTickRate, lastKeyWins';
  const { sim, steps } = begin(dialect);
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each), { hashTicks: 1, snapshotTicks: 30 });
  steps(60);
  recorder.end();
  expect(Simulation.restore(outbreak, sim.snapshot()).dialect).toBe(dialect);
  const journal = arrangeJournal(records)!;
  expect(journal.head.dialect).toBe(dialect);
  const replay = new Replay(outbreak, journal);
  replay.seek(60);
  expect(replay.sim.dialect).toBe(dialect);
  expect(replay.sim.hash()).toBe(sim.hash());
});
