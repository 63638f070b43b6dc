import { type AttributeLayout, emptyAttributeLayout } from '../../world/attribute.ts';
import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import type { AttributePayload } from '../../world/triggers.ts';
import { typeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { changesIn, rule } from '../effects.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';

/** The effects include `ai`: when the health of a unit reaches 0, its attackers look for other targets. */
export const regeneration = rule(
  'regeneration',
  ['tick'],
  changesIn('unit', 'attribute', 'ai'),
  changesIn('item', 'attribute'),
  changesIn('projectile', 'attribute'),
  changesIn('player', 'attribute'),
);

/**
 * Attributes regenerate when more than `pulseMs` have passed since the last pulse: one pulse adds the whole rate. The
 * time beyond `pulseMs` lengthens the wait for the next pulse, by at most `pulseElapsedMostMs - pulseMs` (reference:
 * tick#regeneration).
 */
const pulseMs = 200;
const pulseElapsedMostMs = 300;

/** The attribute layout of an entity's type. */
export function attributeLayoutOf(world: World, entity: Entity): AttributeLayout {
  return typeOf(world, entity)?.attributes ?? emptyAttributeLayout;
}

/** The row of one attribute in the attribute table; -1 if the entity does not exist or has no such attribute. */
export function attributeRow(world: World, entity: Entity, key: string): number {
  if (!world.exists(entity)) return -1;
  const offset = attributeLayoutOf(world, entity).offsets.get(key);
  return offset === undefined ? -1 : world.components.attributes.start[rowOf(entity)]! + offset;
}

export function attributeValue(world: World, entity: Entity, key: string): number | undefined {
  const row = attributeRow(world, entity, key);
  return row < 0 ? undefined : world.attributes.value[row]!;
}

/**
 * Gives an entity the attributes of a layout with their starting values, when it is created or has changed its type.
 * Fires no triggers.
 */
export function createAttributes(world: World, entity: Entity, layout: AttributeLayout): void {
  const row = rowOf(entity);
  const { start, count, regeneratedAtMs } = world.components.attributes;
  start[row] = world.attributes.allocate(layout);
  count[row] = layout.keys.length;
  // If an input creates the entity, `dateMs` is half a tick before the tick that applies the input, as if the input had
  // arrived between two frames.
  regeneratedAtMs[row] = world.clock.dateMs;
  countRates(world, entity);
}

function countRates(world: World, entity: Entity) {
  const row = rowOf(entity);
  const { start: attributeStart, count: attributeCount } = world.components.attributes;
  let rates = 0;
  const start = attributeStart[row]!;
  for (let i = start; i < start + attributeCount[row]!; i++) if (world.attributes.rate[i] !== 0) rates++;
  world.components.attributes.rates[row] = rates;
  world.wake(entity);
}

/**
 * Replaces the attributes of an entity whose type changes. An attribute that both types have keeps its value, clamped
 * to its new bounds. If `keepMax`, it instead keeps both its value and its old maximum (as for player types, reference:
 * players#player-types). Fires no triggers.
 */
export function changeAttributes(
  world: World,
  entity: Entity,
  old: AttributeLayout,
  layout: AttributeLayout,
  keepMax: boolean,
): void {
  const row = rowOf(entity);
  const c = world.components;
  const { attributes } = world;
  const oldStart = c.attributes.start[row]!;
  const oldCount = c.attributes.count[row]!;
  const oldValues: number[] = [];
  const oldMax: number[] = [];
  for (let i = 0; i < oldCount; i++) {
    oldValues.push(attributes.value[oldStart + i]!);
    oldMax.push(attributes.max[oldStart + i]!);
  }
  attributes.free(oldStart, oldCount);
  const start = attributes.allocate(layout);
  const block = c.attributes;
  block.start[row] = start;
  block.count[row] = layout.keys.length;
  for (let i = 0; i < layout.keys.length; i++) {
    const from = old.offsets.get(layout.keys[i]!);
    if (from === undefined || from >= oldCount) continue;
    const to = start + i;
    if (keepMax) {
      attributes.max[to] = oldMax[from]!;
      attributes.value[to] = oldValues[from]!;
    } else {
      attributes.value[to] = Math.max(attributes.min[to]!, Math.min(attributes.max[to]!, oldValues[from]!));
    }
  }
  countRates(world, entity);
}

/**
 * Sets each attribute that the player's former type (`old`) lacked to the value that the new type gives, without
 * clamping.
 */
export function setNewAttributesToDefaults(world: World, player: Entity, old: AttributeLayout): void {
  const start = world.components.attributes.start[rowOf(player)]!;
  for (const [i, { key, value }] of attributeLayoutOf(world, player).definitions.entries()) {
    if (!old.offsets.has(key)) world.attributes.value[start + i] = value ?? 0;
  }
}

/**
 * The function through which rules and scripts change an attribute. Sets new bounds, clamps the value to them, then
 * fires the triggers of the bounds that the value reached (reference: control-flow#attribute-updates,
 * items-projectiles#attributes). An undefined value keeps the present one, which new bounds may still clamp. Returns
 * false if the entity has no such attribute. In three cases, values are written directly instead: regeneration between
 * the bounds, new types, and bonuses.
 */
export function updateAttribute(
  game: Game,
  entity: Entity,
  key: string,
  value: number | undefined,
  min?: number | undefined,
  max?: number | undefined,
): boolean {
  const row = attributeRow(game.world, entity, key);
  if (row < 0) return false;
  updateAttributeAt(game, entity, key, row, value, min, max);
  return true;
}

/**
 * Like `updateAttribute`, for callers that already have `row`, the row of the entity's attribute `key`.
 */
export function updateAttributeAt(
  game: Game,
  entity: Entity,
  key: string,
  row: number,
  value: number | undefined,
  min?: number | undefined,
  max?: number | undefined,
): void {
  const { attributes } = game.world;
  const oldValue = attributes.value[row]!;
  const oldMin = attributes.min[row]!;
  const oldMax = attributes.max[row]!;
  if (min !== undefined) attributes.min[row] = min;
  if (max !== undefined) attributes.max[row] = max;
  const clamped = Math.max(attributes.min[row]!, Math.min(attributes.max[row]!, value ?? oldValue));
  attributes.value[row] = clamped;
  if (clamped !== oldValue || attributes.min[row] !== oldMin || attributes.max[row] !== oldMax)
    attributes.isChanged[row] = 1;
  wakeRegeneration(game.world, entity);
  if (key === game.definition.settings.persistentScoreAttributeId) rememberScore(game.world, entity, clamped);
  if (clamped <= 0 && oldValue > 0) announce(game, entity, key, 'Zero', oldValue, oldMin, oldMax);
  else if (clamped >= oldMax) announce(game, entity, key, 'Full', oldValue, oldMin, oldMax);
}

/** Must be called when an attribute's value or bound has changed: the attribute may have to regenerate again. */
export function wakeRegeneration(world: World, entity: Entity): void {
  if (world.components.attributes.rates[rowOf(entity)] !== 0) world.wake(entity);
}

function rememberScore(world: World, entity: Entity, score: number) {
  const best = world.components.score[rowOf(entity)];
  if (best !== undefined && score > best.here) world.components.score[rowOf(entity)]!.here = score;
}

/**
 * Sets the regeneration rate (`regenerateSpeed`) of one attribute. Returns false if the entity has no such attribute.
 */
export function setAttributeRate(game: Game, entity: Entity, key: string, rate: number): boolean {
  const row = attributeRow(game.world, entity, key);
  if (row < 0) return false;
  game.world.attributes.rate[row] = rate;
  countRates(game.world, entity);
  return true;
}

const attributeOf = {
  unit: (attribute: AttributePayload, unit: Entity) => ({ attribute, unit }),
  item: (attribute: AttributePayload, item: Entity) => ({ attribute, item }),
  projectile: (attribute: AttributePayload, projectile: Entity) => ({ attribute, projectile }),
};

/**
 * Fires the triggers for reaching a bound: the entity's own immediately, the global ones through the queue of the tick.
 */
function announce(
  game: Game,
  entity: Entity,
  key: string,
  edge: 'Zero' | 'Full',
  value: number,
  min: number,
  max: number,
) {
  const { world } = game;
  const name = attributeLayoutOf(world, entity).definitions.find((definition) => definition.key === key)?.name ?? '';
  const attribute: AttributePayload = { type: key, name, value, min, max };
  switch (world.kindOf(entity)) {
    case Kind.unit:
      // Units that attack this unit lose their target before any script runs (reference:
      // control-flow#attribute-updates, steps 4 and 5).
      if (edge === 'Zero' && key === 'health') emit(game, 'defeated', entity, undefined);
      world.triggers.fireEntity(`entityAttributeBecomes${edge}`, entity, attributeOf.unit, attribute, entity);
      world.triggers.enqueue(`unitAttributeBecomes${edge}`, { attribute, unit: entity });
      return;
    case Kind.item:
      world.triggers.fireEntity(`entityAttributeBecomes${edge}`, entity, attributeOf.item, attribute, entity);
      world.triggers.enqueue(`itemAttributeBecomes${edge}`, { attribute, item: entity });
      return;
    case Kind.projectile:
      world.triggers.fireEntity(`entityAttributeBecomes${edge}`, entity, attributeOf.projectile, attribute, entity);
      world.triggers.enqueue(`projectileAttributeBecomes${edge}`, { attribute, projectile: entity });
      return;
    case Kind.player:
      world.triggers.enqueue(`playerAttributeBecomes${edge}`, { attribute, player: entity });
      return;
  }
}

/**
 * Whether every attribute with a rate has reached the bound it drifts towards. Changing a value or a bound wakes the
 * entity.
 */
function areAtBounds({ attributes, components }: World, row: number) {
  const start = components.attributes.start[row]!;
  const end = start + components.attributes.count[row]!;
  for (let i = start; i < end; i++) {
    const rate = attributes.rate[i]!;
    if (rate !== 0 && attributes.value[i] !== (rate > 0 ? attributes.max[i] : attributes.min[i])) return false;
  }
  return true;
}

/** Attributes regenerate by an equal part of their rate in every tick (specification, Attribute). */
export const steadyRegeneration = {
  regeneratesAtMs: (world: World, row: number): number =>
    world.components.attributes.rates[row] === 0 || areAtBounds(world, row) ? Infinity : -Infinity,
  regenerationShare: ({ components }: World, row: number, seconds: number): number =>
    components.attributes.rates[row] === 0 ? 0 : seconds,
};

/**
 * Attributes regenerate by their whole rate in pulses. An entity's regeneration clock also runs while it has no rates.
 * A player's clock starts when the player is created, although it gets its attributes later, with its type.
 */
export const pulsedRegeneration = {
  regeneratesAtMs: ({ components }: World, row: number): number =>
    components.attributes.count[row] === 0
      ? Infinity
      : // The date clock is rounded, so it can be ahead of the clock by which entities wake.
        components.attributes.regeneratedAtMs[row]! + pulseMs - 1,
  regenerationShare(world: World, row: number): number {
    const { components } = world;
    const { dateMs } = world.clock;
    const { regeneratedAtMs, rates, count } = components.attributes;
    const elapsed = dateMs - regeneratedAtMs[row]!;
    if (elapsed <= pulseMs) return 0;
    if (count[row] === 0 && components.identity.kind[row] !== Kind.player) return 0;
    world.components.attributes.regeneratedAtMs[row] = dateMs + Math.min(elapsed, pulseElapsedMostMs) - pulseMs;
    return rates[row] === 0 ? 0 : 1;
  },
};

/**
 * Regenerates the attributes of one entity for one tick. `secondsPerTick` is the length of the tick that updates the
 * entity: for players the physics tick, for all others the script tick (reference: tick#regeneration). Costs almost
 * nothing for an entity whose attributes have no rate.
 */
export function regenerate(game: Game, entity: Entity, secondsPerTick: number): void {
  const { world } = game;
  const row = rowOf(entity);
  const c = world.components;
  const share = game.rules.regenerationShare(world, row, secondsPerTick);
  if (share === 0) return;
  const start = c.attributes.start[row]!;
  const end = start + c.attributes.count[row]!;
  const isPlayer = c.identity.kind[row] === Kind.player;
  let { value: values, rate: rates, min: least, max: most } = world.attributes;
  for (let i = start; i < end; i++) {
    const rate = rates[i]!;
    if (rate === 0) continue;
    const value = values[i]!;
    const next = Math.max(least[i]!, Math.min(most[i]!, value + rate * share));
    if (next === value || Number.isNaN(next)) continue;
    // Between the bounds no trigger can fire, so the value is written directly. The attribute of a player may be the
    // score, so it is always updated by `updateAttribute`.
    if ((next > 0 || value <= 0) && next < most[i]! && !isPlayer) {
      values[i] = next;
      world.attributes.isChanged[i] = 1;
      continue;
    }
    updateAttributeAt(game, entity, attributeLayoutOf(world, entity).keys[i - start]!, i, next);
    // Scripts that ran may have destroyed the entity or changed its type.
    if (!world.exists(entity) || c.attributes.start[row] !== start) return;
    // Scripts may also have created entities. The attribute table then grew, and its columns were replaced.
    ({ value: values, rate: rates, min: least, max: most } = world.attributes);
  }
}
