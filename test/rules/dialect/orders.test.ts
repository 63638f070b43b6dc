import { describe, expect, test } from 'vitest';
import { isStunned } from '../../../engine/rules/combat/status-effect.ts';
import { updateAttribute } from '../../../engine/rules/entities/attribute.ts';
import { savePlayer } from '../../../engine/rules/players/save.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { createUnitAt, delayed, setVariable, when } from '../../support/actions.ts';
import { foe, later, me, mind, scene } from '../../support/ai-scene.ts';
import { attribute, itemType, type Play, projectileType, script } from '../../support/play.ts';
import { note, noting, trailOf, variable } from '../../support/trail.ts';
import { inBoth, type Json, join, started, thisUnit, trailsAfter, withUnit } from './both.ts';

const fn = (name: string, operands: Json = {}): Json => ({ function: name, ...operands });
const player = fn('getTriggeringPlayer');
const asked = (...actions: unknown[]): Json => script('playerCustomInput', actions);
const heardBy = (game: Play, answers = 1): Play => {
  const ada = game.sim.join({ name: 'Ada' });
  game.ticks(2);
  for (let i = 0; i < answers; i++) {
    ada.answer('now');
    game.ticks(1);
  }
  return game;
};

test('a kicked player leaves at once in standard, and 1 ms later, after the script, in moddio', () => {
  const data = withUnit(
    {},
    {
      scripts: {
        asked: asked(
          { type: 'kickPlayer', entity: player, message: 'out' },
          note('goes on'),
          { type: 'kickPlayer', entity: player, message: 'out' },
          delayed(1, note('later')),
        ),
        left: noting('left', 'playerLeavesGame'),
      },
    },
  );
  expect(
    trailsAfter(data, (game) => {
      heardBy(game);
      game.ticks(1);
    }),
  ).toEqual({ standard: 'left goes on later', moddio: 'goes on left later' });
});

describe('AI of a unit whose type has none: standard, then moddio:', () => {
  const made = script('entityCreated', [setVariable('me', thisUnit)]);
  const data = withUnit(
    { scripts: { made } },
    { scripts: { asked: asked({ type: 'enableAI', unit: variable('me') }) }, variables: { me: { dataType: 'unit' } } },
  );

  test('switching it on is a fault, and the unit obeys keys; ignores keys', () => {
    const run = (game: Play) => {
      const ada = game.sim.join({ name: 'Ada' });
      game.ticks(2);
      ada.answer('now');
      game.ticks(2);
      ada.press('d');
      game.ticks(5);
      const row = rowOf(game.entity('u1'));
      return [game.faults().length, game.world.components.transform.x[row]! > 641];
    };
    expect(inBoth(data, run)).toEqual({ standard: [1, true], moddio: [1, false] });
  });

  test('a hidden unit can be shown again; stays hidden', () => {
    const me = variable('me');
    const list = ['enableAI', 'hideEntity', 'showEntity'].map((type) => ({ type, unit: me, entity: me }));
    const scripts = { ...(data['scripts'] as Json), asked: asked(...list) };
    const run = (game: Play) => {
      heardBy(game);
      return game.world.components.visibility.hidden[rowOf(game.entity('u1'))];
    };
    expect(inBoth({ ...data, scripts }, run)).toEqual({ standard: 0, moddio: 1 });
  });
});

test('`forIn` over a variable that holds "" has no rounds in standard, and loops over its default in moddio', () => {
  const walk = {
    type: 'forIn',
    variableNameMain: 'at',
    variableNameSource: 'word',
    actions: [note(fn('concat', { textA: variable('at'), textB: '' }))],
  };
  const set = (value: unknown): Json => setVariable('word', value);
  const data = {
    variables: { at: { dataType: 'number', default: 0 }, word: { dataType: 'string', default: 'abc' } },
    ...started(walk, note('/'), set('xy'), walk, note('/'), set(''), walk),
  };
  expect(trailsAfter(data, (game) => game.ticks(1))).toEqual({
    standard: '0 1 2 / 0 1 /',
    moddio: '0 1 2 / 0 1 / 0 1 2',
  });
});

test('before the first raycast its result is an empty list in standard, and no value in moddio', () => {
  const hits = fn('entitiesCollidingWithLastRaycast');
  const tell = setVariable('met', hits);
  const data = { variables: { met: { dataType: 'object', default: 'unset' } }, ...started(tell) };
  const run = (game: Play) => {
    game.ticks(1);
    return game.variable('met');
  };
  expect(inBoth(data, run)).toEqual({ standard: [], moddio: 'unset' });
});

describe('helper variables of an action list: standard, then moddio:', () => {
  const quest = (type: string, questId: string, more: Json = {}): Json => ({
    type,
    player,
    questId,
    name: 'n',
    description: 'd',
    goal: 3,
    ...more,
  });
  const own = { scripts: { added: noting('told', 'questAdded') } };

  test('a quest fires for the selected unit; for the one that an earlier action left behind', () => {
    const list = [
      quest('addQuestToPlayer', 'a'),
      note('/'),
      quest('setQuestProgress', 'a', { progress: 1 }),
      quest('addQuestToPlayer', 'b'),
      note('/'),
      when([{ operandType: 'boolean', operator: '==' }, true, true], [quest('addQuestToPlayer', 'c')]),
    ];
    const run = (game: Play) => trailOf(heardBy(game));
    expect(inBoth(withUnit(own, { scripts: { asked: asked(...list) } }), run)).toEqual({
      standard: 'told / told / told',
      moddio: '/ told /',
    });
  });

  test('a projectile created with dimensions has no source; has that of the previous projectile', () => {
    const me = variable('me');
    const make = {
      type: 'createEntityAtPositionWithDimensions',
      entityType: 'projectileTypes',
      entity: 'ball',
      position: { x: 100, y: 100 },
    };
    const shot = {
      type: 'createProjectileAtPosition',
      projectileType: 'ball',
      position: { x: 300, y: 300 },
      force: 1,
      angle: 0,
      unit: me,
    };
    const data = withUnit(
      { scripts: { made: script('entityCreated', [setVariable('me', thisUnit)]) } },
      {
        projectileTypes: { ball: projectileType() },
        variables: { me: { dataType: 'unit' } },
        scripts: { asked: asked(make, shot, make) },
      },
    );
    const run = (game: Play) => {
      heardBy(game);
      return ['b1', 'b2', 'b3'].map((id) => game.id(game.world.components.identity.owner[rowOf(game.entity(id))]!));
    };
    expect(inBoth(data, run)).toEqual({
      standard: [undefined, 'u1', undefined],
      moddio: [undefined, 'u1', 'u1'],
    });
  });
});

test('saving leaves bonuses of items alone in standard; in moddio it removes them, which clamps values and fires triggers', () => {
  const passive = { unitAttribute: { health: { type: 'flat', value: 20 } }, playerAttribute: {} };
  const data = withUnit(
    {
      attributes: { health: attribute(100, { max: 100 }), speed: attribute(10) },
      scripts: { full: noting('full', 'entityAttributeBecomesFull') },
    },
    {
      itemTypes: { charm: itemType({ bonus: { passive } }) },
      scripts: { load: asked({ type: 'loadPlayerDataAndApplyIt', player, unit: variable('me') }) },
      variables: { me: { dataType: 'unit' } },
    },
  );
  const run = (game: Play) => {
    const ada = game.sim.join({ name: 'Ada', userId: 'ada', persisted: {} });
    game.ticks(2);
    ada.answer('now');
    game.ticks(1);
    const unit = game.entity('u1');
    game.give(unit, 'charm');
    updateAttribute(game.game, unit, 'health', 115);
    const before = trailOf(game);
    savePlayer(game.game, game.entity('p1'));
    const told = trailOf(game).slice(before.length).trim() !== '';
    return [game.attribute('u1', 'health'), told];
  };
  expect(inBoth(data, run)).toEqual({ standard: [115, false], moddio: [100, true] });
});

describe('operations that moddio lacks: standard, then moddio:', () => {
  test('`stunUnit` stuns; does nothing, which is reported as skipped', () => {
    const made = script('entityCreated', [{ type: 'stunUnit', unit: thisUnit }]);
    const run = (game: Play) => {
      join(game);
      return [isStunned(game.world, game.entity('u1')), game.sim.skips().map(({ code }) => code)];
    };
    expect(inBoth(withUnit({ scripts: { made } }), run)).toEqual({
      standard: [true, []],
      moddio: [false, ['unknown-there']],
    });
  });

  test.each([
    ['makeUnitPickupItemAtSlot', { unit: thisUnit, item: fn('getLastCreatedItem'), slotIndex: 1 }],
    ['enableRotateToFaceMouseCursor', { entity: fn('getLastCreatedItem') }],
    ['disableRotateToFaceMouseCursor', { entity: fn('getLastCreatedItem') }],
    ['applyTorqueOnEntityToFacePosition', { force: 1, entity: thisUnit, position: { x: 0, y: 0 } }],
    ['removeStunFromUnit', { unit: thisUnit }],
    ['setTriggeringUnit', { entity: thisUnit }],
  ])('%s works; is skipped', (type, operands) => {
    const data = withUnit({ scripts: { made: script('entityCreated', [{ type, ...operands }]) } });
    const run = (game: Play) => {
      game.sim.join({ name: 'Ada' });
      game.ticks(2);
      return game.sim.skips().filter(({ code }) => code === 'unknown-there').length;
    };
    expect(inBoth(data, run)).toEqual({ standard: 0, moddio: 1 });
  });

  test('sensors fire global triggers of 2022; do not', () => {
    const seer = { ai: { enabled: true, sensorRadius: 200 } };
    const at = (x: number) => ({ x, y: 640 });
    const owner = fn('computerPlayer', { number: 1 });
    const create = (x: number): Json => createUnitAt('hero', owner, at(x));
    const spawn = { type: 'spawnItem', itemType: 'coin', position: at(660) };
    const data = withUnit(seer, {
      itemTypes: { coin: itemType() },
      scripts: {
        start: script('gameStart', [create(640), create(700), spawn]),
        unit: noting('unit', 'whenUnitEntersSensor'),
        item: noting('item', 'whenItemEntersSensor'),
      },
    });
    const run = (game: Play) => {
      game.seconds(0.5);
      return [...new Set(trailOf(game).split(' '))].sort().join(' ').trim();
    };
    expect(inBoth(data, run)).toEqual({ standard: 'item unit', moddio: '' });
  });
});

test('a unit without `maxAttackRange` stops where it overlaps its target in standard, and walks on in moddio', () => {
  const walks = (dialect: 'standard' | 'moddio', ai: Json): unknown => {
    const order = later(100, [{ type: 'aiAttackUnit', unit: me, targetUnit: foe }]);
    const game = scene({ ai, scripts: { order }, preyAt: { x: 645, y: 640 } }, { dialect });
    game.seconds(0.2);
    return mind(game);
  };
  expect(walks('standard', { maxAttackRange: undefined })).toMatchObject({ mode: 'fight', walks: false });
  expect(walks('moddio', { maxAttackRange: 0 })).toMatchObject({ mode: 'fight', walks: false });
  expect(walks('moddio', { maxAttackRange: undefined })).toMatchObject({ mode: 'fight', walks: true });
});
