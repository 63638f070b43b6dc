import { expect, test } from 'vitest';
import { Issues } from '../../engine/core/issue.ts';
import { applyDialect } from '../../engine/definition/apply-dialect.ts';
import { dialects } from '../../engine/definition/dialect.ts';
import { projectileTypesOf } from '../../engine/definition/projectile-types.ts';
import { readDefinition } from '../../engine/definition/read-definition.ts';
import type { Json } from '../../engine/definition/schema.ts';

const mark = 'constantSpeed +DestroyedOnCollisionWithWall/unit';
const read = (data: Json) => readDefinition({ data }, new Issues())!;
const moddio = (data: Json) => applyDialect(read(data), dialects.moddio);

test('the dialect of the specification plays the document itself', () => {
  const definition = read({ unitTypes: { a: { baseSpeed: 3, abilities: { x: {} } } } });
  expect(applyDialect(definition, dialects.standard)).toBe(definition);
});

test('what does not differ is the same object', () => {
  const definition = read({
    unitTypes: { plain: { name: 'Plain' }, fast: { name: 'Fast', baseSpeed: 3 } },
    itemTypes: { stick: { name: 'Stick' } },
  });
  const applied = applyDialect(definition, dialects.moddio);
  expect(applied.unitTypes.get('plain')).toBe(definition.unitTypes.get('plain'));
  expect(applied.itemTypes).toBe(definition.itemTypes);
  expect(applied.unitTypes.get('fast')).toEqual({ ...definition.unitTypes.get('fast'), baseSpeed: undefined });
  expect(Object.isFrozen(applied.unitTypes.get('fast'))).toBe(true);
});

test('fields that the reference never reads mean nothing', () => {
  const { itemTypes, unitTypes, shops, projectileTypes, buffTypes, entityTypeVariables } = moddio({
    buffTypes: { sharp: { chance: 1 } },
    entityTypeVariables: { mood: { dataType: 'string' } },
    unitTypes: {
      buyer: { baseSpeed: 3, canBuyItem: false, canBePurchasedBy: ['x'], abilities: { e: { keyDown: {} } } },
    },
    itemTypes: {
      gun: {
        bulletType: 'projectile',
        bulletDistance: 300,
        delayBeforeUse: 1,
        damageDelay: 1,
        knockbackForce: 1,
        penetration: true,
        destroyTimer: 1,
        explosiveTimer: 1,
        canBePurchasedBy: ['x'],
        buffTypes: ['sharp'],
        effects: { empty: {}, use: {} },
        bonus: { consume: { coin: 3 }, isConsumedImmediately: true },
        controls: { designatedInventorySlot: 2, canMerge: true },
        defaultProjectile: { destroyTimer: 5, bodies: { b: { [mark]: true } } },
      },
      laser: { bulletType: 'raycast', bulletDistance: 300 },
    },
    projectileTypes: { bullet: { explosiveTimer: 5, bodies: { b: { [mark]: true } } } },
    shops: { shop: { itemTypes: { gun: { isPurchasable: false } }, unitTypes: { buyer: { isPurchasable: false } } } },
  });
  const gun = itemTypes.get('gun')!;
  expect(gun).toMatchObject({ buffTypes: [], canBePurchasedBy: [], bonus: { isConsumedImmediately: false } });
  for (const key of ['bulletDistance', 'delayBeforeUse', 'damageDelay', 'knockbackForce', 'penetration'] as const)
    expect(gun[key], key).toBeUndefined();
  expect([gun.destroyTimer, gun.explosiveTimer, gun.bonus?.consume?.coin]).toEqual([undefined, undefined, undefined]);
  expect([...gun.effects.keys()]).toEqual(['use']);
  expect(gun.controls).toMatchObject({ designatedInventorySlot: undefined, canMerge: true });
  expect(gun.defaultProjectile).toMatchObject({ destroyTimer: undefined });
  expect(gun.defaultProjectile?.bodies.get('b')?.[mark]).toBeUndefined();
  expect(itemTypes.get('laser')?.bulletDistance).toBe(300);
  expect(projectileTypes.get('bullet')).toMatchObject({ explosiveTimer: undefined });
  expect(projectileTypes.get('bullet')?.bodies.get('b')?.[mark]).toBeUndefined();
  const buyer = unitTypes.get('buyer')!;
  expect(buyer).toMatchObject({ baseSpeed: undefined, canBuyItem: undefined, canBePurchasedBy: [] });
  expect([buyer.legacyAbilities.size, buffTypes.size, entityTypeVariables.size]).toEqual([0, 0, 0]);
  const shop = shops.get('shop')!;
  expect([shop.itemTypes.get('gun')?.isPurchasable, shop.unitTypes.get('buyer')?.isPurchasable]).toEqual([true, false]);
});

test('no projectile ends on contact', () => {
  const applied = moddio({ projectileTypes: { bullet: { destroyOnContactWith: { units: true, walls: true } } } });
  expect(projectileTypesOf(applied).get('bullet')?.destroyOnContactWith).toBeUndefined();
});

test('everybody may join and speak', () => {
  const { defaultData, settings, roles } = moddio({
    defaultData: { defaultMaxPlayers: 1, banUsers: ['a'], banIps: ['b'], banChat: ['c'], isGuestPlayerAllowed: false },
    settings: { allowDuplicateIPs: false },
    roles: [
      { _id: 'r', type: 2, permissions: { moderator: true } },
      { _id: 'g', type: 5, permissions: { playGame: false, moderator: true } },
    ],
  });
  expect(defaultData).toMatchObject({ defaultMaxPlayers: undefined, banUsers: [], banIps: [], banChat: [] });
  expect([defaultData.isGuestPlayerAllowed, settings.allowDuplicateIPs]).toEqual([true, undefined]);
  expect(roles.map(({ permissions }) => Object.fromEntries(permissions))).toEqual([
    { moderator: true },
    { playGame: true, moderator: true, serverChat: true },
  ]);
});
