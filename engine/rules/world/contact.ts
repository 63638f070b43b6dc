import { type Entity, Kind, kinds, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { LastEntities } from '../../world/script-memory.ts';
import type { Payload, PayloadOf, TriggerType } from '../../world/triggers.ts';
import { changes, changesIn, fires, only, rule } from '../effects.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';

/**
 * Effects of contacts between two bodies that begin or end (reference: physics#contacts): a table indexed by two kinds,
 * whose entries list their steps in order. Called once per contact, in order of occurrence, after the physics step or
 * after the removal of bodies. Either body may have been destroyed by an earlier contact of the same step; the contact
 * still counts for the other one.
 */

export const motion = rule(
  'bodies move',
  ['tick'],
  changesIn('unit', 'position', 'angle', 'velocity'),
  changesIn('item', 'position', 'angle', 'velocity'),
  changesIn('projectile', 'position', 'angle', 'velocity'),
  changesIn('debris', 'position', 'angle', 'velocity').map((each) => only('standard', each)),
);

/**
 * An effect on entity `x` of its contact with `y`. `fired` is the payload that the triggers of the contact share, if
 * they share one.
 */
type Step = ((game: Game, x: Entity, y: Entity, fired: Payload | undefined) => void) & {
  readonly triggers?: readonly TriggerType[];
};
type Row = { readonly [Other in Kind]?: readonly Step[] };
type Table = { readonly [One in Kind]?: Row };
type PayloadFrom<T extends TriggerType> = (x: Entity, y: Entity) => PayloadOf<T>;

/** Marks a step with the triggers that it fires. */
function firing(triggers: readonly TriggerType[], step: Step): Step {
  return Object.assign(step, { triggers });
}

/** Fires a global trigger. */
function world<T extends TriggerType>(trigger: T, payload: PayloadFrom<T>): Step {
  return firing([trigger], ({ world: { triggers } }, x, y, fired) => {
    if (fired === undefined) triggers.fireGlobal(trigger, payload, x, y);
    else triggers.fireGlobal(trigger, shared<T>, Object.assign(fired, payload(x, y)));
  });
}

/**
 * Returns the payload that all triggers of a contact share, with the members added so far. The caller adds members even
 * for triggers without listeners, because the payloads of later triggers contain them.
 */
function shared<T extends TriggerType>(payload: PayloadOf<T>): PayloadOf<T> {
  return payload;
}

/**
 * Fires a trigger of `x`. The payload contains `x` and the other entity; if both are of the same kind, the payload
 * contains only the other one (reference: physics#contacts).
 */
function own<T extends TriggerType>(trigger: T, payload: PayloadFrom<T>): Step {
  return firing([trigger], ({ world }, x, y, fired) => {
    if (!world.remembers(x)) return;
    if (fired === undefined) world.triggers.fireEntity(trigger, x, payload, x, y);
    else world.triggers.fireEntity(trigger, x, shared<T>, Object.assign(fired, payload(x, y)));
  });
}

/** Makes `y` the last touched entity for scripts. */
function last(name: keyof LastEntities): Step {
  return (game, _x, y) => {
    game.world.memory.last[name] = y;
  };
}

/**
 * Fires a trigger of the unit that owns the sensor `y`; the remaining steps are skipped if that unit no longer exists.
 */
function owner<T extends TriggerType>(trigger: T, payload: PayloadFrom<T>, ...then: readonly Step[]): Step {
  return firing([trigger, ...then.flatMap(triggersOf)], (game, x, y, fired) => {
    const unit = game.world.ownerOf(y);
    if (!game.world.exists(unit)) return;
    game.world.triggers.fireEntity(trigger, unit, payload, x, y);
    take(then, game, x, y, fired);
  });
}

function triggersOf({ triggers = [] }: Step): readonly TriggerType[] {
  return triggers;
}

const unitAndSensor = (unit: Entity, sensor: Entity) => ({ unit, sensor });
const itemAndSensor = (item: Entity, sensor: Entity) => ({ item, sensor });
const projectileAndSensor = (projectile: Entity, sensor: Entity) => ({ projectile, sensor });
const unitAndRegion = (unit: Entity, region: Entity) => ({ unit, region });
const itemAndRegion = (item: Entity, region: Entity) => ({ item, region });
const projectileAndRegion = (projectile: Entity, region: Entity) => ({ projectile, region });
const unitSensorAndItem = (unit: Entity, sensor: Entity, item: Entity) => ({ unit, sensor, item });

/**
 * The global triggers of the 2022 engines for units that enter a sensor. They do not fire for the body of the sensor's
 * owner.
 */
const unitInSensor = firing(['whenUnitEntersSensor'], (game, unit, sensor) => {
  if (game.rules.nonReferenceOperationsWork && unit !== game.world.ownerOf(sensor))
    game.world.triggers.fireGlobal('whenUnitEntersSensor', unitAndSensor, unit, sensor);
});
const itemInSensor = firing(['whenItemEntersSensor'], (game, item, sensor) => {
  if (game.rules.nonReferenceOperationsWork)
    game.world.triggers.fireGlobal('whenItemEntersSensor', unitSensorAndItem, game.world.ownerOf(sensor), sensor, item);
});

const hit: Step = (game, unit, projectile) => emit(game, 'hitByProjectile', unit, projectile);
const sensed: Step = (game, unit, sensor) => {
  const watching = game.world.ownerOf(sensor);
  if (game.world.exists(watching) && game.world.exists(unit)) emit(game, 'sensed', watching, unit);
};

const unitTouchesWall = world('unitTouchesWall', (unit) => ({ unit }));
const itemTouchesWall = world('itemTouchesWall', (item) => ({ item }));
const projectileTouchesWall = world('projectileTouchesWall', (projectile) => ({ projectile }));
/** Fires `entityTouchesWall`. The payload of this trigger is always empty, never the shared one. */
const touchesWall = firing(['entityTouchesWall'], ({ world }, x) => {
  if (world.remembers(x)) world.triggers.fireEntity('entityTouchesWall', x, payloadOf.nothing);
});

/** Steps for two bodies that begin to touch, for each of them. */
const begins: Table = {
  unit: {
    unit: [
      last('touchedUnit'),
      world('unitTouchesUnit', (unit) => ({ unit })),
      own('entityTouchesUnit', (_, unit) => ({ unit })),
    ],
    item: [
      world('unitTouchesItem', (unit, item) => ({ unit, item })),
      last('touchedItem'),
      own('entityTouchesItem', (unit, item) => ({ unit, item })),
    ],
    projectile: [
      last('touchedProjectile'),
      hit,
      world('unitTouchesProjectile', (unit, projectile) => ({ unit, projectile, collidingEntity: unit })),
      own('entityTouchesProjectile', (unit, projectile) => ({ unit, projectile, collidingEntity: unit })),
    ],
    region: [own('entityEntersRegion', unitAndRegion), world('unitEntersRegion', unitAndRegion)],
    sensor: [owner('unitEntersSensor', unitAndSensor, unitInSensor, sensed)],
    wall: [unitTouchesWall, touchesWall],
    debris: [last('touchedDebris'), world('unitTouchesDebris', (unit, debris) => ({ unit, debris }))],
  },
  item: {
    unit: [
      last('touchedUnit'),
      world('itemTouchesUnit', (item) => ({ item })),
      own('entityTouchesUnit', (item, unit) => ({ item, unit })),
    ],
    item: [
      world('itemTouchesItem', (item) => ({ item })),
      last('touchedItem'),
      own('entityTouchesItem', (_, item) => ({ item })),
    ],
    projectile: [
      last('touchedProjectile'),
      world('itemTouchesProjectile', (item, projectile) => ({ item, projectile, collidingEntity: item })),
      own('entityTouchesProjectile', (item, projectile) => ({ item, projectile, collidingEntity: item })),
    ],
    region: [own('entityEntersRegion', itemAndRegion), world('itemEntersRegion', itemAndRegion)],
    sensor: [owner('itemEntersSensor', itemAndSensor, itemInSensor)],
    wall: [itemTouchesWall, touchesWall],
  },
  projectile: {
    unit: [
      last('touchedUnit'),
      world('projectileTouchesUnit', (projectile) => ({ projectile })),
      own('entityTouchesUnit', (projectile, unit) => ({ projectile, unit })),
    ],
    item: [
      world('projectileTouchesItem', (projectile, item) => ({ projectile, item })),
      last('touchedItem'),
      own('entityTouchesItem', (projectile, item) => ({ projectile, item })),
    ],
    projectile: [
      last('touchedProjectile'),
      world('projectileTouchesProjectile', (projectile) => ({ projectile, collidingEntity: projectile })),
      own('entityTouchesProjectile', (one, projectile) => ({ projectile, collidingEntity: one })),
    ],
    region: [own('entityEntersRegion', projectileAndRegion), world('projectileEntersRegion', projectileAndRegion)],
    sensor: [owner('projectileEntersSensor', projectileAndSensor)],
    wall: [projectileTouchesWall, touchesWall],
    debris: [
      world('projectileTouchesDebris', (projectile, debris) => ({ projectile, debris, collidingEntity: debris })),
    ],
  },
  debris: {
    region: [world('debrisEntersRegion', (debris, region) => ({ debris, region }))],
  },
};

/** Steps for two bodies that stop touching. The row of a destroyed entity keeps its kind until the tick ends. */
const ends: Table = {
  unit: {
    region: [own('entityLeavesRegion', unitAndRegion), world('unitLeavesRegion', unitAndRegion)],
    sensor: [owner('unitLeavesSensor', unitAndSensor)],
  },
  item: {
    region: [own('entityLeavesRegion', itemAndRegion), world('itemLeavesRegion', itemAndRegion)],
    sensor: [owner('itemLeavesSensor', itemAndSensor)],
  },
  projectile: {
    region: [own('entityLeavesRegion', projectileAndRegion), world('projectileLeavesRegion', projectileAndRegion)],
    sensor: [owner('projectileLeavesSensor', projectileAndSensor)],
  },
};

export const contacts = rule(
  'contacts',
  ['contact'],
  changes('last'),
  fires(
    ...new Set(
      [begins, ends].flatMap((table) =>
        Object.values(table).flatMap((row) => Object.values(row).flat().flatMap(triggersOf)),
      ),
    ),
  ),
);

/**
 * Flattens a table into a list. The steps for kinds `one` and `other` are at the index `one * kinds.length + other`.
 */
function flat(table: Table): readonly (readonly Step[])[] {
  return kinds.flatMap((one) => kinds.map((other) => table[one]?.[other] ?? []));
}

const stepsOfBegin = flat(begins);
const stepsOfEnd = flat(ends);

function stepsFor({ world: { components } }: Game, steps: typeof stepsOfBegin, x: Entity, y: Entity): readonly Step[] {
  return steps[components.identity.kind[rowOf(x)]! * kinds.length + components.identity.kind[rowOf(y)]!]!;
}

function take(steps: readonly Step[], game: Game, x: Entity, y: Entity, fired = game.rules.contactPayload()) {
  for (let i = 0; i < steps.length; i++) steps[i]!(game, x, y, fired);
}

export function beginContact(game: Game, a: Entity, b: Entity): void {
  meet(game, a, b);
  meet(game, b, a);
  // Emitted after all steps, so that listeners know whether a projectile damaged the touched entity.
  emit(game, 'touched', a, b);
  emit(game, 'touched', b, a);
}

function meet(game: Game, x: Entity, y: Entity) {
  // An entity destroyed by an earlier contact of the step still has its other contacts (reference: physics#contacts;
  // recorded case e_contact_destroy).
  if (!game.world.remembers(x)) return;
  if (game.world.kindOf(x) === Kind.unit) game.world.memory.last.touchingUnit = x;
  take(stepsFor(game, stepsOfBegin, x, y), game, x, y);
}

export function endContact(game: Game, a: Entity, b: Entity): void {
  take(stepsFor(game, stepsOfEnd, a, b), game, a, b);
  take(stepsFor(game, stepsOfEnd, b, a), game, b, a);
}

const leavesMap: Readonly<Record<number, Step>> = {
  [Kind.unit]: unitTouchesWall,
  [Kind.item]: itemTouchesWall,
  [Kind.projectile]: projectileTouchesWall,
};

/**
 * Called when an entity's centre has left the map, whose edges count as walls (reference: physics#map-edge). Unlike for
 * contacts with walls, the entity's own scripts run first.
 */
export function leaveMap(game: Game, entity: Entity): void {
  const { world } = game;
  if (!world.exists(entity)) return;
  world.triggers.fireEntity('entityTouchesWall', entity, payloadOf.nothing);
  if (world.exists(entity)) leavesMap[world.kindOf(entity)]?.(game, entity, entity, undefined);
}
