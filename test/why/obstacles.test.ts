import { expect, test } from 'vitest';
import { arrangeJournal, type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { whyText } from '../../src/why/why-text.ts';
import { attribute, document, joinAs, script, unitType } from '../support/play.ts';

const global = (variableName: string) => ({ function: 'getVariable', variableName });
const set = (variableName: string, value: unknown) => ({ type: 'setVariable', variableName, value });
const is = (left: unknown, operator: string, right: unknown) => [{ operandType: 'number', operator }, left, right];
const when = (conditions: unknown, then: readonly object[], otherwise: readonly object[] = []) => ({
  type: 'condition',
  conditions,
  then,
  else: otherwise,
});
const numbers = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { dataType: 'number', default: 0 }]));

/** A play of alice and bob, who have bears, for some seconds. */
function playOf(data: object, seconds = 3, act?: (sim: Simulation) => void): RecordedPlay {
  const { scripts = {}, ...rest } = data as { scripts?: object };
  const level = { Level: attribute(1, { name: 'Level', max: 9 }) };
  const { game } = loadDefinition(
    document({
      playerTypes: { human: { name: 'human', relationships: {}, variables: {}, attributes: level } },
      unitTypes: { bear: unitType({ name: 'Bear', attributes: { health: attribute(20) } }) },
      ...rest,
      scripts: { join: joinAs('bear'), ...scripts },
    }),
  );
  const sim = new Simulation(game!, { seed: 'w' });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each));
  for (const name of ['alice', 'bob']) sim.join({ clientId: name, name });
  recorder.editsBy = 'a test';
  act?.(sim);
  sim.run({ seconds });
  recorder.end();
  return new RecordedPlay(game!, arrangeJournal(records)!);
}

test('a timer that stops: the action that would count on, and what stood before it, in the second line', () => {
  const count = { function: 'calculate', items: [{ operator: '-' }, global('timeLeft'), 1] };
  const begins = [set('timeLeft', 10), set('state', 1)];
  const counts = when(is(global('timeLeft'), '<=', 0), [set('timeLeft', count)]);
  const variables = { ...numbers('state'), timeLeft: { dataType: 'number', default: 999 } };
  const tick = script('secondTick', [when(is(global('state'), '==', 0), begins, [counts])]);
  const play = playOf({ variables, scripts: { tick } }, 6.5);
  const [, line] = whyText(play.why('timeLeft')).split('\n');
  expect(line).toBe(
    '  "script" would: set timeLeft = (timeLeft - 1), but timeLeft <= 0 was false 5 times (last: timeLeft was 10).',
  );
});

test('a condition that stands before other values only is not told', () => {
  const tick = script('secondTick', [
    when(is(global('a'), '==', 1), [set('b', 1)]),
    when(is(global('a'), '==', 0), [set('c', 1)]),
  ]);
  const play = playOf({ variables: numbers('a', 'b', 'c', 'd'), scripts: { tick } });
  expect(play.why('b').notes).toEqual([
    '"script" would: set b = 1, but a == 1 was false 3 times (last: a was 0).',
    '  a: No script sets a.',
  ]);
  expect(play.why('d').notes).toEqual(['No script sets d.']);
});

test('a condition that would let something be written that is there already is not told', () => {
  const tick = script('secondTick', [when(is(global('a'), '==', 1), [set('b', 0)])]);
  const play = playOf({ variables: numbers('a', 'b'), scripts: { tick } });
  expect(play.why('b').notes).toBeUndefined();
  expect(whyText(play.why('b'))).toContain('no certain cause was found');
});

test('a script that ran only later is one that nothing started, at an earlier moment', () => {
  const sets = script('playerCustomInput', [set('b', 1)]);
  const play = playOf({ variables: numbers('b'), scripts: { sets } }, 1, (sim) => {
    sim.run({ seconds: 2 });
    sim.input({ kind: 'customInput', player: 'alice', text: 'go' });
    sim.run({ ticks: 2 });
  });
  expect(play.why('b').value).toBe(1);
  expect(play.why('b', 20).notes).toEqual([
    '"script" would: set b = 1. "script" listens to playerCustomInput, which never fired: A player has answered an input dialog.',
  ]);
});

test('an action that would take the attribute away is not told as one that would have changed it', () => {
  const turn = { type: 'changeUnitType', entity: { function: 'getLastCreatedUnit' }, unitType: 'rock' };
  const unitTypes = {
    bear: unitType({ name: 'Bear', attributes: { health: attribute(20) } }),
    rock: unitType({ name: 'Rock', attributes: {} }),
  };
  const tick = script('secondTick', [when(is(global('a'), '==', 1), [turn])]);
  const play = playOf({ variables: numbers('a'), unitTypes, scripts: { tick } });
  expect(play.why('bob.unit.health').notes).toBeUndefined();
  expect(play.why('bob.unit.type').notes).toHaveLength(2);
});

test('conditions at the start of the game, and a return before the action', () => {
  const start = script('gameStart', [when(is(global('a'), '==', 1), [set('b', 1)])]);
  const tick = script('secondTick', [when(is(global('a'), '==', 0), [{ type: 'return' }]), set('c', 1)]);
  const play = playOf({ variables: numbers('a', 'b', 'c'), scripts: { start, tick } });
  expect(play.why('b').notes![0]).toBe('"script" would: set b = 1, but a == 1 was false once (a was 0).');
  expect(play.why('c').notes).toEqual(['"script" would: set c = 1, but not if a == 0, which was true in 3 ticks.']);
});

test('an action that did it to somebody else: to whom', () => {
  const raise = {
    type: 'setPlayerAttribute',
    attribute: 'Level',
    entity: { function: 'getOwner', entity: { function: 'getLastCreatedUnit' } },
    value: 5,
  };
  const play = playOf({ scripts: { tick: script('secondTick', [raise]) } });
  expect(play.why('bob.Level').write!.after).toBe(5);
  expect(play.why('alice.Level').notes![0]).toMatch(
    /"script" does: .*; this action ran 3 times and did not change alice\.Level \(at tick \d+ .* was bob\)\.$/,
  );
});

test('groups: the member that comes nearest is explained', () => {
  const level = (player: string, value: number) => (sim: Simulation) =>
    sim.edit.setAttribute(sim.players().find(({ name }) => name === player)!, 'Level', value);
  const raise = {
    type: 'setPlayerAttribute',
    attribute: 'Level',
    entity: { function: 'selectedPlayer' },
    value: 5,
  };
  const all = { type: 'forAllPlayers', playerGroup: { function: 'humanPlayers' }, actions: [raise] };
  const tick = script('secondTick', [when(is(global('a'), '==', 1), [all])]);
  const start = (sim: Simulation): void => {
    sim.step();
    level('bob', 2)(sim);
  };
  const play = playOf({ variables: numbers('a'), scripts: { tick } }, 3, start);
  const { value, notes } = play.why('any players have (Level > 2)');
  expect(value).toBe(false);
  expect(notes![0]).toMatch(/^The value that came nearest: bob\.Level/);
  expect(notes![1]).toContain('but a == 1 was false');
  expect(play.why('no units of type bear have (health >= 20)').notes![0]).toMatch(
    /^The value that came nearest: u\d\.health, tick 1 /,
  );
});

test('an attribute that an entity lacks', () => {
  const play = playOf({
    playerTypes: {
      human: { name: 'human', relationships: {}, variables: {}, attributes: {} },
      hero: { name: 'hero', relationships: {}, variables: {}, attributes: { Level: attribute(1) } },
    },
  });
  expect(play.why('alice.Level').notes![0]).toMatch(/ has no attribute Level\.$/);
});

test('AI that stands: whom its player is hostile to', () => {
  const ai = {
    enabled: true,
    pathFindingMethod: 'simple',
    idleBehaviour: 'stay',
    sensorResponse: 'fight',
    attackResponse: 'fight',
    maxTravelDistance: 300,
    sensorRadius: 500,
    maxAttackRange: 40,
  };
  const play = playOf({
    unitTypes: { bear: unitType({ name: 'Bear', attributes: { health: attribute(20) }, ai }) },
  });
  expect(play.why('alice.unit.x').notes).toEqual([
    'The AI of u1 (Bear) has no target: its player is not hostile to any player that has units.',
  ]);
});

test('a condition that reads an attribute which nobody has is told with the value that it read', () => {
  const strength = {
    function: 'getPlayerAttribute',
    attribute: 'strength',
    entity: { function: 'getTriggeringPlayer' },
  };
  const tick = script('playerJoinsGame', [when(is(strength, '<', 30), [set('a', 1)])]);
  const play = playOf({ variables: numbers('a'), scripts: { tick } });
  expect(whyText(play.why('a'))).toContain('.strength < 30 was false 2 times (last: ');
});
