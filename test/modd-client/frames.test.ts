import { expect, test } from 'vitest';
import { loadDefinition, type OutputEvent, Simulation } from '../../engine/index.ts';
import { handshakeFrames } from '../../src/modd-client/frames.ts';
import { EntityStream } from '../../src/modd-client/stream.ts';
import { type Destination, destinationOf } from '../../src/net/protocol/audience/destination.ts';
import { ServedDefinition } from '../../src/server/definitions/served.ts';
import { body, document, itemType, joinAs, script, unitType } from '../support/play.ts';
import { ModelClient } from './model-client.ts';

type Json = { [name: string]: unknown };

const isFor = (to: Destination, player: string) => to !== 'everyone' && to !== 'host' && to.includes(player);

/** A room with a client, on a clock that the test controls. `tick` returns the elements of the next frame. */
function room(data: Json) {
  const given = document(data);
  const { game } = loadDefinition(given);
  const outputs: OutputEvent[] = [];
  const sim = new Simulation(game!, { dialect: 'moddio', onOutput: (event) => outputs.push(event) });
  const served = ServedDefinition.of(JSON.stringify(given), 'game')!;
  const model = new ModelClient((JSON.parse(served.forModdio('moddio').json) as { data: unknown }).data);
  for (const frame of handshakeFrames('ann', 0)) model.receive(new TextDecoder().decode(frame));
  const heard: [command: string, data: unknown][] = [];
  model.onElement = (command, told) => heard.push([command, told]);
  let now = 0;
  const stream = new EntityStream(sim, { timeMs: () => now });
  const ann = sim.join({ clientId: 'ann' });
  stream.add('ann');
  const tick = (ms: number, own: readonly object[] = []): [command: string, data: unknown][] => {
    now += ms;
    heard.length = 0;
    outputs.length = 0;
    sim.step();
    const events = {
      forAll: outputs.filter((event) => destinationOf(sim, event) === 'everyone'),
      forPlayers: new Map([
        ['ann', [...outputs.filter((event) => isFor(destinationOf(sim, event), 'ann')), ...(own as OutputEvent[])]],
      ]),
    };
    for (const [, bytes] of stream.frames(events)) model.receive(new TextDecoder().decode(bytes));
    return [...heard];
  };
  return { sim, ann, model, tick };
}

const silent = { animation: '', projectileType: '', sound: {}, runScript: '' };

test.each([
  ['nothing', { move: silent }, 0],
  ['an animation', { move: { ...silent, animation: 'walk' } }, 1],
  ['a sound of another effect to end', { move: silent, attacked: { ...silent, sound: { cry: { volume: 1 } } } }, 1],
])('an effect that shows %s is sent %#', (_, effects, told) => {
  const animations = { walk: { name: 'walk', frames: [1], framesPerSecond: 1, loopCount: 0 } };
  const { ann, tick } = room({
    unitTypes: { walker: unitType({ effects, animations }) },
    scripts: { join: joinAs('walker') },
  });
  for (let i = 0; i < 3; i++) tick(50);
  ann.press('d');
  const moves = Array.from({ length: 5 }, () => tick(50))
    .flat()
    .filter(([, data]) => JSON.stringify(data).includes('"move"'));
  expect(moves).toHaveLength(told);
});

test('frames have the times of their ticks; a lag of a whole tick becomes visible', () => {
  const { ann, tick } = room({ unitTypes: { walker: unitType() }, scripts: { join: joinAs('walker') } });
  const timeOf = (frame: [string, unknown][]) => frame.find(([command]) => command === '_taroStreamTime')?.[1];
  for (let i = 0; i < 3; i++) tick(50);
  ann.press('d');
  tick(50);
  const times = [50, 58, 43, 49, 50, 130, 50, 50].map((ms) => timeOf(tick(ms)) as number);
  const steps = times.slice(1).map((time, i) => time - times[i]!);
  expect(steps).toEqual([50, 50, 50, 50, 150, 50, 50]);
});

test.each([
  [Math.PI / 2, 1571],
  [-Math.PI / 2, 4712],
  [5 * Math.PI, 3142],
  [-0.0004, 6283],
])('an angle of %d is sent as %d thousandths of a radian', (angle, sent) => {
  const turning = unitType({ bodies: { default: body({ fixedRotation: false }) } });
  const { sim, model, tick } = room({ unitTypes: { turning } });
  tick(50);
  sim.edit.createUnit({ type: 'turning', x: 200, y: 200, angle });
  tick(50);
  const unit = [...model.entities.values()].find(({ shownClass }) => shownClass === 'Unit')!;
  expect(Math.round(unit.angle * 1000)).toBe(sent);
});

test('of an item, only differences from its type are sent', () => {
  const give = (itemKey: string, quantity: number) => ({
    type: 'createItemAtPositionWithQuantity',
    itemType: itemKey,
    quantity,
    position: { function: 'xyCoordinate', x: 200, y: 200 },
  });
  const { model, tick } = room({
    unitTypes: { walker: unitType() },
    itemTypes: { apple: itemType({ name: 'Apple', description: 'red', quantity: 5, maxQuantity: 9, fireRate: 250 }) },
    scripts: { join: joinAs('walker'), start: script('gameStart', [give('apple', 5), give('apple', 7)]) },
  });
  const [first, second] = [...tick(50), ...tick(50)].flatMap(([command, data]) => {
    if (command !== '_taroStreamCreate') return [];
    const [shownClass, , , , members] = data as [string, string, string, unknown, Json];
    return shownClass === 'Item' ? [members] : [];
  });
  expect(first).toEqual({ itemTypeId: 'apple', stateId: 'dropped' });
  expect(second).toEqual({ itemTypeId: 'apple', stateId: 'dropped', quantity: 7 });
  expect(model.entities.get('i1')!.stats).toMatchObject({
    name: 'Apple',
    description: 'red',
    quantity: 5,
    fireRate: 250,
  });
});

test('a client is told of a new entity what differs from its assumptions', () => {
  const place = { function: 'xyCoordinate', x: 200, y: 200 };
  const owner = { function: 'getTriggeringPlayer' };
  const scaled = (spriteScale?: number) => unitType({ bodies: { default: { ...body(), spriteScale } } });
  const make = (unit: string) => ({
    type: 'createUnitAtPosition',
    unitType: unit,
    entity: owner,
    position: place,
    angle: 0,
  });
  const last = { function: 'getLastCreatedUnit' };
  const { tick } = room({
    unitTypes: { plain: unitType(), big: scaled(2), flat: scaled(0), held: unitType({ defaultItems: ['apple'] }) },
    itemTypes: { apple: itemType({ name: 'Apple', quantity: 5 }) },
    variables: { home: { dataType: 'region', default: { x: 64, y: 0, width: 64, height: 32 } } },
    scripts: {
      join: script('playerJoinsGame', [
        { type: 'assignPlayerType', entity: owner, playerType: 'human' },
        ...['plain', 'big', 'flat', 'held', 'plain'].map(make),
        { type: 'flipEntitySprite', entity: last, flip: 'both' },
        { type: 'setEntityOpacity', entity: last, opacity: 0.5 },
      ]),
    },
  });
  const told = [...tick(50), ...tick(50)].flatMap(([command, data]) => {
    if (command !== '_taroStreamCreate') return [];
    const [shownClass, id, , , members] = data as [string, string, string, unknown, Json];
    return /^c([2-9]|10)$/.test(id) ? [] : [`${shownClass} ${id} ${JSON.stringify(members)}`];
  });
  expect(told).toMatchInlineSnapshot(`
    [
      "Player c1 {"clientId":1,"controlledBy":"computer","name":"AI 1","unitIds":[]}",
      "Player ann {"clientId":"ann","controlledBy":"human","username":"user","playerJoined":true,"playerTypeId":"human","name":"user","selectedUnitId":",1","unitIds":[",1",",2",",3",",4",",5"]}",
      "Unit ,1 {"type":"plain","ownerId":"ann","name":"user","stateId":"default","currentItemIndex":0,"scale":1}",
      "Unit ,2 {"type":"big","ownerId":"ann","name":"user","stateId":"default","currentItemIndex":0,"scale":2}",
      "Unit ,3 {"type":"flat","ownerId":"ann","name":"user","stateId":"default","currentItemIndex":0,"scale":1}",
      "Unit ,4 {"type":"held","ownerId":"ann","name":"user","stateId":"default","currentItemIndex":0,"currentItemId":"i1","scale":1}",
      "Unit ,5 {"type":"plain","ownerId":"ann","name":"user","stateId":"default","currentItemIndex":0,"flip":3,"scale":1,"opacity":0.5}",
      "Item i1 {"itemTypeId":"apple","ownerUnitId":",4","slotIndex":0,"stateId":"selected"}",
      "Region r:home {"id":"home","default":{"x":64,"y":0,"width":64,"height":32},"currentBody":{"width":64,"height":32}}",
    ]
  `);
});

test('the end of a trade is sent before the partner is destroyed, because a client fails otherwise', () => {
  const { sim, model, tick } = room({ unitTypes: { walker: unitType() }, scripts: { join: joinAs('walker') } });
  sim.join({ clientId: 'bob' });
  for (let i = 0; i < 3; i++) tick(50);
  sim.input({ kind: 'leave', player: 'bob' });
  const cancel = { kind: 'trade', op: 'cancel', fromPlayerId: 'ann', toPlayerId: 'bob', tick: 1, time: 0 };
  const order = tick(50, [cancel]).flatMap(([command, data]) => {
    if (command === 'trade') return [(data as Json)['type']];
    return command === '_taroStreamDestroy' && (data as string[])[1] === 'bob' ? ['gone'] : [];
  });
  expect(order).toEqual(['cancel', 'gone']);
  expect(model.entities.has('bob')).toBe(false);
});
