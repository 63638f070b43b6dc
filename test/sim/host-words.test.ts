import { expect, test } from 'vitest';
import {
  arrangeJournal,
  catalogue,
  definitionHash,
  type HostWords,
  type Input,
  type JournalRecord,
  loadDefinition,
  type OutputEvent,
  Replay,
  Simulation,
} from '../../engine/index.ts';
import { checkGame } from '../../src/check/index.ts';

const words: HostWords = {
  operations: {
    awardBadge: {
      about: { sentence: 'Awards a badge on the platform.', example: { badge: 'champion' } },
      params: { player: 'player', badge: 'string', points: { kind: 'number', optional: true } },
    },
    getSeason: { about: 'The season on the platform.', returns: 'string' },
    getTier: { about: 'The tier of a subscriber.', params: { player: 'player' }, returns: 'number' },
    getGiftAmount: { about: 'The amount of the gift.', returns: 'number', payload: 'amount' },
  },
  triggers: {
    giftReceived: { about: 'A viewer has sent a gift.', payload: { player: 'player', amount: 'number' } },
  },
};

const giver = { function: 'getTriggeringPlayer' };
const document = {
  data: {
    map: { width: 2, height: 2, tilewidth: 16, tileheight: 16, layers: [] },
    variables: { season: { dataType: 'string', default: '' }, tier: { dataType: 'number', default: 0 } },
    scripts: {
      gift: {
        triggers: [{ type: 'giftReceived' }],
        actions: [
          { type: 'awardBadge', player: giver, badge: 'giver', points: { function: 'getGiftAmount' } },
          { type: 'setVariable', variableName: 'season', value: { function: 'getSeason' } },
          { type: 'setVariable', variableName: 'tier', value: { function: 'getTier', player: giver } },
        ],
      },
    },
  },
};

function started(): { sim: Simulation; outputs: OutputEvent[]; refused: unknown[] } {
  const outputs: OutputEvent[] = [];
  const refused: unknown[] = [];
  const sim = new Simulation(loadDefinition(document, words).game!, {
    onOutput: (event) => event.kind === 'host' && outputs.push(event),
  });
  sim.on('refused', ({ reason, why }) => refused.push(why ?? reason));
  sim.join({ clientId: 'ada' });
  sim.step();
  return { sim, outputs, refused };
}

const gift: Input = { kind: 'host', trigger: 'giftReceived', payload: { player: 'ada', amount: 5 } };

test('a game plays with the words of its host', () => {
  const { sim, outputs } = started();
  sim.input({ kind: 'hostValue', function: 'getSeason', value: 'winter' });
  sim.input({ kind: 'hostValue', function: 'getTier', operands: { player: 'ada' }, value: 3 });
  sim.input(gift);
  sim.step();
  expect(outputs).toEqual([
    expect.objectContaining({
      operation: 'awardBadge',
      values: { player: 'ada', badge: 'giver', points: 5 },
      actionType: 'awardBadge',
    }),
  ]);
  expect([sim.variable('season'), sim.variable('tier')]).toEqual(['winter', 3]);
  sim.input({ kind: 'hostValue', function: 'getTier', operands: { player: 'ada' }, value: null });
  sim.input(gift);
  sim.step();
  // Without a value, the variable takes its default.
  expect(sim.variable('tier')).toBe(0);
  expect(sim.faults()).toEqual([]);
});

test('checks know the words', () => {
  const { game } = loadDefinition(document, words);
  expect(checkGame(game!).map(({ code }) => code)).toEqual(['no-walls']);
  const without = checkGame(loadDefinition(document).game!).map(({ code }) => code);
  expect(without).toEqual(expect.arrayContaining(['unknown-action', 'unknown-function', 'unknown-trigger']));
  const wrong = structuredClone(document) as typeof document & { data: { scripts: Record<string, unknown> } };
  const pays = { type: 'awardBadge', player: giver, badgge: 'x', points: 'many' };
  wrong.data.scripts['start'] = { triggers: [{ type: 'gameStart' }], actions: [pays] };
  const codes = checkGame(loadDefinition(wrong, words).game!).map(({ code }) => code);
  expect(codes).toEqual(
    expect.arrayContaining([
      'missing-parameter',
      'misspelt-parameter',
      'wrong-parameter',
      'trigger-function-unavailable',
    ]),
  );
});

test('the catalogue of a game has the words of its host, that of the language has not', () => {
  const { definition } = loadDefinition(document, words).game!;
  const { actions, functions, triggers } = catalogue(definition);
  expect(actions.find(({ type }) => type === 'awardBadge')).toMatchObject({ family: 'host', status: 'output' });
  expect(functions.find(({ type }) => type === 'getTier')).toMatchObject({ family: 'host', returns: 'number' });
  expect(triggers.at(-1)).toMatchObject({ type: 'giftReceived', scopes: ['global'], tells: ['player', 'amount'] });
  expect(JSON.stringify(catalogue())).not.toMatch(/awardBadge|giftReceived/);
});

test('games with different hosts do not share words', () => {
  const others: HostWords = { triggers: { raidStarted: { about: 'A raid has started.' } } };
  const { game } = loadDefinition(document, others);
  const sim = new Simulation(game!);
  const refused: unknown[] = [];
  sim.on('refused', ({ why }) => refused.push(why));
  sim.input(gift);
  sim.input({ kind: 'host', trigger: 'raidStarted' });
  sim.step();
  expect(refused).toEqual(['unknown-word']);
  expect(checkGame(game!).map(({ code }) => code)).toContain('unknown-trigger');
});

test.each<[string, Input, string]>([
  ['an unknown trigger', { kind: 'host', trigger: 'raidStarted' }, 'unknown-word'],
  ['an inherited name', { kind: 'host', trigger: 'constructor' }, 'unknown-word'],
  ['a missing member', { kind: 'host', trigger: 'giftReceived', payload: { player: 'ada' } }, 'wrong-value'],
  ['an unknown member', { ...gift, payload: { player: 'ada', amount: 1, from: 'x' } }, 'wrong-value'],
  ['another type', { ...gift, payload: { player: 'ada', amount: '1' } }, 'wrong-value'],
  ['no object', { ...gift, payload: 'ada' }, 'wrong-value'],
  ['a player who is not there', { ...gift, payload: { player: 'bob', amount: 1 } }, 'no-such-player'],
  ['an unknown function', { kind: 'hostValue', function: 'getYear', value: 1 }, 'unknown-word'],
  ['an action', { kind: 'hostValue', function: 'awardBadge', value: 1 }, 'unknown-word'],
  ['a function of a payload', { kind: 'hostValue', function: 'getGiftAmount', value: 1 }, 'unknown-word'],
  ['a value of another type', { kind: 'hostValue', function: 'getSeason', value: 1 }, 'wrong-value'],
  ['a missing operand', { kind: 'hostValue', function: 'getTier', value: 1 }, 'wrong-value'],
])('an input with %s is refused', (_, input, code) => {
  const { sim, outputs, refused } = started();
  const hash = sim.fork();
  hash.step();
  sim.input(input);
  sim.step();
  expect(refused).toEqual([code]);
  expect(outputs).toEqual([]);
  expect(sim.hash()).toBe(hash.hash());
});

test('values of the host are in hashes, snapshots, forks and journals', () => {
  const { sim } = started();
  const records: JournalRecord[] = [];
  const recorder = sim.journal((record) => records.push(record), { hashTicks: 1 });
  const before = sim.fork();
  sim.input({ kind: 'hostValue', function: 'getSeason', value: 'winter' });
  sim.step();
  before.step();
  expect(sim.hash()).not.toBe(before.hash());
  const { game } = loadDefinition(structuredClone(document), structuredClone(words));
  const twins = [sim.fork(), Simulation.restore(game!, sim.snapshot())];
  for (const each of [sim, ...twins]) {
    each.input(gift);
    each.step();
    expect(each.variable('season')).toBe('winter');
    expect(each.hash()).toBe(sim.hash());
  }
  recorder.end();
  const replay = new Replay(game!, arrangeJournal(records)!);
  while (!replay.isAtEnd) {
    replay.step();
    expect(replay.difference()).toBeUndefined();
  }
  expect(replay.sim.variable('season')).toBe('winter');
});

test('a journal or snapshot of a game with other words is refused', () => {
  const { sim } = started();
  const records: JournalRecord[] = [];
  sim.journal((record) => records.push(record)).end();
  const { giftReceived } = words.triggers!;
  const others = { ...words, triggers: { giftReceived: { ...giftReceived, about: 'Another sentence.' } } } as HostWords;
  for (const other of [undefined, others]) {
    const { game } = loadDefinition(document, other);
    expect(definitionHash(game!.definition)).not.toBe(definitionHash(sim.definition));
    expect(() => new Replay(game!, arrangeJournal(records)!)).toThrow(
      expect.objectContaining({ code: 'other-definition' }),
    );
    expect(() => Simulation.restore(game!, sim.snapshot())).toThrow(
      expect.objectContaining({ code: 'other-definition' }),
    );
  }
  const without = loadDefinition(document, {}).game!;
  expect(definitionHash(without.definition)).toBe(definitionHash(loadDefinition(document).game!.definition));
});

test('a delayed action still reads what the trigger told', () => {
  const later = { type: 'setTimeOut', duration: 200, actions: document.data.scripts.gift.actions };
  const scripts = { gift: { triggers: [{ type: 'giftReceived' }], actions: [later] } };
  const { game } = loadDefinition({ data: { ...document.data, scripts } }, words);
  const outputs: OutputEvent[] = [];
  const first = new Simulation(game!);
  first.join({ clientId: 'ada' });
  first.step();
  first.input(gift);
  first.step();
  const sim = Simulation.restore(game!, first.snapshot(), {
    onOutput: (event) => event.kind === 'host' && outputs.push(event),
  });
  sim.run({ seconds: 1 });
  expect(outputs).toMatchObject([{ values: { player: 'ada', badge: 'giver', points: 5 } }]);
});

const about = 'It happens.';
test.each<[string, unknown, string]>([
  ['operations.endGame', { operations: { endGame: { about } } }, 'word-taken'],
  ['operations.getSelectedUnit', { operations: { getSelectedUnit: { about } } }, 'word-taken'],
  ['triggers.gameStart', { triggers: { gameStart: { about } } }, 'word-taken'],
  ['operations.pay.about', { operations: { pay: { about: ' ' } } }, 'bad-word'],
  ['operations.pay.about', { operations: { pay: {} } }, 'bad-word'],
  ['operations.pay.params.to', { operations: { pay: { about, params: { to: 'plyer' } } } }, 'unknown-kind'],
  ['operations.pay.params.to', { operations: { pay: { about, params: { to: null } } } }, 'unknown-kind'],
  ['operations.pay.returns', { operations: { pay: { about, returns: 'unit' } } }, 'unknown-kind'],
  ['operations.pay.payload', { operations: { pay: { about, returns: 'number', payload: 'sum' } } }, 'bad-word'],
  ['operations.pay ', { operations: { pay: { about, efects: [] } } }, 'bad-word'],
  ['operations.pay out', { operations: { 'pay out': { about } } }, 'bad-word'],
  ['triggers.paid.payload.who', { triggers: { paid: { about, payload: { who: 'player' } } } }, 'bad-word'],
  ['triggers.paid.payload.player', { triggers: { paid: { about, payload: { player: 'number' } } } }, 'bad-word'],
  ['triggers.paid.payload.at', { triggers: { paid: { about, payload: { at: 'position' } } } }, 'unknown-kind'],
  ['the host', { operation: {} }, 'bad-word'],
  ['operations', { operations: [] }, 'bad-word'],
])('a wrong declaration of %s throws', (place, declared, code) => {
  expect(() => loadDefinition(document, declared as HostWords)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(place) }),
  );
});

test('the module of a host may contain its handlers, too; other members are refused', () => {
  const module = { ...words, handlers: { awardBadge() {} } };
  expect(loadDefinition(document, module).game!.definition.host).toEqual(words);
  const misspelt = { ...words, operation: {} };
  expect(() => loadDefinition(document, misspelt)).toThrow('called "operation". Did you mean "operations"?');
});
