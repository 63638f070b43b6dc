import { describe, expect, test } from 'vitest';
import { Controls } from '../../../engine/components/controls.ts';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { selectSlot } from '../../../engine/rules/items/inventory.ts';
import { buyItem, openShop } from '../../../engine/rules/players/shop.ts';
import { resizeRegion } from '../../../engine/rules/world/region.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { type Entity, rowOf } from '../../../engine/world/entity.ts';
import { createUnitAt, delayed, setVariable } from '../../support/actions.ts';
import { attribute, body, type Play, script, unitType } from '../../support/play.ts';
import { note, noting, own, trailOf, variable } from '../../support/trail.ts';
import { inBoth, type Json, join, started, thisUnit, trailsAfter, withUnit } from './both.ts';

describe('scripts: standard, then moddio:', () => {
  const loops: [string, Json][] = [
    ['repeat', { count: 2 }],
    ['for', { variableName: 'i', start: 1, stop: 2 }],
    ['while', { conditions: [{ operator: '<', operandType: 'number' }, variable('i'), 2] }],
    ['forIn', { variableNameMain: 'i', variableNameSource: 'word' }],
  ];
  test.each(loops)('`return` in %s ends the script; only the loop', (type, operands) => {
    const data = {
      variables: { i: { dataType: 'number', default: 0 }, word: { dataType: 'string', default: 'ab' } },
      ...started({ type, ...operands, actions: [note('in'), { type: 'return' }] }, note('after')),
    };
    expect(inBoth(data, trailOf)).toEqual({ standard: 'in', moddio: 'in after' });
  });

  test('`return` in `forAllPlayers` ends the script in both', () => {
    const players = { type: 'forAllPlayers', playerGroup: { function: 'allPlayers' }, actions: [{ type: 'return' }] };
    expect(inBoth(started(players, note('after')), trailOf)).toEqual({ standard: '', moddio: '' });
  });

  test('delayed actions keep the loop variable of their round; share the last one', () => {
    const { scripts } = started({
      type: 'forAllUnitTypes',
      unitTypeGroup: { function: 'allUnitTypesInGame' },
      actions: [delayed(50, note({ function: 'selectedUnitType' }))],
    });
    const data = { unitTypes: { ant: unitType(), bee: unitType() }, scripts };
    expect(trailsAfter(data, (game) => game.ticks(3))).toEqual({ standard: 'ant bee', moddio: 'bee bee' });
  });

  test('`replaceValuesInString` takes its texts literally; as a pattern', () => {
    const replaced = (matchString: string, newString: string): Json =>
      note({ function: 'replaceValuesInString', sourceString: 'a.bb', matchString, newString });
    const data = started(replaced('.', 'x'), replaced('b+', '[$&]'), replaced('(b+)+c', ''), replaced('(', ''));
    const run = (game: Play) => [trailOf(game), game.faults().map(({ code }) => code)];
    expect(inBoth(data, run)).toEqual({
      standard: ['axbb a.bb a.bb a.bb', []],
      moddio: ['xxxx a.[bb]', ['wrong-value', 'wrong-value']],
    });
  });
});

describe('types: standard, then moddio:', () => {
  test('an attribute of a player type that begins outside of its bounds is clamped; begins there', () => {
    const attributes = { score: attribute(150, { max: 100 }), debt: attribute(-5, { min: 0 }) };
    const human = { name: 'human', attributes, variables: {}, relationships: {} };
    const run = (game: Play) => {
      join(game);
      return ['score', 'debt'].map((key) => game.attribute('p1', key));
    };
    expect(inBoth(withUnit({}, { playerTypes: { human } }), run)).toEqual({ standard: [100, 0], moddio: [150, -5] });
  });

  test('a number or boolean written as text, and a text written as a number, have the type of their variable; are no value', () => {
    const variables = {
      n: { dataType: 'number', default: '7' },
      s: { dataType: 'string', default: 7 },
      b: { dataType: 'boolean', default: 'true' },
    };
    const run = (game: Play) => {
      join(game);
      return game.world.components.variables[rowOf(game.entity('u1'))]!.values;
    };
    expect(inBoth(withUnit({ variables }), run)).toEqual({
      standard: [7, '7', true],
      moddio: [undefined, undefined, undefined],
    });
  });

  test('a binding without a cost runs; never runs', () => {
    const abilities = {
      e: { keyDown: { scriptName: 'press' } },
      q: { keyDown: { scriptName: 'press', cost: {} } },
      r: { keyDown: 'cheap' },
    };
    const data = withUnit(
      { controls: { movementControlScheme: 'wasd', abilities }, scripts: { press: noting('pressed') } },
      { abilities: { cheap: { name: 'cheap', scriptName: 'press' } } },
    );
    const run = (game: Play) => {
      const player = game.sim.join({ name: 'Ada' });
      game.ticks(2);
      const counts: number[] = [];
      for (const key of ['e', 'q', 'r']) {
        player.press(key);
        game.ticks(2);
        counts.push(trailOf(game).split(' ').filter(Boolean).length);
      }
      return counts;
    };
    expect(inBoth(data, run)).toEqual({ standard: [1, 2, 3], moddio: [0, 1, 1] });
  });

  test('player attributes are clamped at the start; are not', () => {
    const data = {
      playerTypes: {
        human: {
          name: 'human',
          attributes: { gold: attribute(30, { max: 10 }), lives: attribute(-3), mana: attribute(4, { max: 10 }) },
        },
      },
    };
    const run = (game: Play) => {
      const player = game.player(1, 'human');
      return ['gold', 'lives', 'mana'].map((key) => game.attribute(game.id(player)!, key));
    };
    expect(inBoth(data, run)).toEqual({ standard: [10, 0, 4], moddio: [30, -3, 4] });
  });

  test('a position outside the map is in no wall; may be in a wall of the next row', () => {
    const walls = { name: 'walls', type: 'tilelayer', width: 4, height: 3, data: [0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 0, 0] };
    const map = { width: 4, height: 3, tilewidth: 64, tileheight: 64, layers: [walls], tilesets: [] };
    const places = [
      [200, 10],
      [0, 70],
      [256, 10],
      [10, 70],
      [-10, 70],
      [100, 100],
    ] as const;
    const actions = places.map(([x, y], i) =>
      setVariable(`at${i}`, { function: 'isPositionInWall', position: { x, y } }),
    );
    const variables = Object.fromEntries(places.map((_, i) => [`at${i}`, { dataType: 'boolean' }]));
    const run = (game: Play) => places.map((_, i) => game.variable(`at${i}`));
    expect(inBoth({ map, variables, scripts: { start: script('gameStart', actions) } }, run)).toEqual({
      standard: [true, true, false, true, false, false],
      moddio: [true, false, true, true, true, false],
    });
  });

  test('the end of a buff reverts value and maximum; only the maximum', () => {
    const buff = (value: number, time: number): Json => ({
      type: 'addAttributeBuffToUnit',
      entity: thisUnit,
      attribute: 'health',
      value,
      time,
    });
    const data = withUnit({
      attributes: { health: attribute(50, { max: 100 }), speed: attribute(1) },
      scripts: { made: script('entityCreated', [buff(10, 100), buff(20, 100), buff(5, 100)]) },
    });
    const run = (game: Play) => {
      const seen: unknown[] = [];
      game.sim.join({ name: 'Ada' });
      for (let tick = 0; tick < 6; tick++) {
        game.ticks(1);
        const row = game.world.components.attributes.start[rowOf(game.entity('u1'))]!;
        seen.push([game.attribute('u1', 'health'), game.world.attributes.max[row]]);
      }
      return seen.slice(-4);
    };
    // In `moddio`, when three end together, the second is processed one tick later.
    expect(inBoth(data, run)).toEqual({
      standard: [
        [50, 100],
        [50, 100],
        [50, 100],
        [50, 100],
      ],
      moddio: [
        [85, 120],
        [85, 100],
        [85, 100],
        [85, 100],
      ],
    });
  });

  test.each([
    // Value and time; the value and maximum immediately and after 5 s.
    [2, '100', [52, 102, 50, 100], [52, 102, 52, 102]],
    ['2', 100, [52, 102, 50, 100], [100, 102, 100, 100]],
    ['-2', 100, [48, 98, 50, 100], [Number.NaN, 98, 1, 100]],
  ])('a buff of %j for %j ms converts texts to numbers; appends them', (value, time, corrected, recorded) => {
    const buff = { type: 'addAttributeBuffToUnit', entity: thisUnit, attribute: 'health', value, time };
    const data = withUnit({
      attributes: { health: attribute(50, { max: 100 }), speed: attribute(1) },
      scripts: { made: script('entityCreated', [buff]) },
    });
    const run = (game: Play) => {
      game.sim.join({ name: 'Ada' });
      game.ticks(1);
      const row = game.world.components.attributes.start[rowOf(game.entity('u1'))]!;
      const now = () => [game.attribute('u1', 'health'), game.world.attributes.max[row]];
      const first = now();
      game.seconds(5);
      return [...first, ...now()];
    };
    expect(inBoth(data, run)).toEqual({ standard: corrected, moddio: recorded });
  });

  test('a change of type clamps values; adds the excess to them', () => {
    const change = { type: 'changeUnitType', entity: thisUnit, unitType: 'small' };
    const data = withUnit(
      { attributes: { health: attribute(80, { max: 100 }) }, scripts: { made: script('entityCreated', [change]) } },
      { unitTypes: { small: unitType({ attributes: { health: attribute(20, { max: 50 }) } }) } },
    );
    const run = (game: Play) => {
      join(game, 1);
      return game.attribute('u1', 'health');
    };
    expect(inBoth(data, run)).toEqual({ standard: 50, moddio: 80 });
  });
});

describe('units: standard, then moddio:', () => {
  test('a relative force turns with the unit; pushes the sum of its parts ahead', () => {
    const push = { type: 'applyForceOnEntityXYRelative', entity: thisUnit, force: { x: 30, y: 10 } };
    const data = withUnit({ bodies: { default: body() }, scripts: { frame: script('frameTick', [push]) } });
    const run = (game: Play) => {
      join(game, 8);
      const { x, y } = game.world.components.transform;
      const row = rowOf(game.entity('u1'));
      return [Math.sign(x[row]! - 640), Math.sign(y[row]! - 640)];
    };
    expect(inBoth(data, run)).toEqual({ standard: [1, 1], moddio: [0, -1] });
  });

  test('casting sees selected entities, and its start script can end the ability; neither', () => {
    const ability = { cost: {}, eventScripts: { startCasting: 'begin', stopCasting: 'end' } };
    const cast = (entity: Json, type = 'startCastingAbility'): Json => ({ type, entity, ability: 'roar' });
    const controls = { movementControlScheme: 'wasd', abilities: {}, unitAbilities: { roar: ability } };
    const ends = script([], [note('begin'), cast(thisUnit, 'stopCastingAbility')]);
    const everyone = { function: 'allUnits' };
    const made = script('entityCreated', [
      note('by'),
      { type: 'forAllUnits', unitGroup: everyone, actions: [cast({ function: 'selectedUnit' })] },
      cast(thisUnit),
    ]);
    const data = withUnit({ controls, scripts: { begin: ends, end: noting('end'), made } });
    const run = (game: Play) => {
      join(game);
      const abilities = game.world.components.abilities[rowOf(game.entity('u1'))];
      return [trailOf(game), abilities?.get('roar')?.active ?? false];
    };
    expect(inBoth(data, run)).toEqual({ standard: ['by begin end begin end', false], moddio: ['by begin', true] });
  });

  test('after an entity removes two older ones, each entity has one turn; some have two', () => {
    const kill = {
      type: 'forAllUnits',
      unitGroup: { function: 'allUnitsOfUnitType', unitType: 'victim' },
      actions: [{ type: 'destroyEntity', entity: { function: 'selectedUnit' } }],
    };
    const make = (unitType: string, x: number): Json =>
      createUnitAt(unitType, { function: 'computerPlayer', number: 1 }, { x, y: 300 });
    const data = {
      unitTypes: {
        victim: unitType(),
        other: unitType({ scripts: { frame: noting(own('frame'), 'frameTick') } }),
        killer: unitType({ scripts: { frame: script('frameTick', [note(own('frame')), kill]) } }),
      },
      ...started(make('other', 100), make('victim', 200), make('victim', 300), make('killer', 400), make('other', 500)),
    };
    // Two older units are removed, so the pass continues with the unit that is newer than the one that removed them.
    expect(trailsAfter(data, (game) => game.ticks(1))).toEqual({
      standard: 'u5:frame u4:frame u1:frame',
      moddio: 'u5:frame u4:frame u5:frame u4:frame u1:frame',
    });
  });
});

describe('functions and groups: standard, then moddio:', () => {
  test('`areEntitiesTouching` knows contacts; is always false', () => {
    const at = (x: number): Json => createUnitAt('hero', { function: 'computerPlayer', number: 1 }, { x, y: 300 });
    const both = { sourceEntity: variable('a'), targetEntity: variable('b') };
    const keep = (variableName: string): Json => setVariable(variableName, { function: 'getLastCreatedUnit' });
    const data = {
      variables: { a: { dataType: 'unit' }, b: { dataType: 'unit' } },
      unitTypes: { hero: unitType() },
      scripts: {
        start: script('gameStart', [at(300), keep('a'), at(320), keep('b')]),
        ask: script('secondTick', [note({ function: 'areEntitiesTouching', ...both })]),
      },
    };
    expect(trailsAfter(data, (game) => game.seconds(1))).toEqual({ standard: 'true', moddio: 'false' });
  });

  test('the last message of a player is its own; is that of any player', () => {
    const asked = { function: 'getLastChatMessageSentByPlayer', player: { function: 'getTriggeringPlayer' } };
    const data = { scripts: { heard: script('playerCustomInput', [note(asked)]) } };
    expect(
      trailsAfter(data, (game) => {
        const [ada, bob] = ['Ada', 'Bob'].map((name) => game.sim.join({ name }));
        game.ticks(1);
        ada!.say('first');
        game.ticks(1);
        bob!.say('second');
        game.ticks(1);
        ada!.answer('now');
        game.ticks(1);
      }),
    ).toEqual({ standard: 'first', moddio: 'second' });
  });

  test('removing a member removes all its occurrences; every other one', () => {
    const group = variable('band');
    const member = { function: 'computerPlayer', number: 1 };
    const change = (type: string): Json => ({ type, player: member, playerGroup: group });
    const data = {
      variables: { band: { dataType: 'playerGroup' } },
      ...started(
        ...['add', 'add', 'add'].map((verb) => change(`${verb}PlayerToPlayerGroup`)),
        change('removePlayerFromPlayerGroup'),
      ),
    };
    const run = (game: Play) => (game.sim.variable('band') as unknown[]).length;
    expect(inBoth(data, run)).toEqual({ standard: 0, moddio: 1 });
  });

  test('an item with a quantity is created at its position; at 0, 0', () => {
    const make = {
      type: 'createItemAtPositionWithQuantity',
      itemType: 'lamp',
      position: { x: 300, y: 200 },
      quantity: 2,
    };
    const data = { itemTypes: { lamp: { name: 'lamp', states: { dropped: { name: 'dropped' } } } }, ...started(make) };
    const run = (game: Play) => {
      const { x, y } = game.world.components.transform;
      const row = rowOf(game.entity('i1'));
      return [x[row], y[row]];
    };
    expect(inBoth(data, run)).toEqual({ standard: [300, 200], moddio: [0, 0] });
  });
});

describe('the world: standard, then moddio:', () => {
  test('an area finds shapes; bounding boxes enlarged by 3 px', () => {
    const data = withUnit({});
    const run = (game: Play) => {
      join(game, 3);
      const near = (gap: number) => game.game.physics.queryArea(660 + gap, 620, 10, 10, []);
      return [near(2), near(4)];
    };
    expect(inBoth(data, run)).toEqual({ standard: [0, 0], moddio: [1, 0] });
  });

  test('the body of a region follows its size; keeps its first size', () => {
    const data = { variables: { zone: { dataType: 'region', default: { x: 0, y: 0, width: 100, height: 100 } } } };
    const run = (game: Play) => {
      const region = game.entity('r:zone');
      resizeRegion(game.game, region, { x: 0, y: 0, width: 400, height: 200 });
      return game.game.rules.regionBox(game.game, game.world.components.region[rowOf(region)]!);
    };
    const { standard, moddio } = inBoth(data, run);
    expect(standard).toMatchObject({ x: 0, y: 0, width: 400, height: 200 });
    expect(moddio).toEqual({ x: 150, y: 50, width: 100, height: 100 });
  });

  test('a purchase by a player without a unit fires no trigger in both', () => {
    const run = (game: Play) => {
      join(game);
      destroyEntity(game.game, game.entity('u1'));
      buyItem(game.game, game.entity('p1'), 'lamp');
      return game.of('playerPurchasesItem').length;
    };
    expect(inBoth(withUnit({}), run)).toEqual({ standard: 0, moddio: 0 });
  });

  test('refused purchases fire nothing, and all requirements count; fire a trigger, and the last counts', () => {
    const item = { name: 'item', type: 'other', quantity: 1, states: { selected: { name: 'selected', body: 'none' } } };
    const goods = (requiredItemTypes: Json): Json => ({
      isPurchasable: true,
      price: { coins: 0, requiredItemTypes: {}, playerAttributes: {} },
      requirement: { requiredItemTypes, playerAttributes: {} },
    });
    const data = withUnit(
      { defaultItems: [{ key: 'key' }] },
      {
        itemTypes: { key: item, lamp: item, hat: item },
        shops: { shop: { itemTypes: { lamp: goods({ hat: 1, key: 1 }), hat: goods({ key: 1, lamp: 9 }) } } },
      },
    );
    const run = (game: Play) => {
      join(game);
      const player = game.entity('p1');
      openShop(game.game, player, 'shop');
      const results = ['lamp', 'hat', 'nothing'].map((key) => buyItem(game.game, player, key));
      return [...results, game.of('playerPurchasesItem').length];
    };
    expect(inBoth(data, run)).toEqual({
      standard: ['requirement_not_met', 'requirement_not_met', 'not_sold', 0],
      moddio: ['purchase', 'requirement_not_met', 'not_sold', 3],
    });
  });

  test('walking relative to the camera slows down for two keys; for two components of the direction', () => {
    const controls = { movementControlScheme: 'wasdRelativeToUnit', movementMethod: 'velocity', abilities: {} };
    const data = withUnit({ controls });
    const run = (game: Play) => {
      const player = game.sim.join({ name: 'Ada' });
      game.ticks(2);
      game.world.ensure(game.entity('p1'), Controls).cameraYaw = Math.PI / 4;
      player.press('w');
      game.ticks(2);
      const { x, y } = game.world.components.velocity;
      const row = rowOf(game.entity('u1'));
      return Math.round(Math.hypot(x[row]!, y[row]!) * 1000) / 1000;
    };
    expect(inBoth(data, run)).toEqual({ standard: 10, moddio: 7.071 });
  });

  test('areas list the oldest entity first; follow the order of the broad phase', () => {
    const data = withUnit({});
    const run = (game: Play) => {
      for (const name of ['Ada', 'Bob', 'Cid']) game.sim.join({ name });
      game.ticks(3);
      internalsOf(game.sim).game.physics.teleportTo(game.entity('u2'), 200, 200);
      game.ticks(2);
      const found: Entity[] = [];
      internalsOf(game.sim).game.physics.queryArea(0, 0, 1280, 1280, found);
      return found.map((entity) => internalsOf(game.sim).world.ref(entity)?.id);
    };
    expect(inBoth(data, run)).toEqual({ standard: ['u1', 'u2', 'u3'], moddio: ['u2', 'u3', 'u1'] });
  });

  test('a carried item that gets a body is at its last position; at its first for one tick', () => {
    const states = {
      selected: { name: 'selected', body: 'held' },
      unselected: { name: 'unselected', body: 'none' },
      dropped: { name: 'dropped', body: 'none' },
    };
    const held = body({ width: 10, height: 10, fixedRotation: false, collidesWith: {} });
    const none = { ...held, type: 'none' };
    const item = {
      name: 'item',
      type: 'other',
      quantity: 1,
      controls: { canMerge: false },
      states,
      bodies: { held, none },
    };
    const data = withUnit(
      { inventorySize: 2, defaultItems: [{ key: 'lamp' }, { key: 'hat' }] },
      { itemTypes: { lamp: item, hat: item } },
    );
    const run = (game: Play) => {
      join(game, 3);
      const [unit, hat] = [game.entity('u1'), game.entity('i2')];
      const { x } = internalsOf(game.sim).world.components.transform;
      const first = x[rowOf(unit)]!;
      internalsOf(game.sim).game.physics.teleportTo(unit, first + 200, first);
      game.ticks(2);
      selectSlot(internalsOf(game.sim).game, unit, 1);
      const ahead: number[] = [];
      for (let i = 0; i < 3; i++) {
        game.ticks(1);
        ahead.push(Math.round(x[rowOf(hat)]! - first));
      }
      return ahead;
    };
    expect(inBoth(data, run)).toEqual({ standard: [200, 200, 200], moddio: [200, 0, 200] });
  });
});
