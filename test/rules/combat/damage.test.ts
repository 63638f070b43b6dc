import { describe, expect, test } from 'vitest';
import type { Damage } from '../../../engine/components/projectile.ts';
import { damageUnit } from '../../../engine/rules/combat/damage.ts';
import { assignPlayerType } from '../../../engine/rules/players/player.ts';
import type { Entity } from '../../../engine/world/entity.ts';
import { append } from '../../support/actions.ts';
import { attribute, itemType, joinAs, type Play, play, script, unitType } from '../../support/play.ts';

function damage(game: Play, sourceUnit: Entity, more: Partial<Damage> = {}): Damage {
  return {
    targetsAffected: [],
    unitAttributes: new Map([['health', 10]]),
    playerAttributes: new Map(),
    sourceUnit,
    sourceItem: 0,
    sourcePlayer: game.player(1),
    knockbackForce: 0,
    ...more,
  };
}

describe('who is damaged', () => {
  const everyone = ['foe', 'ally', 'stranger'] as const;
  const cases: readonly [targets: readonly string[], hits: readonly string[]][] = [
    [[], ['foe', 'ally', 'stranger']],
    [['everything'], ['foe', 'ally', 'stranger']],
    [['hostile'], ['foe']],
    [['friendly'], ['ally']],
    [['neutral'], ['stranger']],
    [
      ['hostile', 'neutral'],
      ['foe', 'stranger'],
    ],
    [
      ['hostile', 'everything'],
      ['foe', 'ally', 'stranger'],
    ],
    [['nobody there is'], []],
  ];
  test.each(cases)('%j', (targetsAffected, hits) => {
    const game = play();
    const attacker = game.unit();
    const targets = everyone.map((type, i) => game.unit({ owner: game.player(i + 2, type) }));
    const hit = targets.map((target) => damageUnit(game.game, target, damage(game, attacker, { targetsAffected }), 0));
    expect(everyone.filter((_, i) => hit[i])).toEqual(hits);
    expect(everyone.filter((_, i) => game.attribute(`u${i + 2}`, 'health') === 90)).toEqual(hits);
  });

  test('units of a player who has left, by the relationship that the player had to the attacker', () => {
    for (const targetsAffected of [[], ['hostile'], ['friendly']]) {
      const game = play({ scripts: { join: joinAs('unit') } });
      const ann = game.sim.join();
      game.ticks(1);
      const unit = ann.unit!.entity;
      assignPlayerType(game.game, ann.entity, 'foe');
      const attacker = game.unit();
      ann.leave();
      game.ticks(20);
      const isHit = damageUnit(game.game, unit, damage(game, attacker, { targetsAffected }), 0);
      expect(isHit).toBe(!targetsAffected.includes('friendly'));
    }
  });

  test('by the relationships of the attacker, not of the target', () => {
    const game = play();
    const foe = game.unit({ owner: game.player(2, 'foe') });
    const target = game.unit();
    const blow = damage(game, foe, { sourcePlayer: game.player(2), targetsAffected: ['hostile'] });
    expect(damageUnit(game.game, target, blow, 0)).toBe(false);
  });

  test('neither units of the same player nor units without an owner', () => {
    const game = play();
    const attacker = game.unit();
    expect(
      damageUnit(game.game, game.unit({ x: 100 }), damage(game, attacker, { targetsAffected: ['everything'] }), 0),
    ).toBe(false);
    expect(damageUnit(game.game, game.unit({ owner: 0, x: 200 }), damage(game, attacker), 0)).toBe(false);
    expect(game.of('unitAttacksUnit').length).toBe(0);
  });
});

describe('how much damage is done', () => {
  const cases: readonly [
    about: string,
    attacker: Record<string, unknown>,
    target: Record<string, unknown>,
    blow: Record<string, number>,
    after: Record<string, number>,
  ][] = [
    ['as much as the damage of the item says', {}, { health: 100 }, { health: 10 }, { health: 90 }],
    [
      "the attacker's `damage` attribute adds to damage of health only",
      { damage: 3 },
      { health: 100, mana: 50 },
      { health: 10, mana: 5 },
      { health: 87, mana: 45 },
    ],
    ['armour of 10 absorbs 5 of 19', {}, { health: 100, armor: 10 }, { health: 19 }, { health: 86 }],
    ['armour of 20 absorbs 10 of 23', {}, { health: 100, armor: 20 }, { health: 23 }, { health: 87 }],
    [
      'armour applies to all attributes',
      {},
      { health: 100, mana: 50, armor: 10 },
      { mana: 19 },
      { health: 100, mana: 36 },
    ],
    ['negative damage heals', {}, { health: 50 }, { health: -10 }, { health: 60 }],
    ['an attribute never falls below its minimum', {}, { health: 5 }, { health: 10 }, { health: 0 }],
    ['attributes that the target lacks are skipped', {}, { health: 100 }, { luck: 10 }, { health: 100 }],
  ];
  const attributes = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, attribute(value as number)]));
  test.each(cases)('%s', (_about, attacker, target, blow, after) => {
    const game = play({
      unitTypes: {
        unit: unitType({ attributes: attributes(attacker) }),
        target: unitType({ attributes: attributes(target) }),
      },
    });
    const source = game.unit();
    const hit = game.unit({ type: 'target', owner: game.player(2, 'foe') });
    damageUnit(game.game, hit, damage(game, source, { unitAttributes: new Map(Object.entries(blow)) }), 0);
    for (const [key, value] of Object.entries(after)) expect(game.attribute('u2', key)).toBeCloseTo(value, 9);
  });

  test("player attributes of the target's owner are damaged, without the attacker's `damage` attribute", () => {
    const foe = { name: 'foe', attributes: { gold: attribute(50) } };
    const game = play({
      playerTypes: { human: { name: 'human' }, foe },
      unitTypes: { unit: unitType({ attributes: { damage: attribute(5), health: attribute(100) } }) },
    });
    const source = game.unit();
    const hit = game.unit({ owner: game.player(2, 'foe') });
    damageUnit(game.game, hit, damage(game, source, { playerAttributes: new Map([['gold', 8]]) }), 0);
    expect([game.attribute('u2', 'health'), game.attribute('c2', 'gold')]).toEqual([85, 42]);
  });
});

describe('triggers of an attack', () => {
  test('fire before any attribute falls, and name attacker and item', () => {
    const log = (who: unknown) => [
      append('log', {
        function: 'concat',
        textA: { function: 'getEntityAttribute', attribute: 'health', entity: who },
        textB: ' ',
      }),
    ];
    const game = play({
      variables: { log: { dataType: 'string', default: '' } },
      unitTypes: {
        unit: unitType({ scripts: { s: script('entityGetsAttacked', log({ function: 'thisEntity' })) } }),
      },
      scripts: { g: script('unitAttacksUnit', log({ function: 'getLastAttackedUnit' })) },
      itemTypes: { club: itemType() },
    });
    const attacker = game.unit();
    const item = game.give(attacker, 'club');
    const target = game.unit({ owner: game.player(2, 'foe') });
    const from = game.announced.length;
    damageUnit(game.game, target, damage(game, attacker, { sourceItem: item }), 0);
    expect(game.variable('log')).toBe('100 100 ');
    expect(game.announced.slice(from).map(({ entity, type, payload }) => [entity ?? 'world', type, payload])).toEqual([
      ['world', 'unitAttacksUnit', { unit: 'u1', item: 'i1' }],
      ['u2', 'entityGetsAttacked', { unit: 'u1', item: 'i1' }],
    ]);
    const { attackingUnit, attackedUnit, attackingItem } = game.world.memory.last;
    expect([attackingUnit, attackedUnit, attackingItem]).toEqual([attacker, target, item]);
  });

  test('a target that its own scripts destroy takes no damage', () => {
    const game = play({
      unitTypes: {
        unit: unitType({
          scripts: {
            s: script('entityGetsAttacked', [{ type: 'destroyEntity', entity: { function: 'thisEntity' } }]),
          },
        }),
      },
    });
    const attacker = game.unit();
    const target = game.unit({ owner: game.player(2, 'foe') });
    expect(damageUnit(game.game, target, damage(game, attacker), 0)).toBe(true);
    expect(game.world.exists(target)).toBe(false);
    expect(game.of('entityAttributeBecomesZero').length).toBe(0);
  });

  test('damage by an attacker that no longer exists still counts', () => {
    const game = play();
    const target = game.unit({ owner: game.player(2, 'foe') });
    expect(damageUnit(game.game, target, damage(game, 0), 0)).toBe(true);
    expect(game.attribute('u1', 'health')).toBe(90);
    expect(game.of('unitAttacksUnit')[0]!.payload['unit']).toBe(0);
  });
});
