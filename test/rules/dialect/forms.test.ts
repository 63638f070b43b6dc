import { describe, expect, test } from 'vitest';
import { setState } from '../../../engine/rules/entities/state.ts';
import { dropItem, selectSlot } from '../../../engine/rules/items/inventory.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { createUnitAt, delayed, setVariable, when } from '../../support/actions.ts';
import {
  attribute,
  body,
  held,
  itemType,
  type Play,
  play,
  projectileType,
  script,
  unitType,
} from '../../support/play.ts';
import { note, trailOf, variable } from '../../support/trail.ts';
import { answered, inBoth, type Json, started, withUnit } from './both.ts';

const fn = (name: string, operands: Json = {}): Json => ({ function: name, ...operands });
const sizeOf = (game: Play, id: string) => {
  const { width, height } = game.world.components.transform;
  const row = rowOf(game.entity(id));
  return `${width[row]}x${height[row]}`;
};

describe('flags that are not booleans: standard, then moddio:', () => {
  // reference: in-the-wild#flags. For each form: its value, and how the reference interprets it.
  test.each([
    { flag: 'fixedRotation', forms: ['true', 'false', 1, 0, '1', '0'], there: [true, true, true, false, true, false] },
    {
      flag: 'affectedByGravity',
      forms: ['true', 'false', 1, 0, '0', ''],
      there: [true, true, true, false, false, false],
    },
  ])('$flag is converted to a boolean; is read as its field does', ({ flag, forms, there }) => {
    const read = (dialect: 'standard' | 'moddio') =>
      forms.map((form) => {
        const bodies = { default: { ...body(), fixedRotation: false, [flag]: form } };
        const game = play({ unitTypes: { unit: unitType({ bodies }) } }, { dialect });
        return game.game.definition.unitTypes.get('unit')!.bodies.get('default')![flag as 'fixedRotation'];
      });
    const said = forms.map((form) => (form === '' ? true : form === 'true' || form === 1 || form === '1'));
    expect([read('standard'), read('moddio')]).toEqual([said, there]);
  });

  test.each([
    { where: 'an item that goes when it is empty', flag: 'removeWhenEmpty', form: 1, standard: true, moddio: false },
    { where: 'an item that is used on pick-up', flag: 'isUsedOnPickup', form: 'false', standard: false, moddio: true },
  ])('$where: $form', ({ flag, form, standard, moddio }) => {
    const read = (dialect: 'standard' | 'moddio') =>
      play({ itemTypes: { thing: itemType({ [flag]: form }) } }, { dialect }).game.definition.itemTypes.get('thing')![
        flag as 'removeWhenEmpty'
      ];
    expect({ standard: read('standard'), moddio: read('moddio') }).toEqual({ standard, moddio });
  });

  test('a collision flag "false" is false; is true', () => {
    const bodies = { default: body({ collidesWith: { walls: 'false', sensors: 0 } }) };
    const read = (dialect: 'standard' | 'moddio') => {
      const game = play({ unitTypes: { unit: unitType({ bodies }) } }, { dialect });
      const { walls, sensors } = game.game.definition.unitTypes.get('unit')!.bodies.get('default')!.collidesWith;
      return { walls, sensors };
    };
    expect([read('standard'), read('moddio')]).toEqual([
      { walls: false, sensors: false },
      { walls: true, sensors: true },
    ]);
  });
});

describe('texts in place of numbers: standard, then moddio:', () => {
  test('an item and a projectile with the life span "" stay for ever; end at once', () => {
    const data = {
      itemTypes: { thing: itemType({ lifeSpan: '' }) },
      projectileTypes: { ball: projectileType({ lifeSpan: '' }) },
      scripts: {
        start: script('gameStart', [
          { type: 'spawnItem', itemType: 'thing', position: { x: 100, y: 100 } },
          {
            type: 'createProjectileAtPosition',
            projectileType: 'ball',
            position: { x: 300, y: 300 },
            force: 1,
            angle: 0,
          },
        ]),
      },
    };
    const run = (game: Play) => {
      game.ticks(2);
      const { items, projectiles } = game.sim.view();
      return [items.length, projectiles.length];
    };
    expect(inBoth(data, run)).toEqual({ standard: [1, 1], moddio: [0, 0] });
  });

  test('a quantity that a script sets as text is a number in both', () => {
    const data = withUnit(
      { defaultItems: [{ key: 'coin' }] },
      {
        itemTypes: { coin: itemType({ quantity: 5, maxQuantity: 99 }) },
        scripts: {
          asked: script('playerCustomInput', [
            {
              type: 'updateItemQuantity',
              entity: fn('getItemInInventorySlot', { slot: 1, unit: fn('getLastCreatedUnit') }),
              quantity: '1',
            },
          ]),
        },
      },
    );
    const run = (game: Play) => {
      answered(game);
      const before = game.quantity(game.entity('i1'));
      game.give(game.entity('u1'), 'coin', 2);
      return [before, game.quantity(game.entity('i1'))];
    };
    expect(inBoth(data, run)).toEqual({ standard: [1, 3], moddio: [1, 3] });
  });

  test('a life span set as text is a number; is appended to the time, so that nothing ends', () => {
    const unit = (x: number): Json => createUnitAt('hero', fn('computerPlayer', { number: 1 }), { x, y: 300 });
    const lives = (lifeSpan: unknown): Json => ({
      type: 'setEntityLifeSpan',
      entity: fn('getLastCreatedUnit'),
      lifeSpan,
    });
    const made = [unit(100), lives(250), unit(300), lives('250'), unit(500), lives('-250')];
    const data = withUnit({}, started(delayed(300, ...made)));
    const run = (game: Play) => {
      game.seconds(0.5);
      const before = game.sim.view().units.map(({ id }) => id);
      game.seconds(10);
      return [before, game.sim.view().units.map(({ id }) => id)];
    };
    expect(inBoth(data, run)).toEqual({
      standard: [['u1', 'u2'], []],
      moddio: [
        ['u1', 'u2', 'u3'],
        ['u2', 'u3'],
      ],
    });
  });

  test('rates, bounds and initial values are numbers; are texts for some functions until they change', () => {
    const odd = { name: 'odd', min: '0.5', max: '90', value: '20.5', regenerateSpeed: '0.25' };
    const asked = (name: string, operands: Json): Json => note(fn('concat', { textA: '', textB: fn(name, operands) }));
    const isText = (name: string, operands: Json): Json =>
      when(
        [
          { operandType: 'string', operator: '==' },
          fn(name, operands),
          fn('concat', { textA: fn(name, operands), textB: '' }),
        ],
        [note('text')],
        [note('number')],
      );
    const unit = { attribute: 'odd', entity: variable('me') };
    const player = { attribute: 'odd', entity: variable('ada') };
    const questions: Json[] = [
      isText('entityAttributeRegen', unit),
      isText('entityAttributeMin', unit),
      isText('entityAttributeMax', unit),
      isText('getDefaultAttributeValueOfUnitType', { attribute: 'odd', unitType: 'hero' }),
      isText('playerAttributeMax', player),
      isText('getPlayerAttribute', player),
    ];
    const data = withUnit(
      { attributes: { health: attribute(100), odd } },
      {
        playerTypes: { people: { name: 'people', attributes: { odd }, variables: {} } },
        variables: { me: { dataType: 'unit' }, ada: { dataType: 'player' } },
        scripts: {
          asked: script('playerCustomInput', [
            setVariable('ada', fn('getTriggeringPlayer')),
            { type: 'assignPlayerType', entity: fn('getTriggeringPlayer'), playerType: 'people' },
            setVariable('me', fn('getLastCreatedUnit')),
            ...questions,
            { type: 'setEntityAttributeRegenerationRate', entity: variable('me'), attribute: 'odd', value: 2 },
            asked('entityAttributeRegen', unit),
          ]),
        },
      },
    );
    const run = (game: Play) => {
      answered(game);
      return trailOf(game);
    };
    const { standard, moddio } = inBoth(data, run) as { standard: string; moddio: string };
    // The specification compares such operands as texts; the reference compares their JSON.
    expect(moddio).toBe('text text number text text text 2');
    expect(standard.endsWith(' 2')).toBe(true);
  });
});

describe('items without an expected state: standard, then moddio:', () => {
  const states = {
    selected: { name: 'selected', body: 'selected' },
    unselected: { name: 'unselected', body: 'none' },
    dropped: { name: 'dropped', body: 'dropped' },
  };
  const where = (game: Play, id: string) => {
    const item = game.sim.view().items.find(({ id: label }) => label === id)!;
    return [item.state, item.hidden, item.body !== null];
  };

  test('without a selected state an item is carried in the unselected one; stays dropped with its body', () => {
    const { selected: _, ...rest } = states;
    const run = (game: Play) => {
      const unit = game.unit({ x: 300, y: 300 });
      game.give(unit, 'thing');
      game.ticks(2);
      return where(game, 'i1');
    };
    expect(inBoth({ itemTypes: { thing: itemType({ states: rest }) } }, run)).toEqual({
      standard: ['unselected', true, false],
      moddio: ['dropped', false, true],
    });
  });

  test('without a state named dropped an item is updated; is not before it was dropped', () => {
    const named = { ...states, dropped: { name: 'on the ground', body: 'dropped' } };
    const heard = script('secondTick', [note('heard')]);
    const data = { itemTypes: { thing: itemType({ states: named, scripts: { heard } }) } };
    const run = (game: Play) => {
      const unit = game.unit({ x: 300, y: 300 });
      const item = game.give(unit, 'thing');
      game.seconds(1.5);
      const carried = trailOf(game);
      dropItem(game.game, item);
      game.seconds(1);
      return [carried, trailOf(game), where(game, 'i1')];
    };
    expect(inBoth(data, run)).toEqual({
      standard: ['heard', 'heard heard', ['dropped', false, true]],
      moddio: ['', 'heard', ['dropped', false, true]],
    });
  });

  test('setting the dropped state again restarts the life span; does not', () => {
    const run = (game: Play) => {
      const item = game.item('thing', { x: 300, y: 300 });
      game.seconds(0.4);
      setState(game.game, item, 'dropped');
      game.seconds(0.4);
      return game.world.exists(item);
    };
    expect(inBoth({ itemTypes: { thing: itemType({ lifeSpan: 500 }) } }, run)).toEqual({
      standard: true,
      moddio: false,
    });
  });

  test('an item whose dropped state has another key ages; does not', () => {
    const keyed = { selected: states.selected, unselected: states.unselected, ground: states.dropped };
    const data = { itemTypes: { thing: itemType({ states: keyed, lifeSpan: 500 }) } };
    const run = (game: Play) => {
      const item = game.item('thing', { x: 300, y: 300 });
      game.seconds(1);
      return game.world.exists(item);
    };
    // A life span begins only with the key `dropped`.
    expect(inBoth(data, run)).toEqual({ standard: false, moddio: true });
  });
});

describe('sizes: standard, then moddio:', () => {
  const shapes = {
    states: {
      default: { name: 'default', body: 'nothing' },
      seen: { name: 'seen', body: 'seen' },
      big: { name: 'big', body: 'big' },
    },
    bodies: {
      nothing: body({ type: 'none', width: 10, height: 12 }),
      seen: body({ type: 'spriteOnly', width: 30, height: 31 }),
      big: body({ width: 80, height: 90 }),
    },
  };

  test('a unit has the size of its state; of its last body, and 40 px before the first', () => {
    const run = (game: Play) => {
      const unit = game.unit({ x: 300, y: 300 });
      const sizes = [sizeOf(game, 'u1')];
      for (const state of ['seen', 'big', 'seen']) {
        setState(game.game, unit, state);
        sizes.push(sizeOf(game, 'u1'));
      }
      const { width, height } = game.sim.view().units[0]!;
      return [...sizes, `seen by clients ${width}x${height}`];
    };
    expect(inBoth({ unitTypes: { unit: unitType(shapes) } }, run)).toEqual({
      standard: ['10x12', '30x31', '80x90', '30x31', 'seen by clients 30x31'],
      moddio: ['40x40', '40x40', '80x90', '80x90', 'seen by clients 30x31'],
    });
  });

  test('a held item has its visible size; its dropped size. Its bounds are visible in both', () => {
    const data = {
      itemTypes: {
        thing: itemType({
          bodies: { dropped: body({ width: 20, height: 24 }), selected: held({ width: 16, height: 10 }) },
        }),
      },
      variables: { box: { dataType: 'region' } },
      scripts: {
        ask: script('secondTick', [setVariable('box', fn('entityBounds', { entity: fn('getLastCreatedItem') }))]),
      },
    };
    const run = (game: Play) => {
      const unit = game.unit({ x: 300, y: 300 });
      game.give(unit, 'thing');
      selectSlot(game.game, unit, 0);
      game.seconds(1.1);
      const { width, height } = game.variable('box') as { width: number; height: number };
      return [sizeOf(game, 'i1'), `${width}x${height}`];
    };
    expect(inBoth(data, run)).toEqual({ standard: ['16x10', '16x10'], moddio: ['20x24', '16x10'] });
  });
});
