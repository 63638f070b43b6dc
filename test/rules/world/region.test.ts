import { describe, expect, test } from 'vitest';
import { rowOf } from '../../../engine/world/entity.ts';
import { joinAs, type Play, play, script, unitType } from '../../support/play.ts';

const yard = { function: 'getVariable', variableName: 'yard' };

/** A unit at 300, 300, outside a yard of 100 px at 400, 250, and actions that run when its player answers an input box. */
function withYard(...actions: unknown[]): Play {
  const game = play({
    unitTypes: { citizen: unitType() },
    variables: {
      yard: { dataType: 'region', default: { x: 400, y: 250, width: 100, height: 100 } },
      plain: { dataType: 'object', default: { x: 1, y: 2, width: 3, height: 4 } },
    },
    scripts: { join: joinAs('citizen', 300, 300), go: script('playerCustomInput', actions) },
  });
  game.sim.join();
  game.ticks(3);
  game.announced.length = 0;
  game.sim.input({ kind: 'customInput', player: 'p1', text: '' });
  game.ticks(3);
  return game;
}

const change = (x: unknown, y: unknown, width: unknown, height: unknown, region: unknown = yard) => {
  return { type: 'transformRegionDimensions', region, x, y, width, height };
};
const crossings = (game: Play) =>
  game.announced.filter(({ type }) => /^unit(Enters|Leaves)Region$/.test(type)).map(({ type }) => type);

describe('a region', () => {
  test('that grows over a unit is entered', () => {
    expect(crossings(withYard(change(200, 200, 300, 200)))).toEqual(['unitEntersRegion']);
  });

  test('that grows over a unit and shrinks again is entered and left', () => {
    const shrink = { type: 'setTimeOut', duration: 60, actions: [change(400, 250, 100, 100)] };
    expect(crossings(withYard(change(200, 200, 300, 200), shrink))).toEqual(['unitEntersRegion', 'unitLeavesRegion']);
  });

  test('that moves away from a unit is left', () => {
    const game = play({
      unitTypes: { citizen: unitType() },
      variables: { yard: { dataType: 'region', default: { x: 250, y: 250, width: 100, height: 100 } } },
      scripts: { join: joinAs('citizen', 300, 300), go: script('playerCustomInput', [change(900, 900, 10, 10)]) },
    });
    game.sim.join();
    game.ticks(3);
    expect(crossings(game)).toEqual(['unitEntersRegion']);
    game.sim.input({ kind: 'customInput', player: 'p1', text: '' });
    game.ticks(3);
    expect(crossings(game)).toEqual(['unitEntersRegion', 'unitLeavesRegion']);
  });

  test('takes its new rectangle at once', () => {
    const game = withYard(change(1, 2, 30, 40));
    expect(game.world.components.region[rowOf(game.entity('r:yard'))]).toMatchObject({
      x: 1,
      y: 2,
      width: 30,
      height: 40,
    });
  });

  test('that is set to the same rectangle is neither left nor entered', () => {
    const game = play({
      unitTypes: { citizen: unitType() },
      variables: { yard: { dataType: 'region', default: { x: 250, y: 250, width: 100, height: 100 } } },
      scripts: {
        join: joinAs('citizen', 300, 300),
        go: script('playerCustomInput', [
          change(250, 250, 100, 100),
          { type: 'changeRegionColor', region: yard, inside: 'red', alpha: 0.5 },
        ]),
      },
    });
    game.sim.join();
    game.ticks(3);
    game.sim.input({ kind: 'customInput', player: 'p1', text: '' });
    game.ticks(3);
    expect(crossings(game)).toEqual(['unitEntersRegion']);
  });

  test.each([
    {
      case: 'a plain rectangle',
      action: change(1, 2, 3, 4, { function: 'getVariable', variableName: 'plain' }),
      code: 'no-such-entity',
    },
    { case: 'no region', action: change(1, 2, 3, 4, { function: 'undefinedValue' }), code: 'no-such-entity' },
    { case: 'an operand that is not a number', action: change('x', 2, 3, 4), code: 'missing-value' },
    { case: 'an infinite size', action: change(1, 2, Number.POSITIVE_INFINITY, 4), code: 'not-finite' },
  ])('is not changed by $case', ({ action, code }) => {
    const game = withYard(action);
    expect(game.faults()).toEqual([expect.objectContaining({ code })]);
    expect(game.world.components.region[rowOf(game.entity('r:yard'))]).toMatchObject({
      x: 400,
      y: 250,
      width: 100,
      height: 100,
    });
  });
});
