import { describe, expect, test } from 'vitest';
import type { Simulation, UnitHandle } from '../../../engine/index.ts';
import { selectUnit } from '../../../engine/rules/players/ownership.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { decodeServerMessage, encodeClientMessage } from '../../../src/net/protocol/messages/messages.ts';
import { body, document, joinAs, script, unitType } from '../../support/play.ts';
import { DistantRoom } from './distant-room.ts';

const distance = { roundTripMs: 100, jitterMs: 30 };
const walker = unitType({ bodies: { default: body({ linearDamping: 8 }) } });

/** An open map in which a joining player gets a walker. */
function game(data: Record<string, unknown> = {}, frameRate = 20): Record<string, unknown> {
  return document({
    defaultData: { frameRate, engineTickRate: frameRate },
    unitTypes: { walker },
    scripts: { join: joinAs('walker') },
    ...data,
  });
}

const keys = ['w', 'd', 's', 'a'];

/** Changes keys several times a second, as a fast player does. */
function wander(room: DistantRoom, seconds: number): void {
  let pictures = 0;
  let down: string | undefined;
  room.errors.length = 0;
  room.late.length = 0;
  room.onPicture = () => {
    if (++pictures % 13 !== 0) return;
    if (down !== undefined) room.release(down);
    down = pictures % 5 === 0 ? undefined : keys[(pictures * 7) % 4];
    if (down !== undefined) room.press(down);
  };
  room.play(seconds);
  room.onPicture = undefined;
  if (down !== undefined) room.release(down);
  room.play(2);
  expect(room.failures).toEqual([]);
}

function quantile(numbers: readonly number[], share: number): number {
  expect(numbers.length).toBeGreaterThan(50);
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)]!;
}

function expectAtTruth(room: DistantRoom): void {
  const { unit, drawn } = room;
  expect(Math.hypot(drawn.x - unit!.x, drawn.y - unit!.y)).toBeLessThan(0.5);
}

test.each([
  [20, 'standard'],
  [60, 'standard'],
  [20, 'moddio'],
] as const)(
  'at %i ticks per second (%s), a unit answers in the picture of the key, where the server will have it',
  (rate, dialect) => {
    const room = new DistantRoom(game({}, rate), distance, dialect);
    room.play(2.5);
    expect(room.prediction.isActive).toBe(true);
    expect(room.drawn.x).toBe(640);
    room.press('d');
    room.play(1 / 60);
    expect(room.drawn.x).toBeGreaterThan(641);
    // The server's own news of it is a round trip away.
    expect(room.unit!.x).toBe(640);
    room.release('d');
    wander(room, 8);
    expectAtTruth(room);
    expect(quantile(room.errors, 0.5)).toBe(0);
    expect(quantile(room.errors, 0.95)).toBe(0);
    expect(room.late.length).toBeGreaterThan(50);
    expect(room.late.filter((ticks) => ticks > 0).length).toBeLessThanOrEqual(room.late.length / 100);
    expect(room.motionBytes).toBeGreaterThan(0);
    expect(room.motionBytes).toBeLessThan(15);
  },
);

test.each([0, 50, 100, 200])(
  'over %i ms, with jitter and loss, every key shows in the next picture, and a unit that stops does not jump',
  (roundTripMs) => {
    const room = new DistantRoom(game(), { roundTripMs, jitterMs: 30, lossShare: 0.01 });
    room.play(2.5);
    let last = room.drawn.x;
    let furthest = 0;
    let pictures = 0;
    room.onPicture = () => {
      const { x } = room.drawn;
      furthest = Math.max(furthest, Math.abs(x - last));
      last = x;
      pictures++;
    };
    for (let i = 0; i < 20; i++) {
      const key = i % 2 === 0 ? 'd' : 'a';
      const before = room.drawn.x;
      room.press(key);
      room.play(1 / 60);
      expect(Math.abs(room.drawn.x - before)).toBeGreaterThan(0.5);
      room.play(0.3);
      room.release(key);
      room.play(1);
    }
    room.play(1);
    expectAtTruth(room);
    expect(pictures).toBeGreaterThan(1000);
    // It walks 5 px per picture.
    expect(furthest).toBeLessThan(10);
  },
);

test('a predicting client sends the server the same as a plain one, but for the ticks in which its inputs should arrive', () => {
  const sentBy = (isOn: boolean): string[] => {
    const room = new DistantRoom(game(), distance);
    room.prediction.isOn = isOn;
    const sent: string[] = [];
    room.server.onInput = ({ tick, ...message }) => {
      expect(tick === undefined).toBe(!isOn);
      sent.push(Buffer.from(encodeClientMessage(message)).toString('hex'));
    };
    room.play(2.5);
    wander(room, 5);
    room.client.send({ kind: 'mouse', x: 300, y: 200 });
    room.play(0.5);
    return sent;
  };
  const plain = sentBy(false);
  expect(plain.length).toBeGreaterThan(30);
  expect(sentBy(true)).toEqual(plain);
});

describe('a prediction', () => {
  test('is put right after inputs that came too late, even where the link stalls', () => {
    const room = new DistantRoom(game(), { ...distance, lossShare: 0.02 });
    room.play(2);
    wander(room, 20);
    expect(room.late.some((ticks) => ticks > 0)).toBe(true);
    expectAtTruth(room);
    expect(quantile(room.errors, 0.5)).toBe(0);
  });

  test.each([
    [0.5, 1],
    [0.2, 1],
    [0.2, 5],
    [0.05, 1],
  ])('in a room that plays %d of its ticks, %i at once, a key moves the unit forth and not back', (speed, atOnce) => {
    const room = new DistantRoom(game(), distance);
    room.play(3);
    room.server.starve(speed, atOnce);
    room.play(15);
    const start = room.drawn.x;
    const way: number[] = [];
    room.onPicture = () => way.push(room.drawn.x - start);
    room.press('d');
    room.play(1 / speed);
    room.release('d');
    room.play(3 / speed);
    const back = way.map((px, i) => Math.max(...way.slice(0, i + 1)) - px);
    // It was up to 430 px, each time that a frame told that the room had not played.
    expect(Math.max(...back)).toBeLessThan(12);
    // Never beyond where it was before the key.
    expect(Math.min(...way)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...way)).toBeGreaterThan(100);
    expectAtTruth(room);
    room.server.starve(1);
    room.play(5);
    wander(room, 4);
    expectAtTruth(room);
  });

  test('finds the clock of a server that has skipped ticks', () => {
    const room = new DistantRoom(game(), distance);
    room.play(2);
    for (let i = 0; i < 4; i++) {
      room.server.stall(0.4);
      wander(room, 1);
    }
    expect(room.refused).toEqual([]);
    room.play(3);
    wander(room, 6);
    expectAtTruth(room);
    expect(quantile(room.errors, 0.5)).toBe(0);
  });

  test.each([
    ['force', 64],
    ['impulse', 48],
  ])('follows units that a %s moves, and ends at walls of %i px', (movementMethod, cell) => {
    const { map } = (game() as { data: { map: { layers: { data: number[] }[] } } }).data;
    Object.assign(map, { tilewidth: cell, tileheight: cell });
    // A room of 8 by 8 cells around the unit.
    map.layers[0]!.data = Array.from({ length: 400 }, (_, i) =>
      Math.max(Math.abs((i % 20) - 10), Math.abs(Math.floor(i / 20) - 10)) === 4 ? 1 : 0,
    );
    const controls = { movementControlScheme: 'wasd', movementMethod, abilities: {}, mouseBehaviour: {} };
    const bodies = { default: body({ linearDamping: movementMethod === 'force' ? 2 : 6 }) };
    const pushed = unitType({
      controls,
      bodies,
      attributes: { speed: { ...speed(movementMethod === 'force' ? 40 : 2) } },
    });
    const defaultData = { frameRate: 20, engineTickRate: 20, dontResize: cell !== 64 };
    const room = new DistantRoom(game({ map, unitTypes: { walker: pushed }, defaultData }), distance);
    room.play(2);
    room.press('a');
    room.play(4);
    expect(room.unit!.x).toBeLessThan(7 * cell + 96);
    expectAtTruth(room);
    room.release('a');
    wander(room, 10);
    expectAtTruth(room);
    expect(quantile(room.errors, 0.5)).toBe(0);
    expect(quantile(room.errors, 0.95)).toBeLessThanOrEqual(2);
  });

  test('follows a unit that a script throws from the second frame on', () => {
    const thrown = unitType({ bodies: { default: body({ linearDamping: 4 }) } });
    const room = new DistantRoom(game({ unitTypes: { walker: thrown } }), distance);
    room.play(2);
    const { sim } = room.room;
    const [own] = sim.units();
    const { physics } = internalsOf(sim).game;
    physics.setVelocity(own!.entity, -70, 0);
    room.corrections.length = 0;
    room.play(0.6);
    // 87 px in its first tick, then 73, 61 and less.
    expect(640 - room.unit!.x).toBeGreaterThan(200);
    expect(room.corrections.filter((px) => px > 24).length).toBeLessThanOrEqual(2);
    room.play(2);
    expectAtTruth(room);
  });

  test('takes over what scripts do to the unit: its place at once, its speed from then on', () => {
    const room = new DistantRoom(game(), distance);
    room.play(2);
    const { sim } = room.room;
    const [own] = sim.units();
    sim.edit.move(own!, 200, 300);
    sim.edit.setAttribute(own!, 'speed', 3);
    room.play(0.4);
    expect(room.drawn).toMatchObject({ x: 200, y: 300 });
    expect(Math.max(...room.corrections)).toBeGreaterThan(400);
    expect(room.serverJumps).toBe(1);
    // Less than the distance that frames take for a jump: it does not move on from there.
    let furthest = 0;
    room.onPicture = () => {
      furthest = Math.max(furthest, room.drawn.x);
    };
    sim.edit.move(own!, 350, 300);
    room.play(0.4);
    expect(furthest).toBe(350);
    wander(room, 6);
    expect(quantile(room.errors, 0.95)).toBe(0);
    expectAtTruth(room);
  });

  test.each<[string, (sim: Simulation, own: UnitHandle) => void]>([
    ['type', (sim, own) => sim.edit.setType(own, 'runner')],
    ['state', (sim, own) => sim.edit.setState(own, 'crouching')],
  ])('goes on with a unit whose %s changes while it walks', (_what, change) => {
    const bodies = { default: body({ linearDamping: 8 }), small: body({ linearDamping: 2, width: 20, height: 20 }) };
    const states = { default: { name: 'default', body: 'default' }, crouching: { name: 'crouching', body: 'small' } };
    const runner = unitType({ bodies: { default: body({ linearDamping: 3 }) }, attributes: { speed: speed(4) } });
    const room = new DistantRoom(game({ unitTypes: { walker: unitType({ bodies, states }), runner } }), distance);
    room.play(2);
    const { sim } = room.room;
    const [own] = sim.units();
    room.press('s');
    room.play(0.5);
    room.errors.length = 0;
    room.corrections.length = 0;
    change(sim, own!);
    room.play(0.8);
    expect(room.errors.length).toBeGreaterThan(5);
    // Nobody knows of it before the frame that tells.
    expect(Math.max(...room.errors.slice(3))).toBe(0);
    expect(Math.max(...room.corrections)).toBeLessThan(2);
    room.release('s');
    room.play(4);
    expectAtTruth(room);
  });

  test('answers keys at once in a unit that takes the place of the own one', () => {
    const room = new DistantRoom(game(), distance);
    room.play(2);
    const { sim } = room.room;
    const player = sim.player('p1');
    sim.edit.destroy(player.unit!);
    const { id } = sim.edit.createUnit({ type: 'walker', x: 200, y: 200 }, player);
    room.play(1);
    expect([room.unit!.id, room.drawn.x]).toEqual([id, 200]);
    room.press('d');
    room.play(1 / 60);
    expect(room.drawn.x).toBeGreaterThan(201);
    room.release('d');
    wander(room, 4);
    expect(Math.max(...room.errors)).toBe(0);
  });

  test.each([
    ['died', 'standard', 0],
    ['died', 'moddio', 0],
    ['is not selected any more', 'standard', 0],
    ['is not selected any more', 'moddio', 1],
  ] as const)('walks like the server after the unit %s while a key was held (%s)', (what, dialect, aside) => {
    const room = new DistantRoom(game(), distance, dialect);
    room.play(2);
    const { sim } = room.room;
    const player = sim.player('p1');
    const first = player.unit!;
    room.press('d');
    room.play(0.5);
    if (what === 'died') sim.edit.destroy(first);
    room.play(0.5);
    const { id, entity } = sim.edit.createUnit({ type: 'walker', x: 200, y: 200 }, player);
    selectUnit(internalsOf(sim).game, player.entity, entity);
    room.play(1);
    room.errors.length = 0;
    room.press('s');
    room.play(1);
    expect([room.unit!.id, Math.sign(room.unit!.x - 200), Math.max(...room.errors)]).toEqual([id, aside, 0]);
    expect(room.errors.length).toBeGreaterThan(3);
  });

  test('knows the speed that a key gives the unit, from its second use on', () => {
    const own = { function: 'getTriggeringUnit' };
    const isFresh = [
      { operandType: 'boolean', operator: '==' },
      { function: 'getVariable', variableName: 'tired' },
      false,
    ];
    const setSpeed = (value: number) =>
      script([], [{ type: 'setEntityAttribute', entity: own, attribute: 'speed', value }], { conditions: isFresh });
    const variables = { tired: { dataType: 'boolean', default: false } };
    const abilities = { e: { keyDown: { scriptName: 'sprint' }, keyUp: { scriptName: 'tire' } } };
    const controls = { movementControlScheme: 'wasd', movementMethod: 'velocity', abilities, mouseBehaviour: {} };
    const runner = unitType({ bodies: { default: body({ linearDamping: 8 }) }, controls });
    const scripts = { join: joinAs('walker', 60), sprint: setSpeed(20), tire: setSpeed(10) };
    const room = new DistantRoom(game({ unitTypes: { walker: runner }, scripts, variables }), distance);
    room.play(2);
    room.press('d');
    const sprint = (): number => {
      room.play(0.3);
      room.errors.length = 0;
      room.press('e');
      room.play(0.5);
      room.release('e');
      room.play(0.5);
      room.room.sim.edit.move(room.room.sim.units()[0]!, 60, 640);
      return Math.max(...room.errors);
    };
    expect(sprint()).toBeGreaterThan(20);
    expect(sprint()).toBeLessThanOrEqual(1);
    // A key that no longer does so is wrong once.
    room.room.sim.edit.setGlobal('tired', true);
    expect(sprint()).toBeGreaterThan(20);
    expect(sprint()).toBeLessThanOrEqual(1);
  });

  describe('of scripts of keys that only move the unit', () => {
    const own = { function: 'getTriggeringUnit' };
    const ahead = {
      function: 'getPositionInFrontOfPosition',
      position: { function: 'getEntityPosition', entity: own },
      distance: 200,
      angle: { function: 'entityFacingAngle', entity: own },
    };
    const score = { function: 'getVariable', variableName: 'score' };
    const dash = (velocity: unknown) => [{ type: 'setVelocityOfEntityXY', entity: own, velocity }];

    /** Presses E and returns how far the unit went within a tick, and the errors and corrections from then on. */
    function pressed(actions: readonly object[], from: 'the game' | 'the unit type') {
      const key = { keyDown: { scriptName: 'leap', isEntityScript: from === 'the unit type' } };
      const controls = {
        movementControlScheme: 'wasd',
        movementMethod: 'velocity',
        abilities: { e: key },
        mouseBehaviour: {},
      };
      const leap = { leap: script([], [...actions]) };
      const leaper = unitType({
        bodies: { default: body({ linearDamping: 4 }) },
        controls,
        ...(from === 'the unit type' ? { scripts: leap } : {}),
      });
      const document = game({
        unitTypes: { leaper },
        variables: { score: { dataType: 'number', default: 40 }, far: { dataType: 'number', default: 30 } },
        scripts: {
          join: joinAs('leaper'),
          reset: script([], [{ type: 'setVariable', variableName: 'score', value: 0 }]),
          ...(from === 'the game' ? leap : {}),
        },
      });
      const room = new DistantRoom(document, distance);
      room.play(2);
      const before = { ...room.drawn };
      room.errors.length = 0;
      room.corrections.length = 0;
      room.press('e');
      room.play(0.06);
      const at = room.drawn;
      expect(room.unit).toMatchObject({ x: before.x, y: before.y });
      room.play(3);
      expectAtTruth(room);
      expect(room.failures).toEqual([]);
      const way = Math.hypot(at.x - before.x, at.y - before.y);
      return { way, wrong: Math.max(0, ...room.errors, ...room.corrections) };
    }

    test.each<[string, readonly object[], number]>([
      ['a dash', dash({ x: 30, y: 0 }), 40],
      ['a dash by a constant', dash({ x: { function: 'getVariable', variableName: 'far' }, y: 0 }), 40],
      ['a teleport', [{ type: 'moveEntity', entity: own, position: ahead }], 200],
      ['a dash by a constant under other names', dash({ x: { function: 'getGlobalVariable', name: 'far' }, y: 0 }), 40],
      [
        'a dash under a condition',
        [
          {
            type: 'condition',
            conditions: [
              { operandType: 'number', operator: '>' },
              { function: 'getPositionX', position: { function: 'getEntityPosition', entity: own } },
              100,
            ],
            then: dash({ x: 0, y: -30 }),
            else: [],
          },
        ],
        40,
      ],
    ])('%s is seen at once, as the server will have it', (_what, actions, px) => {
      for (const from of ['the game', 'the unit type'] as const) {
        const { way, wrong } = pressed(actions, from);
        expect(way).toBeGreaterThanOrEqual(px);
        // Frames round velocities.
        expect(wrong).toBeLessThanOrEqual(2);
      }
    });

    test.each<[string, readonly object[]]>([
      ['depends on a variable that changes', dash({ x: score, y: 0 })],
      ['does something else, too', [...dash({ x: 30, y: 0 }), { type: 'sendChatMessage', message: 'hop' }]],
    ])('one that %s is left to the server', (_why, actions) => {
      expect(pressed(actions, 'the game').way).toBe(0);
    });
  });

  test.each([
    ['sent to clients', 1],
    ['not sent', 0],
  ])('of a unit that a script of its own steers in every tick is exact if the variables are %s', (_how, streamMode) => {
    const own = { function: 'thisEntity' };
    const variable = (key: string) => ({ function: 'getEntityVariable', variable: { key, dataType: 'number' } });
    const read = (key: string) => ({ function: 'getValueOfEntityVariable', variable: variable(key), entity: own });
    const calculate = (operator: string, ...items: unknown[]) => ({
      function: 'calculate',
      items: [{ operator }, ...items],
    });
    const setTo = (key: string, value: unknown) => ({
      type: 'setEntityVariable',
      entity: own,
      variable: variable(key),
      value,
    });
    const speedOfUnit = { function: 'getEntityAttribute', attribute: 'speed', entity: own };
    const turned = calculate('*', read('turn'), { function: 'getVariable', variableName: 'turnPerTick' });
    const scripts = {
      drive: script('frameTick', [
        setTo('heading', calculate('+', read('heading'), turned)),
        { type: 'rotateEntityToRadians', entity: own, radians: read('heading') },
        {
          type: 'setEntityVelocityAtAngle',
          entity: own,
          speed: calculate('*', speedOfUnit, read('walk')),
          angle: read('heading'),
        },
      ]),
      go: script([], [setTo('walk', 1)]),
      stop: script([], [setTo('walk', 0)]),
      left: script([], [setTo('turn', -1)]),
      straight: script([], [setTo('turn', 0)]),
    };
    const key = (keyDown: string, keyUp: string) => ({
      keyDown: { scriptName: keyDown },
      keyUp: { scriptName: keyUp },
    });
    const controls = { abilities: { w: key('go', 'stop'), a: key('left', 'straight') }, mouseBehaviour: {} };
    const number = { dataType: 'number', default: 0, streamMode };
    const tank = unitType({
      controls,
      scripts,
      variables: { heading: number, walk: number, turn: number },
      bodies: { default: body({ linearDamping: 4 }) },
    });
    const document = game({
      unitTypes: { tank },
      variables: { turnPerTick: { dataType: 'number', default: 0.1 } },
      scripts: { join: joinAs('tank') },
    });
    const room = new DistantRoom(document, distance);
    room.play(2);
    // Somebody else with such a unit, whose variables are its own.
    const other = room.room.sim.join({ name: 'Bob', clientId: 'p2' });
    room.play(0.5);
    room.room.sim.edit.move(other.unit!, 760, 500);
    other.press('w');
    room.play(1.5);
    const before = room.drawn;
    room.press('w');
    room.play(0.09);
    expect(Math.abs(room.unit!.y - before.y)).toBeLessThan(0.5);
    expect(room.drawn.y < before.y - 1).toBe(streamMode === 1);
    room.errors.length = 0;
    for (let i = 0; i < 5; i++) {
      room.press('a');
      room.play(0.3);
      room.release('a');
      room.play(0.2);
    }
    room.release('w');
    room.play(1);
    expect(room.errors.length).toBeGreaterThan(20);
    expect(Math.max(...room.errors) <= 1).toBe(streamMode === 1);
    expectAtTruth(room);
  });

  describe('of abilities that change the speed of the unit', () => {
    const own = { function: 'thisEntity' };
    const toSpeed = (value: number) => ({ type: 'setEntityAttribute', entity: own, attribute: 'speed', value });
    const buff = { type: 'addAttributeBuffToUnit', entity: own, attribute: 'speed', value: 10, time: 400 };

    test.each<[string, object, object | undefined]>([
      ['for a while', buff, undefined],
      ['until they end', toSpeed(20), toSpeed(10)],
    ])('%s: knows what they cost, when they are ready, and when they end', (_how, begins, ends) => {
      const sprint = {
        name: 'sprint',
        cost: { unitAttributes: { stamina: 50 } },
        cooldown: 1000,
        castDuration: 400,
        eventScripts: { startCasting: 'begin', stopCasting: ends === undefined ? '' : 'end' },
      };
      const cast = (event: string) => ({ event, abilityId: 'sprint' });
      const runner = unitType({
        bodies: { default: body({ linearDamping: 8 }) },
        controls: {
          movementControlScheme: 'wasd',
          movementMethod: 'velocity',
          mouseBehaviour: {},
          abilities: { e: { keyDown: cast('startCasting') } },
          unitAbilities: { sprint },
        },
        attributes: { speed: { ...speed(10), max: 30 }, stamina: { ...speed(100), name: 'stamina', max: 100 } },
        scripts: { begin: script([], [begins]), ...(ends === undefined ? {} : { end: script([], [ends]) }) },
      });
      const document = game({ unitTypes: { runner }, scripts: { join: joinAs('runner', 60) } });
      const room = new DistantRoom(document, distance);
      room.play(2);
      const { sim } = room.room;
      const [unit] = sim.units();
      room.press('d');
      room.play(0.5);
      room.errors.length = 0;
      room.corrections.length = 0;
      const speeds: number[] = [];
      const press = (seconds: number): void => {
        room.press('e');
        room.play(0.3);
        speeds.push(unit!.attribute('speed')!);
        room.release('e');
        room.play(seconds - 0.3);
      };
      press(0.6);
      // While it cools down.
      press(0.7);
      press(1.2);
      // Without stamina.
      press(0.5);
      expect(speeds).toEqual([20, 10, 20, 10]);
      expect(room.errors.length).toBeGreaterThan(20);
      expect(Math.max(...room.errors, ...room.corrections)).toBeLessThanOrEqual(1);
      room.release('d');
      room.play(2);
      expectAtTruth(room);
    });
  });

  test('hears of the speed of its unit before the frame from which on it has it, also where clients share frames', () => {
    const { room } = new DistantRoom(game());
    for (const [session, name] of [
      [1, 'Ada'],
      [2, 'Bob'],
    ] as const)
      room.join(session, 'reenact', { kind: 'join', clientId: `p${session}`, name });
    for (let i = 0; i < 4; i++) room.tick(0, 0);
    room.sim.edit.setAttribute(room.sim.player('p2').unit!, 'speed', 3);
    const { sendings } = room.tick(0, 0);
    expect(sendings.find(({ kind }) => kind === 'frame')!.sessions).toEqual([1, 2]);
    const toBob = sendings
      .filter(({ sessions }) => sessions.includes(2))
      .map(({ bytes }) => decodeServerMessage(bytes));
    expect(toBob.map((decoded) => decoded.ok && decoded.message.kind)).toEqual(['motion', 'frame']);
  });

  test('knows the units near the own one as bodies', () => {
    const rock = unitType({ bodies: { default: body({ type: 'static' }) } });
    const room = new DistantRoom(game({ unitTypes: { walker, rock } }), distance);
    room.play(2);
    room.room.sim.edit.createUnit({ type: 'rock', x: 760, y: 640 });
    room.play(1);
    room.press('d');
    room.play(2);
    // The walker stops at the rock.
    expect(room.unit!.x).toBeGreaterThan(700);
    expect(room.unit!.x).toBeLessThan(730);
    expectAtTruth(room);
    expect(room.errors.length).toBeGreaterThan(5);
    expect(Math.max(...room.errors)).toBeLessThanOrEqual(1);
  });

  test.each([
    ['stands', undefined],
    ['walks the other way', 'a'],
  ])('knows what a unit that it pushes does, which %s', (_how, key) => {
    const room = new DistantRoom(game(), distance);
    room.play(2);
    const { sim } = room.room;
    const other = sim.join({ name: 'Bob', clientId: 'p2' });
    room.play(1);
    sim.edit.move(other.unit!, 800, 640);
    room.play(0.5);
    if (key !== undefined) other.press(key);
    room.press('d');
    room.play(1);
    room.errors.length = 0;
    room.corrections.length = 0;
    room.play(3);
    expect(Math.abs(other.unit!.x - room.unit!.x)).toBeLessThan(50);
    expect(Math.max(0, ...room.errors, ...room.corrections)).toBeLessThanOrEqual(8);
    expect(Math.abs(room.drawn.x - room.unit!.x)).toBeLessThan(40);
  });

  test('keeps units together that push each other, although frames round their places', () => {
    const fast = unitType({ bodies: { default: body({ linearDamping: 8 }) }, attributes: { speed: speed(10) } });
    const room = new DistantRoom(game({ unitTypes: { walker: fast } }, 15), distance);
    room.play(2);
    const { sim } = room.room;
    const others = ['Bob', 'Cy'].map((name, i) => sim.join({ name, clientId: `p${i + 2}` }));
    room.play(0.5);
    // Along the lower edge of the map.
    sim.edit.move(sim.player('p1').unit!, 640, 1240);
    others.forEach((other, i) => {
      sim.edit.move(other.unit!, 700 + 50 * i, 1240);
      other.press('a');
    });
    room.press('d');
    room.press('s');
    room.play(2);
    room.errors.length = 0;
    room.play(4);
    // They push it back.
    expect(room.unit!.x).toBeLessThan(640);
    expect(room.errors.length).toBeGreaterThan(10);
    expect(Math.max(...room.errors)).toBeLessThanOrEqual(8);
  });

  test('predicts less where others push the unit this way and that', () => {
    const fast = unitType({ bodies: { default: body({ linearDamping: 8 }) }, attributes: { speed: speed(10) } });
    const room = new DistantRoom(game({ unitTypes: { walker: fast } }), distance);
    room.play(2);
    const { sim } = room.room;
    const others = [1, 2, 3].map((n) => sim.join({ name: 'Bob', clientId: `p${n + 1}` }));
    room.play(0.5);
    others.forEach((other, i) => {
      sim.edit.move(other.unit!, 700, 600 + 45 * i);
    });
    let pictures = 0;
    room.press('d');
    room.corrections.length = 0;
    room.onPicture = () => {
      pictures++;
      for (const [i, other] of others.entries()) {
        if (pictures % (17 + 6 * i) !== 0) continue;
        for (const key of keys) other.release(key);
        const { x, y } = other.unit!;
        // Mostly towards the own unit.
        other.press((pictures * 7 + i) % 3 > 0 ? (x > room.unit!.x ? 'a' : 'd') : y > room.unit!.y ? 'w' : 's');
      }
      if (pictures % 40 === 0) room.press(keys[(pictures / 40) % 4]!);
      if (pictures % 40 === 20) for (const key of keys) room.release(key);
    };
    room.play(15);
    expect(room.corrections.filter((px) => px > 4).length).toBeGreaterThan(10);
    expect(room.corrections.filter((px) => px > 24).length).toBeLessThanOrEqual(1);
  });

  test('knows from one frame that a unit walks against the own one', () => {
    const slow = unitType({ bodies: { default: body({ linearDamping: 2 }) }, attributes: { speed: speed(10) } });
    const room = new DistantRoom(game({ unitTypes: { walker: slow } }, 30), { roundTripMs: 100 });
    room.play(2);
    const { sim } = room.room;
    const other = sim.join({ name: 'Bob', clientId: 'p2' });
    room.play(0.5);
    sim.edit.move(other.unit!, 700, 640);
    room.press('d');
    room.play(0.8);
    expect(other.unit!.x).toBeGreaterThan(750);
    other.press('a');
    // Both stand still from now on, so that the server has nothing more to tell.
    room.play(0.4);
    expectAtTruth(room);
  });

  test.each([
    ['before it', 0],
    ['after it', 2.5],
  ])('knows the walls that scripts have changed %s began', (_when, beginsAt) => {
    const map = mapWithDebris();
    const room = new DistantRoom(game({ map, scripts: { ...gate, join: joinAs('walker') } }), distance);
    if (beginsAt > 0) room.prediction.close();
    room.play(beginsAt);
    if (beginsAt > 0) room.predict();
    room.play(2.5);
    room.press('d');
    room.play(2);
    // Through the wall at 704 px that a script has removed, up to the one at 896 px that it has built.
    expect(room.unit!.x).toBeGreaterThan(860);
    expect(room.unit!.x).toBeLessThan(896);
    expectAtTruth(room);
    expect(Math.max(...room.errors)).toBeLessThanOrEqual(1);
  });

  test('may begin after the room has told how the unit moves', () => {
    const room = new DistantRoom(game(), distance);
    room.play(2);
    room.prediction.close();
    expect(room.client.predictor).toBeUndefined();
    room.predict();
    room.play(1.5);
    expect(room.prediction.isActive).toBe(true);
    room.press('d');
    room.play(1 / 60);
    expect(room.drawn.x).toBeGreaterThan(641);
  });

  test('can be off: the unit is shown like all others, and inputs are for the next tick of the server', () => {
    const room = new DistantRoom(game(), distance);
    room.play(2);
    room.prediction.isOn = false;
    room.press('d');
    room.play(1 / 60);
    expect(room.drawn.x).toBe(640);
    room.play(0.5);
    expect(room.drawn.x).toBeGreaterThan(700);
    expect(room.late).toEqual([]);
    room.prediction.isOn = true;
    room.play(1);
    room.release('d');
    room.play(1);
    expectAtTruth(room);
  });

  test('gives a modified client nothing: keys repeated, early and late, move no unit further than its speed', () => {
    const honest = new DistantRoom(game(), distance);
    const modified = new DistantRoom(game(), distance);
    modified.prediction.isOn = false;
    for (const room of [honest, modified]) {
      room.play(2);
      room.press('d');
    }
    modified.onPicture = () => {
      for (const tick of [0, 1e6, modified.room.sim.tick + 5, undefined]) {
        modified.client.send({ kind: 'keyDown', key: 'd' }, tick);
        modified.client.send({ kind: 'keyUp', key: 'a' }, tick);
      }
    };
    for (const room of [honest, modified]) room.play(1);
    expect(honest.unit!.x).toBeGreaterThan(740);
    expect(modified.unit!.x).toBeLessThanOrEqual(honest.unit!.x);
  });
});

function speed(value: number) {
  return { name: 'speed', value, min: 0, max: 1000, regenerateSpeed: 0 };
}

/** A map with a layer of debris before that of the walls, and a wall of 64 px from 704 px on. */
function mapWithDebris() {
  const { map } = (game() as { data: { map: { layers: { data: number[] }[] } } }).data;
  const [floor] = map.layers;
  const data = Array.from({ length: 400 }, (_, i) => (i % 20 === 11 ? 1 : 0));
  return {
    ...map,
    layers: [
      { name: 'debris', type: 'objectgroup', objects: [] },
      { ...floor, name: 'walls', data },
    ],
  };
}

const gate = {
  gate: {
    triggers: [{ type: 'gameStart' }],
    actions: [
      { type: 'editMapTiles', gid: 0, layer: 1, x: 11, y: 0, width: 1, height: 20 },
      { type: 'editMapTiles', gid: 1, layer: 1, x: 14, y: 0, width: 1, height: 20 },
    ],
  },
};
