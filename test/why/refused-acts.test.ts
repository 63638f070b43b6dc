import { expect, test } from 'vitest';
import { arrangeJournal, type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { attribute, document, itemType, joinAs, script, unitType } from '../support/play.ts';

const count = {
  function: 'calculate',
  items: [{ operator: '+' }, { function: 'getVariable', variableName: 'uses' }, 1],
};
const counts = [{ type: 'setVariable', variableName: 'uses', value: count }];
const price = { coins: 0, requiredItemTypes: {}, playerAttributes: { gold: 5 } };
const offer = { isPurchasable: true, price, requirement: { requiredItemTypes: {}, playerAttributes: {} } };
const abilities = {
  button1: { keyDown: 'startUsingItem', keyUp: 'stopUsingItem' },
  e: { keyDown: { event: 'startCasting', abilityId: 'dash' }, keyUp: { event: 'stopCasting', abilityId: 'dash' } },
  q: { keyDown: { scriptName: 'spell', cost: { unitAttributes: { mana: 5 } } } },
};
const dash = { name: 'Dash', cooldown: 3000, eventScripts: { startCasting: 'spell' } };

/** A play of alice, who has a bear with 2 mana and 3 gold, holds an item if there is one, and does something. */
function playOf(
  data: { itemTypes?: object; scripts?: object; shops?: object },
  act: (sim: Simulation) => void,
  holds = Object.keys(data.itemTypes ?? {}),
): RecordedPlay {
  const controls = { movementControlScheme: 'wasd', abilities, unitAbilities: { dash }, mouseBehaviour: {} };
  const attributes = { health: attribute(20), mana: attribute(2, { max: 20 }) };
  const { game } = loadDefinition(
    document({
      playerTypes: { human: { name: 'human', relationships: {}, variables: {}, attributes: { gold: attribute(3) } } },
      unitTypes: { bear: unitType({ name: 'Bear', attributes, controls }) },
      shops: { smith: { name: 'Smith', itemTypes: {}, unitTypes: { bear: offer } } },
      variables: { uses: { dataType: 'number', default: 0 } },
      scripts: {
        join: joinAs('bear'),
        spell: script([], counts),
        use: script('unitUsesItem', counts),
        buys: script('playerPurchasesUnit', counts),
      },
      ...data,
    }),
  );
  const sim = new Simulation(game!, { seed: 'w' });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each));
  sim.join({ clientId: 'alice', name: 'alice' });
  sim.run({ ticks: 5 });
  recorder.editsBy = 'a test';
  for (const type of holds) sim.edit.giveItem(sim.players().find(isAlice)!.unit!, type);
  act(sim);
  recorder.end();
  return new RecordedPlay(game!, arrangeJournal(records)!);
}

const isAlice = ({ name }: { readonly name: string }): boolean => name === 'alice';
const gun = (more: object) => ({ itemTypes: { gun: itemType({ name: 'Gun', type: 'weapon', ...more }) } });

function press(key: string, times: number): (sim: Simulation) => void {
  return (sim) => {
    const alice = sim.players().find(isAlice)!;
    for (let i = 0; i < times; i++) {
      alice.press(key);
      sim.run({ ticks: 2 });
      alice.release(key);
      sim.run({ ticks: 5 });
    }
  };
}

test.each([
  [
    'an item that is not ready',
    gun({ fireRate: 3000 }),
    press('button1', 2),
    'fireRate of "Gun" is 3000. With 1 instead, uses would have been 2.',
  ],
  [
    'an empty item',
    gun({ quantity: 1, removeWhenEmpty: false }),
    press('button1', 2),
    'quantity of "Gun" is 1. With null instead, uses would have been 2.',
  ],
  [
    'an ability that cools down',
    {},
    press('e', 2),
    'controls.unitAbilities.dash.cooldown of "Bear" is 3000. With 0 instead, uses would have been 2.',
  ],
])('%s explains what its script would have changed', (_, data, act, why) => {
  const { value, notes } = playOf(data, act).why('uses');
  expect(value).toBe(1);
  expect(notes![0]).toBe(why);
});

test('a cost that nobody could pay, and nothing else beside', () => {
  const play = playOf({}, press('q', 1));
  const cost =
    'controls.abilities.q.keyDown.cost.unitAttributes of "Bear" is {"mana":5}. With {} instead, uses would have been 1.';
  expect(play.why('uses').notes).toEqual([cost]);
});

test('an event that never happened for the lack of ammunition', () => {
  const play = playOf(gun({ quantity: 1, removeWhenEmpty: false, cost: { quantity: 2 } }), press('button1', 1));
  expect(play.why('fired unitUsesItem').notes![0]).toMatch(/^cost.quantity of "Gun" is 2. With 0 instead, /);
});

test('what changes nothing is not told', () => {
  const play = playOf(gun({ fireRate: 3000 }), press('button1', 2));
  expect(play.why('alice.gold').notes?.join() ?? '').not.toContain('fireRate');
});

test.each([
  ['uses', 'price.playerAttributes of "Smith" is {"gold":5}. With {} instead, uses would have been 1.'],
  ['alice.unit.health', undefined],
])('a purchase that was refused, for %s', (question, reason) => {
  const open = script('playerCustomInput', [
    { type: 'openShopForPlayer', shop: 'smith', player: { function: 'getTriggeringPlayer' } },
  ]);
  const play = playOf(
    { scripts: { join: joinAs('bear'), open, buys: script('playerPurchasesUnit', counts) } },
    (sim) => {
      sim.input({ kind: 'customInput', player: 'alice', text: 'open' });
      sim.run({ ticks: 3 });
      sim.input({ kind: 'buyUnit', player: 'alice', type: 'bear' });
      sim.run({ ticks: 5 });
    },
  );
  const said = play.why(question).notes?.join() ?? '';
  if (reason === undefined) expect(said).not.toContain('price');
  else expect(said).toContain(reason);
});

test('a purchase whose price includes an item that the player does not carry', () => {
  const open = script('playerCustomInput', [
    { type: 'openShopForPlayer', shop: 'smith', player: { function: 'getTriggeringPlayer' } },
  ]);
  const paid = { ...offer, price: { coins: 0, requiredItemTypes: { gem: 2 }, playerAttributes: {} } };
  const play = playOf(
    {
      itemTypes: { sword: itemType({ name: 'Sword' }), gem: itemType({ name: 'Gem' }) },
      scripts: { join: joinAs('bear'), open, buys: script('playerPurchasesItem', counts) },
      shops: { smith: { name: 'Smith', itemTypes: { sword: paid }, unitTypes: {} } },
    },
    (sim) => {
      sim.input({ kind: 'customInput', player: 'alice', text: 'open' });
      sim.run({ ticks: 3 });
      sim.input({ kind: 'buyItem', player: 'alice', type: 'sword' });
      sim.run({ ticks: 5 });
    },
    [],
  );
  expect(play.why('uses').notes![0]).toMatch(
    /buyItem sword was refused: not_affordable \(.*\); the price includes 2 × Gem$/,
  );
});

test('bonuses of items: while carried, and by a use', () => {
  const half = { passive: { unitAttribute: { health: { type: 'percentage', value: 50 } } } };
  const give = script('playerCustomInput', [
    { type: 'giveNewItemToUnit', unit: { function: 'getLastCreatedUnit' }, itemType: 'vest' },
  ]);
  const itemTypes = { vest: itemType({ name: 'Vest', bonus: half }) };
  const ask = (sim: Simulation): void => {
    sim.input({ kind: 'customInput', player: 'alice', text: 'a vest' });
    sim.run({ ticks: 3 });
  };
  const worn = playOf({ scripts: { join: joinAs('bear'), give }, itemTypes }, ask, []).why('alice.unit.health');
  expect(worn.value).toBe(30);
  expect(worn.write!.causes.map(({ text }) => text)[0]).toBe('the bonus of i1 (Vest), 50 %');
  const bonus = { consume: { unitAttribute: { health: 7 } } };
  const potion = itemType({ name: 'Potion', type: 'consumable', quantity: 3, bonus });
  const drunk = playOf({ itemTypes: { potion } }, press('button1', 1)).why('alice.unit.health');
  expect(drunk.write!.causes[0]!.text).toBe('the bonus of using i1 (Potion), 7');
});

test.each([
  [
    'that nothing restored',
    {},
    { player: { attributes: { gold: { value: 17 } } } },
    '17 was saved as gold of carol, but no script loaded the saved data.',
  ],
  [
    'that is not there',
    { load: script('playerJoinsGame', [{ type: 'loadPlayerData', player: { function: 'getTriggeringPlayer' } }]) },
    undefined,
    'but no data of carol had been saved.',
  ],
])('saved data %s', (_, scripts, persisted, line) => {
  const play = playOf({ scripts: { join: joinAs('bear'), ...scripts } }, (sim) => {
    sim.join({ clientId: 'carol', name: 'carol', userId: 'c', ...(persisted && { persisted }) });
    sim.run({ ticks: 5 });
  });
  expect(play.why('carol.gold').notes![0]).toContain(line);
});
