import { describe, expect, test } from 'vitest';
import { createProjectile } from '../../../engine/rules/combat/projectile.ts';
import { createItem } from '../../../engine/rules/items/item.ts';
import { giveItem } from '../../../engine/rules/items/pick-up.ts';
import { createUnit } from '../../../engine/rules/lifecycle/create-unit.ts';
import { itemValues } from '../../../engine/script/values/item.ts';
import { projectileValues } from '../../../engine/script/values/projectile.ts';
import { type Entity, Kind, rowOf } from '../../../engine/world/entity.ts';
import { attribute, itemType, projectileType, unitType } from '../../support/play.ts';
import { type Asking, nothing, Scene, testValues } from './harness.ts';

const entityNamed = (scene: Scene, id: string): Entity =>
  scene.world.order.entries.find((entity) => scene.world.ref(entity)?.id === id) ?? 0;

/** Scripts run with these entities as their triggering entities. */
const asking =
  (more: Asking = {}) =>
  (scene: Scene): Asking => ({
    payload: { unit: entityNamed(scene, 'u1'), item: entityNamed(scene, 'i1'), projectile: entityNamed(scene, 'b1') },
    ...more,
  });
const unit = { function: 'getTriggeringUnit' };
const item = { function: 'getTriggeringItem' };
const projectile = { function: 'getTriggeringProjectile' };
/** The other entities, as the last created or last touched ones. */
const lying = { function: 'getLastCreatedItem' };
const endless = { function: 'getItemAtSlot', unit, slot: 2 };

const data = {
  unitTypes: { unit: unitType({ inventorySize: 3, backpackSize: 1 }) },
  itemTypes: {
    gun: itemType({
      name: 'Gun',
      type: 'weapon',
      isGun: true,
      quantity: 5,
      maxQuantity: 12,
      damage: { unitAttributes: { health: 7 } },
      description: 'loud',
      inventoryImage: 'gun.png',
      particles: { smoke: {} },
    }),
    laser: itemType({ name: 'Laser', isGun: true, bulletType: 'raycast', damage: 4 }),
    rock: itemType({ name: 'Rock', quantity: 1 }),
  },
  projectileTypes: { bullet: projectileType({ attributes: { fuse: attribute(3) } }), ray: projectileType() },
  variables: {
    loot: {
      dataType: 'itemTypeGroup',
      default: { gun: { probability: 0, quantity: 2 }, rock: { probability: 20, quantity: 3 } },
    },
    bare: { dataType: 'itemTypeGroup', default: {} },
  },
};

/**
 * Unit u1 with a gun (i1) and an endless laser (i2), and a rock (i3) in the world, created last. A bullet (b1) of both
 * and a ray (b2).
 */
function prepare(scene: Scene): void {
  const { game, world } = scene;
  const owner = world.lists[Kind.player]!.entries[0]!;
  const made = createUnit(game, { type: world.types.unit.list[0]!, owner, x: 100, y: 100, angle: 0 });
  giveItem(game, made, { type: world.types.item.get('gun')! });
  giveItem(game, made, { type: world.types.item.get('laser')! });
  createItem(game, { type: 'rock', x: 400, y: 400, angle: 0 });
  createProjectile(game, {
    type: 'bullet',
    x: 600,
    y: 600,
    angle: 0,
    sourceUnit: made,
    sourceItem: entityNamed(scene, 'i1'),
  });
  createProjectile(game, { type: 'ray', x: 800, y: 600, angle: 0 });
  scene.sim.step();
  const { last } = world.memory;
  last.usedItem = entityNamed(scene, 'i2');
  last.touchedItem = entityNamed(scene, 'i3');
  last.attackingItem = entityNamed(scene, 'i1');
  last.createdProjectile = entityNamed(scene, 'b2');
  last.touchedProjectile = entityNamed(scene, 'b1');
}

const ask = asking();
const selectedItem = (scene: Scene): Asking => ({
  selectedItem: scene.world.ref(entityNamed(scene, 'i2')),
  selectedItemType: 'rock',
});
const selectedBullet = (scene: Scene): Asking => ({ selectedProjectile: scene.world.ref(entityNamed(scene, 'b2')) });
const inside = { x: 350, y: 350, width: 100, height: 100 };
const group = { function: 'getVariable', variableName: 'loot' };

testValues(
  'items',
  itemValues,
  {
    getTriggeringItem: [{ give: {}, expect: '@i1', asking: ask }, { give: {} }],
    selectedItem: [{ give: {}, expect: '@i2', asking: selectedItem }, { give: {} }],
    getSelectedItem: [{ give: {}, expect: '@i2', asking: selectedItem }],
    selectedItemType: [{ give: {}, expect: 'rock', asking: selectedItem }, { give: {} }],
    getLastCreatedItem: [[{}, '@i3']],
    lastCreatedItem: [[{}, '@i3']],
    lastUsedItem: [[{}, '@i2']],
    getLastUsedItem: [[{}, '@i2']],
    getLastTouchedItem: [[{}, '@i3']],
    getLastAttackingItem: [[{}, '@i1']],
    getLastOverlappingItem: [[{}, undefined]],
    getItemCurrentlyHeldByUnit: [
      { give: { entity: unit }, expect: '@i1', asking: ask },
      { give: { entity: item }, asking: ask },
    ],
    getItemAtSlot: [
      { give: { unit, slot: 2 }, expect: '@i2', asking: ask },
      { give: { unit, slot: '1' }, expect: '@i1', asking: ask },
      { give: { unit, slot: 3 }, asking: ask },
      { give: { unit, slot: 0 }, asking: ask },
      { give: { unit, slot: 99 }, asking: ask },
      [{ unit: nothing, slot: 1 }, undefined],
    ],
    getItemInInventorySlot: [
      { give: { unit, slot: 2 }, expect: '@i2', asking: ask },
      { give: { entity: unit, slot: 2 }, expect: '@i2', moddio: undefined, asking: ask },
    ],
    unitIsCarryingItemType: [
      { give: { unit, itemType: 'laser' }, expect: true, asking: ask },
      { give: { unit, itemType: 'rock' }, expect: false, asking: ask },
      { give: { unit, itemType: 'nothing' }, expect: false, asking: ask },
      { give: { unit, itemType: nothing }, asking: ask },
      [{ unit: nothing, itemType: 'rock' }, undefined],
    ],
    getOwnerOfItem: [{ give: { entity: item }, expect: '@u1', asking: ask }, [{ entity: lying }, undefined]],
    getItemTypeOfItem: [
      { give: { entity: item }, expect: 'gun', asking: ask },
      [{ entity: 'rock' }, 'rock'],
      { give: { entity: unit }, asking: ask },
    ],
    getItemName: [{ give: { item }, expect: 'Gun', asking: ask }],
    getItemDescription: [{ give: { item }, expect: 'loud', asking: ask }, [{ item: lying }, '']],
    getItemQuantity: [
      { give: { item }, expect: 5, asking: ask },
      { give: { item: endless }, expect: null, asking: ask },
      { give: { item: unit }, asking: ask },
    ],
    getItemMaxQuantity: [
      { give: { item }, expect: 12, asking: ask },
      { give: { item: endless }, expect: null, asking: ask },
    ],
    getCurrentAmmoOfItem: [
      { give: { item }, expect: 5, moddio: undefined, asking: ask },
      { give: { item: endless }, expect: null, moddio: undefined, asking: ask },
    ],
    getItemBody: [[{ item: lying }, true], { give: { item }, asking: ask }],
    itemFiresProjectiles: [
      { give: { item }, expect: true, asking: ask },
      { give: { item: endless }, expect: false, asking: ask },
      [{ item: lying }, false],
    ],
    getItemParticle: [
      { give: { particleType: 'smoke', entity: item }, expect: 'smoke', asking: ask },
      { give: { particleType: 'fire', entity: item }, asking: ask },
      [{ particleType: 'smoke', entity: nothing }, undefined],
    ],
    itemIsInRegion: [
      [{ region: inside, item: lying }, true],
      [{ region: { ...inside, x: 420 }, item: lying }, false],
      // A held item has no body, so it has no position of its own.
      { give: { region: { x: 0, y: 0, width: 1000, height: 1000 }, item }, expect: false, asking: ask },
      [{ region: nothing, item: lying }, false],
      [{ region: inside, item: nothing }, false],
    ],
    getItemInFrontOfUnit: [{ give: { entity: unit }, asking: ask }],
    allUnitsAttachedToItem: [{ give: { entity: item }, asking: ask }],
    allItemsAttachedToUnit: [{ give: { entity: unit }, asking: ask }],
    getNumberOfItemsPresent: [[{}, 3]],
    allItems: [[{}, ['@i1', '@i2', '@i3']]],
    allItemsOfItemType: [
      [{ itemType: 'laser' }, ['@i2']],
      [{ itemType: 'nothing' }, []],
    ],
    allItemsDroppedOnGround: [[{}, ['@i3']]],
    allItemsOwnedByUnit: [{ give: { entity: unit }, expect: ['@i1', '@i2'], asking: ask }],
    getItemType: [[{ itemType: 'gun' }, 'gun']],
    getItemTypeName: [
      [{ itemType: 'gun' }, 'Gun'],
      [{ itemType: 'nothing' }, undefined],
    ],
    getItemTypeDamage: [
      { give: { itemType: 'gun' }, expect: 7, moddio: Number.NaN },
      { give: { itemType: 'laser' }, expect: 4, moddio: 4 },
      [{ itemType: 'rock' }, Number.NaN],
      [{ itemType: 'nothing' }, 0],
    ],
    itemTypeInventoryUrl: [
      [{ itemType: 'gun' }, 'gun.png'],
      [{ itemType: 'rock' }, ''],
      [{ itemType: 'nothing' }, ''],
    ],
    defaultQuantityOfItemType: [
      [{ itemType: 'gun' }, 5],
      [{ itemType: 'laser' }, null],
      [{ itemType: 'nothing' }, undefined],
    ],
    maxValueOfItemType: [
      [{ itemType: 'gun' }, 12],
      [{ itemType: 'laser' }, null],
      [{ itemType: 'nothing' }, 0],
    ],
    allItemTypesInGame: [[{}, { gun: { name: 'Gun' }, laser: { name: 'Laser' }, rock: { name: 'Rock' } }]],
    getQuantityOfItemTypeInItemTypeGroup: [
      [{ itemTypeGroup: { variableName: 'loot' }, itemType: 'rock' }, 3],
      [{ itemTypeGroup: group, itemType: 'gun' }, 2],
      [{ itemTypeGroup: group, itemType: 'laser' }, undefined],
      [{ itemTypeGroup: nothing, itemType: 'gun' }, undefined],
    ],
    getRandomItemTypeFromItemTypeGroup: [
      [{ itemTypeGroup: group }, 'rock'],
      [{ itemTypeGroup: { variableName: 'loot' } }, 'rock'],
      {
        give: { itemTypeGroup: { function: 'getVariable', variableName: 'bare' } },
        expect: undefined,
        moddioAborts: 'wrong-value',
      },
    ],
  },
  { data, prepare },
);

testValues(
  'projectiles',
  projectileValues,
  {
    getTriggeringProjectile: [{ give: {}, expect: '@b1', asking: ask }, { give: {} }],
    selectedProjectile: [{ give: {}, expect: '@b2', asking: selectedBullet }, { give: {} }],
    getSelectedProjectile: [{ give: {}, expect: '@b2', asking: selectedBullet }],
    getLastCreatedProjectile: [[{}, '@b2']],
    getLastTouchedProjectile: [{ give: {}, expect: '@b1', moddio: undefined }],
    getLastOverlappingProjectile: [[{}, undefined]],
    getProjectileAttribute: [
      { give: { attribute: 'fuse', entity: projectile }, expect: 3, asking: ask },
      { give: { attribute: 'luck', entity: projectile }, asking: ask },
      { give: { attribute: 'health', entity: unit }, asking: ask },
    ],
    getProjectileTypeOfProjectile: [
      { give: { entity: projectile }, expect: 'bullet', asking: ask },
      { give: { entity: unit }, fault: 'no-such-entity', asking: ask },
    ],
    getProjectileType: [[{ projectileType: 'ray' }, 'ray']],
    getSourceUnitOfProjectile: [
      { give: { entity: projectile }, expect: '@u1', asking: ask },
      [{ entity: { function: 'getLastCreatedProjectile' } }, undefined],
    ],
    getSourceItemOfProjectile: [
      { give: { entity: projectile }, expect: '@i1', asking: ask },
      [{ entity: { function: 'getLastCreatedProjectile' } }, undefined],
    ],
    getProjectileBody: [{ give: { projectile }, expect: true, asking: ask }],
    allProjectiles: [[{}, ['@b1', '@b2']]],
    allProjectilesOfProjectileType: [
      [{ projectileType: 'ray' }, ['@b2']],
      [{ projectileType: 'nothing' }, []],
    ],
    allProjectilesAttachedToUnit: [{ give: { entity: unit }, asking: ask }],
  },
  { data, prepare },
);

describe('drawing from a group of item types', () => {
  test('follows the probabilities, and for whole numbers gives the last type one chance more', () => {
    const scene = new Scene({
      ...data,
      variables: {
        loot: {
          dataType: 'itemTypeGroup',
          default: { gun: { probability: 3 }, laser: { probability: 0 }, rock: { probability: 6 } },
        },
      },
    });
    const draw = scene.compile({ function: 'getRandomItemTypeFromItemTypeGroup', itemTypeGroup: group });
    const counts: Record<string, number> = { gun: 0, laser: 0, rock: 0 };
    for (let i = 0; i < 10_000; i++) counts[String(draw.ask().value)]!++;
    expect(counts['laser']).toBe(0);
    expect(counts['gun']! / 10_000).toBeCloseTo(0.3, 1);
    expect(counts['rock']! / 10_000).toBeCloseTo(0.7, 1);
  });
});

test('functions do not return destroyed items', () => {
  const scene = new Scene(data);
  prepare(scene);
  const { world } = scene;
  const gun = entityNamed(scene, 'i1');
  const { payload } = ask(scene);
  world.components.rows.life[rowOf(gun)] = 0;
  expect(scene.value({ function: 'getTriggeringItem' }, { payload: payload ?? {} })).toBeUndefined();
});
