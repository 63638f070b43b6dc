import type { Dictionary } from '../core/plain-object.ts';
import { type Binding, free, type KeyBinding } from './ability.ts';
import type { BodyType } from './body.ts';
import type { Definition } from './definition.ts';
import type { Dialect } from './dialect.ts';
import { emptyMap, FrozenMap } from './frozen-map.ts';
import type { ItemType } from './item.ts';
import { cellSizeOf } from './map.ts';
import type { Requirement } from './price.ts';
import type { ProjectileType } from './projectile.ts';
import { asInReference } from './reference-reading.ts';
import { guestUsers, loggedInUsers, type Role } from './role.ts';
import type { Shop, ShopItem, ShopUnit } from './shop.ts';
import type { UnitType } from './unit.ts';
import type { VariableDefinition } from './variable.ts';

/**
 * Applies a dialect to a definition. Fields that the dialect ignores get a neutral value, so that the rules need not
 * check the dialect. Unchanged parts are shared with the original; if nothing changes, the result is the original.
 */
export function applyDialect(definition: Definition, dialect: Dialect): Definition {
  let applied = definition;
  // Converts the flags first, because the steps below read them.
  if (!dialect.flagsAreCoerced) {
    const defaultData = asInReference(applied.defaultData);
    const cellSize =
      defaultData === applied.defaultData ? applied.cellSize : cellSizeOf(applied.map, defaultData.dontResize);
    applied = eachOf(changed(applied, { defaultData, cellSize }), {
      unitTypes: asInReference,
      itemTypes: asInReference,
      projectileTypes: asInReference,
      playerTypes: asInReference,
      shops: asInReference,
    });
  }
  if (!dialect.unreadFieldsTakeEffect) {
    applied = eachOf(applied, {
      itemTypes: withoutDormantFields,
      unitTypes: unitWithoutDormantFields,
      projectileTypes: projectileWithoutDormantFields,
      shops: sellsWhatClientsAskFor,
    });
  }
  if (!dialect.itemsRollBuffs) {
    const withoutBuffs = eachOf(applied, {
      itemTypes: (type) => changed(type, { buffTypes: none(type.buffTypes) }),
    });
    applied = changed(withoutBuffs, { buffTypes: noEntries(applied.buffTypes) });
  }
  if (!dialect.sharedTypeVariables)
    applied = changed(applied, {
      entityTypeVariables: noEntries(applied.entityTypeVariables),
      playerTypeVariables: noEntries(applied.playerTypeVariables),
    });
  if (!dialect.absentAttackRangeIsZero) applied = eachOf(applied, { unitTypes: withoutRange });
  if (!dialect.legacyBindings)
    applied = eachOf(applied, {
      unitTypes: (type) => changed(type, { legacyAbilities: noEntries(type.legacyAbilities) }),
    });
  if (!dialect.destroysOnContact)
    applied = eachOf(applied, { projectileTypes: fliesOn, itemTypes: (type) => ownProjectile(type, fliesOn) });
  if (!dialect.typeDefaultsAreConverted) {
    const withVariables = <T extends Declared>(type: T): T =>
      eachOf<Declared>(type, { variables: withoutWrittenDefault }) as T;
    applied = eachOf(applied, {
      unitTypes: withVariables,
      itemTypes: (type) => ownProjectile(withVariables(type), withVariables),
      projectileTypes: withVariables,
      playerTypes: (type) => eachOf(type, { variables: withDefaultAsWritten }),
    });
  }
  if (!dialect.globalDefaultsAreConverted) applied = eachOf(applied, { variables: withDefaultAsWritten });
  if (!dialect.bindingsNeedNoCost)
    applied = eachOf(applied, {
      unitTypes: withPricedBindings,
      abilities: (ability) => (ability.cost === free ? changed(ability, { scriptName: undefined }) : ability),
    });
  if (!dialect.offersNeedAllItems)
    applied = eachOf(applied, {
      shops: (shop) => eachOf(shop, { itemTypes: withLastRequirement, unitTypes: withLastRequirement }),
    });
  if (!dialect.unitPricesAreRequired)
    applied = eachOf(applied, { shops: (shop) => eachOf(shop, { unitTypes: withExchangedPrice }) });
  if (!dialect.restingBodiesSleep)
    applied = eachOf(applied, {
      unitTypes: awake,
      itemTypes: (type) => ownProjectile(awake(type), awake),
      projectileTypes: awake,
    });
  if (!dialect.enforceJoinRules) applied = everybodyMayJoin(applied);
  return applied;
}

/** Returns a frozen copy with some members replaced, or the same object if none of them differs. */
function changed<T extends object>(value: T, members: { readonly [K in keyof T]?: T[K] }): T {
  for (const key in members) if (value[key] !== members[key]) return Object.freeze({ ...value, ...members });
  return value;
}

/** For each member of `T` that is a map, a function that converts the values of this map. */
type Changes<T> = { readonly [K in keyof T]?: T[K] extends ReadonlyMap<string, infer V> ? (value: V) => V : never };

/** Applies the functions in `changes` to the values of the maps of the same name in `owner`. */
function eachOf<T extends object>(owner: T, changes: Changes<T>): T {
  const maps = owner as Dictionary<ReadonlyMap<string, unknown>>;
  const entries = Object.entries(changes) as [string, (value: unknown) => unknown][];
  const members = entries.map(([key, change]) => [key, mapped(maps[key]!, change)]);
  return changed(owner, Object.fromEntries(members) as Partial<T>);
}

/** Applies `change` to each value; returns the same map if no value changes. */
function mapped<V>(map: ReadonlyMap<string, V>, change: (value: V) => V): ReadonlyMap<string, V> {
  let differs = false;
  const entries = [...map].map(([key, value]): [string, V] => {
    const after = change(value);
    differs ||= after !== value;
    return [key, after];
  });
  return differs ? new FrozenMap(entries) : map;
}

function withoutDormantFields(type: ItemType): ItemType {
  const { bonus, controls, damage, effects } = type;
  const plain = changed(type, {
    delayBeforeUse: undefined,
    damage: damage?.bare === undefined ? damage : Object.freeze({ ...damage, unitAttributes: emptyMap }),
    damageDelay: undefined,
    knockbackForce: undefined,
    penetration: undefined,
    destroyTimer: undefined,
    explosiveTimer: undefined,
    canBePurchasedBy: none(type.canBePurchasedBy),
    // For raycast weapons, this field is the range.
    bulletDistance: type.bulletType === 'raycast' ? type.bulletDistance : undefined,
    effects: effects.has('empty') ? new FrozenMap([...effects].filter(([key]) => key !== 'empty')) : effects,
    bonus: bonus && changed(bonus, { isConsumedImmediately: false, consume: withoutCoins(bonus.consume) }),
    controls: controls && changed(controls, { designatedInventorySlot: undefined }),
  });
  return ownProjectile(plain, projectileWithoutDormantFields);
}

function noEntries<V>(map: ReadonlyMap<string, V>): ReadonlyMap<string, V> {
  return map.size === 0 ? map : emptyMap;
}

function none(list: readonly string[]): readonly string[] {
  return list.length === 0 ? list : Object.freeze([]);
}

function withoutCoins(consume: NonNullable<ItemType['bonus']>['consume']): NonNullable<ItemType['bonus']>['consume'] {
  return consume && changed(consume, { coin: undefined });
}

/** Changes the projectile type that is nested in an item type. */
function ownProjectile(type: ItemType, change: (own: ProjectileType) => ProjectileType): ItemType {
  const own = type.defaultProjectile;
  return own === undefined ? type : changed(type, { defaultProjectile: change(own) });
}

const constantSpeed = 'constantSpeed +DestroyedOnCollisionWithWall/unit';

function projectileWithoutDormantFields(type: ProjectileType): ProjectileType {
  return changed(type, {
    destroyTimer: undefined,
    explosiveTimer: undefined,
    bodies: mapped(type.bodies, (body): BodyType => changed(body, { [constantSpeed]: undefined })),
  });
}

function unitWithoutDormantFields(type: UnitType): UnitType {
  return changed(type, { baseSpeed: undefined, canBuyItem: undefined, canBePurchasedBy: none(type.canBePurchasedBy) });
}

/**
 * Makes all items purchasable, because the reference's server checks `isPurchasable` only for units (reference:
 * units#shop).
 */
function sellsWhatClientsAskFor(shop: Shop): Shop {
  return eachOf(shop, { itemTypes: (offer) => changed(offer, { isPurchasable: true }) });
}

/** Replaces a missing range by NaN, so that every comparison of a distance with it is false (reference: units#ai). */
function withoutRange(type: UnitType): UnitType {
  const { ai } = type;
  if (ai === undefined || ai.maxAttackRange !== undefined) return type;
  return changed(type, { ai: changed(ai, { maxAttackRange: NaN }) });
}

/**
 * Drops `destroyOnContactWith`: contacts do not destroy projectiles in the reference (reference:
 * physics#destroy-on-contact).
 */
function fliesOn(type: ProjectileType): ProjectileType {
  return changed(type, { destroyOnContactWith: undefined });
}

interface Declared {
  readonly variables: ReadonlyMap<string, VariableDefinition>;
}

/** Drops a default that is written as a value of another type (reference: variables#defaults). */
function withoutWrittenDefault(variable: VariableDefinition): VariableDefinition {
  return variable.writtenDefault === undefined
    ? variable
    : changed(variable, { default: undefined, hasDefault: false });
}

/**
 * Restores a default that is written as a value of another type: global variables take any value (reference:
 * variables#reading).
 */
function withDefaultAsWritten(variable: VariableDefinition): VariableDefinition {
  return variable.writtenDefault === undefined ? variable : changed(variable, { default: variable.writtenDefault });
}

/** Drops key bindings without a `cost` (reference: units#legacy-abilities). */
function withPricedBindings(type: UnitType): UnitType {
  const { controls } = type;
  if (controls === undefined) return type;
  const priced = (binding: Binding | undefined): Binding | undefined =>
    binding?.kind === 'script' && binding.cost === free ? undefined : binding;
  const abilities = mapped(controls.abilities, (key): KeyBinding => {
    return changed(key, { keyDown: priced(key.keyDown), keyUp: priced(key.keyUp) });
  });
  return changed(type, { controls: changed(controls, { abilities }) });
}

/** Keeps only the last of the item types that an offer requires (reference: units#shop). */
function withLastRequirement<T extends ShopItem | ShopUnit>(offer: T): T {
  const { requiredItemTypes } = offer.requirement;
  if (requiredItemTypes.size < 2) return offer;
  const last = new FrozenMap([...requiredItemTypes].slice(-1));
  return Object.freeze({ ...offer, requirement: changed(offer.requirement, { requiredItemTypes: last }) });
}

/** Swaps the requirement and the price of a unit type, as the reference does (reference: units#buying-units). */
function withExchangedPrice(offer: ShopUnit): ShopUnit {
  const { requirement, price } = offer;
  const asked = mapped(requirement.playerAttributes, ({ type, value }): Requirement => {
    return type === 'none' ? Object.freeze({ type: 'atleast', value }) : Object.freeze({ type: 'none', value });
  });
  return changed(offer, {
    requirement: changed(requirement, {
      playerAttributes: asked,
      requiredItemTypes: noEntries(requirement.requiredItemTypes),
    }),
    price: changed(price, { coins: 0, requiredItemTypes: noEntries(price.requiredItemTypes) }),
  });
}

interface Embodied {
  readonly bodies: ReadonlyMap<string, BodyType>;
}

/** Lets no body sleep: the reference ignores `allowSleep` of all bodies except walls (reference: physics#bodies). */
function awake<T extends Embodied>(type: T): T {
  const sleepless = (body: BodyType) => (body.allowSleep ? changed(body, { allowSleep: false }) : body);
  return eachOf<Embodied>(type, { bodies: sleepless }) as T;
}

/** Removes the specification's rules for joining and chatting, because the reference leaves them to its host. */
function everybodyMayJoin(definition: Definition): Definition {
  const { defaultData, settings, roles } = definition;
  const open = roles.map(opened);
  return changed(definition, {
    defaultData: changed(defaultData, {
      defaultMaxPlayers: undefined,
      banUsers: none(defaultData.banUsers),
      banIps: none(defaultData.banIps),
      banChat: none(defaultData.banChat),
      isGuestPlayerAllowed: true,
    }),
    settings: changed(settings, { allowDuplicateIPs: undefined }),
    roles: open.every((role, i) => role === roles[i]) ? roles : Object.freeze(open),
  });
}

/** Permits logged-in users and guests, who have roles of these types implicitly, to play and chat. */
function opened(role: Role): Role {
  const { type, permissions } = role;
  if (type !== loggedInUsers && type !== guestUsers) return role;
  if (permissions.get('playGame') === true && permissions.get('serverChat') === true) return role;
  return changed(role, { permissions: new FrozenMap([...permissions, ['playGame', true], ['serverChat', true]]) });
}
