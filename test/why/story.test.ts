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
    'state stayed "preoutbreak": timeLeft never reached 0; "every second" ran 14 times, and set it from 15 to 1.',
  ]);
});

test('a value that a script set: the action', () => {
  expect(whyItFails('{ wait: 3 s }', '{ expect: timeLeft > 12 }')).toEqual([
    'timeLeft became 12 (before: 13) at tick 60: set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0) in script "every second".',
  ]);
});

test('a value that regenerates: what made it fall', () => {
  const [why] = whyItFails(
    '{ set: { alice.unit.health: 40 } }',
    '{ wait: 1 s }',
    '{ expect: alice.unit.health == 100 }',
  );
  expect(why).toMatch(
    /^alice\.unit\.health became 40 \(before: 100\) at tick 1: the step "set: \{"alice\.unit\.health":40\}"\. Since then: regeneration of alice\.unit \(Human\)\.$/,
  );
});

test('a type that a unit never got: the comparison that kept the script from running', () => {
  expect(
    whyItFails(
      '{ set: { state: postoutbreak } }',
      '{ spawn: { unit: zombie, name: zoe, at: alice, owner: computer2, attributes: { stun: 100 } } }',
      '{ wait: 500 ms }',
      '{ expect: alice.unit.type == "sick" }',
    ),
  ).toEqual([
    expect.stringMatching(
      /^alice\.unit\.type stayed "Human": "contact \(zombie touches human\)" waits for getTriggeringUnit\(\)\.stun <= 0, which was false once \(97.5\)\.$/,
    ),
  ]);
});

test('a region that nobody reached: its size, and who came nearest', () => {
  const market = '{ variables: { market: { default: { x: 1472, y: 1088, width: 60, height: 40 } } } }';
  expect(
    whyChangedFails(market, '{ move: alice, to: [1502, 1200] }', '{ wait: 1 s }', '{ expect: lastCustomer == alice }'),
  ).toEqual([
    expect.stringMatching(
      /^lastCustomer stayed nothing: "enters the market" .*No player's unit was in market \(60 x 40 px at \(1472, 1088\)\): alice\.unit \(Human\) came nearest, 5\d px, at tick \d\.$/,
    ),
  ]);
});

test('units without a body, for what needs a contact', () => {
  const [why] = whyChangedFails(
    '{ unitTypes: { zombie: { states: { default: { body: none } } } } }',
    '{ set: { state: postoutbreak } }',
    '{ spawn: { unit: zombie, at: alice, owner: computer2 } }',
    '{ wait: 500 ms }',
    '{ expect: alice.unit.type == "sick" }',
  );
  expect(why).toMatch(/1 unit of type Zombie in state "default" without a body/);
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

test('bodies that do not collide: whose body says so', () => {
  const dropped = { collidesWith: { units: false } };
  expect(whyCoinsFails({ itemTypes: { coin: { bodies: { dropped } } } })).toContain(
    'The body "dropped" of type Coin does not collide with units, so that unitTouchesItem cannot fire for it.',
  );
});

test('of a condition, the operands that decided it; each script that would have changed the value', () => {
  const is = (name: string, value: number) => numberIs(global(name), '==', value);
  const neither = [{ operandType: 'or', operator: 'OR' }, is('@goal', 1), is('@goal', 2)];
  const both = [{ operandType: 'and', operator: 'AND' }, is('@goal', 5), neither];
  const collect = { triggers: [{ type: 'playerLeavesGame' }] };
  expect(whyCoinsFails({ scripts: { collect, pay: everySecond('pays', when(both, setCoins(1))) } })).toBe(
    'ann.coins stayed 0: "somebody touches a coin" never got to it: "somebody touches a coin" listens to playerLeavesGame, ' +
      'which never fired: A player is about to leave. The player and its units still exist. ' +
      '"pays" never got to it: "pays" waits for @goal == 1 or @goal == 2, which was false once: @goal was 5.',
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
    actions: [{ type: 'setPlayerVariable', player: only, variable: entityVariable('lucky'), value: 1 }],
  };
  const pay = everySecond('pays', when(numberIs(lucky, '==', 1), setCoins(1)));
  const variables = { lucky: { dataType: 'number', default: 0 } };
  expect(whyCoinsFails({ playerTypes: { collectors: { variables } }, scripts: { collect, luck, pay } })).toContain(
    '"pays" waits for selectedPlayer().lucky == 1, which was false once (0). Nothing set lucky. ' +
      '"draws" would: set selectedPlayer().lucky = 1. "draws" listens to playerLeavesGame, which never fired',
  );
  // A script may wait for the variable that only it would set.
  const itself = everySecond('draws', when(numberIs(lucky, '==', 1), luck.actions[0]!));
  const scripts = { collect, luck: itself, pay };
  expect(
    whyCoinsFails({ playerTypes: { collectors: { variables } }, scripts }).split('Nothing set lucky.'),
  ).toHaveLength(2);
});

test('a value that changed the wrong way: what would have changed it back', () => {
  const pay = everySecond('pays', when(numberIs(global('@goal'), '==', 4), setCoins(7)), setCoins(5));
  expect(whyCoinsFails({ scripts: { collect: { actions: [] }, pay } }, '{ set: { ann.coins: 6 } }')).toBe(
    'ann.coins became 5 (before: 6) at tick 20: set selectedPlayer().coins = 5  (scripts/pay/actions/0/actions/1) in script "pays". ' +
      'What would have changed it back: "pays" would: set selectedPlayer().coins = 7; it never ran. ' +
      '"pays" reached this condition once, and it was never true: @goal == 4',
  );
});

test('an attribute that is not yet full, for a script that waits for that; one at its maximum', () => {
  const attribute = { function: 'getAttributeTypeOfAttribute', entity: { function: 'getTriggeringAttribute' } };
  const collect = {
    triggers: [{ type: 'playerAttributeBecomesFull' }],
    conditions: [{ operandType: 'attributeType', operator: '==' }, attribute, 'luck'],
  };
  const luck = { name: 'Luck', min: 0, max: 10, value: 8, regenerateSpeed: 0 };
  expect(whyCoinsFails({ playerTypes: { collectors: { attributes: { luck } } }, scripts: { collect } })).toMatch(
    /which never fired: .* The nearest: luck of ann is 8, of at most 10\.$/,
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
    'alice.unit.holding stayed nothing: Its selected slot 1 is empty; it carries i1 (Stun gun) in slot 2, its type permits only slot 2.',
  ]);
});

test('a script that never ran, a trigger that never fired', () => {
  expect(whyItFails('{ wait: 2 s }', '{ ran: game over }')).toEqual([
    '"game over" is called by "every second", which never reached that call:',
    '  "every second" reached this condition 2 times, and it was never true: (state == "postoutbreak" and (humansLeft == 0 and zombies > 0))',
    '    state == "postoutbreak" was false 2 times: state was "preoutbreak"',
  ]);
  expect(whyItFails('{ wait: 1 s }', '{ event: playerLeavesGame }').at(-1)).toBe('It never fired.');
});

test('a script that a key runs: who has to press it', () => {
  const scripts =
    '{ wave: { name: waves, triggers: [], conditions: [], actions: [] }, idle: { name: idles, triggers: [], conditions: [], actions: [] } }';
  const human = '{ controls: { abilities: { x: { keyDown: { scriptName: wave } } } } }';
  const changed = `{ scripts: ${scripts}, unitTypes: { human: ${human} } }`;
  expect(whyChangedFails(changed, '{ wait: 1 s }', '{ ran: waves }')).toEqual([
    '"waves" runs when the player of a unit of type Human presses or releases "x".',
  ]);
  expect(whyChangedFails(changed, '{ wait: 1 s }', '{ ran: idles }')).toEqual([
    'Nothing ran "idles": it has no trigger and no key, and no script calls it.',
  ]);
});

test('without `explains`, a failed case is played once', () => {
  const text = 'game: outbreak.json\nscenarios:\n  - name: fails\n    steps:\n      - { expect: timeLeft == 1 }\n';
  const [only] = casesOf(readScenarioText(join(samplesFolder, 'fails.scenario.yaml'), text));
  expect(playCase(only!, games, {}).failure!.why).toEqual([]);
});

test('a value that a step of the scenario changed: the step', () => {
  const [why] = whyItFails('{ run: everySecond }', '{ expect: timeLeft == 15 }');
  expect(why).toBe('timeLeft became 14 (before: 15) at tick 1: the step "run: everySecond".');
  const [both] = whyItFails('{ set: { timeLeft: 3 } }', '{ run: everySecond }', '{ expect: timeLeft == 3 }');
  expect(both).toBe(
    'timeLeft became 2 (before: 15) at tick 1: the step "set: {"timeLeft":3}", then the step "run: everySecond".',
  );
});
