import { describe, expect, test } from 'vitest';
import { setState } from '../../../engine/rules/entities/state.ts';
import { hideEntity, showEntity } from '../../../engine/rules/entities/visibility.ts';
import { dropSlot, selectSlot } from '../../../engine/rules/items/inventory.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { body, held, itemType, play, script, unitType } from '../../support/play.ts';

describe('an item lies in the world', () => {
  test('in the state that is named dropped, seen and with a body from the next tick on', () => {
    const game = play({ itemTypes: { thing: itemType({ states: { lying: { name: 'dropped', body: 'dropped' } } }) } });
    const item = game.item('thing');
    expect(game.stateKey(item)).toBe('lying');
    expect(game.game.physics.hasBody(item)).toBe(false);
    game.ticks(1);
    expect(game.game.physics.hasBody(item)).toBe(true);
    expect(game.world.components.visibility.hidden[rowOf(item)]).toBe(0);
  });

  test('where no state has that name, in the one with that key', () => {
    const game = play({
      itemTypes: { thing: itemType({ states: { other: {}, dropped: { name: 'on the ground', body: 'dropped' } } }) },
    });
    expect(game.stateKey(game.item('thing'))).toBe('dropped');
  });

  test('as the last item that was created, already when its own scripts run', () => {
    const game = play({
      variables: { last: { dataType: 'item' } },
      itemTypes: {
        thing: itemType({
          scripts: {
            s: script('entityStateChanged', [
              { type: 'setVariable', variableName: 'last', value: { function: 'getLastCreatedItem' } },
            ]),
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
  test.each(lives)('for a life span of %j', (lifeSpan, seconds) => {
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
    ['its destroy timer', { destroyTimer: 400 }, 8],
    ['its explosive timer', { explosiveTimer: 300 }, 6],
    ['the shorter of both', { destroyTimer: 400, explosiveTimer: 300 }, 6],
    ['its life span before either', { lifeSpan: 600, destroyTimer: 400, explosiveTimer: 300 }, 12],
    ['ever where its life span says so', { lifeSpan: null, destroyTimer: 400 }, undefined],
  ];
  test.each(timers)('it lies for %s', (_about, type, ticks) => {
    const game = play({ itemTypes: { thing: itemType(type) } });
    const item = game.item('thing');
    game.ticks((ticks ?? 100) - 1);
    expect(game.world.exists(item)).toBe(true);
    game.ticks(1);
    expect(game.world.exists(item)).toBe(ticks === undefined);
  });

  test('it lies for ever without a life span in the engines of 2024, which read no other timer', () => {
    const thing = itemType({ destroyTimer: 400, explosiveTimer: 300 });
    const game = play({ itemTypes: { thing } }, { dialect: 'moddio' });
    const item = game.item('thing');
    game.seconds(2);
    expect(game.world.exists(item)).toBe(true);
  });

  test('a life span that a script gave it while it was carried ends with being carried', () => {
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

  test('that of its type counts anew when a script says again that it lies there', () => {
    const game = play({ itemTypes: { thing: itemType({ lifeSpan: 500 }) } });
    const item = game.item('thing');
    game.seconds(0.4);
    setState(game.game, item, 'dropped');
    game.seconds(0.4);
    expect(game.world.exists(item)).toBe(true);
    game.seconds(0.2);
    expect(game.world.exists(item)).toBe(false);
  });

  test('one that a script gave it where it lies is not lost by saying again that it lies there', () => {
    const game = play({ itemTypes: { thing: itemType() } });
    const item = game.item('thing');
    game.world.components.lifespan.deathTimeMs[rowOf(item)] = 300;
    setState(game.game, item, 'dropped');
    game.seconds(0.3);
    expect(game.world.exists(item)).toBe(false);
  });

  test('and its life span counts anew each time it is dropped, not while it is carried', () => {
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

describe('what can be seen of a carried item', () => {
  const cases: readonly [about: string, body: unknown, hidden: 0 | 1, solid: boolean][] = [
    ['a picture is seen and has no body', held(), 0, false],
    ['a solid one is seen and has a body', body({ width: 10, height: 10 }), 0, true],
    ['a body that is none is not seen', { type: 'none' }, 1, false],
    ['a body that is missing is not seen', undefined, 1, false],
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

  test('nothing in the backpack, whatever its body', () => {
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

  test('nothing on a hidden unit, and again when it is shown', () => {
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

describe('where a carried item is', () => {
  const quarter = Math.PI / 2;
  /** Position relative to the unit; y points down. The unit faces `facing` and aims at `aim`. */
  const cases: readonly [
    about: string,
    body: Record<string, unknown>,
    facing: number,
    aim: number,
    flip: number,
    x: number,
    y: number,
  ][] = [
    ['ahead of one that faces up', { unitAnchor: { x: 0, y: 20 } }, 0, 0, 0, 0, -20],
    ['ahead of one that faces right', { unitAnchor: { x: 0, y: 20 } }, quarter, 0, 0, 20, 0],
    ['ahead of one that faces down', { unitAnchor: { x: 0, y: 20 } }, 2 * quarter, 0, 0, 0, 20],
    ['at its right hand', { unitAnchor: { x: 7, y: 0 } }, 0, 0, 0, 7, 0],
    ['at its right hand when it faces right', { unitAnchor: { x: 7, y: 0 } }, quarter, 0, 0, 0, 7],
    ['at its left hand when it is mirrored', { unitAnchor: { x: 7, y: 0 } }, 0, 0, 1, -7, 0],
    ['further ahead by its own anchor', { unitAnchor: { x: 0, y: 20 }, itemAnchor: { x: 0, y: 5 } }, 0, 0, 0, 0, -25],
    [
      'its own anchor turns by the angle of the other',
      { unitAnchor: { x: 0, y: 20, rotation: 90 }, itemAnchor: { x: 0, y: 5 } },
      0,
      0,
      0,
      5,
      -20,
    ],
    [
      'the other way when mirrored',
      { unitAnchor: { x: 0, y: 20, rotation: 90 }, itemAnchor: { x: 0, y: 5 } },
      0,
      0,
      1,
      -5,
      -20,
    ],
    [
      'its own anchor follows the aim unless it is welded',
      { jointType: 'none', unitAnchor: { x: 0, y: 20 }, itemAnchor: { x: 0, y: 5 } },
      0,
      quarter,
      0,
      5,
      -20,
    ],
    [
      'but not if it cannot turn',
      { jointType: 'none', fixedRotation: true, unitAnchor: { x: 0, y: 20 }, itemAnchor: { x: 0, y: 5 } },
      0,
      quarter,
      0,
      0,
      -25,
    ],
    ['welded, it follows the unit', { unitAnchor: { x: 0, y: 20 }, itemAnchor: { x: 0, y: 5 } }, 0, quarter, 0, 0, -25],
    ['without anchors in the middle', { unitAnchor: undefined }, quarter, 0, 0, 0, 0],
  ];
  test.each(cases)('%s', (_about, anchors, facing, aim, flip, dx, dy) => {
    const game = play({
      unitTypes: { unit: unitType({ controls: {}, bodies: { default: body({ fixedRotation: false }) } }) },
      itemTypes: { thing: itemType({ bodies: { selected: held(anchors) } }) },
    });
    const unit = game.unit({ angle: facing });
    const item = game.give(unit, 'thing');
    const c = game.world.components;
    game.world.components.facing.angle[rowOf(unit)] = aim;
    game.world.components.facing.flip[rowOf(unit)] = flip;
    game.ticks(1);
    expect(c.transform.x[rowOf(item)]! - 640).toBeCloseTo(dx, 6);
    expect(c.transform.y[rowOf(item)]! - 640).toBeCloseTo(dy, 6);
  });

  test('in the bag it is in the middle of the unit', () => {
    const game = play({ itemTypes: { thing: itemType({ controls: { canMerge: false } }) } });
    const unit = game.unit();
    const [, second] = [game.give(unit, 'thing'), game.give(unit, 'thing')];
    game.ticks(1);
    expect([
      game.world.components.transform.x[rowOf(second)],
      game.world.components.transform.y[rowOf(second)],
    ]).toEqual([640, 640]);
  });

  test('it is with the body of a moving unit, not where the last step found it', () => {
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

  test('a solid one is dragged along', () => {
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
    ['welded: as the unit', {}, false, 0.5],
    ['welded: as the unit, even if it follows the mouse', {}, true, 0.5],
    ['following the mouse: as the unit aims', { jointType: 'none' }, true, 1.25],
    ['neither: as it lay', { jointType: 'none' }, false, 0],
  ];
  test.each(turns)('how it is turned, %s', (_about, more, rotateToFaceMouseCursor, angle) => {
    const game = play({
      unitTypes: { unit: unitType({ controls: {}, bodies: { default: body({ fixedRotation: false }) } }) },
      itemTypes: {
        thing: itemType({
          bodies: { selected: held(more) },
          controls: { mouseBehaviour: { rotateToFaceMouseCursor } },
        }),
      },
    });
    const unit = game.unit({ angle: 0 });
    const item = game.give(unit, 'thing');
    game.world.components.transform.angle[rowOf(unit)] = 0.5;
    game.game.physics.turnTo(unit, 0.5);
    game.world.components.facing.angle[rowOf(unit)] = 1.25;
    game.ticks(1);
    expect(game.world.components.transform.angle[rowOf(item)]).toBeCloseTo(angle, 9);
  });

  test('who has never aimed leaves the item and its anchor as they lay', () => {
    const game = play({
      unitTypes: { unit: unitType({ controls: {}, bodies: { default: body({ fixedRotation: false }) } }) },
      itemTypes: {
        thing: itemType({
          bodies: { selected: held({ jointType: 'none', unitAnchor: { x: 0, y: 0 }, itemAnchor: { x: 0, y: 5 } }) },
          controls: { mouseBehaviour: { rotateToFaceMouseCursor: true } },
        }),
      },
    });
    const unit = game.unit({ angle: 0 });
    const item = game.give(unit, 'thing');
    game.game.physics.turnTo(unit, quarter);
    game.ticks(1);
    const { x, y, angle } = game.world.components.transform;
    expect([x[rowOf(item)], y[rowOf(item)], angle[rowOf(item)]]).toEqual([640, 635, 0]);
  });

  test('in the games of 2024 everything that is not welded follows the aim, whatever its type says', () => {
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

  test('dropped it lies as it was held, the turn of the anchor included', () => {
    const cases: readonly [more: Record<string, unknown>, angle: number][] = [
      [{ unitAnchor: { x: 0, y: 20, rotation: 90 } }, 2 * quarter],
      [{ unitAnchor: { x: 0, y: 20, rotation: 0 } }, quarter],
      [{ jointType: 'none', unitAnchor: { x: 0, y: 20, rotation: -90 } }, 1.25 - quarter],
      [{ jointType: 'none', fixedRotation: true, unitAnchor: { x: 0, y: 20, rotation: 90 } }, 2 * quarter],
    ];
    for (const [more, angle] of cases) {
      const game = play({
        unitTypes: { unit: unitType({ controls: {}, bodies: { default: body({ fixedRotation: false }) } }) },
        itemTypes: {
          thing: itemType({
            bodies: {
              selected: held(more),
              dropped: body({ width: 20, height: 20, fixedRotation: false, collidesWith: {} }),
            },
            controls: { mouseBehaviour: { rotateToFaceMouseCursor: true } },
          }),
        },
      });
      const unit = game.unit({ angle: quarter });
      const item = game.give(unit, 'thing');
      game.world.components.facing.angle[rowOf(unit)] = 1.25;
      game.ticks(1);
      dropSlot(game.game, unit, 0);
      expect(game.world.components.transform.angle[rowOf(item)]).toBeCloseTo(angle, 9);
      game.ticks(2);
      expect(game.world.components.transform.angle[rowOf(item)]).toBeCloseTo(angle, 9);
    }
  });

  test('a script that puts it down in the hand lets go of it', () => {
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

  test('come in order, the first in the hand, before the unit is announced', () => {
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

  test('an empty first slot is selected aloud', () => {
    const game = play(types([]));
    game.unit();
    expect(game.of('unitSelectsInventorySlot').length).toBe(1);
  });

  test('have the quantity of their type', () => {
    const game = play(types([{ key: 'knife' }]));
    const unit = game.unit();
    expect(game.quantity(game.world.components.inventory[rowOf(unit)]!.slots[0]!)).toBe(4);
  });

  test('are made nowhere and are with their unit from the next tick on', () => {
    const game = play(types([{ key: 'knife' }]));
    game.unit();
    const { x, y } = game.world.components.transform;
    const knife = rowOf(game.entity('i1'));
    expect([x[knife], y[knife]]).toEqual([0, 0]);
    game.ticks(1);
    expect([x[knife], y[knife]]).toEqual([640, 620]);
  });

  test('are updated after the unit that was made with them', () => {
    const note = (letter: string) =>
      script('frameTick', [
        {
          type: 'setVariable',
          variableName: 'order',
          value: { function: 'concat', textA: { function: 'getVariable', variableName: 'order' }, textB: letter },
        },
      ]);
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

test('an item that is picked up again is no longer anywhere else', () => {
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

  test.each(['standard', 'moddio'] as const)('is held inside the map, as its carrier is, in %s', (dialect) => {
    const game = play({ itemTypes: { lance: lance(60) } }, { dialect });
    const unit = game.unit({ x: 600, y: 40 });
    const item = game.give(unit, 'lance');
    game.ticks(4);
    expect(game.world.components.transform.y[rowOf(unit)]).toBe(40);
    // The anchor is 60 px above its carrier, outside the map.
    expect(game.world.components.transform.y[rowOf(item)]).toBe(32);
  });

  test("hangs on its carrier's body, one step ahead of where the carrier is seen", () => {
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
