import { expect, test } from 'vitest';
import { arrangeJournal, type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { storyOf } from '../../src/why/story.ts';
import { whyText } from '../../src/why/why-text.ts';
import { attribute, document, joinAs, script, unitType } from '../support/play.ts';

const global = (variableName: string) => ({ function: 'getVariable', variableName });
const set = (variableName: string, value: unknown) => ({ type: 'setVariable', variableName, value });
const is = (left: unknown, operator: string, right: unknown) => [{ operandType: 'number', operator }, left, right];
const when = (conditions: unknown, ...then: readonly object[]) => ({ type: 'condition', conditions, then, else: [] });
const sum = (left: unknown, operator: string, right: unknown) => ({
  function: 'calculate',
  items: [{ operator }, left, right],
});
const named = (name: string, on: string, ...actions: readonly object[]) => ({ ...script(on, actions), name });
const numbers = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { dataType: 'number', default: 0 }]));

const loopUnit = { function: 'selectedUnit' };
const loopPlayer = { function: 'selectedPlayer' };
const talker = { function: 'getTriggeringPlayer' };
const unit = { function: 'getTriggeringUnit' };
const allUnits = (...actions: readonly object[]) => ({
  type: 'forAllUnits',
  unitGroup: { function: 'allUnits' },
  actions,
});
const allPlayers = (...actions: readonly object[]) => ({
  type: 'forAllPlayers',
  playerGroup: { function: 'humanPlayers' },
  actions,
});
const ofUnit = (key: string) => ({ function: 'getEntityAttribute', entity: loopUnit, attribute: key });
const ofPlayer = (key: string) => ({ function: 'getPlayerAttribute', entity: loopPlayer, attribute: key });
const setUnit = (key: string, value: unknown) => ({
  type: 'setEntityAttribute',
  entity: loopUnit,
  attribute: key,
  value,
});
const setPlayer = (entity: object, key: string, value: unknown) => ({
  type: 'setPlayerAttribute',
  entity,
  attribute: key,
  value,
});
const wolf = {
  type: 'createUnitAtPosition',
  unitType: 'wolf',
  entity: { function: 'computerPlayer', number: 1 },
  position: { x: 300, y: 300 },
  angle: 0,
};
const killWolves = allUnits(
  when([{ operandType: 'unitType', operator: '==' }, { function: 'getUnitTypeOfUnit', entity: loopUnit }, 'wolf'], {
    type: 'destroyEntity',
    entity: loopUnit,
  }),
);

type Act = (sim: Simulation) => void;
const says =
  (player: string): Act =>
  (sim) => {
    sim.input({ kind: 'chat', player, text: 'go' });
    sim.run({ seconds: 1 });
  };
const inTurn =
  (...acts: readonly Act[]): Act =>
  (sim) => {
    for (const act of acts) act(sim);
  };

/** A play of a small game with a bug: alice and bob have bears, and then something happens for some seconds. */
function playOf(data: object, act: Act = () => {}, seconds = 6): RecordedPlay {
  const { scripts, ...rest } = data as { scripts: object };
  const { game } = loadDefinition(
    document({
      playerTypes: {
        human: { name: 'human', relationships: {}, variables: {}, attributes: { score: attribute(0, { max: 3 }) } },
      },
      unitTypes: { bear: unitType({ name: 'Bear' }), wolf: unitType({ name: 'Wolf' }) },
      ...rest,
      scripts: { join: joinAs('bear'), ...scripts },
    }),
  );
  const sim = new Simulation(game!, { seed: 'w' });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each));
  for (const name of ['alice', 'bob']) sim.join({ clientId: name, name });
  sim.run({ ticks: 5 });
  act(sim);
  sim.run({ seconds });
  recorder.end();
  return new RecordedPlay(game!, arrangeJournal(records)!);
}

const bears = (health: object) => ({ bear: unitType({ name: 'Bear', attributes: { health } }) });

test('an action beside the one that would have changed the value is not told: it sets what is there', () => {
  const plays = named('plays', 'secondTick', when(is(global('open'), '==', 1), set('score', 0), set('score', 5)));
  const play = playOf({ variables: numbers('score', 'open'), scripts: { plays } });
  expect(play.why('score').notes![0]).toBe(
    '"plays" would: set score = 5, but open == 1 was false 6 times (last: open was 0).',
  );
});

test.each([
  [
    'the maximum of its type',
    'alice.unit.health',
    'alice.unit.health > 0',
    { unitTypes: bears(attribute(0, { max: 0 })) },
    named('heals', 'secondTick', allUnits(setUnit('health', sum(ofUnit('health'), '+', 5)))),
    '"heals" does: set selectedUnit().health = (selectedUnit().health + 5); this action ran 12 times, but alice.unit.health is at its maximum, 0.',
  ],
  [
    'its minimum',
    'alice.score',
    'alice.score < 0',
    {},
    named('fines', 'secondTick', allPlayers(setPlayer(loopPlayer, 'score', sum(ofPlayer('score'), '-', 1)))),
    '"fines" does: set selectedPlayer().score = (selectedPlayer().score - 1); this action ran 12 times, but alice.score is at its minimum, 0.',
  ],
  [
    'that attributes of players are whole numbers',
    'alice.score',
    'alice.score > 0',
    {},
    named('pays', 'secondTick', allPlayers(setPlayer(loopPlayer, 'score', sum(ofPlayer('score'), '+', 0.4)))),
    '"pays" does: set selectedPlayer().score = (selectedPlayer().score + 0.4); this action ran 12 times, but alice.score is rounded to 0 decimal places.',
  ],
])('a write that %s held back', (_, question, expected, data, writes, line) => {
  const play = playOf({ ...data, scripts: { writes } });
  expect(play.why(question).notes).toEqual([line]);
  expect(storyOf(play, expected, play.journal.lastTick)[0]).toContain(line);
});

test('a maximum that a script lowered: which script', () => {
  const limits = named(
    'limits',
    'playerSendsChatMessage',
    allUnits({ type: 'setEntityAttributeMax', entity: loopUnit, attribute: 'health', value: 120 }),
  );
  const unitTypes = bears(attribute(100, { max: 200, regenerateSpeed: 20 }));
  expect(playOf({ unitTypes, scripts: { limits } }, says('alice')).why('alice.unit.health').notes).toEqual([
    'alice.unit.health is at its maximum, 120, which "limits" set at tick 6 (0.30 s).',
  ]);
});

test('regeneration: its rate and the script that set it', () => {
  const poisons = named(
    'poisons',
    'playerSendsChatMessage',
    allUnits({ type: 'setEntityAttributeRegenerationRate', entity: loopUnit, attribute: 'health', value: -2 }),
  );
  const unitTypes = bears(attribute(50, { max: 100, regenerateSpeed: 3 }));
  const by = (play: RecordedPlay): string => play.why('alice.unit.health').write!.causes[0]!.text;
  expect(by(playOf({ unitTypes, scripts: {} }))).toBe('regeneration of u1 (Bear) at rate 3');
  expect(by(playOf({ unitTypes, scripts: { poisons } }, says('alice')))).toBe(
    'regeneration of u1 (Bear) at rate -2, which "poisons" set at tick 6 (0.30 s)',
  );
});

test('why an attribute does not regenerate', () => {
  const stops = named(
    'stops healing',
    'playerSendsChatMessage',
    allUnits({ type: 'setEntityAttributeRegenerationRate', entity: loopUnit, attribute: 'health', value: 0 }),
  );
  const at = (value: number, regenerateSpeed: number) => ({
    unitTypes: bears(attribute(value, { max: 100, regenerateSpeed })),
  });
  const stopped = playOf({ ...at(50, 5), scripts: { stops } }, says('alice'));
  expect(stopped.why('alice.unit.health').notes).toEqual([
    'alice.unit.health does not change by itself: its regeneration has rate 0, which "stops healing" set at tick 6 (0.30 s).',
  ]);
  const still = playOf({ ...at(50, 0), scripts: {} });
  expect(storyOf(still, 'alice.unit.health > 50', 125)).toEqual([
    'alice.unit.health stayed 50: alice.unit.health does not change by itself: its regeneration has rate 0.',
  ]);
  expect(playOf({ ...at(100, 5), scripts: {} }).why('alice.unit.health').notes).toEqual([
    'alice.unit.health is at its maximum, 100.',
  ]);
});

test('at the end of a long play, what kept the value long before: the others who came later do not hide it', () => {
  const reward = when(is(global('open'), '==', 1), setPlayer(talker, 'score', 2));
  const talk = inTurn(says('alice'), ...new Array(10).fill(says('bob')));
  const play = playOf(
    { variables: numbers('open'), scripts: { reward: named('rewards', 'playerSendsChatMessage', reward) } },
    talk,
    60,
  );
  expect(play.why('alice.score').notes![0]).toBe(
    '"rewards" would: set getTriggeringPlayer().score = 2, but open == 1 was false 11 times (last: open was 0).',
  );
});

test('at the end of a long play, a script that nothing started, although all who could have left', () => {
  const still = unitType({ name: 'Bear', bodies: {} });
  const scores = named(
    'scores',
    'unitTouchesUnit',
    when(
      is({ function: 'getEntityAttribute', entity: { function: 'getTriggeringUnit' }, attribute: 'health' }, '>', 50),
      set('won', 1),
    ),
  );
  const leave: Act = (sim) => {
    sim.run({ seconds: 3 });
    for (const player of ['alice', 'bob']) sim.input({ kind: 'leave', player });
  };
  const play = playOf({ variables: numbers('won'), unitTypes: { bear: still }, scripts: { scores } }, leave, 30);
  expect(play.why('won').notes![0]).toContain('"scores" listens to unitTouchesUnit, which never fired');
});

test('a condition before a timer of twenty seconds', () => {
  const opens = when(is(global('key'), '==', 1), { type: 'setTimeOut', duration: 20_000, actions: [set('door', 1)] });
  const play = playOf(
    { variables: numbers('key', 'door'), scripts: { opens: named('opens', 'playerSendsChatMessage', opens) } },
    says('alice'),
    40,
  );
  expect(play.why('door').notes![0]).toBe('"opens" would: set door = 1, but key == 1 was false once (key was 0).');
});

test('the write that changed a value back comes before what could have changed it otherwise', () => {
  const scripts = {
    pays: named('pays', 'playerSendsChatMessage', set('gold', 5)),
    resets: named('resets', 'secondTick', when(is(global('gold'), '==', 5), set('gold', 0))),
    sells: named('sells', 'secondTick', when(is(global('market'), '==', 1), set('gold', 9))),
  };
  const play = playOf({ variables: numbers('gold', 'market'), scripts }, says('alice'));
  const [, tick, by, ...more] = whyText(play.why('gold')).split('\n');
  expect([tick, by]).toEqual(['  tick 20 (1.00 s): 5 → 0', '    by set gold = 0  (scripts/resets/actions/0/then/0)']);
  expect(more.join('\n')).toContain('"sells" would: set gold = 9, but market == 1 was false');
  expect(storyOf(play, 'gold == 5', 125)[0]).toContain('gold became 0 (before: 5)');
});

test('too few units of a type: the script that makes them, and what stood before it', () => {
  const comes = named('wolves come', 'secondTick', when(is(global('wave'), '>', 0), wolf));
  const play = playOf({ variables: numbers('wave'), scripts: { comes } });
  const [line, below] = storyOf(play, 'units of type wolf == 3', 125);
  expect(line).toMatch(
    /^units of type wolf stayed 0: "wolves come" would: createUnit.*, but wave > 0 was false 6 times/,
  );
  expect(below).toBe('  wave: No script sets wave.');
});

test('too many units of a type in a condition: the script that removes them, and what stood before it', () => {
  const scripts = {
    begins: named('begins', 'gameStart', wolf, wolf),
    wins: named(
      'wins',
      'secondTick',
      when(is({ function: 'getNumberOfUnitsOfUnitType', unitType: 'wolf' }, '==', 0), set('won', 1)),
    ),
    kills: named('kills', 'secondTick', when(is(global('fire'), '==', 1), killWolves)),
  };
  const play = playOf({ variables: numbers('won', 'fire'), scripts });
  expect(play.why('won').notes).toEqual([
    '"wins" would: set won = 1, but getNumberOfUnitsOfUnitType("wolf") == 0 was false 6 times (last: units of type wolf was 2).',
    '  units of type wolf: "kills" would: destroyEntity entity: selectedUnit(), but fire == 1 was false 5 times (last: fire was 0).',
    '    fire: No script sets fire.',
  ]);
});

test('a key that costs more than there is, although other keys were pressed later', () => {
  const q = { keyDown: { scriptName: 'spell', cost: { unitAttributes: { mana: 5 } } } };
  const controls = { movementControlScheme: 'wasd', movementMethod: 'velocity', mouseBehaviour: {}, abilities: { q } };
  const press =
    (key: string): Act =>
    (sim) => {
      sim.input({ kind: 'keyDown', player: 'alice', key });
      sim.run({ ticks: 2 });
      sim.input({ kind: 'keyUp', player: 'alice', key });
      sim.run({ ticks: 2 });
    };
  const play = playOf(
    {
      variables: numbers('uses'),
      unitTypes: { bear: unitType({ name: 'Bear', attributes: { mana: attribute(1) }, controls }) },
      scripts: { spell: { ...script([], [set('uses', 1)]), name: 'casts' } },
    },
    inTurn(press('q'), ...new Array(12).fill(press('d'))),
  );
  expect(play.why('uses').notes).toEqual([
    'controls.abilities.q.keyDown.cost.unitAttributes of "Bear" is {"mana":5}. With {} instead, uses would have been 1.',
  ]);
});

test('a unit that walks: the keys that make it walk, and no held mouse button', () => {
  const play = playOf(
    { scripts: {} },
    (sim) => {
      for (const key of ['button1', 'd']) sim.input({ kind: 'keyDown', player: 'alice', key });
    },
    1,
  );
  const inputs = play.why('alice.unit.x').write!.causes.filter(({ kind }) => kind === 'input');
  expect(inputs.map(({ text }) => text)).toEqual(['input keyDown: player alice, key d at tick 6 (0.30 s)']);
});

test('the value of another unit: of a player who got one with the same value', () => {
  const swaps = named('swaps', 'playerSendsChatMessage', {
    type: 'createUnitAtPosition',
    unitType: 'wolf',
    entity: talker,
    position: { x: 300, y: 300 },
    angle: 0,
  });
  const hurts = named('hurts', 'secondTick', allUnits(setUnit('health', 60)));
  const play = playOf(
    { scripts: { swaps, hurts } },
    inTurn((sim) => sim.run({ seconds: 2 }), says('alice')),
  );
  const { value, write } = play.why('alice.unit.health');
  expect([value, write!.afterText]).toEqual([60, '60']);
});

test('an action that had nobody to run for comes before scripts that nothing started', () => {
  const scripts = {
    pays: named('pays', 'secondTick', {
      type: 'forAllPlayers',
      playerGroup: { function: 'playersOfPlayerType', playerType: 'ghost' },
      actions: [setPlayer(loopPlayer, 'score', 2)],
    }),
    thanks: named('thanks', 'playerSendsChatMessage', setPlayer(talker, 'score', 1)),
  };
  const playerType = { name: 'human', relationships: {}, variables: {}, attributes: { score: attribute(0) } };
  const play = playOf({ playerTypes: { human: playerType, ghost: { ...playerType, name: 'ghost' } }, scripts });
  expect(storyOf(play, 'alice.score == 2', 125).slice(0, 2)).toEqual([
    'alice.score stayed 0: "pays" does: forAllPlayers playerGroup: playersOfPlayerType("ghost"). With "human" instead of "ghost", alice.score would have been 2.',
    '"pays" would: set selectedPlayer().score = 2. This action is inside forAllPlayers playerGroup: playersOfPlayerType("ghost"), which ran, but had nothing to run its inner actions for.',
  ]);
});

test('what broke a condition comes first, with the first value that let it happen; its opposite goes without saying', () => {
  const ends = when(is(global('rounds'), '<=', 3), set('over', 1));
  const scripts = { ends: named('ends', 'playerSendsChatMessage', ends) };
  const play = playOf(
    { variables: { ...numbers('over'), rounds: { dataType: 'number', default: 2 } }, scripts },
    says('alice'),
  );
  expect(storyOf(play, 'over == 0', 125)).toEqual([
    'over became 1 (before: 0) at tick 6: set over = 1  (scripts/ends/actions/0/then/0) in script "ends".',
    'rounds begins with 2. With 20 instead, over would have been 0.',
  ]);
});

const scored = { name: 'human', relationships: {}, variables: {}, attributes: { score: attribute(0) } };

test('no other player with whom an action would have failed', () => {
  const scripts = {
    pays: named('pays', 'playerSendsChatMessage', setPlayer(talker, 'score', 12)),
    takes: named('takes', 'playerSendsChatMessage', setPlayer(talker, 'score', 5)),
  };
  const play = playOf({ playerTypes: { human: scored }, scripts }, says('alice'));
  expect(storyOf(play, 'alice.score == 12', 125).join('\n')).not.toMatch(/\(\) instead of/);
});

test('what fills an attribute whose script made the change', () => {
  const filled = [
    { operandType: 'string', operator: '==' },
    { function: 'getAttributeTypeOfAttribute', entity: { function: 'getTriggeringAttribute' } },
    'score',
  ];
  const scripts = {
    works: named('works', 'playerSendsChatMessage', setPlayer(talker, 'score', sum(30, '*', global('work')))),
    ends: named('ends', 'playerAttributeBecomesFull', when(filled, set('over', 1))),
  };
  const human = { ...scored, attributes: { score: attribute(0, { max: 100 }) } };
  const play = playOf(
    { playerTypes: { human }, variables: { ...numbers('over'), work: { dataType: 'number', default: 4 } }, scripts },
    says('alice'),
  );
  expect(storyOf(play, 'over == 0', 125)[1]).toMatch(
    /^"works" does: .* With \(30 \/ work\) instead of \(30 \* work\), over would have been 0\.$/,
  );
});

test('what would have changed a value comes before an earlier change that broke nothing', () => {
  const scripts = {
    begins: named('begins', 'playerJoinsGame', set('lives', 1)),
    heals: named('heals', 'secondTick', when(is(global('magic'), '==', 1), set('lives', 3))),
  };
  const play = playOf({ variables: numbers('lives', 'magic'), scripts });
  expect(storyOf(play, 'lives == 3', 125).slice(0, 3)).toEqual([
    '"heals" would: set lives = 3, but magic == 1 was false 6 times (last: magic was 0).',
    '  magic: No script sets magic.',
    expect.stringMatching(/^lives became 1 \(before: 0\) at tick 1: set lives = 1 /),
  ]);
});

test('a total of a group: the action that changes a member', () => {
  const scripts = {
    pays: named('pays', 'playerSendsChatMessage', when(is(global('open'), '==', 1), setPlayer(talker, 'score', 2))),
  };
  const play = playOf({ variables: numbers('open'), scripts }, says('bob'));
  expect(storyOf(play, 'sum(score of players) == 2', 125)[0]).toBe(
    'sum(score of players) stayed 0: "pays" would: set getTriggeringPlayer().score = 2, but open == 1 was false once (open was 0).',
  );
});

test('nothing is said about a value whose changes no action declares', () => {
  const zone = { dataType: 'region', default: { x: 0, y: 0, width: 60, height: 60 } };
  const play = playOf({ variables: { zone }, scripts: {} });
  expect(storyOf(play, 'units in region zone == 1', 125)).toEqual([]);
  expect(whyText(play.why('units in region zone'))).not.toContain('tried');
});

test('a script for a key that no type binds: that nothing can run it', () => {
  const drops = {
    ...script(
      [],
      [{ type: 'setEntityAttribute', entity: { function: 'getLastCastingUnit' }, attribute: 'health', value: 1 }],
    ),
    name: 'wounds',
  };
  const leaves = named('leaves', 'playerLeavesGame', allUnits(setUnit('health', 2)));
  expect(playOf({ scripts: { leaves, drops } }).why('alice.unit.health').notes![0]).toBe(
    '"wounds" would: set getLastCastingUnit().health = 1. Nothing ran "wounds": it has no trigger, no key runs it, and no script calls it.',
  );
});

test('a region that nobody entered: how far it is', () => {
  const zone = { dataType: 'region', default: { x: 0, y: 0, width: 60, height: 640 } };
  const safe = named('is safe', 'unitEntersRegion', set('safe', 1));
  expect(playOf({ variables: { ...numbers('safe'), zone }, scripts: { safe } }).why('safe').notes).toEqual([
    '"is safe" would: set safe = 1. "is safe" listens to unitEntersRegion, which never fired: A unit enters a region.',
    expect.stringMatching(/^ {2}u1 \(Bear\) is [56]\d\d px from zone\.$/),
    expect.stringMatching(/^ {2}u2 \(Bear\) is [56]\d\d px from zone\.$/),
  ]);
});

test('a write that changes nothing because of what it read: what that was', () => {
  const hurts = named(
    'hurts',
    'playerSendsChatMessage',
    allUnits(setUnit('health', sum(ofUnit('health'), '-', global('damage')))),
  );
  const play = playOf({ variables: numbers('damage'), scripts: { hurts } }, says('bob'));
  expect(play.why('alice.unit.health').notes![0]).toMatch(
    /^"hurts" does: .*; this action ran 2 times and wrote the value that was already there \(at tick 6 .*u1\.health was 100, damage was 0\)\.$/,
  );
});

test('a trial proves nothing if a step of a test changed the game in its course', () => {
  const later = {
    type: 'setTimeOut',
    duration: 500,
    actions: [allUnits(setUnit('health', sum(ofUnit('health'), '-', 15)))],
  };
  const bites = named('bites', 'playerSendsChatMessage', when(is(global('bite'), '==', 1), later));
  const play = playOf({ variables: numbers('bite'), scripts: { bites } }, (sim) => {
    sim.input({ kind: 'chat', player: 'alice', text: 'go' });
    sim.step();
    for (const unit of sim.units()) sim.edit.setAttribute(unit, 'health', 40);
  });
  // In the copy, the health would fall from 100 to 85, which is nearer to 90 than 40 is.
  expect(storyOf(play, 'alice.unit.health == 90', 125).join()).not.toContain('"bites" would');
});

test('a trigger that no longer fires for the script of a type: that script comes first', () => {
  const wakes = {
    ...named('wakes', 'entityAttributeBecomesFull', {
      type: 'setEntityAttribute',
      entity: { function: 'thisEntity' },
      attribute: 'speed',
      value: 7,
    }),
  };
  const attributes = { speed: attribute(0), stun: attribute(50, { max: 100, regenerateSpeed: -50 }) };
  const bear = unitType({ name: 'Bear', attributes, scripts: { wakes } });
  const [line] = storyOf(playOf({ unitTypes: { bear }, scripts: {} }), 'alice.unit.speed > 0', 125);
  expect(line).toContain('"wakes" listens to entityAttributeBecomesFull, which never fired');
});

/** A human with a unit of a type that has mana, and scripts that wait for its ends. */
const mage = (mana: object, full: object) => ({
  unitTypes: { bear: unitType({ name: 'Bear', attributes: { mana } }) },
  variables: numbers('spells'),
  scripts: { full },
});
const isOf = (key: string) => [
  { operandType: 'attributeType', operator: '==' },
  { function: 'getAttributeTypeOfAttribute', entity: { function: 'getTriggeringAttribute' } },
  key,
];

test('a trigger that waits for an attribute without regeneration: the attribute and its rate', () => {
  const full = named('casts', 'unitAttributeBecomesFull', when(isOf('mana'), set('spells', 1)));
  const notes = playOf(mage(attribute(0, { max: 50 }), full)).why('spells == 1').notes!;
  expect(notes.slice(0, 3)).toEqual([
    '"casts" would: set spells = 1. "casts" listens to unitAttributeBecomesFull, which never fired: An attribute of a unit has reached its maximum.',
    '  u1.mana is 0, not 50: u1.mana does not change by itself: its regeneration has rate 0.',
  ]);
});

test('no rate where other scripts change the attribute', () => {
  const drains = named('drains', 'playerSendsChatMessage', allUnits(setUnit('mana', 5)));
  const notes = playOf(mage(attribute(0, { max: 50 }), drains)).why('u1.mana > 9').notes ?? [];
  expect(notes.join()).not.toContain('rate');
});

test('a death script that tests another attribute, also while a test goes on changing the game', () => {
  const death = named(
    'dies',
    'unitAttributeBecomesZero',
    when(isOf('armour'), { type: 'destroyEntity', entity: unit }),
  );
  const data = mage(attribute(9, { max: 50 }), death);
  const act: Act = (sim) => {
    const [bear] = sim.units();
    sim.edit.setAttribute(bear!, 'mana', 0);
    for (let i = 0; i < 3; i++) {
      sim.step();
      sim.edit.setGlobal('spells', i);
    }
  };
  expect(playOf(data, act).why('u1 == nothing').notes![0]).toBe(
    '"dies" would: destroyEntity entity: getTriggeringUnit(), but getAttributeTypeOfAttribute(getTriggeringAttribute()) == "armour" was false once (getAttributeTypeOfAttribute(getTriggeringAttribute()) was "mana").',
  );
});

test('a price above the maximum of the attribute: the price and the maximum', () => {
  const shop = { name: 'Shop', itemTypes: { gem: { price: { playerAttributes: { score: 900 } } } } };
  const opens = named('opens', 'playerSendsChatMessage', { type: 'openShopForPlayer', shop: 'shop', player: talker });
  const play = playOf(
    {
      itemTypes: { gem: { name: 'Gem' } },
      shops: { shop },
      unitTypes: { bear: unitType({ name: 'Bear', inventorySize: 2 }) },
      scripts: { opens },
    },
    inTurn(says('alice'), (sim) => {
      sim.input({ kind: 'buyItem', player: 'alice', type: 'gem' });
      sim.run({ seconds: 1 });
    }),
  );
  expect(play.why('items of type gem held by alice == 1').notes![0]).toMatch(
    /; the price is 900 score, but the maximum of score is 3$/,
  );
});

test('a script that nothing starts is no cause beside one that ran', () => {
  const old = { ...named('old', 'gameStart', set('spells', 1)), triggers: [] };
  const now = named('now', 'secondTick', when(is(global('open'), '==', 1), set('spells', 1)));
  const { notes } = playOf({ variables: numbers('spells', 'open'), scripts: { old, now } }).why('spells == 1');
  expect(notes!.join(' ')).not.toContain('old');
  expect(notes![0]).toContain('open == 1 was false');
});

test('a trigger that never runs global scripts: that it does not', () => {
  const dies = named('dies', 'entityAttributeBecomesZero', set('score', 1));
  const play = playOf({ variables: numbers('score'), scripts: { dies } });
  expect(play.why('score').notes![0]).toBe(
    '"dies" would: set score = 1. "dies" listens to entityAttributeBecomesZero, which never runs global scripts.',
  );
});

test('a script that is called by a wrong key: the call that failed', () => {
  const pays = { triggers: [], actions: [set('score', 1)], name: 'pays' };
  const calls = named('calls', 'secondTick', { type: 'runScript', scriptName: 'pay' });
  const play = playOf({ variables: numbers('score'), scripts: { pays, calls } });
  expect(play.why('score').notes).toEqual([
    '"pays" would: set score = 1. Nothing ran "pays": it has no trigger, no key runs it, and no script calls it.',
    '  There is no script "pay". (scripts/calls/actions/0)',
  ]);
});

test('a timer that runs out by itself: what should have started it again, although it fell since', () => {
  const restarts = named('restarts', 'secondTick', when(is(global('open'), '==', 1), allUnits(setUnit('move', 50))));
  const unitTypes = { bear: unitType({ name: 'Bear', attributes: { move: attribute(50, { regenerateSpeed: -20 }) } }) };
  const play = playOf({ variables: numbers('open'), unitTypes, scripts: { restarts } });
  const [first] = storyOf(play, 'alice.unit.move > 20', play.journal.lastTick);
  expect(first).toContain('"restarts" would: set selectedUnit().move = 50, but open == 1 was false');
});

test('what broke a condition comes first in the answer, too', () => {
  const closes = named('closes', 'secondTick', set('open', 1));
  const play = playOf({ variables: numbers('open'), scripts: { closes } });
  const [, first] = whyText(play.why('open == 0')).split('\n');
  expect(first).toMatch(/^ {2}tick \d+ .*: true → false$/);
});
