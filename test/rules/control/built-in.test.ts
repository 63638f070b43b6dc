import { describe, expect, test } from 'vitest';
import { rowOf } from '../../../engine/world/entity.ts';
import { body, itemType, type Play, type PlayOptions, play, script, unitType } from '../../support/play.ts';

type Json = Record<string, unknown>;

/** As in games of 2020 to 2022, whose `abilities` may be empty. */
const bindings = {
  w: { keyDown: 'moveUp', keyUp: 'stopMovingUp' },
  g: { keyDown: 'drop', keyUp: '' },
  e: { keyDown: 'pickUp', keyUp: '' },
  button1: { keyDown: 'use', keyUp: 'stopUse' },
  r: { keyDown: 'reload', keyUp: '' },
  h: { keyDown: 'help', keyUp: '' },
};

/** Ann steers `u1`, which holds `i1`; `i2` lies at its feet and `i3` far away. */
function prepared(
  unit: Json = {},
  more: Json = {},
  options: PlayOptions = {},
): Play & { press(key: string): void; release(key: string): void } {
  const crate = itemType({ bodies: { dropped: body({ width: 20, height: 20, collidesWith: {} }) } });
  const made = play(
    {
      unitTypes: { unit: unitType({ abilities: bindings, ...unit }) },
      itemTypes: { crate, cap: { ...crate, fireRate: 0 } },
      variables: { log: { dataType: 'string', default: '' } },
      scripts: { help: script([], [{ type: 'setVariable', variableName: 'log', value: 'help' }]) },
      ...more,
    },
    options,
  );
  const ann = made.sim.join({ clientId: 'ann', userId: 'ann' });
  made.ticks(1);
  const u1 = made.unit({ owner: ann.entity });
  made.give(u1, 'cap');
  made.item('crate', { x: 645, y: 645 });
  made.item('crate', { x: 900, y: 900 });
  made.ticks(3);
  const send = (kind: 'keyDown' | 'keyUp') => (key: string) => {
    made.sim.input({ kind, player: 'ann', key });
    made.ticks(2);
  };
  return { ...made, press: send('keyDown'), release: send('keyUp') };
}

describe('a built-in ability that the definition does not describe', () => {
  test('`pickUp` takes the item under the unit', () => {
    const it = prepared();
    it.press('e');
    expect(it.slots(it.entity('u1'))).toBe('i1 i2 .');
    it.release('e');
    it.press('e');
    expect(it.slots(it.entity('u1'))).toBe('i1 i2 .');
  });

  test('`drop` throws the held item in the direction that the unit faces', () => {
    const it = prepared();
    it.press('g');
    expect(it.slots(it.entity('u1'))).toBe('. . .');
    expect(it.game.physics.velocityY(it.entity('i1'))).toBeLessThan(0);
    expect(it.of('unitDroppedAnItem')).toHaveLength(1);
  });

  test('`use` and `stopUse` start and stop using the held item', () => {
    const it = prepared();
    it.press('button1');
    expect(it.world.components.itemUse.beingUsed[rowOf(it.entity('i1'))]).toBe(1);
    it.release('button1');
    expect(it.world.components.itemUse.beingUsed[rowOf(it.entity('i1'))]).toBe(0);
    expect(it.of('unitStartsUsingAnItem')).toHaveLength(1);
    expect(it.of('unitUsesItem').length).toBeGreaterThan(0);
  });

  test('leaves walking to the movement scheme, and is no fault if it is unknown', () => {
    const it = prepared();
    it.press('w');
    it.press('r');
    expect(it.game.physics.velocityY(it.entity('u1'))).toBe(-10);
    expect(it.faults()).toEqual([]);
  });
});

test('an ability that the definition describes runs its script', () => {
  const it = prepared({}, { abilities: { help: { name: 'help', scriptName: 'help', cost: {} } } });
  it.press('h');
  expect(it.variable('log')).toBe('help');
});

test('an ability whose script does not exist does nothing, and is no fault', () => {
  const gone = { name: 'reload', scriptName: 'gone', cost: {} };
  const it = prepared({}, { abilities: { reload: gone, drop: gone } });
  it.press('r');
  it.press('g');
  expect(it.slots(it.entity('u1'))).toBe('i1 . .');
  expect(it.faults()).toEqual([]);
});

test('a built-in ability costs what the definition says', () => {
  const dear = { pickUp: { name: 'pick up', cost: { unitAttributes: { health: 60 } } } };
  const it = prepared({}, { abilities: dear });
  it.press('e');
  expect(it.attribute('u1', 'health')).toBe(40);
  expect(it.slots(it.entity('u1'))).toBe('i1 i2 .');
  it.release('e');
  it.press('e');
  expect(it.attribute('u1', 'health')).toBe(40);
});

test('a binding in `controls` takes precedence over a legacy one', () => {
  const abilities = { e: { keyDown: { scriptName: 'help', cost: {} } } };
  const it = prepared({
    controls: { movementControlScheme: 'wasd', movementMethod: 'velocity', abilities, mouseBehaviour: {} },
  });
  it.press('e');
  expect(it.variable('log')).toBe('help');
  expect(it.slots(it.entity('u1'))).toBe('i1 . .');
});

test('moddio ignores legacy bindings', () => {
  const it = prepared({}, {}, { dialect: 'moddio' });
  for (const key of ['e', 'g', 'button1']) it.press(key);
  expect(it.slots(it.entity('u1'))).toBe('i1 . .');
  expect(it.of('unitStartsUsingAnItem')).toEqual([]);
});
