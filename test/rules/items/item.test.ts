import { describe, expect, test } from 'vitest';
import { setState } from '../../../engine/rules/entities/state.ts';
import { hideEntity, showEntity } from '../../../engine/rules/entities/visibility.ts';
import { dropSlot, selectSlot } from '../../../engine/rules/items/inventory.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { append, setVariable } from '../../support/actions.ts';
import { body, held, itemType, play, script, unitType } from '../../support/play.ts';

describe('an item on the ground', () => {
  test('is in the state named dropped, visible, and has a body from the next tick on', () => {
    const game = play({ itemTypes: { thing: itemType({ states: { lying: { name: 'dropped', body: 'dropped' } } }) } });
    const item = game.item('thing');
    expect(game.stateKey(item)).toBe('lying');
    expect(game.game.physics.hasBody(item)).toBe(false);
    game.ticks(1);
    expect(game.game.physics.hasBody(item)).toBe(true);
    expect(game.world.components.visibility.hidden[rowOf(item)]).toBe(0);
  });

  test('is in the state with the key `dropped` if none has that name', () => {
    const game = play({
      itemTypes: { thing: itemType({ states: { other: {}, dropped: { name: 'on the ground', body: 'dropped' } } }) },
    });
    expect(game.stateKey(game.item('thing'))).toBe('dropped');
  });

  test('is the last created item when its own scripts run', () => {
    const game = play({
      variables: { last: { dataType: 'item' } },
      itemTypes: {
        thing: itemType({
          scripts: {
            s: script('entityStateChanged', [setVariable('last', { function: 'getLastCreatedItem' })]),
          },
        }),
      },
    });
    game.item('thing');
    expect(game.variable('last')).toBe('@i1');
  });

  const lives: readonly [lifeSpan: unknown, after: number | undefined][] = [
    [500, 0.5],
    ['300', 0.3],
    [0, 0.05],
    [null, undefined],
    ['', undefined],
    [undefined, undefined],
  ];
  test.each(lives)('with a life span of %j is destroyed in time', (lifeSpan, seconds) => {
    const game = play({ itemTypes: { thing: itemType({ lifeSpan }) } });
    const item = game.item('thing');
    if (seconds === undefined) {
      game.seconds(2);
      expect(game.world.exists(item)).toBe(true);
      return;
    }
    game.ticks(Math.round(seconds * 20) - 1);
    expect(game.world.exists(item)).toBe(true);
    game.ticks(1);
    expect(game.world.exists(item)).toBe(false);
    expect(game.of('initEntityDestroy').length).toBe(1);
  });

  const timers: readonly [about: string, type: Record<string, unknown>, ticks: number | undefined][] = [
    ['is destroyed by its destroy timer', { destroyTimer: 400 }, 8],
    ['is destroyed by its explosive timer', { explosiveTimer: 300 }, 6],
    ['is destroyed by the shorter of both timers', { destroyTimer: 400, explosiveTimer: 300 }, 6],
    [
      'is destroyed by its life span rather than a timer',
      { lifeSpan: 600, destroyTimer: 400, explosiveTimer: 300 },
      12,
    ],
    ['is not destroyed by a timer if its life span is null', { lifeSpan: null, destroyTimer: 400 }, undefined],
  ];
  test.each(timers)('%s', (_about, type, ticks) => {
    const game = play({ itemTypes: { thing: itemType(type) } });
    const item = game.item('thing');
    game.ticks((ticks ?? 100) - 1);
    expect(game.world.exists(item)).toBe(true);
    game.ticks(1);
    expect(game.world.exists(item)).toBe(ticks === undefined);
  });

  test('is not destroyed by timers in moddio', () => {
    const thing = itemType({ destroyTimer: 400, explosiveTimer: 300 });
    const game = play({ itemTypes: { thing } }, { dialect: 'moddio' });
    const item = game.item('thing');
    game.seconds(2);
    expect(game.world.exists(item)).toBe(true);
  });

  test('loses the life span that a script set while it was carried', () => {
    for (const lifeSpan of [undefined, 1000]) {
      const game = play({ itemTypes: { thing: itemType({ lifeSpan }) } });
      const unit = game.unit();
      const item = game.give(unit, 'thing');
      game.world.components.lifespan.deathTimeMs[rowOf(item)] = 500;
      dropSlot(game.game, unit, 0);
      game.seconds(0.6);
      expect(game.world.exists(item)).toBe(true);
      game.seconds(0.5);
      expect(game.world.exists(item)).toBe(lifeSpan === undefined);
    }
  });

  test('restarts its life span when a script sets the dropped state again', () => {
    const game = play({ itemTypes: { thing: itemType({ lifeSpan: 500 }) } });
    const item = game.item('thing');
    game.seconds(0.4);
    setState(game.game, item, 'dropped');
    game.seconds(0.4);
    expect(game.world.exists(item)).toBe(true);
    game.seconds(0.2);
    expect(game.world.exists(item)).toBe(false);
  });

  test('keeps a life span set by a script when the dropped state is set again', () => {
    const game = play({ itemTypes: { thing: itemType() } });
    const item = game.item('thing');
    game.world.components.lifespan.deathTimeMs[rowOf(item)] = 300;
    setState(game.game, item, 'dropped');
    game.seconds(0.3);
    expect(game.world.exists(item)).toBe(false);
  });

  test('starts its life span each time it is dropped', () => {
    const game = play({ itemTypes: { thing: itemType({ lifeSpan: 500 }) } });
    const unit = game.unit();
    const item = game.give(unit, 'thing');
    game.seconds(2);
    expect(game.world.exists(item)).toBe(true);
    dropSlot(game.game, unit, 0);
    game.ticks(9);
    expect(game.world.exists(item)).toBe(true);
    game.ticks(1);
    expect(game.world.exists(item)).toBe(false);
  });
});

describe('the visibility of a carried item', () => {
  const cases: readonly [about: string, body: unknown, hidden: 0 | 1, solid: boolean][] = [
    ['with a sprite only it is visible and has no body', held(), 0, false],
    ['with a body it is visible and solid', body({ width: 10, height: 10 }), 0, true],
    ['with a body of the type `none` it is hidden', { type: 'none' }, 1, false],
    ['without a body it is hidden', undefined, 1, false],
  ];
  test.each(cases)('in the hand: %s', (_about, selected, hidden, solid) => {
    const game = play({
      itemTypes: { thing: itemType({ bodies: { dropped: body(), ...(selected ? { selected } : {}) } }) },
    });
    const item = game.give(game.unit(), 'thing');
    game.ticks(2);
    expect(game.world.components.visibility.hidden[rowOf(item)]).toBe(hidden);
    expect(game.game.physics.hasBody(item)).toBe(solid);
  });

  test('hidden in the backpack, whatever its body', () => {
    const solid = { ...itemType({ controls: { permittedInventorySlots: [3] } }) };
    const states = { ...(solid['states'] as object), unselected: { name: 'unselected', body: 'selected' } };
    const game = play({
      unitTypes: { unit: unitType({ inventorySize: 1, backpackSize: 2 }) },
      itemTypes: { thing: { ...solid, states } },
    });
    const item = game.give(game.unit(), 'thing');
    expect(game.world.components.carried.slot[rowOf(item)]).toBe(2);
    expect(game.world.components.visibility.hidden[rowOf(item)]).toBe(1);
  });

  test('hidden with its unit, and shown with it', () => {
    const game = play({
      itemTypes: { thing: itemType({ bodies: { dropped: body(), selected: body({ width: 10, height: 10 }) } }) },
    });
    const unit = game.unit();
    const item = game.give(unit, 'thing');
    game.ticks(2);
    hideEntity(game.game, unit);
    game.ticks(1);
    expect([game.world.components.visibility.hidden[rowOf(item)], game.game.physics.hasBody(item)]).toEqual([1, false]);
    showEntity(game.game, unit);
    game.ticks(1);
    expect([game.world.components.visibility.hidden[rowOf(item)], game.game.physics.hasBody(item)]).toEqual([0, true]);
  });
});

/** The pose of a unit: where it faces and aims, whether it is mirrored, and whether its item faces the mouse. */
interface Pose {
  readonly facing?: number;
  readonly aim?: number;
  readonly flip?: number;
  readonly follows?: boolean;
}

describe('the position of a carried item', () => {
  const quarter = Math.PI / 2;
  const ahead = { unitAnchor: { x: 0, y: 20 } };
  const aside = { unitAnchor: { x: 7, y: 0 } };
  const further = { ...ahead, itemAnchor: { x: 0, y: 5 } };
  const turned = { unitAnchor: { x: 0, y: 20, rotation: 90 }, itemAnchor: { x: 0, y: 5 } };
  const loose = { ...further, jointType: 'none' };
  /** Position relative to the unit; y points down. */
  const cases: readonly [about: string, body: Record<string, unknown>, unit: Pose, at: readonly [number, number]][] = [
    ['ahead of a unit that faces up', ahead, {}, [0, -20]],
    ['ahead of a unit that faces right', ahead, { facing: quarter }, [20, 0]],
    ['ahead of a unit that faces down', ahead, { facing: 2 * quarter }, [0, 20]],
    ['to the right of the unit', aside, {}, [7, 0]],
    ['to the right of a unit that faces right', aside, { facing: quarter }, [0, 7]],
    ['to the left of a mirrored unit', aside, { flip: 1 }, [-7, 0]],
    ['further ahead by its own anchor', further, {}, [0, -25]],
    ["with its own anchor turned by the angle of the unit's anchor", turned, {}, [5, -20]],
    ['with its own anchor turned the other way if mirrored', turned, { flip: 1 }, [-5, -20]],
    ['with its own anchor turned to the aim if it is not welded', loose, { aim: quarter }, [5, -20]],
    ['with its own anchor as it is if it cannot turn', { ...loose, fixedRotation: true }, { aim: quarter }, [0, -25]],
    ['with its own anchor following the unit if it is welded', further, { aim: quarter }, [0, -25]],
    ['at the centre of the unit without anchors', { unitAnchor: undefined }, { facing: quarter }, [0, 0]],
  ];

  /** A unit, which can turn, with an item in its hand; `follows` is whether the item faces the mouse. */
  function holding(more: Record<string, unknown>, { facing = 0, aim = 0, flip = 0, follows = false }: Pose) {
    const game = play({
      unitTypes: { unit: unitType({ controls: {}, bodies: { default: body({ fixedRotation: false }) } }) },
      itemTypes: {
        thing: itemType({
          bodies: {
            selected: held(more),
            dropped: body({ width: 20, height: 20, fixedRotation: false, collidesWith: {} }),
          },
          controls: { mouseBehaviour: { rotateToFaceMouseCursor: follows } },
        }),
      },
    });
    const unit = game.unit({ angle: facing });
    const item = game.give(unit, 'thing');
    game.world.components.facing.angle[rowOf(unit)] = aim;
    game.world.components.facing.flip[rowOf(unit)] = flip;
    const { x, y, angle } = game.world.components.transform;
    return { game, unit, now: () => [x[rowOf(item)]! - 640, y[rowOf(item)]! - 640, angle[rowOf(item)]!] as const };
  }

  test.each(cases)('%s', (_about, anchors, pose, [x, y]) => {
    const { game, now } = holding(anchors, pose);
    game.ticks(1);
    expect(now()[0]).toBeCloseTo(x, 6);
    expect(now()[1]).toBeCloseTo(y, 6);
  });

  test('is the centre of the unit for an item in the bag', () => {
    const game = play({ itemTypes: { thing: itemType({ controls: { canMerge: false } }) } });
    const unit = game.unit();
    const [, second] = [game.give(unit, 'thing'), game.give(unit, 'thing')];
    game.ticks(1);
    expect([
      game.world.components.transform.x[rowOf(second)],
      game.world.components.transform.y[rowOf(second)],
    ]).toEqual([640, 640]);
  });

  test('follows the body of a moving unit without delay', () => {
    const game = play({ itemTypes: { thing: itemType() } });
    const unit = game.unit();
    const item = game.give(unit, 'thing');
    game.ticks(1);
    game.game.physics.setVelocity(unit, 4, 0);
    game.ticks(1);
    const body = game.game.physics.bodyX(unit);
    game.ticks(1);
    expect(body).toBeGreaterThan(640);
    expect(game.world.components.transform.x[rowOf(item)]).toBe(body);
  });

  test('follows the unit for a solid item', () => {
    const game = play({
      itemTypes: {
        thing: itemType({
          bodies: { selected: body({ width: 10, height: 10, collidesWith: {}, unitAnchor: { x: 0, y: 30 } }) },
        }),
      },
    });
    const unit = game.unit();
    const item = game.give(unit, 'thing');
    game.ticks(2);
    game.game.physics.moveTo(unit, 800, 700);
    game.ticks(2);
    expect(game.game.physics.bodyX(item)).toBeCloseTo(800, 6);
    expect(game.game.physics.bodyY(item)).toBeCloseTo(670, 6);
  });

  const turns: readonly [about: string, body: Record<string, unknown>, follows: boolean, angle: number][] = [
    ['welded: the angle of the unit', {}, false, 0.5],
    ['welded: the angle of the unit, even if it should face the mouse', {}, true, 0.5],
    ['facing the mouse: the angle of the aim', { jointType: 'none' }, true, 1.25],
    ['neither: the angle it had', { jointType: 'none' }, false, 0],
  ];
  test.each(turns)('and angle: %s', (_about, more, follows, expected) => {
    const { game, unit, now } = holding(more, { aim: 1.25, follows });
    game.world.components.transform.angle[rowOf(unit)] = 0.5;
    game.game.physics.turnTo(unit, 0.5);
    game.ticks(1);
    expect(now()[2]).toBeCloseTo(expected, 9);
  });

  test('and angle do not change with the unit before its player has aimed', () => {
    const anchors = { jointType: 'none', unitAnchor: { x: 0, y: 0 }, itemAnchor: { x: 0, y: 5 } };
    const { game, unit, now } = holding(anchors, { aim: Number.NaN, follows: true });
    game.game.physics.turnTo(unit, quarter);
    game.ticks(1);
    expect(now()).toEqual([0, -5, 0]);
  });

  test('and angle in moddio follow the aim unless welded', () => {
    const controls = { mouseBehaviour: { rotateToFaceMouseCursor: false } };
    for (const [dialect, turned] of [
      ['moddio', 1.25],
      ['standard', 0],
    ] as const) {
      const game = play(
        { itemTypes: { thing: itemType({ bodies: { selected: held({ jointType: 'none' }) }, controls }) } },
        { dialect },
      );
      const unit = game.unit();
      const item = game.give(unit, 'thing');
      game.world.components.facing.angle[rowOf(unit)] = 1.25;
      game.ticks(1);
      expect(game.world.components.transform.angle[rowOf(item)]).toBe(turned);
    }
  });

  test.each([
    [{ unitAnchor: { x: 0, y: 20, rotation: 90 } }, 2 * quarter],
    [{ unitAnchor: { x: 0, y: 20, rotation: 0 } }, quarter],
    [{ jointType: 'none', unitAnchor: { x: 0, y: 20, rotation: -90 } }, 1.25 - quarter],
    [{ jointType: 'none', fixedRotation: true, unitAnchor: { x: 0, y: 20, rotation: 90 } }, 2 * quarter],
  ])('and angle stay when it is dropped: with %j the angle is %d', (more, expected) => {
    const { game, unit, now } = holding(more, { facing: quarter, aim: 1.25, follows: true });
    game.ticks(1);
    dropSlot(game.game, unit, 0);
    expect(now()[2]).toBeCloseTo(expected, 9);
    game.ticks(2);
    expect(now()[2]).toBeCloseTo(expected, 9);
  });

  test('no longer follows the unit after a script sets the dropped state', () => {
    const game = play({ itemTypes: { thing: itemType() } });
    const unit = game.unit();
    const item = game.give(unit, 'thing');
    game.ticks(1);
    setState(game.game, item, 'dropped');
    game.game.physics.moveTo(unit, 900, 900);
    game.ticks(3);
    expect(game.world.components.transform.x[rowOf(item)]).toBe(640);
  });
});

describe('default items', () => {
  const types = (defaultItems: unknown) => ({
    unitTypes: { unit: unitType({ defaultItems }) },
    itemTypes: { knife: itemType({ quantity: 4, controls: { canMerge: false } }), lamp: itemType() },
  });

  test("are created in order, the first selected, before the unit's triggers", () => {
    const game = play(types([{ key: 'knife' }, { key: 'nothing there is' }, { key: 'lamp' }]));
    const unit = game.unit();
    expect(game.slots(unit)).toBe('i1 i2 .');
    expect(game.world.components.inventory[rowOf(unit)]!.slots.slice(0, 2).map(game.stateKey)).toEqual([
      'selected',
      'unselected',
    ]);
    expect(game.of('entityCreatedGlobal').map(({ payload }) => payload['entity'])).toEqual(['i1', 'i2', 'u1']);
    // With an item in the hand there is nothing to select.
    expect(game.of('unitSelectsInventorySlot').length).toBe(0);
  });

  test('are absent: selecting the empty first slot fires a trigger', () => {
    const game = play(types([]));
    game.unit();
    expect(game.of('unitSelectsInventorySlot').length).toBe(1);
  });

  test('have the quantity of their type', () => {
    const game = play(types([{ key: 'knife' }]));
    const unit = game.unit();
    expect(game.quantity(game.world.components.inventory[rowOf(unit)]!.slots[0]!)).toBe(4);
  });

  test('are created at 0, 0 and follow their unit from the next tick on', () => {
    const game = play(types([{ key: 'knife' }]));
    game.unit();
    const { x, y } = game.world.components.transform;
    const knife = rowOf(game.entity('i1'));
    expect([x[knife], y[knife]]).toEqual([0, 0]);
    game.ticks(1);
    expect([x[knife], y[knife]]).toEqual([640, 620]);
  });

  test('are updated after the unit created with them', () => {
    const note = (letter: string) => script('frameTick', [append('order', letter)]);
    const game = play({
      variables: { order: { dataType: 'string', default: '' } },
      unitTypes: { unit: unitType({ defaultItems: [{ key: 'knife' }], scripts: { s: note('u') } }) },
      itemTypes: { knife: itemType({ scripts: { s: note('i') } }) },
    });
    game.unit();
    game.ticks(1);
    expect(game.variable('order')).toBe('ui');
  });
});

test('giving an item creates a new one while another lies on the ground', () => {
  const game = play({ itemTypes: { thing: itemType() } });
  const unit = game.unit();
  const item = game.give(unit, 'thing');
  dropSlot(game.game, unit, 0);
  game.ticks(2);
  selectSlot(game.game, unit, 1);
  expect(game.game.physics.hasBody(item)).toBe(true);
  expect(game.give(unit, 'thing')).not.toBe(item);
});

describe('a carried item with a body of its own', () => {
  const lance = (y: number) =>
    itemType({
      bodies: {
        selected: body({ width: 10, height: 10, jointType: 'weldJoint', unitAnchor: { x: 0, y }, collidesWith: {} }),
      },
    });

  test.each(['standard', 'moddio'] as const)('is kept inside the map, like its carrier, in %s', (dialect) => {
    const game = play({ itemTypes: { lance: lance(60) } }, { dialect });
    const unit = game.unit({ x: 600, y: 40 });
    const item = game.give(unit, 'lance');
    game.ticks(4);
    expect(game.world.components.transform.y[rowOf(unit)]).toBe(40);
    // The anchor is 60 px above its carrier, outside the map.
    expect(game.world.components.transform.y[rowOf(item)]).toBe(32);
  });

  test("follows its carrier's body, one step ahead of the carrier's visible position", () => {
    const game = play({ itemTypes: { lance: lance(20) } });
    const unit = game.unit({ x: 600, y: 600 });
    const item = game.give(unit, 'lance');
    game.ticks(2);
    game.game.physics.setVelocity(unit, 10, 0);
    game.ticks(1);
    const { x } = game.world.components.transform;
    const before = x[rowOf(unit)]!;
    const bodyX = game.game.physics.bodyX(unit);
    expect(bodyX).toBeGreaterThan(before + 1);
    game.ticks(1);
    expect(x[rowOf(item)]).toBeCloseTo(bodyX, 6);
  });
});
