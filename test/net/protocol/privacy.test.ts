import { describe, expect, test } from 'vitest';
import { Simulation } from '../../../engine/index.ts';
import { expireEntity } from '../../../engine/rules/entities/destroy.ts';
import { hideEntity, showEntity } from '../../../engine/rules/entities/visibility.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { FrameReader } from '../../../src/net/protocol/frames/frame-reader.ts';
import { ReenactStream, type StreamClient, type StreamOptions } from '../../../src/net/protocol/frames/stream.ts';
import { attribute, itemType, load, unitType } from '../../support/play.ts';

const variable = (more: object) => ({ dataType: 'number', default: 1, ...more });
const game = load({
  settings: { scoreAttributeId: 'score' },
  playerTypes: {
    human: {
      name: 'human',
      attributes: {
        score: attribute(5, { streamMode: 2 }),
        level: attribute(7),
        secret: attribute(8, { streamMode: 3 }),
        server: attribute(9, { streamMode: 2 }),
      },
      variables: { isAdmin: { dataType: 'boolean', default: true } },
      relationships: {},
    },
  },
  unitTypes: {
    walker: unitType({
      attributes: {
        health: attribute(100, { max: 100 }),
        mana: attribute(40, { streamMode: 3 }),
        own: attribute(1, { streamMode: 0 }),
        exact: attribute(1.23456, { decimalPlaces: 2 }),
      },
      variables: { shown: variable({ streamMode: 1 }), noted: variable({}), silent: variable({ streamMode: 0 }) },
    }),
  },
  itemTypes: { sword: itemType({ attributes: { edge: attribute(3, { streamMode: 3 }) } }) },
  variables: { open: variable({ streamMode: 1 }), closed: variable({}), asked: variable({}) },
});

/** Ada and Bob in a room with one unit each, and the decoded state of each client. */
function room(options: StreamOptions = {}) {
  const sim = new Simulation(game, { seed: 'privacy' });
  const stream = new ReenactStream(sim, options);
  const readers = new Map<string, FrameReader>();
  const clients: StreamClient[] = [];
  const players = ['ada', 'bob'].map((id) => sim.join({ clientId: id, name: id }));
  let bytes = 0;
  const step = (late?: () => void): void => {
    sim.step();
    late?.();
    for (const [client, frame] of stream.frames()) {
      const applied = readers.get(client.player)!.apply(frame.subarray(1));
      if (!applied.ok) throw new Error(applied.fault);
      bytes += frame.length;
      stream.acknowledge(client, applied.frame);
    }
  };
  for (const id of ['ada', 'bob']) {
    const reader = new FrameReader();
    reader.player = id;
    readers.set(id, reader);
    clients.push(stream.add(id));
  }
  step();
  const units = players.map((player, i) => {
    sim.edit.setType(player, 'human');
    return sim.edit.createUnit({ type: 'walker', x: 300 + i * 200, y: 300 }, player);
  });
  step();
  const [ada, bob] = ['ada', 'bob'].map((id) => readers.get(id)!) as [FrameReader, FrameReader];
  const of = (reader: FrameReader, id: string) => reader.find(id)!;
  const spent = (): number => {
    const all = bytes;
    bytes = 0;
    return all;
  };
  /** Which of the two see the entity with an id. */
  const seers = (id: string) => clients.filter((client) => stream.sees(client, id)).map(({ player }) => player);
  return { sim, step, units, players, ada, bob, of, spent, seers };
}

describe('a client receives what its player may know', () => {
  test('attributes by their stream mode: owner-only ones to the owner, the score to everybody', () => {
    const { ada, bob, of } = room();
    expect([...of(ada, 'ada').attributes.keys()]).toEqual(['score', 'level', 'secret']);
    expect([...of(bob, 'ada').attributes.keys()]).toEqual(['score', 'level']);
    expect([...of(ada, 'u1').attributes.keys()]).toEqual(['health', 'mana', 'exact']);
    expect([...of(bob, 'u1').attributes.keys()]).toEqual(['health', 'exact']);
    expect(of(bob, 'u1').attribute('exact')?.value).toBe(1.23);
  });

  test('a change of an owner-only attribute is sent to its owner only', () => {
    const { sim, step, units, ada, bob, of } = room();
    sim.edit.setAttribute(units[0]!, 'mana', 17);
    step();
    expect(of(ada, 'u1').attribute('mana')?.value).toBe(17);
    expect(of(bob, 'u1').attributeList[1]).toBeUndefined();
  });

  test('only variables that the definition or the operator streams', () => {
    const { ada, of } = room({ variables: ['asked'] });
    expect([...ada.variables.keys()]).toEqual(['open', 'asked']);
    expect([...of(ada, 'u1').variables]).toEqual([['shown', 1]]);
    expect([...of(ada, 'ada').variables]).toEqual([]);
  });

  test('no hidden unit, not even one that was visible before, nor its held item', () => {
    const { sim, step, units, bob, seers } = room();
    sim.edit.giveItem(units[0]!, 'sword');
    step();
    expect([bob.find('u1')?.id, bob.find('i1')?.id]).toEqual(['u1', 'i1']);
    const { game: rules } = internalsOf(sim);
    hideEntity(rules, units[0]!.entity);
    step();
    expect([bob.find('u1'), bob.find('i1')]).toEqual([undefined, undefined]);
    expect([seers('u1'), seers('u2'), seers('gone')]).toEqual([[], ['ada', 'bob'], ['ada', 'bob']]);
    showEntity(rules, units[0]!.entity);
    step();
    expect([bob.find('u1')?.id, bob.find('i1')?.id]).toEqual(['u1', 'i1']);
  });

  test('items of others only while they are held', () => {
    const { sim, step, units, players, ada, bob, of } = room();
    sim.edit.giveItem(units[0]!, 'sword');
    sim.edit.giveItem(units[0]!, 'sword');
    step();
    expect(of(ada, 'u1').items.map(({ id, isHeld, slotIndex }) => [id, isHeld, slotIndex])).toEqual([
      ['i1', true, 0],
      ['i2', false, 1],
    ]);
    expect(of(bob, 'u1').items.map(({ id }) => id)).toEqual(['i1']);
    expect([of(ada, 'i2').attribute('edge')?.value, of(bob, 'i1').attribute('edge')]).toEqual([3, undefined]);
    // Now the other item is held, and the first one is no longer visible.
    players[0]!.press('2');
    step();
    step();
    expect(of(ada, 'u1').items.map(({ id, isHeld }) => [id, isHeld])).toEqual([
      ['i1', false],
      ['i2', true],
    ]);
    expect(of(bob, 'u1').items.map(({ id }) => id)).toEqual(['i2']);
  });

  test.each(['early', 'late'])(
    'no carried item of a removed carrier, from the tick of its removal, %s in it',
    (when) => {
      const { sim, step, units, ada, bob, seers } = room();
      sim.edit.giveItem(units[0]!, 'sword');
      sim.edit.giveItem(units[0]!, 'sword');
      step();
      expect([ada.find('i2')?.owner?.id, bob.find('i2'), seers('i2')]).toEqual(['u1', undefined, ['ada']]);
      // Items of an expired unit stay. A unit that expires before the tick has no row after it; one that expires during
      // the tick still has.
      const end = () => expireEntity(internalsOf(sim).game, units[0]!.entity);
      if (when === 'early') end();
      step(when === 'late' ? end : undefined);
      expect(sim.view().items.map(({ id, owner, hidden }) => [id, owner, hidden])).toContainEqual(['i2', null, true]);
      expect([ada.find('i2'), bob.find('i2'), seers('i2')]).toEqual([undefined, undefined, []]);
    },
  );

  test('events about an entity only if the client sees it', () => {
    const { sim, step, units, seers } = room({ sight: 150 });
    // They are two hundred pixels apart.
    expect([seers('u1'), seers('u2')]).toEqual([['ada'], ['bob']]);
    sim.edit.move(units[0]!, 400, 300);
    for (let tick = 0; tick < 3; tick++) step();
    expect([seers('u1'), seers('u2')]).toEqual([
      ['ada', 'bob'],
      ['ada', 'bob'],
    ]);
  });

  test('coins only of its own player', () => {
    const { ada, bob } = room();
    expect([ada.coins, bob.coins]).toEqual([0, 0]);
    const { sim, step, ada: rich, bob: poor, players } = room();
    const { world } = internalsOf(sim);
    const row = world.components.player.findIndex((each) => each?.clientId === players[0]!.clientId);
    Object.assign(world.components.wallet[row]!, { coins: 50, points: 7 });
    step();
    expect([rich.coins, poor.coins]).toEqual([50, 0]);
    // Points are a score, which everybody sees.
    for (const reader of [rich, poor])
      expect([...reader.all('player')].flatMap(({ points }) => points || [])).toEqual([7]);
  });
});

describe('what continues as expected costs nothing', () => {
  test('a unit that walks straight on, and an attribute that regenerates', () => {
    const { sim, step, players, units, ada, spent } = room();
    players[0]!.press('d');
    for (let tick = 0; tick < 20; tick++) step();
    spent();
    for (let tick = 0; tick < 20; tick++) step();
    // Two clients and 20 ticks: the move per tick is not always a whole number of quanta.
    expect(spent()).toBeLessThan(2 * 20 * 8);
    expect(ada.find('u1')!.x).toBeCloseTo(units[0]!.x, -1);
    expect(sim.tick).toBe(ada.frame);
  });

  test('nothing happens: no frames but one a second', () => {
    const { step, spent, ada, sim } = room();
    for (let tick = 0; tick < 5; tick++) step();
    spent();
    for (let tick = 0; tick < 40; tick++) step();
    expect(spent()).toBeLessThan(2 * 3 * 8);
    expect(sim.tick - ada.frame).toBeLessThanOrEqual(20);
  });

  test('a unit that is teleported is there immediately, and does not slide on', () => {
    const { sim, step, units, ada } = room();
    sim.edit.move(units[0]!, 1200, 1200);
    step();
    step();
    expect([ada.find('u1')!.x, ada.find('u1')!.y]).toEqual([1200, 1200]);
    step();
    expect([ada.find('u1')!.vx, ada.find('u1')!.vy]).toEqual([0, 0]);
  });
});
