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

/** All lines of the answer to a question about a play of alice, who has a knight. */
function why(
  question: string,
  data: object,
  { dialect = 'standard', ticks = 10 }: { dialect?: DialectName; ticks?: number } = {},
): readonly string[] {
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
  return whyText(new RecordedPlay(game!, arrangeJournal(records)!).why(question)).split('\n');
}

const me = { function: 'getVariable', variableName: 'me' };
const market = { market: { name: 'Market', itemTypes: { sword: { isPurchasable: true, price: {} } }, unitTypes: {} } };
const swords = { itemTypes: { sword: itemType({ name: 'Sword' }) } };

test('items that only a purchase would bring: the action that offers them', () => {
  const sells = script('playerCustomInput', [
    { type: 'purchaseItemFromShop', itemType: 'sword', shop: 'market', player: { function: 'getTriggeringPlayer' } },
  ]);
  const lines = why('items held by alice.unit', { ...swords, shops: market, scripts: { sells } });
  expect(lines.slice(-2)).toEqual([
    '  "script" would: purchaseItemFromShop itemType: "sword", shop: "market", player: getTriggeringPlayer(); it never ran.',
    '    "script" listens to playerCustomInput, which never fired: A player has answered an input dialog.',
  ]);
});

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
  const attribute = why('alice.unit.speed == 4', { scripts: {} }).join('\n');
  expect(attribute).toContain('No script changes the attribute speed. Rules that can: abilities; uses of items;');
  expect(attribute).toMatch(/Rules that can: .*regeneration; .*damage; .*purchases of items/);
  const items = why('items held by alice.unit', { ...swords, scripts: {} }).at(-1)!;
  expect(items).toMatch(/^ {2}No script drops, gives or picks up items\. Rules that can: built-in abilities; /);
  // The original engine has no built-in abilities.
  expect(why('items held by alice.unit', { ...swords, scripts: {} }, { dialect: 'moddio' }).at(-1)).not.toContain(
    'built-in abilities',
  );
});

test('an action that the dialect does not have is not told as one that would do it', () => {
  const picks = script('secondTick', [
    { type: 'makeUnitPickupItemAtSlot', unit: me, item: { function: 'getVariable', variableName: 'it' }, slot: 1 },
  ]);
  const data = { ...swords, variables: { it: { dataType: 'item' } }, scripts: { picks } };
  const [standard, moddio] = (['standard', 'moddio'] as const).map((dialect) =>
    why('items held by alice.unit', data, { dialect, ticks: 30 }).at(-1),
  );
  expect(standard).toMatch(/^ {2}"script" does: makeUnitPickupItemAtSlot .*; it ran once\.$/);
  expect(moddio).toMatch(/^ {2}"script" would: makeUnitPickupItemAtSlot .*, but moddio does not have that action\.$/);
});
