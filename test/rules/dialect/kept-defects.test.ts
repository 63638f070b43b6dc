import { describe, expect, test } from 'vitest';
import { insideOf } from '../../../engine/internal.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { body, type Play, script, unitType } from '../../support/play.ts';
import { note, trailOf, variable } from '../../support/trail.ts';
import { inBoth, type Json, join, started, thisUnit, withUnit } from './both.ts';

const make = (unitType: string, x: number, y: unknown = 300): Json => ({
  type: 'createUnitAtPosition',
  unitType,
  entity: { function: 'computerPlayer', number: 1 },
  position: { function: 'xyCoordinate', x, y },
  angle: 0,
});
const fn = (name: string, operands: Json = {}): Json => ({ function: name, ...operands });
const faultCodes = (game: Play): string[] => game.faults().map(({ code }) => code);

describe('questions', () => {
  test('a guest is the creator of a game without an owner, or nobody is', () => {
    const asked = note(fn('playerIsCreator', { player: fn('getTriggeringPlayer') }));
    const data = { scripts: { join: script(['playerJoinsGame'], [asked]) } };
    const run = (game: Play) => {
      game.sim.join({ name: 'Ada' });
      game.sim.join({ name: 'Bob', userId: 'bob' });
      game.ticks(1);
      return trailOf(game);
    };
    expect(inBoth(data, run)).toEqual({ standard: 'false false', moddio: 'true false' });
  });

  test('the time that a player has played counts up, or below zero', () => {
    const asked = note(fn('getPlayTimeOfPlayer', { player: fn('getTriggeringPlayer') }));
    const data = { scripts: { heard: script(['playerCustomInput'], [asked]) } };
    const run = (game: Play) => {
      const ada = game.sim.join({ name: 'Ada' });
      game.seconds(1);
      ada.answer('now');
      game.ticks(1);
      return Math.sign(Number(trailOf(game)));
    };
    expect(inBoth(data, run)).toEqual({ standard: 1, moddio: -1 });
  });

  test('a Region and the map know who is in them, or only plain regions do', () => {
    const region = { x: 600, y: 600, width: 100, height: 100 };
    const asked = (of: unknown): Json =>
      note(
        fn('unitIsInRegion', { unit: fn('getPlayerSelectedUnit', { player: fn('getTriggeringPlayer') }), region: of }),
      );
    const data = withUnit(
      {},
      {
        variables: { zone: { dataType: 'region', default: region } },
        scripts: {
          heard: script(
            ['playerCustomInput'],
            [asked(variable('zone')), asked(fn('getEntireMapRegion')), asked(fn('dynamicRegion', region))],
          ),
        },
      },
    );
    const run = (game: Play) => {
      const ada = game.sim.join({ name: 'Ada' });
      game.ticks(3);
      ada.answer('now');
      game.ticks(1);
      return trailOf(game);
    };
    expect(inBoth(data, run)).toEqual({ standard: 'true true true', moddio: 'false false true' });
  });

  test('a region without a place has no point, or one that holds NaN; what is made there is made at 0', () => {
    const point = (region: Json): Json => fn('getRandomPositionInRegion', { region: fn('dynamicRegion', region) });
    const data = {
      unitTypes: { hero: unitType() },
      ...started(
        note(fn('getPositionY', { position: point({ x: 10, y: 300, width: 1 }) })),
        note(fn('getPositionX', { position: point({ width: 1 }) })),
        { ...make('hero', 0), position: point({ x: 10, y: 300, width: 1 }) },
      ),
    };
    const run = (game: Play) => [trailOf(game), insideOf(game.sim).world.components.transform.y[1], faultCodes(game)];
    const { standard, moddio } = inBoth(data, run);
    expect((standard as unknown[])[0]).toBe('undefined undefined');
    expect((moddio as unknown[])[0]).toBe('NaN 0');
    const made = (game: Play): unknown => {
      const { kind } = insideOf(game.sim).world.components.identity;
      const { x, y } = insideOf(game.sim).world.components.transform;
      const row = [...kind].findIndex((each, at) => each === 1 && at > 0);
      return row < 0 ? 'none' : [x[row], y[row]];
    };
    expect(inBoth(data, made)).toEqual({ standard: 'none', moddio: [10, 0] });
  });

  test('a global number whose default is written as text is a number, or the text', () => {
    const data = {
      variables: { n: { dataType: 'number', default: '7' } },
      ...started({
        type: 'condition',
        conditions: [{ operator: '==' }, variable('n'), 7],
        then: [note('number')],
        else: [note('text')],
      }),
    };
    expect(inBoth(data, trailOf)).toEqual({ standard: 'number', moddio: 'text' });
  });
});

describe('actions', () => {
  test('a turn adds to the torque of the step, or replaces it', () => {
    const turn = (type: string, torque: number): Json => ({ type, entity: thisUnit, torque });
    const turns = [turn('rotateUnitClockwise', 1), turn('rotateUnitCounterClockwise', 0.4)];
    const data = withUnit({
      bodies: { default: body({ fixedRotation: false }) },
      scripts: { frame: script(['frameTick'], turns) },
    });
    const run = (game: Play) => {
      join(game, 6);
      return Math.sign(insideOf(game.sim).world.components.transform.angle[rowOf(game.entity('u1'))]!);
    };
    expect(inBoth(data, run)).toEqual({ standard: 1, moddio: -1 });
  });

  test('an empty text is stored as an element, or is not; a number becomes text, or stays a number', () => {
    const add = (value: unknown): Json => ({ type: 'addStringElement', key: 'a', value, object: variable('bag') });
    const held = (): Json => note(fn('objectToString', { object: variable('bag') }));
    const data = {
      variables: { bag: { dataType: 'object', default: { a: 'old' } } },
      ...started(add(''), held(), add(5), held()),
    };
    expect(inBoth(data, trailOf)).toEqual({ standard: '{"a":""} {"a":"5"}', moddio: '{"a":"old"} {"a":5}' });
  });

  test('any item is dropped at a position, or only one whose type has controls', () => {
    const item = (more: Json): Json => ({
      name: 'item',
      type: 'other',
      states: { dropped: { name: 'dropped' }, selected: { name: 'selected' }, unselected: { name: 'unselected' } },
      ...more,
    });
    const drop = {
      type: 'forAllItems',
      itemGroup: fn('allItems'),
      actions: [{ type: 'dropItemAtPosition', item: fn('selectedItem'), position: { x: 300, y: 300 } }],
    };
    const data = withUnit(
      { defaultItems: [{ key: 'plain' }, { key: 'fine' }] },
      {
        itemTypes: { plain: item({}), fine: item({ controls: {} }) },
        scripts: { heard: script(['playerCustomInput'], [drop]) },
      },
    );
    const run = (game: Play) => {
      const ada = game.sim.join({ name: 'Ada' });
      game.ticks(2);
      ada.answer('now');
      game.ticks(1);
      return game.of('unitDroppedAnItem').length;
    };
    expect(inBoth(data, run)).toEqual({ standard: 2, moddio: 1 });
  });
});
