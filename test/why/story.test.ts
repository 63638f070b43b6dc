import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playCase } from '../../src/scenario/playing/play-case.ts';
import { casesOf } from '../../src/scenario/reading/cases.ts';
import { Games } from '../../src/scenario/reading/games.ts';
import { readScenarioText } from '../../src/scenario/reading/scenario-reader.ts';
import { samplesFolder } from '../support/samples.ts';

const games = new Games();

/** Why a scenario of Outbreak with one player fails, as its report says. */
function whyItFails(...steps: readonly string[]): readonly string[] {
  return whyChangedFails('{}', ...steps);
}

/** The same with a changed definition. */
function whyChangedFails(definition: string, ...steps: readonly string[]): readonly string[] {
  const text = [
    'game: outbreak.json',
    `definition: ${definition}`,
    'scenarios:',
    '  - name: fails',
    '    given: { players: [alice] }',
    '    steps:',
    ...steps.map((step) => `      - ${step}`),
  ].join('\n');
  const [only] = casesOf(readScenarioText(join(samplesFolder, 'fails.scenario.yaml'), text));
  return playCase(only!, games, { explains: true }).failure!.why;
}

test('a state that was never reached: the comparison that was false, and what changed its value', () => {
  expect(whyItFails(`{ until: 'state == "postoutbreak"', within: 14 s }`)).toEqual([
    'state stayed "preoutbreak": "outbreak" would: set state = "postoutbreak", but timeLeft <= 0 was false 14 times in "every second" (last: timeLeft was 1).',
    '  timeLeft: tick 280 (14.00 s): 2 → 1 by set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0) in script "every second"',
  ]);
});

test('a value that a script set: the action', () => {
  expect(whyItFails('{ wait: 3 s }', '{ expect: timeLeft > 12 }').slice(0, 1)).toEqual([
    'timeLeft became 12 (before: 13) at tick 60: set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0) in script "every second".',
  ]);
});

test('a value that a script counts: the value from which it counted', () => {
  const [why] = whyItFails(
    `{ until: 'state == "postoutbreak"', within: 30 s }`,
    '{ wait: 3 s }',
    '{ expect: timeLeft > 999 }',
  );
  expect(why).toMatch(
    /^timeLeft became \d+ \(before: \d+\) at tick \d+: set timeLeft = .* in script "outbreak"\. Since then: set timeLeft = \(timeLeft - 1\)\.$/,
  );
});

test('a list that a return ended under two conditions: both conditions', () => {
  const isOne = (name: string) => numberIs(global(name), '==', 1);
  const why = whyCoinsFails({
    variables: { a: { dataType: 'number', default: 1 }, b: { dataType: 'number', default: 1 } },
    scripts: {
      collect: { triggers: [] },
      pay: everySecond('pays', when(isOne('a'), when(isOne('b'), { type: 'return' })), setCoins(1)),
    },
  });
  expect(why).toContain('but not if a == 1, which was true in');
  expect(why).toContain('but not if b == 1, which was true in');
});

test('a unit of a computer player that scripts move: nothing is said about its AI', () => {
  const why = (definition: string) =>
    whyChangedFails(
      definition,
      '{ spawn: { unit: zombie, name: zoe, at: [600, 600], owner: computer2 } }',
      '{ wait: 1 s }',
      '{ expect: zoe.x > 900 }',
    ).join();
  const still = '{ unitTypes: { zombie: { ai: { enabled: false } } } }';
  expect(why(still)).not.toContain('has no AI');
});

test('a value that regenerates: what made it fall', () => {
  const [why] = whyItFails(
    '{ set: { alice.unit.health: 40 } }',
    '{ wait: 1 s }',
    '{ expect: alice.unit.health == 100 }',
  );
  expect(why).toMatch(
    /^alice\.unit\.health became 40 \(before: 100\) at tick 1: the step "set: \{"alice\.unit\.health":40\}"\. Since then: regeneration of alice\.unit \(Human\) at rate 2\.$/,
  );
});

test('a type that a unit never got: the comparison that kept the script from running', () => {
  expect(
    whyItFails(
      '{ set: { state: postoutbreak } }',
      '{ spawn: { unit: zombie, name: zoe, at: alice, owner: computer2, attributes: { stun: 100 } } }',
      '{ wait: 500 ms }',
      '{ expect: alice.unit.type == "sick" }',
    ).slice(0, 2),
  ).toEqual([
    expect.stringMatching(
      /^alice\.unit\.type stayed "Human": "this human falls sick" would: .*, but getTriggeringUnit\(\)\.stun <= 0 was false once in "contact \(zombie touches human\)" \(u5\.stun was 97\.5\)\.$/,
    ),
    '  u5.stun: tick 2 (0.10 s): 100 → 97.5 by regeneration of zoe (Zombie) at rate -50',
  ]);
});

/** Why `ann.coins == 1` fails a second after ann joined a changed Coins. */
function whyCoinsFails(definition: object, ...steps: readonly string[]): string {
  const text = `game: ../../templates/coins/game.json
definition: ${JSON.stringify(definition)}
scenarios:
  - name: fails
    given: { players: [ann] }
    steps: [${[...steps, '{ wait: 1 s }', '{ expect: ann.coins == 1 }'].join(', ')}]
`;
  const [only] = casesOf(readScenarioText(join(samplesFolder, 'fails.scenario.yaml'), text));
  return playCase(only!, games, { explains: true }).failure!.why.join(' ');
}

const numberIs = (left: unknown, operator: string, right: unknown) => [
  { operandType: 'number', operator },
  left,
  right,
];
const global = (variableName: string) => ({ function: 'getVariable', variableName });
const only = { function: 'selectedPlayer' };
const everySecond = (name: string, ...actions: readonly object[]) => ({
  name,
  triggers: [{ type: 'secondTick' }],
  conditions: [],
  actions: [
    { type: 'forAllPlayers', playerGroup: { function: 'playersOfPlayerType', playerType: 'collectors' }, actions },
  ],
});
const setCoins = (value: unknown) => ({ type: 'setPlayerAttribute', attribute: 'coins', entity: only, value });
const when = (conditions: unknown, ...then: readonly object[]) => ({ type: 'condition', conditions, then, else: [] });

test('of a condition, the operands that decided it; each script that would have changed the value', () => {
  const is = (name: string, value: number) => numberIs(global(name), '==', value);
  const neither = [{ operandType: 'or', operator: 'OR' }, is('@goal', 1), is('@goal', 2)];
  const both = [{ operandType: 'and', operator: 'AND' }, is('@goal', 5), neither];
  const collect = { triggers: [{ type: 'playerLeavesGame' }] };
  expect(whyCoinsFails({ scripts: { collect, pay: everySecond('pays', when(both, setCoins(1))) } })).toBe(
    'ann.coins stayed 0: "pays" would: set selectedPlayer().coins = 1, but @goal == 1 or @goal == 2 was false once ' +
      '(@goal was 5).   @goal: No script sets @goal. ' +
      '"somebody touches a coin" would: set getOwner(getTriggeringUnit()).coins = (getOwner(getTriggeringUnit()).coins + 1). ' +
      '"somebody touches a coin" listens to playerLeavesGame, which never fired: A player is about to leave. ' +
      'The player and its units still exist.',
  );
});

test('a variable in a condition that nothing set: what would have set it', () => {
  const entityVariable = (key: string) => ({ function: 'getEntityVariable', variable: { key, dataType: 'number' } });
  const lucky = { function: 'getValueOfPlayerVariable', variable: entityVariable('lucky'), player: only };
  const collect = { triggers: [], conditions: numberIs(lucky, '==', 1) };
  const luck = {
    name: 'draws',
    triggers: [{ type: 'playerLeavesGame' }],
    conditions: [],
    actions: [
      {
        type: 'setPlayerVariable',
        player: { function: 'getTriggeringPlayer' },
        variable: entityVariable('lucky'),
        value: 1,
      },
    ],
  };
  const pay = everySecond('pays', when(numberIs(lucky, '==', 1), setCoins(1)));
  const variables = { lucky: { dataType: 'number', default: 0 } };
  expect(whyCoinsFails({ playerTypes: { collectors: { variables } }, scripts: { collect, luck, pay } })).toContain(
    'but selectedPlayer()[lucky] == 1 was false once (p1.lucky was 0).   p1.lucky: ' +
      '"draws" would: set getTriggeringPlayer()[lucky] = 1. "draws" listens to playerLeavesGame, which never fired',
  );
});

test('a value that changed the wrong way: nothing that would have brought it further away', () => {
  const pay = everySecond('pays', when(numberIs(global('@goal'), '==', 4), setCoins(7)), setCoins(5));
  expect(whyCoinsFails({ scripts: { collect: { actions: [] }, pay } }, '{ set: { ann.coins: 6 } }')).toMatch(
    /^ann\.coins became 5 \(before: 6\) at tick 20: set selectedPlayer\(\)\.coins = 5 {2}\(scripts\/pay\/actions\/0\/actions\/1\) in script "pays"\./,
  );
});

test('an empty hand: which slots the items are in', () => {
  expect(
    whyChangedFails(
      '{ itemTypes: { stunGun: { controls: { permittedInventorySlots: [2] } } } }',
      '{ wait: 1 s }',
      '{ expect: alice.unit.holding != nothing }',
    ),
  ).toEqual([
    'alice.unit.holding stayed nothing: The selected slot 1 is empty; the unit carries i1 (Stun gun) in slot 2.',
  ]);
});

test('a script that never ran, a trigger that never fired', () => {
  expect(whyItFails('{ wait: 2 s }', '{ ran: game over }')).toEqual([
    'runs "game over" stayed 0: "game over" would run, but state == "postoutbreak" was false 2 times in "every second" (last: state was "preoutbreak").',
    '  state: "outbreak" would: set state = "postoutbreak", but timeLeft <= 0 was false 2 times in "every second" (last: timeLeft was 13).',
    '    timeLeft: tick 40 (2.00 s): 14 → 13 by set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0) in script "every second"',
    '"game over" would run, but timeLeft <= 0 was false 2 times in "every second" (last: timeLeft was 13).',
  ]);
  expect(whyItFails('{ wait: 1 s }', '{ event: playerLeavesGame }').join()).toContain(
    'playerLeavesGame never fired. It fires when: ',
  );
});

test('a script that a key runs: who has to press it', () => {
  const scripts =
    '{ wave: { name: waves, triggers: [], conditions: [], actions: [] }, idle: { name: idles, triggers: [], conditions: [], actions: [] } }';
  const human = '{ controls: { abilities: { x: { keyDown: { scriptName: wave } } } } }';
  const changed = `{ scripts: ${scripts}, unitTypes: { human: ${human} } }`;
  expect(whyChangedFails(changed, '{ wait: 1 s }', '{ ran: waves }')).toEqual([
    'runs "waves" stayed 0: "waves" runs when the player of a unit of type Human presses or releases "x".',
  ]);
  expect(whyChangedFails(changed, '{ wait: 1 s }', '{ ran: idles }')).toEqual([
    'runs "idles" stayed 0: Nothing ran "idles": it has no trigger, no key runs it, and no script calls it.',
  ]);
});

test('without `explains`, a failed case is played once', () => {
  const text = 'game: outbreak.json\nscenarios:\n  - name: fails\n    steps:\n      - { expect: timeLeft == 1 }\n';
  const [only] = casesOf(readScenarioText(join(samplesFolder, 'fails.scenario.yaml'), text));
  expect(playCase(only!, games, {}).failure!.why).toEqual([]);
});

test('a value that a script changed which a step of the scenario ran: the action', () => {
  const [why] = whyItFails('{ run: everySecond }', '{ expect: timeLeft == 15 }');
  expect(why).toMatch(
    /^timeLeft became 14 \(before: 15\) at tick 1: set timeLeft = \(timeLeft - 1\) .* in script "every second"/,
  );
});
