import { expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { handshakeFrames } from '../../src/modd-client/frames.ts';
import { EntityStream } from '../../src/modd-client/stream.ts';
import { ServedDefinition } from '../../src/server/definitions/served.ts';
import { attribute, document, itemType, joinAs, script, unitType } from '../support/play.ts';
import { ModelClient } from './model-client.ts';

type Json = { [member: string]: unknown };
const events = { forAll: [], forPlayers: new Map() };
const unit = { function: 'getLastCreatedUnit' };

/** A room with Ann, and all that her client is told after it has joined. */
function room(data: Json) {
  const given = document(data);
  const { game } = loadDefinition(given);
  const sim = new Simulation(game!, { dialect: 'moddio' });
  const served = ServedDefinition.of(JSON.stringify(given), 'game')!;
  const definition = (JSON.parse(served.forModdio('moddio').json) as { data: Json }).data;
  const stream = new EntityStream(sim, { timeMs: () => 50 });
  const model = new ModelClient(definition);
  for (const frame of handshakeFrames('ann', 0)) model.receive(new TextDecoder().decode(frame));
  const told: (readonly [command: string, data: unknown])[] = [];
  model.onElement = (command, data) => told.push([command, data]);
  sim.join({ clientId: 'ann' });
  const ann = stream.add('ann');
  const step = (ticks = 1) => {
    for (let i = 0; i < ticks; i++) {
      sim.step();
      for (const [to, bytes] of stream.frames(events)) if (to === ann) model.receive(new TextDecoder().decode(bytes));
    }
  };
  step();
  /** The values that updates gave a member of an entity, since the last call of `forget`. */
  const updates = (id: string, member: string) =>
    told.flatMap(([command, changes]) => {
      const own = command === 'streamUpdateData' ? (changes as { [id: string]: Json })[id] : undefined;
      return own !== undefined && member in own ? [own[member]] : [];
    });
  return { sim, model, told, step, updates, definition };
}

const playerTypes = {
  human: { name: 'human', relationships: {}, attributes: { score: attribute(0, { min: 0, max: 100 }) } },
};

test('a newcomer appears on the leaderboards of everybody, whose clients draw it when the type of a player is updated', () => {
  const { sim, step, updates, model } = room({
    unitTypes: { walker: unitType() },
    playerTypes,
    scripts: { join: joinAs('walker') },
  });
  expect(updates('ann', 'playerTypeId')).toEqual(['human']);
  sim.join({ clientId: 'bob' });
  sim.step();
  step();
  expect(updates('bob', 'playerTypeId')).toEqual(['human']);
  step(5);
  expect(updates('bob', 'playerTypeId')).toEqual(['human']);
  expect(model.entities.get('bob')!.stats).toMatchObject({ playerTypeId: 'human' });
});

test('entities that were created with a size of their own are drawn at it', () => {
  const created = { type: 'createEntityAtPositionWithDimensions', entityType: 'unitTypes', entity: 'walker' };
  const player = { function: 'getTriggeringPlayer' };
  const { told } = room({
    unitTypes: { walker: unitType() },
    scripts: {
      join: joinAs('walker'),
      night: script('playerJoinsGame', [
        { ...created, player, position: { x: 100, y: 100 }, width: 2200, height: 2200, angle: 0 },
      ]),
    },
  });
  const units = told.flatMap(([command, data]) =>
    command === '_taroStreamCreate' && (data as unknown[])[0] === 'Unit' ? [(data as unknown[])[4] as Json] : [],
  );
  expect(units.map(({ width, height, scaleDimensions }) => [width, height, scaleDimensions])).toEqual([
    [undefined, undefined, undefined],
    [2200, 2200, true],
  ]);
});

test('a unit has the attributes of its type and no others, in that order, also where scripts change types', () => {
  const bars = (...names: string[]) => Object.fromEntries(names.map((name) => [name, attribute(1)]));
  const { definition } = room({
    unitTypes: {
      mage: unitType({ attributes: bars('mana', 'health') }),
      fighter: unitType({ attributes: bars('rage', 'health', 'mana') }),
    },
    scripts: { grow: script('gameStart', [{ type: 'changeUnitType', entity: unit, unitType: 'mage' }]) },
  });
  const types = definition['unitTypes'] as { [type: string]: { attributes: object } };
  expect(Object.keys(types['mage']!.attributes)).toEqual(['mana', 'health']);
  expect(Object.keys(types['fighter']!.attributes)).toEqual(['rage', 'health', 'mana']);
});

const carrying = (more: Json, ...actions: Json[]) => {
  const join = joinAs('walker') as { actions: Json[] };
  return {
    unitTypes: { walker: unitType({ inventorySize: 3 }) },
    itemTypes: { tool: itemType({ quantity: 1, maxQuantity: 1, ...more }) },
    scripts: {
      join: {
        ...join,
        actions: [...join.actions, { type: 'giveNewItemToUnit', itemType: 'tool', unit }, ...actions],
      },
    },
  };
};

test('a player whose join selects a slot sees the name of the item in it', () => {
  const select = { type: 'makeUnitSelectItemAtSlot', unit, slotIndex: 2 };
  const { updates, told } = room(carrying({}, select));
  expect(updates(',1', 'currentItemIndex')).toEqual([1]);
  // In the same message as the selection of the unit, because clients show the name only for the selected unit.
  const own = told.flatMap(([command, data]) =>
    command === 'streamUpdateData' ? [data as { [id: string]: Json }] : [],
  );
  const naming = own.find((changes) => changes[',1']?.['currentItemIndex'] !== undefined);
  expect(naming!['ann']).toMatchObject({ selectedUnitId: ',1' });
});

test('an item gets no badge with its quantity when it is used, if uses take none', () => {
  const item = { function: 'getLastCreatedItem' };
  const { sim, model, step, updates } = room(
    carrying({ cost: { quantity: 0 }, fireRate: 100 }, { type: 'startUsingItem', entity: item }),
  );
  step();
  expect(model.entities.get('i1')!.stats).toMatchObject({ isBeingUsed: true, quantity: 1 });
  step(2 * sim.rate);
  expect(updates('i1', 'quantity')).toEqual([]);
});
