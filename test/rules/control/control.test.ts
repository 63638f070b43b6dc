import { describe, expect, test } from 'vitest';
import { startUsing } from '../../../engine/rules/items/use.ts';
import { selectUnit } from '../../../engine/rules/players/ownership.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { attribute, itemType, joinAs, play, script, unitType } from '../../support/play.ts';
import { note, own, trailOf, trailVariable } from '../../support/trail.ts';

function scene(scheme: string, dialect: 'standard' | 'moddio' = 'standard') {
  const controls = { movementControlScheme: scheme, movementMethod: 'velocity', abilities: {}, mouseBehaviour: {} };
  const unit = unitType({ attributes: { speed: attribute(10) }, controls });
  const s = play({ unitTypes: { unit }, scripts: { join: joinAs('unit') } }, { dialect });
  const ann = s.sim.join();
  s.ticks(2);
  return { s, ann };
}

describe('keys held down set the direction of a unit', () => {
  test.each<[scheme: string, keys: string, direction: [number, number]]>([
    ['wasd', 'd', [1, 0]],
    ['wasd', 'a', [-1, 0]],
    ['wasd', 'w', [0, -1]],
    ['wasd', 's', [0, 1]],
    ['wasd', 'right', [1, 0]],
    ['wasd', 'left', [-1, 0]],
    ['wasd', 'up', [0, -1]],
    ['wasd', 'down', [0, 1]],
    ['wasd', 'd w', [1, -1]],
    // Of two opposite keys, the one pressed last counts …
    ['wasd', 'a d', [1, 0]],
    ['wasd', 'd a', [-1, 0]],
    ['wasd', 'w s', [0, 1]],
    // … and releasing it restores the other direction.
    ['wasd', 'a d -d', [-1, 0]],
    ['wasd', 'a d -a', [1, 0]],
    ['wasd', 'a d -d -a', [0, 0]],
    ['wasd', 'd d -d', [0, 0]],
    // A key that is pressed again without having been released counts as pressed last.
    ['wasd', 'a d a', [-1, 0]],
    ['wasd', 'a d a -a', [1, 0]],
    ['wasd', 'x', [0, 0]],
    ['ad', 'd w', [1, 0]],
    ['ad', 's', [0, 0]],
    ['none', 'd', [0, 0]],
  ])('scheme %s, keys %s: %j', (scheme, keys, direction) => {
    const { s, ann } = scene(scheme);
    for (const key of keys.split(' ')) {
      if (key.startsWith('-')) ann.release(key.slice(1));
      else ann.press(key);
    }
    s.ticks(1);
    const { x: moveX, y: moveY } = s.world.components.movement;
    const row = rowOf(ann.unit!.entity);
    expect([moveX[row], moveY[row]]).toEqual(direction);
  });
});

test('a held key moves a newly selected unit once it is pressed again', () => {
  const { s, ann } = scene('wasd');
  const first = ann.unit!.entity;
  const second = s.unit({ owner: ann.entity, x: 300 });
  ann.press('d');
  s.ticks(2);
  selectUnit(s.game, ann.entity, second);
  s.ticks(2);
  const { x: moveX } = s.world.components.movement;
  expect([moveX[rowOf(first)], moveX[rowOf(second)]]).toEqual([0, 0]);
  ann.press('d');
  s.ticks(1);
  expect([moveX[rowOf(first)], moveX[rowOf(second)]]).toEqual([0, 1]);
});

test.each([
  { event: 'pressed', act: (ann: ReturnType<typeof scene>['ann']) => ann.press('x') },
  { event: 'released', act: (ann: ReturnType<typeof scene>['ann']) => ann.release('x') },
])('after any key is $event, a newly selected unit moves by all keys that are held, in moddio', ({ act }) => {
  const { s, ann } = scene('wasd', 'moddio');
  const second = s.unit({ owner: ann.entity, x: 300 });
  ann.press('d');
  ann.press('s');
  s.ticks(2);
  selectUnit(s.game, ann.entity, second);
  s.ticks(1);
  const { x, y } = s.world.components.movement;
  expect([x[rowOf(second)], y[rowOf(second)]]).toEqual([0, 0]);
  act(ann);
  s.ticks(1);
  expect([x[rowOf(second)], y[rowOf(second)]]).toEqual([1, 1]);
});

describe('a player who holds the keys d and e, and fires a gun', () => {
  /** Ann has two units. A script of the key e says which one casts; `stops` runs whenever a gun is no longer used. */
  function armed(dialect: 'standard' | 'moddio', stops: readonly unknown[] = []) {
    const e = { keyDown: { scriptName: 'down', cost: {} }, keyUp: { scriptName: 'up', cost: {} } };
    const controls = { movementControlScheme: 'wasd', movementMethod: 'velocity', abilities: { e } };
    const s = play(
      {
        unitTypes: {
          unit: unitType({
            controls,
            scripts: { down: script([], [note(own('down'))]), up: script([], [note(own('up'))]) },
          }),
        },
        itemTypes: { gun: itemType({ isGun: true }) },
        variables: trailVariable,
        scripts: { join: joinAs('unit'), stops: script('unitStopsUsingAnItem', stops) },
      },
      { dialect },
    );
    const ann = s.sim.join();
    s.ticks(2);
    const [first, second] = [ann.unit!.entity, s.unit({ owner: ann.entity, x: 300 })];
    const gun = s.give(first, 'gun');
    for (const key of ['d', 'e', 'button1']) ann.press(key);
    startUsing(s.game, gun);
    s.ticks(1);
    const state = () => {
      const { movement, itemUse } = s.world.components;
      return [movement.x[rowOf(first)], itemUse.beingUsed[rowOf(gun)], trailOf(s)];
    };
    expect(state()).toEqual([1, 1, 'u1:down']);
    return { s, ann, first, second, state };
  }

  test.each([
    ['standard', [0, 0, 'u1:down u1:up']],
    ['moddio', [1, 1, 'u1:down']],
  ] as const)('and selects another unit: the former one lets go in standard only (%s)', (dialect, expected) => {
    const { s, ann, second, state } = armed(dialect);
    selectUnit(s.game, ann.entity, second);
    s.ticks(1);
    expect(state()).toEqual(expected);
    expect(s.sim.view().players.at(-1)!.selected).toBe('u2');
  });

  test.each(['standard', 'moddio'] as const)('and leaves: the unit that stays lets go (%s)', (dialect) => {
    const { s, ann, state } = armed(dialect);
    ann.leave();
    s.ticks(1);
    expect(state()).toEqual([0, 0, 'u1:down u1:up']);
  });

  test.each(['standard', 'moddio'] as const)('and is not heard of any more: the unit lets go (%s)', (dialect) => {
    const { s, ann, state } = armed(dialect);
    s.sim.input({ kind: 'releaseKeys', player: ann.clientId });
    s.ticks(1);
    expect(state()).toEqual([0, 0, 'u1:down u1:up']);
    expect(s.sim.view().players.at(-1)!.keysDown).toEqual([]);
  });

  test('and selects a unit that a script destroys when the gun falls silent: keeps the one it had', () => {
    const u2 = { function: 'getEntityFromId', string: 'u2' };
    const { s, ann, second } = armed('standard', [{ type: 'destroyEntity', entity: u2 }]);
    selectUnit(s.game, ann.entity, second);
    s.ticks(1);
    expect(s.faults()).toEqual([]);
    expect(s.sim.view().players.at(-1)!.selected).toBe('u1');
  });
});

test('a key named like a member of Object has no effect', () => {
  const { s, ann } = scene('wasd');
  s.sim.input({ kind: 'keyDown', player: ann.clientId, key: 'constructor' });
  ann.press('d');
  s.ticks(1);
  const { x, y } = s.world.components.movement;
  const row = rowOf(ann.unit!.entity);
  expect([x[row], y[row]]).toEqual([1, 0]);
});

test('at most 64 keys of a client are held: the oldest are released, and names that are too long ignored', () => {
  const { s, ann } = scene('wasd');
  ann.press('d');
  s.sim.input({ kind: 'keyDown', player: ann.clientId, key: 'x'.repeat(1000) });
  s.ticks(1);
  const { keysDown } = s.world.components.controls[rowOf(ann.entity)]!;
  expect(keysDown).toEqual(['d']);
  for (let i = 0; i < 1000; i++) s.sim.input({ kind: 'keyDown', player: ann.clientId, key: `key ${i}` });
  s.ticks(1);
  expect([keysDown.length, keysDown.at(-1)]).toEqual([64, 'key 999']);
  expect(s.world.components.movement.x[rowOf(ann.unit!.entity)]).toBe(0);
});

test('diagonal movement is not faster', () => {
  const { s, ann } = scene('wasd');
  ann.press('d');
  s.ticks(1);
  const { x: vectorX, y: vectorY } = s.world.components.velocity;
  const row = rowOf(ann.unit!.entity);
  expect([vectorX[row], vectorY[row]]).toEqual([10, 0]);
  ann.press('s');
  s.ticks(1);
  expect(Math.hypot(vectorX[row]!, vectorY[row]!)).toBeCloseTo(10, 6);
});

test('a unit fires once when it starts moving and once when it stops', () => {
  const { s, ann } = scene('wasd');
  ann.press('d');
  s.ticks(3);
  ann.press('s');
  s.ticks(3);
  ann.release('d');
  ann.release('s');
  s.ticks(3);
  expect(s.announced.filter(({ type }) => type.endsWith('Moving')).map(({ type, payload }) => [type, payload])).toEqual(
    [
      ['unitStartsMoving', { unit: 'u1' }],
      ['unitStopsMoving', { unit: 'u1' }],
    ],
  );
});

test('digit keys select inventory slots', () => {
  const { s, ann } = scene('wasd');
  const { slots, inventorySize } = s.world.components.inventory[rowOf(ann.unit!.entity)]!;
  expect([slots.length > 3, inventorySize]).toEqual([true, 3]);
  for (const [key, slot] of [
    ['3', 2],
    ['1', 0],
    ['2', 1],
    ['4', 1],
    ['9', 1],
  ] as const) {
    ann.press(key);
    ann.release(key);
    s.ticks(1);
    expect(s.world.components.inventory[rowOf(ann.unit!.entity)]!.currentSlot).toBe(slot);
  }
});
