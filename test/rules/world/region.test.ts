import { describe, expect, test } from 'vitest';
import { rowOf } from '../../../engine/world/entity.ts';
import { joinAs, type Play, play, script, unitType } from '../../support/play.ts';

const yard = { function: 'getVariable', variableName: 'yard' };

const beside = { x: 400, y: 250, width: 100, height: 100 };
const around = { x: 250, y: 250, width: 100, height: 100 };

/** A unit at 300, 300 beside a yard or in it, and actions that run when its player answers an input box. */
function withYard(rectangle: typeof beside, ...actions: unknown[]): Play {
  const game = play({
    unitTypes: { citizen: unitType() },
    variables: {
      yard: { dataType: 'region', default: rectangle },
      plain: { dataType: 'object', default: { x: 1, y: 2, width: 3, height: 4 } },
    },
    scripts: { join: joinAs('citizen', 300, 300), go: script('playerCustomInput', actions) },
  });
  game.sim.join();
  game.ticks(3);
  game.sim.input({ kind: 'customInput', player: 'p1', text: '' });
  game.ticks(3);
  return game;
}

const change = (x: unknown, y: unknown, width: unknown, height: unknown, region: unknown = yard) => {
  return { type: 'transformRegionDimensions', region, x, y, width, height };
};
const crossings = (game: Play) =>
  game.announced.filter(({ type }) => /^unit(Enters|Leaves)Region$/.test(type)).map(({ type }) => type);

const rectangleOf = (game: Play) => {
  const { x, y, width, height } = game.world.components.region[rowOf(game.entity('r:yard'))]!;
  return { x, y, width, height };
};

describe('a region', () => {
  const shrink = { type: 'setTimeOut', duration: 60, actions: [change(400, 250, 100, 100)] };
  const paint = { type: 'changeRegionColor', region: yard, inside: 'red', alpha: 0.5 };
  test.each<[rule: string, rectangle: typeof beside, actions: unknown[], crossings: string[]]>([
    ['that grows over a unit is entered', beside, [change(200, 200, 300, 200)], ['Enters']],
    ['that then shrinks again is left', beside, [change(200, 200, 300, 200), shrink], ['Enters', 'Leaves']],
    ['that moves away from a unit is left', around, [change(900, 900, 10, 10)], ['Enters', 'Leaves']],
    [
      'that is painted and set to the same rectangle is not left',
      around,
      [change(250, 250, 100, 100), paint],
      ['Enters'],
    ],
  ])('%s', (_rule, rectangle, actions, expected) => {
    const game = withYard(rectangle, ...actions);
    expect(crossings(game)).toEqual(expected.map((way) => `unit${way}Region`));
  });

  test('takes its new rectangle at once', () => {
    expect(rectangleOf(withYard(beside, change(1, 2, 30, 40)))).toEqual({ x: 1, y: 2, width: 30, height: 40 });
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
    const game = withYard(beside, action);
    expect(game.faults()).toEqual([expect.objectContaining({ code })]);
    expect(rectangleOf(game)).toEqual(beside);
  });
});
