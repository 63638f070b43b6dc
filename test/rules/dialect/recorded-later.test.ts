import { describe, expect, test } from 'vitest';
import { Simulation } from '../../../engine/index.ts';
import { readVariable, writeVariable } from '../../../engine/rules/entities/variable.ts';
import { startUsing, useOnce } from '../../../engine/rules/items/use.ts';
import { changeUnitType } from '../../../engine/rules/lifecycle/unit-type.ts';
import { assignPlayerType } from '../../../engine/rules/players/player.ts';
import { relationship } from '../../../engine/rules/types/relationship.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { Kind, rowOf } from '../../../engine/world/entity.ts';
import { createUnitAt, setVariable, when } from '../../support/actions.ts';
import { attribute, body, itemType, load, type Play, projectileType, script, unitType } from '../../support/play.ts';
import { note, trailOf, variable } from '../../support/trail.ts';
import { answered, inBoth, type Json, started, trailsAfter, withUnit } from './both.ts';

const fn = (name: string, operands: Json = {}): Json => ({ function: name, ...operands });
const player = fn('getTriggeringPlayer');
const hero = fn('getPlayerSelectedUnit', { player });
const answer = (...actions: unknown[]): Json => ({ heard: script('playerCustomInput', actions) });
const codes = (game: Play): string[] => game.faults().map(({ code }) => code);

describe('names: standard, then moddio:', () => {
  test.each([
    ['hideUnitNameLabel', 'true'],
    ['showUnitNameLabel', 'false'],
    ['makeUnitInvisible', 'true'],
    ['makeUnitVisibleToFriendlyPlayers', 'false'],
  ])('%s leaves the name of the unit; makes it "%s"', (type, name) => {
    const data = withUnit(
      {},
      {
        scripts: answer(
          { type, entity: hero },
          note(fn('nameOfUnit', { unit: hero })),
          note(fn('getPlayerName', { entity: player })),
        ),
      },
    );
    expect(trailsAfter(data, answered)).toEqual({ standard: 'Ada Ada', moddio: `${name} Ada` });
  });

  test('a player named without a value keeps its name; it and its units have none, old and new', () => {
    const data = withUnit(
      {},
      {
        scripts: answer(
          { type: 'setPlayerName', player, name: fn('undefinedValue') },
          createUnitAt('hero', player, { x: 100, y: 100 }),
          note(fn('getPlayerName', { entity: player })),
          note(fn('nameOfUnit', { unit: hero })),
          note(fn('nameOfUnit', { unit: fn('getLastCreatedUnit') })),
          { type: 'setPlayerName', player, name: 'Bo' },
          note(fn('nameOfUnit', { unit: hero })),
        ),
      },
    );
    expect(trailsAfter(data, answered)).toEqual({
      standard: 'Ada Ada Ada Bo',
      moddio: 'undefined undefined undefined Bo',
    });
  });

  test('an item named without a value keeps its name; has none', () => {
    const item = fn('getLastCreatedItem');
    const make = { type: 'spawnItem', itemType: 'lamp', position: { x: 300, y: 200 } };
    const unname = { type: 'setItemName', item, name: fn('undefinedValue') };
    const data = {
      itemTypes: { lamp: itemType({ name: 'Lamp' }) },
      ...started(make, unname, note(fn('getItemName', { item }))),
    };
    expect(trailsAfter(data, () => {})).toEqual({ standard: 'Lamp', moddio: 'undefined' });
  });
});

describe('groups in variables: standard, then moddio:', () => {
  const group = variable('band');
  const each = fn('getPositionX', { position: fn('getEntityPosition', { entity: fn('selectedUnit') }) });
  const tell = { type: 'forAllUnits', unitGroup: group, actions: [note(each)] };
  const data = withUnit(
    {},
    {
      variables: { band: { dataType: 'unitGroup' } },
      scripts: {
        start: script('gameStart', [
          ...[100, 200].flatMap((x) => [
            createUnitAt('hero', fn('computerPlayer', { number: 1 }), { x, y: 100 }),
            { type: 'addUnitToUnitGroup', unit: fn('getLastCreatedUnit'), unitGroup: group },
          ]),
          { type: 'destroyEntity', entity: fn('getLastCreatedUnit') },
          tell,
        ]),
        later: script('secondTick', [tell]),
      },
    },
  );

  test('loops omit units that were destroyed earlier; visit them, readable', () => {
    expect(trailsAfter(data, (game) => game.seconds(1))).toEqual({
      standard: '100 200 100',
      moddio: '100 200 100 200',
    });
  });

  test('destroyed members survive a snapshot and are forgotten with the group', () => {
    const game = load({
      ...data,
      variables: { ...(data['variables'] as Json), trail: { dataType: 'string', default: '' } },
    });
    const sim = new Simulation(game, { dialect: 'moddio' });
    sim.run({ seconds: 0.5 });
    const restored = Simulation.restore(game, sim.snapshot());
    restored.run({ seconds: 1 });
    expect(String(restored.variable('trail')).trim()).toBe('100 200 100 200');
    const { world } = internalsOf(restored);
    const gone = (restored.variable('band') as { entity: number }[]).length;
    expect(gone).toBe(2);
    expect(world.releasedCount).toBe(1);
    restored.edit.setGlobal('band', undefined);
    restored.run({ ticks: 1 });
    expect(world.releasedCount).toBe(0);
  });

  test('keep at most 1000 destroyed units, in moddio', () => {
    const cycle = [
      createUnitAt('hero', fn('computerPlayer', { number: 1 }), { x: 100, y: 100 }),
      { type: 'addUnitToUnitGroup', unit: fn('getLastCreatedUnit'), unitGroup: group },
      { type: 'destroyEntity', entity: fn('getLastCreatedUnit') },
    ];
    const isGoing = [{ operandType: 'boolean', operator: '==' }, variable('stop'), false];
    const many = {
      ...data,
      variables: { ...(data['variables'] as Json), stop: { dataType: 'boolean', default: false } },
      scripts: { tick: script('frameTick', [when(isGoing, [{ type: 'repeat', count: 30, actions: cycle }])]) },
    };
    const held = inBoth(many, (game) => {
      game.ticks(40);
      game.sim.edit.setGlobal('stop', true);
      game.ticks(2);
      return game.world.releasedCount;
    });
    expect(held).toEqual({ standard: 0, moddio: 1000 });
  });
});

test('a value of a destroyed unit set to 0 fires nothing; fires the triggers, in standard and moddio', () => {
  const health = { attribute: 'health', entity: variable('it'), value: 0 };
  const data = withUnit(
    {},
    {
      variables: { it: { dataType: 'unit' } },
      scripts: {
        start: script('gameStart', [
          createUnitAt('hero', fn('computerPlayer', { number: 1 }), { x: 100, y: 100 }),
          setVariable('it', fn('getLastCreatedUnit')),
          { type: 'destroyEntity', entity: variable('it') },
          { type: 'setEntityAttribute', ...health },
        ]),
        zero: script('unitAttributeBecomesZero', [note('zero')]),
      },
    },
  );
  expect(trailsAfter(data, (game) => game.ticks(1))).toEqual({ standard: '', moddio: 'zero' });
});

describe('variables after a change of type: standard, then moddio:', () => {
  const number = (value: unknown): Json => ({ dataType: 'number', default: value });

  test('a cleared variable has the default of the new type; of the type that it came from', () => {
    const data = {
      unitTypes: {
        unit: unitType({ variables: { luck: number(1) } }),
        ghost: unitType({ variables: { luck: number(50) } }),
      },
    };
    const run = (game: Play) => {
      const unit = game.unit();
      const become = (key: string) => {
        writeVariable(game.world, unit, 'luck', undefined);
        changeUnitType(game.game, unit, game.world.types.unit.get(key)!);
        return readVariable(game.world, unit, 'luck');
      };
      return [become('ghost'), become('ghost'), become('unit')];
    };
    expect(inBoth(data, run)).toEqual({ standard: [50, 50, 1], moddio: [1, 1, 1] });
  });

  test('a kept variable accepts values of its new data type; of its old one, also after a snapshot', () => {
    const loaded = load({
      unitTypes: {
        unit: unitType({ variables: { mood: number(1) } }),
        ghost: unitType({ variables: { mood: { dataType: 'string', default: '' } } }),
      },
    });
    const accepted = (['standard', 'moddio'] as const).map((dialect) => {
      const sim = new Simulation(loaded, { dialect });
      const unit = sim.edit.createUnit({ type: 'unit', x: 300, y: 300 });
      sim.edit.setType(unit, 'ghost');
      const { world } = internalsOf(Simulation.restore(loaded, sim.snapshot()));
      return ['sad', 7].map((value) => writeVariable(world, unit.entity, 'mood', value));
    });
    expect(accepted).toEqual([
      ['stored', 'type-mismatch'],
      ['type-mismatch', 'stored'],
    ]);
  });

  test('a player variable that was cleared stays so; has the default that it came with, unchecked', () => {
    const type = (name: string, variables: Json): Json => ({ name, attributes: {}, variables, relationships: {} });
    const data = {
      playerTypes: {
        human: type('human', { luck: number(1), text: number('5') }),
        rich: type('rich', { luck: number(50) }),
      },
    };
    const run = (game: Play) => {
      const of = game.player(1);
      const text = readVariable(game.world, of, 'text');
      writeVariable(game.world, of, 'luck', undefined);
      assignPlayerType(game.game, of, 'rich');
      return [text, readVariable(game.world, of, 'luck')];
    };
    expect(inBoth(data, run)).toEqual({ standard: [5, undefined], moddio: ['5', 1] });
  });
});

describe('numbers as text: standard, then moddio:', () => {
  test('a quest with a goal given as text is completed by the number; never', () => {
    const quest = { player, questId: 'q' };
    const data = withUnit(
      {},
      {
        scripts: {
          ...answer(
            { type: 'addQuestToPlayer', ...quest, name: 'Q', description: '', goal: '2' },
            { type: 'setQuestProgress', ...quest, progress: 5 },
            { type: 'setQuestProgress', ...quest, progress: 2 },
            note(fn('isQuestProgressCompleted', quest)),
            note(fn('objectToString', { object: fn('getQuestObject', quest) })),
          ),
          done: script('questProgressCompleted', [note('done')]),
        },
      },
    );
    const object = (goal: string) => `{"name":"Q","description":"","goal":${goal},"progress":2}`;
    expect(trailsAfter(data, answered)).toEqual({
      standard: `true ${object('2')}`,
      moddio: `false ${object('"2"')}`,
    });
  });

  test('a tile given by texts is set; is refused', () => {
    const edit = { type: 'editMapTile', gid: '1', layer: '0', x: '7', y: '3' };
    const data = started(edit, note(fn('getMapTileId', { x: 7, y: 3, layer: 0 })));
    const run = (game: Play) => [trailOf(game), codes(game)];
    expect(inBoth(data, run)).toEqual({ standard: ['1', []], moddio: ['0', ['wrong-value']] });
  });

  test('a price of "0" coins is free; takes the rest of the price and gives nothing', () => {
    const human = { name: 'human', attributes: { gold: attribute(9) }, variables: {}, relationships: {} };
    const data = withUnit(
      {},
      {
        playerTypes: { human },
        itemTypes: { lamp: itemType() },
        shops: { bazaar: { itemTypes: { lamp: { price: { coins: '0', playerAttributes: { gold: 2 } } } } } },
        scripts: {
          ...answer({ type: 'openShopForPlayer', player, shop: 'bazaar' }),
          bought: script('playerPurchasesItem', [note('bought')]),
        },
      },
    );
    const run = (game: Play) => {
      answered(game);
      game.sim.input({ kind: 'buyItem', player: 'p1', type: 'lamp' });
      game.ticks(1);
      return [game.slots(game.entity('u1')), game.attribute('p1', 'gold'), trailOf(game)];
    };
    expect(inBoth(data, run)).toEqual({ standard: ['i1 . .', 7, 'bought'], moddio: ['. . .', 7, 'bought'] });
  });
});

test('after a shop that does not exist, a player buys from the former one; from none, in standard and moddio', () => {
  const data = withUnit(
    {},
    {
      itemTypes: { lamp: itemType() },
      shops: { bazaar: { itemTypes: { lamp: {} } } },
      scripts: answer(
        { type: 'openShopForPlayer', player, shop: 'bazaar' },
        { type: 'purchaseItemFromShop', player, shop: 'nowhere', itemType: 'lamp' },
      ),
    },
  );
  const run = (game: Play) => {
    answered(game);
    game.sim.input({ kind: 'buyItem', player: 'p1', type: 'lamp' });
    game.ticks(1);
    return [game.slots(game.entity('u1')), codes(game)];
  };
  expect(inBoth(data, run)).toEqual({
    standard: ['i1 . .', ['no-such-reference']],
    moddio: ['. . .', ['no-such-reference']],
  });
});

test('an item with a quantity is turned a little; not at all, in standard and moddio', () => {
  const make = {
    type: 'createItemAtPositionWithQuantity',
    itemType: 'lamp',
    position: { x: 300, y: 200 },
    quantity: 2,
  };
  const bodies = { dropped: body({ fixedRotation: false }) };
  const data = { itemTypes: { lamp: itemType({ bodies }) }, ...started(make) };
  const run = (game: Play) => Math.sign(game.world.components.transform.angle[rowOf(game.entity('i1'))]!);
  expect(inBoth(data, run)).toEqual({ standard: 1, moddio: 0 });
});

test('a resized region overlaps as it is; as it was, in standard and moddio', () => {
  const zone = { dataType: 'region', default: { x: 0, y: 0, width: 100, height: 100 } };
  const data = {
    variables: { zone },
    ...started(
      { type: 'transformRegionDimensions', region: variable('zone'), x: 0, y: 0, width: 400, height: 400 },
      note(
        fn('regionOverlapsWithRegion', {
          regionA: variable('zone'),
          regionB: fn('dynamicRegion', { x: 10, y: 10, width: 50, height: 50 }),
        }),
      ),
      note(fn('entityWidth', { entity: variable('zone') })),
      note(fn('getWidthOfRegion', { region: variable('zone') })),
    ),
  };
  expect(trailsAfter(data, () => {})).toEqual({ standard: 'true 400 400', moddio: 'false 100 400' });
});

describe('the data of units and players as text: standard, then moddio:', () => {
  const data = withUnit(
    {
      attributes: { health: { name: 'Health', value: 7, min: 0, max: 10, regenerateSpeed: 0, color: 'red' } },
      variables: { mood: { dataType: 'string', default: 'calm' }, none: { dataType: 'number' } },
    },
    {
      scripts: answer(
        { type: 'setEntityAttribute', attribute: 'health', entity: hero, value: 5 },
        note(fn('getUnitData', { unit: hero })),
      ),
    },
  );

  test('has values; has definitions, too, and what was last sent to clients', () => {
    const parts = (health: Json, variables: Json) => ({ attributes: { health }, variables, inventoryItems: [] });
    const run = (game: Play) => {
      answered(game);
      return JSON.parse(trailOf(game)) as unknown;
    };
    expect(inBoth(data, run)).toEqual({
      standard: parts(
        { value: 5, min: 0, max: 10, regenerateSpeed: 0 },
        { mood: { dataType: 'string', value: 'calm' } },
      ),
      moddio: parts(
        { name: 'Health', value: 5, min: 0, max: 10, regenerateSpeed: 0, color: 'red', lastSyncedValue: 5 },
        { mood: { dataType: 'string', default: 'calm', value: 'calm' }, none: { dataType: 'number' } },
      ),
    });
  });

  test('restores completed quests in both', () => {
    const quest = { player, questId: 'q' };
    const text = fn('getPlayerData', { player });
    const scripts = answer(
      { type: 'addQuestToPlayer', ...quest, name: 'Q', description: '', goal: 2 },
      { type: 'completeQuest', ...quest },
      setVariable('saved', text),
      { type: 'removeQuestForPlayer', ...quest },
      { type: 'loadPlayerDataFromString', player, string: variable('saved') },
      note(fn('isQuestCompleted', quest)),
    );
    const variables = { saved: { dataType: 'string', default: '' } };
    expect(trailsAfter(withUnit({}, { scripts, variables }), answered)).toEqual({ standard: 'true', moddio: 'true' });
  });
});

describe('types that do not exist: standard, then moddio:', () => {
  test('a unit keeps its type; has the key, and can carry what that type may', () => {
    const unit = hero;
    const data = withUnit(
      { variables: { mood: { dataType: 'string', default: 'calm' } } },
      {
        itemTypes: { lamp: itemType({ carriedBy: ['ghost'] }) },
        scripts: answer(
          { type: 'changeUnitType', entity: unit, unitType: 'ghost' },
          note(fn('getUnitTypeOfUnit', { entity: unit })),
          note(fn('getNumberOfUnitsOfUnitType', { unitType: 'hero' })),
          note(fn('getNumberOfUnitsOfUnitType', { unitType: 'ghost' })),
          { type: 'giveNewItemToUnit', itemType: 'lamp', unit },
          note(fn('unitIsCarryingItemType', { unit, itemType: 'lamp' })),
          { type: 'changeUnitType', entity: unit, unitType: 'hero' },
          note(fn('getUnitTypeOfUnit', { entity: unit })),
        ),
      },
    );
    const run = (game: Play) => {
      answered(game);
      return [trailOf(game), codes(game)];
    };
    expect(inBoth(data, run)).toEqual({
      standard: ['hero 1 0 false hero', ['no-such-type']],
      moddio: ['ghost 0 1 true hero', ['no-such-type']],
    });
  });

  test('a player keeps its type; has the key, and is nobody to others', () => {
    const data = withUnit(
      {},
      {
        scripts: answer(
          { type: 'assignPlayerType', entity: player, playerType: 'ghost' },
          note(fn('playerTypeOfPlayer', { player })),
        ),
      },
    );
    const run = (game: Play) => {
      const foe = game.player(2, 'foe');
      answered(game);
      const before = relationship(game.world, game.entity('p1'), foe);
      const { sim } = game;
      const restored = internalsOf(Simulation.restore(game.loaded, sim.snapshot())).world;
      return [trailOf(game), before, relationship(restored, game.entity('p1'), foe)];
    };
    expect(inBoth(data, run)).toEqual({
      standard: ['human', 'hostile', 'hostile'],
      moddio: ['ghost', 'neutral', 'neutral'],
    });
  });
});

test('items without a slot in the new type are dropped; are there again after a change back, in standard and moddio', () => {
  const data = {
    unitTypes: { unit: unitType({ inventorySize: 4 }), car: unitType({ inventorySize: 0 }) },
    itemTypes: { lamp: itemType({ controls: { canMerge: false } }) },
  };
  const run = (game: Play) => {
    const unit = game.unit();
    const become = (key: string) => {
      changeUnitType(game.game, unit, game.world.types.unit.get(key)!);
      game.ticks(1);
    };
    for (let i = 0; i < 4; i++) game.give(unit, 'lamp', 1);
    become('car');
    const held = game.id(game.world.components.inventory[rowOf(unit)]!.heldItem);
    become('unit');
    return [held, game.slots(unit)];
  };
  expect(inBoth(data, run)).toEqual({ standard: [undefined, '. . . .'], moddio: ['i1', 'i1 i2 i3 i4'] });
});

test('a gun whose user dies of the use does not fire; fires, in standard and moddio', () => {
  const gun = itemType({
    type: 'weapon',
    isGun: true,
    fireRate: 100,
    projectileType: 'ball',
    bulletStartPosition: { x: 0, y: 0 },
    bulletForce: 10,
    scripts: { used: script('itemIsUsed', [{ type: 'destroyEntity', entity: fn('getTriggeringUnit') }]) },
  });
  const data = { itemTypes: { gun }, projectileTypes: { ball: projectileType() } };
  const run = (game: Play) => {
    const unit = game.unit();
    game.ticks(4);
    startUsing(game.game, game.give(unit, 'gun'));
    game.ticks(3);
    return [game.world.exists(unit), game.world.lists[Kind.projectile]!.entries.length];
  };
  expect(inBoth(data, run)).toEqual({ standard: [false, 0], moddio: [false, 1] });
});

test('a consumable without a fire rate is ready; never is, in standard and moddio', () => {
  const consumable = { type: 'consumable', fireRate: undefined, bonus: { consume: { unitAttribute: { health: -7 } } } };
  const data = { itemTypes: { pill: itemType(consumable) } };
  const run = (game: Play) => {
    const unit = game.unit();
    game.ticks(2);
    useOnce(game.game, game.give(unit, 'pill', 3));
    game.ticks(1);
    return game.attribute('u1', 'health');
  };
  expect(inBoth(data, run)).toEqual({ standard: 93, moddio: 100 });
});

test('`getItemInInventorySlot` also reads `entity`; only `unit`, in standard and moddio', () => {
  const asked = (key: string) =>
    note(fn('getItemName', { item: fn('getItemInInventorySlot', { [key]: hero, slot: 1 }) }));
  const data = withUnit(
    {},
    {
      itemTypes: { lamp: itemType({ name: 'Lamp' }) },
      scripts: answer({ type: 'giveNewItemToUnit', itemType: 'lamp', unit: hero }, asked('unit'), asked('entity')),
    },
  );
  expect(trailsAfter(data, answered)).toEqual({ standard: 'Lamp Lamp', moddio: 'Lamp undefined' });
});

test('a body scaled by less than 0 stays; touches nothing, in standard and moddio', () => {
  const data = {
    unitTypes: { unit: unitType({ bodies: { default: body({ fixedRotation: true }) } }) },
    variables: { it: { dataType: 'unit' } },
    scripts: {
      shrink: script('secondTick', [{ type: 'changeScaleOfEntityBody', entity: variable('it'), scale: -1 }]),
    },
  };
  const run = (game: Play) => {
    const unit = game.unit({ x: 300, y: 300 });
    game.world.globals.values[game.world.globals.layout.slots.get('it')!] = game.world.ref(unit);
    game.seconds(1.1);
    const other = game.unit({ x: 400, y: 300 });
    game.ticks(1);
    game.game.physics.setVelocity(other, -20, 0);
    game.seconds(0.5);
    const { x, width } = game.world.components.transform;
    return [x[rowOf(unit)] === 300, width[rowOf(unit)], codes(game)];
  };
  expect(inBoth(data, run)).toEqual({
    standard: [false, 40, ['wrong-value']],
    moddio: [true, -40, []],
  });
});
