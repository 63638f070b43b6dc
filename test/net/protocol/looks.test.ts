import { expect, test } from 'vitest';
import { type OutputEvent, Simulation } from '../../../engine/index.ts';
import { destinationOf } from '../../../src/net/protocol/audience/destination.ts';
import { FrameReader } from '../../../src/net/protocol/frames/frame-reader.ts';
import { decodeServerMessage, encodeServerMessage } from '../../../src/net/protocol/messages/messages.ts';
import { reenact } from '../../../src/server/client-protocols/reenact.ts';
import { when } from '../../support/actions.ts';
import { joinAs, load, script, unitType } from '../../support/play.ts';

const player = { function: 'getTriggeringPlayer' };
const unit = { function: 'getPlayerSelectedUnit', player };
const home = { function: 'getVariable', variableName: 'home' };
const on = (text: string, ...actions: object[]) =>
  script('playerCustomInput', [
    when([{ operandType: 'string', operator: '==' }, { function: 'playerCustomInput', player }, text], actions),
  ]);
const effect = (more: object) => ({ projectileType: '', sound: {}, animation: '', runScript: '', ...more });
const game = load({
  variables: { home: { dataType: 'region', default: { x: 10, y: 20, width: 64, height: 32 } } },
  unitTypes: {
    walker: unitType({
      effects: { move: effect({}), idle: effect({ runScript: 'greet' }), create: effect({ animation: 'appear' }) },
    }),
  },
  scripts: {
    join: joinAs('walker'),
    greet: script([], []),
    region: on('region', {
      type: 'transformRegionDimensions',
      region: home,
      x: 100.25,
      y: 50,
      width: 8,
      height: 9,
    }),
    flip: on('flip', { type: 'flipEntitySprite', entity: unit, flip: 'vertical' }),
    scale: on('scale', { type: 'changeScaleOfEntitySprite', entity: unit, scale: 2.5 }),
    label: on('label', { type: 'setUnitNameLabelColor', unit, color: 'tomato' }),
  },
});

class Room {
  readonly sim: Simulation;
  readonly stream;
  private outputs: OutputEvent[] = [];
  readonly seats: { readonly client: unknown; readonly reader: FrameReader; events: { kind: string }[] }[] = [];

  constructor() {
    this.sim = new Simulation(game, { seed: 'looks', onOutput: (event) => this.outputs.push(event) });
    this.stream = reenact.room.stream(
      this.sim,
      { variables: [], sight: Number.POSITIVE_INFINITY },
      { timeMs: () => 0, formerPlayers: [] },
    );
    this.sim.input({ kind: 'join', clientId: 'ann', name: 'Ann' });
  }

  sit(name: string) {
    const seat = { client: this.stream.add(name, false), reader: new FrameReader(), events: [] as { kind: string }[] };
    this.seats.push(seat);
    return seat;
  }

  step(text?: string): void {
    if (text !== undefined) this.sim.input({ kind: 'customInput', player: 'ann', text });
    this.outputs = [];
    this.sim.step();
    const forAll = this.outputs.filter((event) => destinationOf(this.sim, event) === 'everyone');
    for (const [client, bytes] of this.stream.messages({ forAll, forPlayers: new Map() })) {
      const seat = this.seats.find((each) => each.client === client)!;
      const decoded = decodeServerMessage(bytes);
      if (!decoded.ok) throw new Error(decoded.fault);
      if (decoded.message.kind === 'frame') expect(seat.reader.apply(decoded.message.bytes).ok).toBe(true);
      if (decoded.message.kind === 'events') {
        expect(decoded.message.events).not.toEqual([]);
        seat.events.push(...decoded.message.events);
      }
    }
  }
}

test('newcomers see regions, flips, scales and label colours like the others', () => {
  const room = new Room();
  const there = room.sit('ann');
  room.step();
  room.step();
  const [before] = [...there.reader.all('region')];
  expect([before!.name, before!.x, before!.y, before!.width, before!.height]).toEqual(['home', 10, 20, 64, 32]);
  for (const word of ['region', 'flip', 'scale', 'label']) room.step(word);
  const late = room.sit('bob');
  room.step();
  for (const { reader } of [there, late]) {
    const [region] = [...reader.all('region')];
    expect([region!.x, region!.y, region!.width, region!.height]).toEqual([100.25, 50, 8, 9]);
    const [walker] = [...reader.all('unit')];
    expect([walker!.isMirrored, walker!.isUpsideDown]).toEqual([false, true]);
    expect(walker!.look).toEqual({ scale: 2.5, labelColor: 'tomato' });
  }
  // What frames contain is not sent as an event, too.
  expect(there.events.filter(({ kind }) => kind === 'entity.style' || kind === 'entity.label')).toEqual([]);
});

test('an effect is only sent if it has something to show', () => {
  const room = new Room();
  const seat = room.sit('ann');
  room.step();
  room.sim.input({ kind: 'keyDown', player: 'ann', key: 'd' });
  for (let i = 0; i < 3; i++) room.step();
  room.sim.input({ kind: 'keyUp', player: 'ann', key: 'd' });
  for (let i = 0; i < 3; i++) room.step();
  expect(seat.events.filter(({ kind }) => kind === 'effect')).toEqual([
    { kind: 'effect', entityId: [...seat.reader.all('unit')][0]!.id, effect: 'create' },
  ]);
});

test.each([
  { kind: 'effect', entityId: 'u24', effect: 'move' },
  { kind: 'effect', entityId: 'i1', effect: 'attacked', attackerId: 'u7' },
  { kind: 'effect', entityId: 'r:home', effect: 'none' },
  { kind: 'effect', entityId: 'u0', effect: 'a word of its own' },
] as const)('an effect round-trips: %j', (event) => {
  const bytes = encodeServerMessage({ kind: 'events', tick: 7, events: [event] });
  expect(decodeServerMessage(bytes)).toEqual({ ok: true, message: { kind: 'events', tick: 7, events: [event] } });
});

test('an effect of a unit takes five bytes', () => {
  const of = (count: number) =>
    encodeServerMessage({
      kind: 'events',
      tick: 7,
      events: Array.from({ length: count }, () => ({ kind: 'effect', entityId: 'u20', effect: 'move' }) as const),
    }).length;
  expect(of(11) - of(1)).toBe(50);
});
