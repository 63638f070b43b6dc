import { expect, test } from 'vitest';
import {
  arrangeJournal,
  definitionHash,
  firstDifference,
  type Input,
  loadDefinition,
  Replay,
  readSnapshot,
  Simulation,
  UsageError,
} from '../../engine/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { lazily } from '../support/lazily.ts';
import { load, play } from '../support/play.ts';

const loaded = load({});
const shared = lazily(() => play({}).sim);
const snapshot = lazily(() => shared().snapshot());

/** Calls that untyped programs can make. */
const any = (value: unknown): never => value as never;

const misuses: [call: string, misuse: () => unknown, code: string, sentence: string][] = [
  [
    'a document',
    () => new Simulation(any({ data: {} })),
    'not-loaded',
    'Load a document first: loadDefinition(document).game',
  ],
  ['a text', () => new Simulation(any('{}')), 'not-loaded', 'not "{}"'],
  ['nothing', () => new Simulation(any(undefined)), 'not-loaded', 'its `issues` say why'],
  ['a result of loading', () => new Simulation(any(loadDefinition({}))), 'not-loaded', 'Pass its member `game`'],
  ['no options', () => new Simulation(loaded, any('moddio')), 'bad-option', 'an object with seed, dialect'],
  [
    'an option',
    () => new Simulation(loaded, any({ seeds: 1 })),
    'unknown-option',
    'no option "seeds". Did you mean "seed"?',
  ],
  ['a seed', () => new Simulation(loaded, { seed: Number.NaN }), 'bad-option', 'a string or a finite number, not NaN'],
  [
    'a date',
    () => new Simulation(loaded, { epochMs: any('today') }),
    'bad-option',
    'epochMs must be a finite number, not "today"',
  ],
  [
    'an observer',
    () => new Simulation(loaded, { observer: any({}) }),
    'bad-option',
    'observer must be a function, not an object',
  ],
  ['a dialect', () => new Simulation(loaded, { dialect: any('modio') }), 'unknown-dialect', 'Did you mean "moddio"?'],
  [
    'a dialect of objects',
    () => new Simulation(loaded, { dialect: any('toString') }),
    'unknown-dialect',
    'Known: standard, moddio.',
  ],
  [
    'a limit',
    () => new Simulation(loaded, { limits: any({ entites: 5 }) }),
    'unknown-limit',
    'Did you mean "entities"?',
  ],
  [
    'too much',
    () => new Simulation(loaded, { limits: { entities: 1e9 } }),
    'bad-limit',
    '0 or more and at most 1,000,000, not 1000000000',
  ],
  [
    'half a timer',
    () => new Simulation(loaded, { limits: { timers: 0.5 } }),
    'bad-limit',
    'The limit timers must be a whole number, 0 or more, not 0.5',
  ],
  [
    'restore: an option',
    () => Simulation.restore(loaded, snapshot(), any({ seed: 1 })),
    'unknown-option',
    'no option "seed"',
  ],
  ['restore: a document', () => Simulation.restore(any({}), snapshot()), 'not-loaded', 'Load a document first'],
  ['fork: an option', () => shared().fork(any({ onOutptu() {} })), 'unknown-option', 'Did you mean "onOutput"?'],
  ['an event', () => shared().on(any('outputs'), () => {}), 'unknown-event', 'Did you mean "output"?'],
  ['a listener', () => shared().on('tick', any(undefined)), 'bad-listener', 'a function, not undefined'],
  ['an observer later', () => shared().observe(any('x')), 'bad-listener', 'a function, not "x"'],
  ['a listener of phases', () => shared().observePhases(any(1)), 'bad-listener', 'a function, not 1'],
  [
    'no length',
    () => shared().run(any(undefined)),
    'bad-length',
    'exactly one of `seconds` and `ticks`, but has neither',
  ],
  ['another length', () => shared().run(any({ second: 1 })), 'bad-length', '`ticks`, but has neither'],
  ['two lengths', () => shared().run(any({ seconds: 1, ticks: 1 })), 'bad-length', '`ticks`, but has both'],
  ['a number', () => shared().run(any(5)), 'bad-length', '`ticks`, but has neither'],
  ['seconds below zero', () => shared().run({ seconds: -1 }), 'bad-length', '0 or more, not -1'],
  ['seconds of no number', () => shared().run({ seconds: Number.NaN }), 'bad-length', 'not NaN'],
  ['seconds without end', () => shared().run({ seconds: Number.POSITIVE_INFINITY }), 'bad-length', 'not Infinity'],
  ['half a tick', () => shared().run({ ticks: 0.5 }), 'bad-length', 'a whole number, 0 or more, not 0.5'],
  ['until nothing', () => shared().runUntil(any('state'), { seconds: 1 }), 'bad-listener', 'a function, not "state"'],
  ['until without end', () => shared().runUntil(() => true, any(undefined)), 'bad-length', 'not undefined'],
  [
    'an input',
    () => shared().input(any({ kind: 'keydown', player: 'p1', key: 'w' })),
    'unknown-input',
    'Did you mean "keyDown"?',
  ],
  ['no input', () => shared().input(any(undefined)), 'unknown-input', 'no input undefined'],
  [
    'an input without its members',
    () => shared().input(any({ kind: 'chat', player: 'p1' })),
    'bad-input',
    '{"kind":"chat","player":"p1"}',
  ],
  ['a join', () => shared().join(any({ nmae: 'Ada' })), 'bad-input', '"nmae":"Ada"'],
  ['a join of a name', () => shared().join(any('Ada')), 'bad-value', 'must be an object, not "Ada"'],
  ['an id', () => shared().find(any(5)), 'bad-value', 'An id must be a string, not 5'],
  ['an entity', () => shared().handle(any('u1')), 'bad-value', 'To get an entity by its id, use `find`'],
  ['a client id', () => shared().player(any(undefined)), 'bad-value', 'A client id must be a string, not undefined'],
  ['a place', () => shared().edit.createUnit(any(undefined)), 'bad-option', 'an object with type, x, y, angle'],
  [
    'a place without x',
    () => shared().edit.createUnit(any({ type: 'unit', y: 1 })),
    'bad-value',
    'x must be a finite number',
  ],
  ['a recorder', () => shared().journal(any(undefined)), 'bad-listener', 'a function, not undefined'],
  [
    'an option of it',
    () => shared().journal(() => {}, any({ hashTick: 5 })),
    'unknown-option',
    'Did you mean "hashTicks"?',
  ],
  ['a kind of none', () => shared().entities(any('none')), 'unknown-kind', 'Known: unit, item, projectile'],
  [
    'snapshots at a negative number of ticks',
    () => shared().journal(() => {}, { snapshotTicks: -5 }),
    'bad-option',
    'snapshotTicks must be a whole number, 0 or more, not -5',
  ],
  [
    'hashes at half a tick',
    () => shared().journal(() => {}, { hashTicks: 0.5 }),
    'bad-option',
    'hashTicks must be a whole number, 1 or more, not 0.5',
  ],
  [
    'a snapshot',
    () => Simulation.restore(loaded, any('abc')),
    'bad-value',
    'A snapshot must be a Uint8Array, not "abc"',
  ],
  ['a snapshot to read', () => readSnapshot(any(undefined)), 'bad-value', 'A snapshot must be a Uint8Array'],
  ['a journal', () => new Replay(loaded, any([])), 'bad-value', 'a journal from arrangeJournal'],
  ['records of a journal', () => arrangeJournal(any(5)), 'bad-value', 'must be a list, not 5'],
  ['a definition', () => definitionHash(any(loaded)), 'bad-value', 'the member `definition` of a loaded game'],
  ['a game to check', () => checkGame(any({})), 'not-loaded', 'not an object'],
  ['a dialect to check', () => checkGame(loaded, any('modio')), 'unknown-dialect', 'Did you mean "moddio"?'],
  ['one side of a comparison', () => firstDifference(shared(), any(5)), 'not-a-simulation', 'a simulation, not 5'],
  ['the inside of nothing', () => internalsOf(any({})), 'not-a-simulation', 'a simulation, not an object'],
];
test.each(misuses)('%s', (_, misuse, code, sentence) => {
  const sim = shared();
  const before = sim.hash();
  let thrown: unknown;
  try {
    misuse();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(UsageError);
  expect((thrown as UsageError).code).toBe(code);
  expect((thrown as UsageError).message).toContain(sentence);
  expect([sim.tick, sim.hash()]).toEqual([0, before]);
});

test('a rejected input does not affect those before and after it', () => {
  const { sim: game } = play({});
  game.join({ name: 'Ada' });
  expect(() => game.input({ kind: 'dance' } as unknown as Input)).toThrow(UsageError);
  game.step();
  expect(game.entities('player').length).toBe(11);
});

test('undefined options and limits count as missing', () => {
  const plain = new Simulation(loaded);
  const given = new Simulation(loaded, {
    limits: { timers: undefined } as never,
    observer: undefined,
    onOutput: undefined,
  });
  expect(given.hash()).toBe(plain.hash());
});
