import { describe, expect, test } from 'vitest';
import type { Input } from '../../../engine/index.ts';
import { rowOf } from '../../../engine/tools.ts';
import { body, joinAs, type Play, play, unitType } from '../../support/play.ts';

type Json = Record<string, unknown>;

/** A player with a unit at 640, 640 that turns to where the player aims. */
function aiming(
  controls: Json = {},
  type: Json = {},
): { game: Play; send: (input: Json) => void; angle: () => number } {
  const game = play({
    unitTypes: {
      unit: unitType({
        bodies: { default: body({ fixedRotation: false }) },
        controls: {
          movementControlScheme: 'wasd',
          movementMethod: 'velocity',
          abilities: {},
          mouseBehaviour: { rotateToFaceMouseCursor: true },
          ...controls,
        },
        ...type,
      }),
    },
    scripts: { join: joinAs('unit') },
  });
  const ann = game.sim.join({ clientId: 'ann' });
  game.ticks(2);
  return {
    game,
    send: (input) => {
      game.sim.input({ player: 'ann', ...input } as Input);
      game.ticks(2);
    },
    angle: () => game.world.components.transform.angle[rowOf(ann.unit!.entity)]!,
  };
}

describe('a unit faces', () => {
  test('the mouse, and nothing before the mouse has moved', () => {
    const { angle, send } = aiming();
    expect(angle()).toBe(0);
    send({ kind: 'mouse', x: 900, y: 640 });
    expect(angle()).toBeCloseTo(Math.PI / 2, 9);
    send({ kind: 'mouse', x: 640, y: 900 });
    expect(Math.abs(angle())).toBeCloseTo(Math.PI, 9);
  });

  test('the angle that its player sends, and not the mouse, with absolute rotation', () => {
    const { angle, send } = aiming({ absoluteRotation: true });
    send({ kind: 'mouse', x: 900, y: 640 });
    expect(angle()).toBe(0);
    send({ kind: 'absoluteAngle', angle: 2.5 });
    expect(angle()).toBeCloseTo(2.5, 9);
    send({ kind: 'absoluteAngle', angle: -0.5 });
    expect(angle()).toBeCloseTo(-0.5, 9);
  });

  test('opposite to the yaw of the camera, if the pointer is locked', () => {
    const { angle, send } = aiming({}, { cameraPointerLock: true });
    send({ kind: 'absoluteAngle', angle: 2.5 });
    expect(angle()).toBe(0);
    send({ kind: 'mouse', x: 900, y: 640, yaw: 1 });
    expect(angle()).toBeCloseTo(-1, 9);
  });

  test('no mouse if its body cannot turn, or its type does not say so', () => {
    for (const [controls, type] of [
      [{}, { bodies: { default: body({ fixedRotation: true }) } }],
      [{ mouseBehaviour: { rotateToFaceMouseCursor: false } }, {}],
    ] as const) {
      const { angle, send } = aiming(controls, type);
      send({ kind: 'mouse', x: 900, y: 640 });
      expect(angle()).toBe(0);
    }
  });
});

test('a unit that follows the cursor moves to it at full speed and stops within a third of its width', () => {
  const { game, send } = aiming(
    { movementControlScheme: 'followCursor' },
    { bodies: { default: body({ linearDamping: 40 }) } },
  );
  send({ kind: 'mouse', x: 900, y: 640 });
  const { x: vectorX, y: vectorY } = game.world.components.velocity;
  const { x } = game.world.components.transform;
  const row = rowOf(game.entity('u1'));
  expect(vectorX[row]).toBeCloseTo(10, 9);
  expect(vectorY[row]).toBeCloseTo(0, 9);
  game.seconds(5);
  expect(vectorX[row]).toBe(0);
  expect(Math.abs(900 - x[row]!)).toBeLessThan(40 / 3);
  // No key was pressed, so its scripts do not run.
  expect(game.of('unitStartsMoving')).toEqual([]);
});

describe('the movement of a unit', () => {
  /** A player holds `keys` down for ten ticks of 0.05 s; the velocity of its unit of 1.78 kg then. */
  function pressed(controls: Json, type: Json = {}, keys: readonly string[] = ['d'], mouse?: Json) {
    const { game, send } = aiming({ mouseBehaviour: {}, ...controls }, type);
    if (mouse !== undefined) send({ kind: 'mouse', ...mouse });
    for (const key of keys) game.sim.input({ kind: 'keyDown', player: 'ann', key });
    const { physics } = game.game;
    const unit = game.entity('u1');
    const at = (ticks: number): [number, number] => {
      game.ticks(ticks);
      return [physics.velocityX(unit), physics.velocityY(unit)];
    };
    return { game, at };
  }
  const kilograms = (40 / 30) ** 2;

  test('by velocity reaches its speed at once, and coasts after the key is released', () => {
    const { game, at } = pressed({ movementMethod: 'velocity' });
    expect(at(1)).toEqual([10, 0]);
    expect(at(9)).toEqual([10, 0]);
    game.sim.input({ kind: 'keyUp', player: 'ann', key: 'd' });
    expect(at(3)).toEqual([10, 0]);
  });

  test('is damped in the same step', () => {
    const { at } = pressed({ movementMethod: 'velocity' }, { bodies: { default: body({ linearDamping: 8 }) } });
    expect(at(5)[0]).toBeCloseTo(10 / (1 + 8 / 20), 6);
  });

  test('by force applies its speed as newtons in every step', () => {
    const { at } = pressed({ movementMethod: 'force' });
    expect(at(1)[0]).toBeCloseTo(10 / kilograms / 20, 6);
    expect(at(9)[0]).toBeCloseTo(100 / kilograms / 20, 6);
  });

  test('by impulse applies its speed as newton seconds in every step', () => {
    const { at } = pressed({ movementMethod: 'impulse' });
    expect(at(1)[0]).toBeCloseTo(10 / kilograms, 6);
    expect(at(9)[0]).toBeCloseTo(100 / kilograms, 6);
  });

  const schemes: readonly [scheme: string, keys: readonly string[], velocity: readonly [number, number]][] = [
    ['wasd', ['w'], [0, -10]],
    ['wasd', ['right', 'down'], [7.071, 7.071]],
    ['ad', ['a'], [-10, 0]],
    ['ad', ['w', 'a'], [-10, 0]],
    ['ad', ['s'], [0, 0]],
    ['followCursor', ['d'], [0, 0]],
    ['none', ['d'], [0, 0]],
  ];
  test.each(schemes)('in the scheme %s with the keys %j', (movementControlScheme, keys, [vx, vy]) => {
    const [x, y] = pressed({ movementControlScheme }, {}, keys).at(3);
    expect([x, y]).toEqual([expect.closeTo(vx, 3), expect.closeTo(vy, 3)]);
  });

  test.each(['wasd', 'ad', 'none'])(
    'by a script lasts until the next key event, in the scheme %s',
    (movementControlScheme) => {
      const { game, send } = aiming({ movementControlScheme });
      const row = rowOf(game.entity('u1'));
      const { x, y } = game.world.components.movement;
      y[row] = -1;
      x[row] = 1;
      game.ticks(2);
      expect([x[row], y[row]]).toEqual([1, -1]);
      send({ kind: 'keyDown', key: 'k' });
      expect([x[row], y[row]]).toEqual([0, 0]);
    },
  );

  const yaws: readonly [yaw: number, keys: readonly string[], velocity: readonly [number, number]][] = [
    [0, ['w'], [0, -10]],
    [0, ['d'], [10, 0]],
    // The camera is rotated by a quarter turn to the left, so up on the screen is left.
    [Math.PI / 2, ['w'], [-10, 0]],
    [Math.PI / 2, ['d'], [0, -10]],
    [Math.PI / 2, ['s'], [10, 0]],
    // Moving straight ahead has the same speed at any angle.
    [Math.PI / 4, ['w'], [-7.071, -7.071]],
    [Math.PI / 4, ['w', 'd'], [0, -10]],
  ];
  test.each(yaws)('is relative to a camera turned by %f: %j', (yaw, keys, [vx, vy]) => {
    const mouse = { x: 640, y: 100, yaw };
    const [x, y] = pressed({ movementControlScheme: 'wasdRelativeToUnit' }, {}, keys, mouse).at(3);
    expect([x, y]).toEqual([expect.closeTo(vx, 3), expect.closeTo(vy, 3)]);
  });

  test('has no speed without the attribute `speed`', () => {
    expect(pressed({}, { attributes: {} }).at(3)).toEqual([0, 0]);
  });

  test('falls back to `baseSpeed` without that attribute, in standard only', () => {
    expect(pressed({}, { attributes: {}, baseSpeed: 4 }).at(3)).toEqual([4, 0]);
    expect(pressed({}, { baseSpeed: 4 }).at(3)).toEqual([10, 0]);
    const game = play(
      {
        unitTypes: { unit: unitType({ attributes: {}, baseSpeed: 4 }) },
        scripts: { join: joinAs('unit') },
      },
      { dialect: 'moddio' },
    );
    game.sim.join({ clientId: 'ann' });
    game.ticks(2);
    game.sim.input({ kind: 'keyDown', player: 'ann', key: 'd' });
    game.ticks(3);
    expect(game.game.physics.velocityX(game.entity('u1'))).toBe(0);
  });

  test('follows the keys of its player only for the selected unit', () => {
    const game = play({
      unitTypes: { unit: unitType() },
      scripts: { join: joinAs('unit'), again: joinAs('unit', 200) },
    });
    game.sim.join({ clientId: 'ann' });
    game.ticks(2);
    game.sim.input({ kind: 'keyDown', player: 'ann', key: 'd' });
    game.ticks(3);
    const { physics } = game.game;
    expect([physics.velocityX(game.entity('u1')), physics.velocityX(game.entity('u2'))]).toEqual([10, 0]);
  });
});

describe('flipSpriteHorizontallyWRTMouse', () => {
  const looks: readonly [x: number, flip: number][] = [
    [900, 0],
    [300, 1],
  ];
  test.each(looks)('mirrors a unit that aims left, with the mouse at %i', (x, flip) => {
    const { game, send } = aiming({ mouseBehaviour: { flipSpriteHorizontallyWRTMouse: true } });
    send({ kind: 'mouse', x, y: 600 });
    expect(game.world.components.facing.flip[rowOf(game.entity('u1'))]).toBe(flip);
  });

  test('is off by default', () => {
    const { game, send } = aiming({ mouseBehaviour: {} });
    send({ kind: 'mouse', x: 300, y: 600 });
    expect(game.world.components.facing.flip[rowOf(game.entity('u1'))]).toBe(0);
  });
});

test.each(['standard', 'moddio'] as const)(
  'keys move a unit in %s even if its client is meant to report its position',
  (dialect) => {
    const game = play(
      {
        defaultData: { clientPhysicsEngine: 'planck' },
        unitTypes: {
          unit: unitType({ controls: { movementControlScheme: 'wasd', movementMethod: 'velocity', cspMode: 2 } }),
        },
        scripts: { join: joinAs('unit') },
      },
      { dialect },
    );
    const ann = game.sim.join({ clientId: 'ann' });
    game.ticks(2);
    const row = rowOf(ann.unit!.entity);
    const before = game.world.components.transform.x[row]!;
    ann.press('d');
    game.ticks(10);
    expect(game.world.components.transform.x[row]! - before).toBeGreaterThan(10);
  },
);
