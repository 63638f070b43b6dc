import { rowOf } from '../../../../engine/world/entity.ts';
import { type ActionGame, type Json, the } from '../action-game.ts';
import type { ActionCase, ActionCases, Refusal } from '../harness.ts';

const me = the('me');
const held = the('held');
const lying = the('lying');
const bullet = the('bullet');
const position = { x: 70, y: 80 };
const quantityOf = (item: unknown): Json => ({ function: 'getItemQuantity', item });
const last = { function: 'getLastCreatedItem' };

/** Ids of the items in the unit's three slots. */
function slots(played: ActionGame): string {
  const { world } = played;
  const all = world.components.inventory[rowOf(played.entity('me'))]!.slots.slice(0, 3);
  return all.map((item) => world.ref(item)?.id ?? '.').join(' ');
}
const aims = (played: ActionGame) => played.world.components.hold.aims[rowOf(played.entity('held'))] === 1;
const column = (name: 'beingUsed' | 'fireRateMs') => (played: ActionGame) =>
  played.world.components.itemUse[name][rowOf(played.entity('held'))];

/** A new item: quantity, place, and its trigger. */
const made = (played: ActionGame): unknown => {
  const place = played.value({ function: 'getEntityPosition', entity: last }) as Json | undefined;
  const told = played.fired.includes('entityCreatedGlobal');
  return [played.value(quantityOf(last)), place?.['x'], place?.['y'], told];
};
const unknownType: Refusal = { give: { itemType: 'nobody', position, quantity: 1 }, refused: 'no-such-type' };
const unknownGift: Refusal = { give: { itemType: 'nobody', unit: me, number: 1 }, refused: 'no-such-type' };
/** Bread in the last slot, so that nothing else fits. */
const full = [{ type: 'giveNewItemToUnit', itemType: 'gun', unit: me }];

/** A text of the item that clients display. */
function shown(
  key: 'string' | 'url',
  member: 'description' | 'slotColor' | 'inventoryImage',
  told: string = member,
): (ActionCase | Refusal)[] {
  return [
    {
      give: { item: held, [key]: 'new' },
      see: (played) => played.world.components.shownTexts[rowOf(played.entity('held'))]?.[member],
      is: 'new',
      publishes: [{ kind: 'entity.style', entityId: 'i1', [told]: 'new', to: 'everyone' }],
    },
    { give: { item: held, [key]: '' }, refused: undefined },
  ];
}

export const items: ActionCases = {
  spawnItem: [{ give: { itemType: 'gun', position }, see: made, is: [5, 70, 80, true] }, unknownType],
  createItemAtPositionWithQuantity: [
    { give: { itemType: 'gun', position, quantity: 7 }, see: made, is: [7, 70, 80, true] },
    // 0, -1 and undefined mean an endless supply.
    ...[0, -1, undefined].map((quantity) => ({
      give: { itemType: 'gun', position, quantity },
      see: made,
      is: [null, 70, 80, true],
    })),
    { give: { itemType: 'gun', position, quantity: 'many' }, refused: 'wrong-value' },
    unknownType,
  ],
  createItemWithMaxQuantityAtPosition: [
    { give: { itemType: 'stone', position }, see: made, is: [10, 70, 80, true] },
    unknownType,
  ],
  giveNewItemToUnit: [
    { give: { itemType: 'gun', unit: me }, see: slots, is: 'i1 i2 i4' },
    { give: { itemType: 'stone', unit: me }, before: full, refused: 'inventory-refused' },
    unknownGift,
  ],
  giveNewItemWithQuantityToUnit: [
    { give: { itemType: 'gun', unit: me, number: 9 }, see: (played) => played.value(quantityOf(last)), is: 9 },
    { give: { itemType: 'gun', entity: me, quantity: 8 }, see: (played) => played.value(quantityOf(last)), is: 8 },
    { give: { itemType: 'gun', unit: me, number: -1 }, see: (played) => played.value(quantityOf(last)), is: null },
    { give: { itemType: 'gun', unit: me, number: 'many' }, refused: 'wrong-value' },
    { give: { itemType: 'gun', unit: the('human'), number: 1 }, refused: 'no-such-entity' },
    unknownGift,
  ],
  makeUnitPickupItem: [
    { give: { unit: me, item: lying }, see: slots, is: 'i1 i2 i3' },
    { give: { unit: me, item: held }, refused: undefined },
    { give: { unit: me, item: lying }, before: full, refused: 'inventory-refused' },
  ],
  makeUnitPickupItemAtSlot: [
    { give: { unit: me, item: lying, slotIndex: 3 }, see: slots, is: 'i1 i2 i3' },
    { give: { unit: me, item: lying, slotIndex: 1 }, refused: 'inventory-refused' },
  ],
  dropItem: [
    {
      give: { entity: me },
      see: (played) => [slots(played), played.fired.includes('unitDroppedAnItem')],
      is: ['. i2 .', true],
    },
  ],
  dropItemInInventorySlot: [{ give: { unit: me, slotIndex: '2' }, see: slots, is: 'i1 . .' }],
  dropItemAtPosition: [
    {
      give: { item: held, position },
      see: (played) => [slots(played), played.value({ function: 'getEntityPosition', entity: held })],
      is: ['. i2 .', position],
    },
    { give: { item: lying, position }, refused: undefined },
  ],
  dropAllItems: [{ give: { entity: me }, see: slots, is: '. . .' }],
  startUsingItem: [{ give: { entity: held }, see: column('beingUsed'), is: 1 }],
  stopUsingItem: [
    { give: { entity: held }, before: [{ type: 'startUsingItem', entity: held }], see: column('beingUsed'), is: 0 },
    { give: { entity: held }, refused: undefined },
  ],
  useItemOnce: [
    {
      give: { item: held },
      after: 2,
      see: (played) => played.fired.filter((each) => each === 'unitUsesItem').length,
      is: 1,
    },
  ],
  updateItemQuantity: [
    { give: { entity: held, quantity: 99 }, see: quantityOf(held), is: 99 },
    { give: { entity: the('bread'), quantity: 0 }, see: slots, is: 'i1 . .' },
    { give: { entity: held, quantity: { function: 'undefinedValue' } }, see: quantityOf(held), is: null },
    // An invalid quantity does not mean an endless supply.
    { give: { entity: held, quantity: { function: 'squareRoot', number: -1 } }, refused: 'wrong-value' },
    { give: { entity: held, quantity: 'many' }, refused: 'wrong-value' },
  ],
  setItemAmmo: [
    { give: { item: last, ammo: 8 }, before: full, see: quantityOf(last), is: 9 },
    { give: { item: held, ammo: 8 }, refused: undefined },
  ],
  setItemFireRate: [{ give: { item: held, number: '400' }, see: column('fireRateMs'), is: 400 }],
  setItemName: ['new', ''].map((name) => ({
    give: { item: held, name },
    see: (played: ActionGame) => played.world.components.name[rowOf(played.entity('held'))],
    is: name,
  })),
  changeDescriptionOfItem: shown('string', 'description'),
  changeInventorySlotColor: shown('string', 'slotColor', 'inventorySlotColor'),
  changeItemInventoryImage: shown('url', 'inventoryImage'),
  enableRotateToFaceMouseCursor: [{ give: { item: held }, see: aims, is: true }],
  disableRotateToFaceMouseCursor: [
    {
      give: { item: held },
      before: [{ type: 'enableRotateToFaceMouseCursor', item: held }],
      see: aims,
      is: false,
    },
  ],
  refillAmmo: [{ give: { entity: held }, see: (played) => played.value(quantityOf(held)), is: 10 }],

  createProjectileAtPosition: [
    {
      give: { projectileType: 'bullet', position, force: 4, angle: Math.PI / 2, unit: me },
      after: 2,
      see: (played) => {
        const shot = played.world.memory.last.createdProjectile;
        const { physics } = played.game;
        const source = played.value({
          function: 'getSourceUnitOfProjectile',
          entity: { function: 'getLastCreatedProjectile' },
        });
        return [Math.round(physics.velocityX(shot)), Math.round(physics.velocityY(shot)), source];
      },
      is: [4, 0, '@u1'],
    },
    { give: { projectileType: 'nobody', position, force: 4, angle: 0 }, refused: 'no-such-type' },
  ],
  setOwnerUnitOfProjectile: [
    {
      give: { projectile: bullet, unit: me },
      see: { function: 'getSourceUnitOfProjectile', entity: bullet },
      is: '@u1',
    },
  ],
  setSourceItemOfProjectile: [
    {
      give: { projectile: bullet, item: held },
      see: { function: 'getSourceItemOfProjectile', entity: bullet },
      is: '@i1',
    },
  ],
};
