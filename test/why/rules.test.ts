import { expect, test } from 'vitest';
import {
  arrangeJournal,
  type DialectName,
  type JournalRecord,
  loadDefinition,
  Simulation,
} from '../../engine/index.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { whyText } from '../../src/why/why-text.ts';
import { attribute, document, itemType, script, unitType } from '../support/play.ts';

const joins = script('playerJoinsGame', [
  {
    type: 'createUnitAtPosition',
    unitType: 'knight',
    entity: { function: 'getTriggeringPlayer' },
    position: { function: 'xyCoordinate', x: 100, y: 100 },
    angle: 0,
  },
  { type: 'setVariable', variableName: 'me', value: { function: 'getLastCreatedUnit' } },
]);

interface Options {
  readonly dialect?: DialectName;
  readonly ticks?: number;
}

/** All lines of the answer to a question about a play of alice, who has a knight. */
function why(question: string, data: object, options?: Options): readonly string[] {
  return whyText(playOf(data, options).why(question)).split('\n');
}

function playOf(data: object, { dialect = 'standard', ticks = 10 }: Options = {}): RecordedPlay {
  const { scripts, variables = {}, ...rest } = data as { scripts: object; variables?: object };
  const { game } = loadDefinition(
    document({
      unitTypes: {
        knight: unitType({ name: 'Knight' }),
        squire: unitType({ name: 'Squire', attributes: { speed: attribute(6, { max: 6 }) } }),
      },
      ...rest,
      variables: { me: { dataType: 'unit' }, ...variables },
      scripts: { joins, ...scripts },
    }),
  );
  const sim = new Simulation(game!, { seed: 'w', dialect });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each));
  sim.join({ clientId: 'alice', name: 'alice' });
  sim.run({ ticks: 5 });
  sim.run({ ticks });
  recorder.end();
  return new RecordedPlay(game!, arrangeJournal(records)!);
}

const me = { function: 'getVariable', variableName: 'me' };
const swords = { itemTypes: { sword: itemType({ name: 'Sword' }) } };

test('an attribute that a change of type changed: the action, and nothing about what would change it', () => {
  const later = script('secondTick', [{ type: 'changeUnitType', entity: me, unitType: 'squire' }]);
  const [head, change, by, ...rest] = why('alice.unit.speed', { scripts: { later } }, { ticks: 30 });
  expect([head, change, by]).toEqual([
    'alice.unit.speed is 6 at tick 35 (1.75 s)',
    '  tick 20 (1.00 s): 10 → 6',
    '    by changeUnitType entity: me, unitType: "squire"  (scripts/later/actions/0)',
  ]);
  expect(rest.join()).not.toContain('No script');
});

test('values that no script changes: the rules that can', () => {
  const attribute = (data: object): string => why('alice.unit.speed == 4', { scripts: {}, ...data }).join('\n');
  expect(attribute({})).toContain('No script changes the attribute speed.\n');
  // Nothing in that game regenerates, hits or costs.
  expect(attribute({})).not.toMatch(/regeneration|damage|abilities|purchases/);
  const boots = itemType({ name: 'Boots', bonus: { passive: { unitAttribute: { speed: 2 } } } });
  const mud = itemType({ name: 'Mud', damage: { unitAttributes: { speed: 1 } } });
  expect(attribute({ itemTypes: { boots, mud } })).toContain(
    'Only these rules of the engine can: bonuses of items; damage.',
  );
  const items = why('items held by alice.unit', { ...swords, scripts: {} })[1]!;
  expect(items).toMatch(
    /^ {2}No script gives items to units, or makes units drop or pick up items\. Only these rules of the engine can: built-in abilities; /,
  );
  // The original engine has no built-in abilities.
  expect(why('items held by alice.unit', { ...swords, scripts: {} }, { dialect: 'moddio' })[1]).not.toContain(
    'built-in abilities',
  );
});

test.each(['c1', 'u1'])('a variable called %s is not taken for the entity with that id', (name) => {
  const count = script('secondTick', [
    {
      type: 'setVariable',
      variableName: name,
      value: {
        function: 'calculate',
        items: [{ operator: '+' }, { function: 'getVariable', variableName: name }, 1],
      },
    },
  ]);
  const data = { variables: { [name]: { dataType: 'number', default: 5 } }, scripts: { count } };
  const play = playOf(data, { ticks: 60 });
  expect(play.changes(name)).toEqual([20, 40, 60]);
  expect(whyText(play.why(name)).split('\n').slice(0, 2)).toEqual([
    `${name} is 8 at tick 65 (3.25 s)`,
    '  tick 60 (3.00 s): 7 → 8',
  ]);
});

test('an action that failed because of a missing value is told with its fault', () => {
  const nothing = { function: 'getVariable', variableName: 'none' };
  const grows = script('secondTick', [{ type: 'increaseVariableByNumber', variable: 'score', number: nothing }]);
  const data = {
    variables: { score: { dataType: 'number', default: 5 }, none: { dataType: 'number' } },
    scripts: { grows },
  };
  const lines = why('score', data, { ticks: 60 });
  expect(lines[0]).toBe('score is 5 at tick 65 (3.25 s)');
  expect(lines.at(-1)).toMatch(
    /^ +increaseVariableByNumber of "script" failed 3 times, first at tick 20: .* \(missing-value\) \(at tick 60 \(3\.00 s\) none was nothing\)$/,
  );
  // Also after a change, and in a comparison with what it should have become.
  const starts = script('gameStart', [{ type: 'setVariable', variableName: 'score', value: 6 }]);
  expect(why('score', { ...data, scripts: { grows, starts } }, { ticks: 60 }).join('\n')).toContain('(missing-value)');
});

test('an action that the dialect does not have is not told as one that would do it', () => {
  const picks = script('secondTick', [
    { type: 'makeUnitPickupItemAtSlot', unit: me, item: { function: 'getVariable', variableName: 'it' }, slotIndex: 1 },
  ]);
  const data = { ...swords, variables: { it: { dataType: 'item' } }, scripts: { picks } };
  const [standard, moddio] = (['standard', 'moddio'] as const).map(
    (dialect) => why('items held by alice.unit', data, { dialect, ticks: 30 })[1],
  );
  expect(standard).toMatch(
    /^ {2}makeUnitPickupItemAtSlot of "script" failed once, first at tick 20: .*\(nothing-to-act-on\) \(at tick 20 \(1\.00 s\) me was u1 \(Knight\), it was nothing\)$/,
  );
  expect(moddio).toMatch(/^ {2}makeUnitPickupItemAtSlot of "script" failed once, .*\(unknown-there\)/);
});
