import { expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { handshakeFrames } from '../../src/modd-client/frames.ts';
import { EntityStream } from '../../src/modd-client/stream.ts';
import { ServedDefinition } from '../../src/server/definitions/served.ts';
import { createUnitAt } from '../support/actions.ts';
import { document, itemType, joinAs, script, unitType } from '../support/play.ts';
import { differences, pictureOf } from './expected.ts';
import { ModelClient } from './model-client.ts';

const unit = { function: 'getLastCreatedUnit' };
const region = { function: 'getVariable', variableName: 'home' };

/** All changes that scripts can make to appearances and the map. */
const changes = [
  createUnitAt(
    'walker',
    { function: 'getVariable', variableName: 'wild' },
    { function: 'xyCoordinate', x: 200, y: 200 },
  ),
  { type: 'flipEntitySprite', entity: unit, flip: 'horizontal' },
  { type: 'changeScaleOfEntitySprite', entity: unit, scale: 2 },
  { type: 'setEntityOpacity', entity: unit, opacity: 0.5 },
  { type: 'setEntityDepth', entity: unit, depth: 7 },
  { type: 'makeUnitInvisibleToFriendlyPlayers', entity: unit },
  { type: 'hideUnitNameLabel', entity: unit },
  { type: 'setUnitNameLabelColor', unit, color: 'red' },
  { type: 'changeRegionColor', region, inside: '#ff0000', alpha: 0.25 },
  { type: 'editMapTile', gid: 2, layer: 0, x: 3, y: 4 },
  { type: 'changeLayerOpacity', layer: 0, opacity: 0.5 },
  { type: 'updateUiTextForEveryone', target: 'top', value: 'hello' },
];

function play() {
  const given = document({
    unitTypes: { walker: unitType() },
    itemTypes: { sword: itemType(), shield: itemType() },
    variables: {
      wild: { dataType: 'player', default: 'computer1' },
      home: { dataType: 'region', default: { x: 0, y: 0, width: 64, height: 64 } },
    },
    scripts: { join: joinAs('walker'), change: script('gameStart', changes) },
  });
  const text = JSON.stringify(given);
  const { game } = loadDefinition(given);
  const sim = new Simulation(game!, { dialect: 'moddio' });
  sim.join({ clientId: 'ann' });
  sim.step();
  const served = ServedDefinition.of(text, 'game')!;
  const model = new ModelClient((JSON.parse(served.forModdio('moddio').json) as { data: unknown }).data);
  const stream = new EntityStream(sim, { timeMs: () => 50 });
  for (const frame of handshakeFrames('ann', 0)) model.receive(new TextDecoder().decode(frame));
  const client = stream.add('ann');
  sim.step();
  const events = { forAll: [], forPlayers: new Map() };
  for (const [, bytes] of stream.frames(events)) model.receive(new TextDecoder().decode(bytes));
  return { sim, game: game!, stream, client, model, events };
}

test('a newcomer sees appearance changes that scripts made before it joined', () => {
  const { model } = play();
  expect(model.entities.get(',1')!.stats).toMatchObject({
    flip: 1,
    scale: 2,
    opacity: 0.5,
    depth: 7,
    isInvisibleToFriendly: true,
    isLabelHidden: true,
    nameLabelColor: 'red',
  });
  expect(model.entities.get('r:home')!.stats).toMatchObject({ default: { inside: '#ff0000', alpha: 0.25 } });
});

test('a newcomer receives the map with the changes of scripts', () => {
  const { model } = play();
  const own = model.entities.get('ann')!.stats as { mapData: { wasEdited: boolean; layers: { data: number[] }[] } };
  expect(own.mapData.wasEdited).toBe(true);
  expect(own.mapData.layers[0]!.data[4 * 20 + 3]).toBe(2);
  expect(model.said).toContainEqual(['changeLayerOpacity', { layer: 0, opacity: 0.5 }]);
});

test('a reloaded page sees the appearance changes that are for its player only', () => {
  const { sim, stream, client, model, events } = play();
  const ann = { player: sim.player('ann').entity };
  const tell = (...own: Record<string, unknown>[]) => {
    sim.step();
    const forPlayers = new Map([['ann', own.map((event) => ({ tick: 1, time: 0, to: ann, unitId: 'u1', ...event }))]]);
    return [...stream.frames({ forAll: [], forPlayers } as never)];
  };
  tell({ kind: 'entity.visibility', op: 'hideUnit' }, { kind: 'entity.label', op: 'hideLabel' });
  stream.remove(client);
  // Without any player.
  tell({ kind: 'entity.label', op: 'color', color: 'blue' }, { kind: 'entity.label', op: 'showLabel' });
  const again = stream.add('ann');
  const fresh = new ModelClient(model.definition);
  for (const frame of handshakeFrames('ann', 0)) fresh.receive(new TextDecoder().decode(frame));
  sim.step();
  for (const [to, bytes] of stream.frames(events)) if (to === again) fresh.receive(new TextDecoder().decode(bytes));
  expect(fresh.entities.get(',1')!.stats).toMatchObject({
    isHidden: true,
    isLabelHidden: false,
    nameLabelColor: 'blue',
  });
});

test('a page that reconnects sees texts and appearance changes that it missed', () => {
  const { sim, stream, client, model, events } = play();
  stream.remove(client);
  const unit1 = sim.find('u1')!;
  if (unit1.kind !== 'unit') throw new Error('u1 is a unit.');
  sim.edit.destroy(unit1);
  sim.step();
  const back = stream.add('ann', true);
  sim.step();
  for (const [to, bytes] of stream.frames(events)) if (to === back) model.receive(new TextDecoder().decode(bytes));
  expect(model.entities.has(',1')).toBe(false);
  expect(model.texts.get('top')).toBe('hello');
});

test('a page that reconnects after a restart of the server removes units that are gone', () => {
  const { sim, model, events } = play();
  const unit1 = sim.find('u1')!;
  if (unit1.kind !== 'unit') throw new Error('u1 is a unit.');
  sim.edit.destroy(unit1);
  sim.step();
  const stream = new EntityStream(sim, { timeMs: () => 10_000 });
  stream.add('ann', true);
  sim.step();
  for (const [, bytes] of stream.frames(events)) model.receive(new TextDecoder().decode(bytes));
  expect([...model.entities.keys()].filter((id) => id.startsWith(','))).toEqual([',2']);
});

test.each(['before the page comes back', 'afterwards'])(
  'a page shows no entities of lost ticks, even if others get their ids %s',
  (when) => {
    const { sim, game, client, stream, model, events } = play();
    const kept = sim.snapshot();
    const receive = (from: EntityStream, page: unknown) => {
      for (const [to, bytes] of from.frames(events)) if (to === page) model.receive(new TextDecoder().decode(bytes));
    };
    const guest = (room: Simulation, name: string) => room.join({ clientId: 'guest', name });
    const enter = (room: Simulation, item: string, ...players: string[]) => {
      for (const player of players) room.join({ clientId: player, userId: `${item}s`, name: `${player} with ${item}` });
      room.step();
      for (const player of players) {
        room.edit.createUnit({ type: 'walker', x: 9, y: 9 }, room.player(player));
        room.edit.createItem({ type: item, x: 9, y: 9 });
      }
      room.step();
    };
    guest(sim, 'Lost');
    enter(sim, 'sword', 'p2', 'p1', 'p3');
    receive(stream, client);
    const resumed = Simulation.restore(game, kept);
    const next = new EntityStream(resumed, { timeMs: () => 10_000, formerPlayers: ['p2', 'p3'] });
    const isBefore = when === 'before the page comes back';
    if (isBefore) enter(resumed, 'shield', 'p1');
    const back = next.add('ann', true);
    resumed.step();
    receive(next, back);
    guest(resumed, 'Back');
    resumed.step();
    if (!isBefore) enter(resumed, 'shield', 'p1');
    receive(next, back);
    expect(differences(pictureOf(resumed), model, 'ann')).toEqual([]);
    expect(model.entities.get('guest')!.stats['name']).toBe('Back');
    expect(model.entities.get('p1')!.stats).toMatchObject({ name: 'p1 with shield', userId: 'shields' });
    expect(model.entities.get('i1')!.stats['itemTypeId']).toBe('shield');
  },
);

test.each([true, false])(
  'a guest that leaves and rejoins between two frames is replaced for everybody (with another page meanwhile: %s)',
  (isThere) => {
    const { sim, stream, client, model, events } = play();
    const receive = () => {
      sim.step();
      for (const [, bytes] of stream.frames(events)) model.receive(new TextDecoder().decode(bytes));
    };
    const nameOfGuest = () => model.entities.get('guest')?.stats['name'];
    sim.join({ clientId: 'guest', name: 'Bob' });
    receive();
    expect(nameOfGuest()).toBe('Bob');
    if (!isThere) stream.remove(client);
    sim.input({ kind: 'leave', player: 'guest' });
    sim.step();
    sim.join({ clientId: 'guest', name: 'Rob' });
    if (!isThere) stream.add('ann', true);
    receive();
    expect(nameOfGuest()).toBe('Rob');
    sim.input({ kind: 'leave', player: 'guest' });
    receive();
    expect(nameOfGuest()).toBeUndefined();
    expect(model.unborn).toEqual([]);
  },
);
