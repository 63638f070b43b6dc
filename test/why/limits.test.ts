import { expect, test } from 'vitest';
import { arrangeJournal, type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { attribute, document, held, itemType, joinAs, script, unitType } from '../support/play.ts';

const controls = {
  movementControlScheme: 'wasd',
  movementMethod: 'velocity',
  abilities: { button1: { keyDown: 'startUsingItem', keyUp: 'stopUsingItem' } },
  mouseBehaviour: { rotateToFaceMouseCursor: true },
};
const attributes = { health: attribute(50, { max: 100 }), armor: attribute(0, { max: 100 }), speed: attribute(10) };
const unit = (name: string, more: object = {}) => unitType({ name, attributes, controls, ...more });
const playerType = (name: string, relationships: object = {}) => ({
  name,
  relationships,
  variables: {},
  attributes: { gold: attribute(0) },
});
const potion = (more: object) => itemType({ name: 'Potion', type: 'consumable', quantity: 1, ...more });
const laser = (damage: object) =>
  itemType({
    name: 'Laser',
    type: 'weapon',
    isGun: true,
    bulletType: 'raycast',
    bulletDistance: 600,
    bulletStartPosition: { x: 0, y: 40 },
    bodies: { selected: held({ jointType: 'none' }) },
    damage: { targetsAffected: [], playerAttributes: {}, unitAttributes: { health: 10 }, ...damage },
  });
const ai = {
  enabled: true,
  idleBehaviour: 'stay',
  sensorRadius: 300,
  sensorResponse: 'fight',
  attackResponse: 'none',
  maxAttackRange: 0,
  letGoDistance: 500,
  pathFindingMethod: 'simple',
};
const wild = { function: 'getVariable', variableName: 'wild' };
const owner = { function: 'getOwner', entity: { function: 'getTriggeringUnit' } };

/** A play of alice, whose bear uses an item, and of a wolf of the wild (u1) north of it. An apple lies on the bear. */
function playOf(
  item: object,
  more: { human?: object; wild?: object; wolf?: object; apple?: object } = {},
): RecordedPlay {
  const { game } = loadDefinition(
    document({
      playerTypes: { human: playerType('Human', more.human), wild: playerType('Wild', more.wild) },
      unitTypes: { bear: unit('Bear'), wolf: unit('Wolf', more.wolf), cub: unit('Cub') },
      itemTypes: { item, apple: itemType({ name: 'Apple', ...more.apple }) },
      variables: { wild: { dataType: 'player', default: 'computer1' } },
      scripts: {
        start: script('gameStart', [
          { type: 'assignPlayerType', entity: wild, playerType: 'wild' },
          { type: 'createUnitAtPosition', unitType: 'wolf', entity: wild, position: { x: 640, y: 500 }, angle: 0 },
        ]),
        join: joinAs('bear'),
        bite: script('unitTouchesUnit', [
          { type: 'setEntityAttribute', attribute: 'health', entity: { function: 'getLastTouchedUnit' }, value: 30 },
        ]),
        pay: script('unitUsesItem', [{ type: 'setPlayerAttribute', attribute: 'gold', entity: owner, value: 5 }]),
      },
    }),
  );
  const sim = new Simulation(game!, { seed: 'w' });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each));
  recorder.editsBy = 'a test';
  const alice = sim.join({ clientId: 'alice', name: 'alice' });
  sim.run({ ticks: 3 });
  sim.edit.giveItem(alice.unit!, 'item');
  sim.edit.createItem({ type: 'apple', x: 640, y: 640 });
  alice.pointAt(640, 400);
  sim.run({ ticks: 3 });
  alice.press('button1');
  sim.run({ ticks: 5 });
  alice.release('button1');
  sim.run({ seconds: 2 });
  recorder.end();
  return new RecordedPlay(game!, arrangeJournal(records)!);
}

test.each([
  [
    'an item that the unit may not use',
    playOf(potion({ canBeUsedBy: ['cub'] })),
    'alice.gold',
    'canBeUsedBy of "Potion" is ["cub"]. With [] instead, alice.gold would have been 5.',
  ],
  [
    'an item that damages only others',
    playOf(laser({ targetsAffected: ['hostile'] })),
    'u1.health',
    'damage.targetsAffected of "Laser" is ["hostile"]. With [] instead, u1.health would have been 10.',
  ],
  [
    'a relationship, because of which nobody attacks',
    playOf(potion({}), { wolf: { ai } }),
    'alice.unit.health',
    'relationships.human of "Wild" is null. With "hostile" instead, alice.unit.health would have been 30.',
  ],
  [
    'damage of an attribute that the target does not have',
    playOf(laser({ unitAttributes: { helth: 10 } })),
    'u1.health',
    'damage of "Laser" is {"unitAttributes":{"helth":10},"targetsAffected":[]}. With {"unitAttributes":{"health":10},"targetsAffected":[]} instead, ',
  ],
  [
    'a bonus of the player instead of the unit',
    playOf(potion({ bonus: { consume: { playerAttribute: { armor: 7 } } } })),
    'alice.unit.armor',
    'bonus.consume of "Potion" is {"playerAttribute":{"armor":7}}. With {"unitAttribute":{"armor":7}} instead, alice.unit.armor would have been 7.',
  ],
])('%s kept a value as it is', (_, play, question, why) => {
  expect(play.why(question).notes![0]).toContain(why);
});

test.each([
  [
    'an item that the unit may not use, for another value',
    playOf(potion({ canBeUsedBy: ['cub'] })),
    'alice.unit.armor',
  ],
  ['a neutral player who does not attack', playOf(potion({})), 'alice.unit.health'],
])('%s is not told', (_, play, question) => {
  expect(play.why(question).notes?.join() ?? '').not.toContain('would have been');
});
