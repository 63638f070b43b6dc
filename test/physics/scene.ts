import type { PhysicsRules } from '../../engine/physics/bodies.ts';
import { bodySpec } from '../../engine/physics/body.ts';
import type { BodyCategory } from '../../engine/physics/filter.ts';
import { Physics } from '../../engine/physics/physics.ts';
import { type Entity, rowOf } from '../../engine/world/entity.ts';
import { bodyOf, type WorldOptions, worldOf } from '../support/world.ts';

export const tick = 1 / 20;

/** Collides with everything. */
export const everything = { units: true, items: true, projectiles: true, walls: true };

export interface Placed {
  readonly x?: number;
  readonly y?: number;
  readonly angle?: number;
  readonly scale?: number;
  readonly confined?: boolean;
}

const usual: PhysicsRules = {
  pairs: 'tree',
  areas: 'shapes',
  queuedPlacement: 'last',
  roundTripsTransforms: false,
  buildsDuplicateRequests: false,
  gravityMovesSensors: false,
};

/** A world that contains only what a test adds, and a record of the events that the rules would get. */
export function scene(options: WorldOptions = {}, habits = usual) {
  const world = worldOf(options);
  const { components } = world;
  const events: string[] = [];
  const name = (entity: Entity): string =>
    entity === 0 ? 'nobody' : (world.ref(entity)?.id ?? `gone ${rowOf(entity)}`);
  const hooks = {
    outside: (entity: Entity) => events.push(`${name(entity)} outside`),
    begin: (first: Entity, second: Entity) => events.push(`${name(first)} + ${name(second)}`),
    end: (first: Entity, second: Entity) => events.push(`${name(first)} - ${name(second)}`),
  };
  const physics = new Physics(world, hooks, habits);

  /** Creates an entity of a kind, with a body as written in a definition; the body exists after the next update. */
  function add(kind: BodyCategory, body: Record<string, unknown>, at: Placed = {}): Entity {
    const entity = world.allocate(kind);
    const row = rowOf(entity);
    components.transform.x[row] = at.x ?? 640;
    components.transform.y[row] = at.y ?? 640;
    components.transform.angle[row] = at.angle ?? 0;
    world.components.body.scale[row] = at.scale ?? 1;
    world.components.bodyType[row] = bodyOf(body);
    physics.requestBody(entity, bodySpec(bodyOf(body), kind, at.scale), at.confined);
    return entity;
  }

  function update(times = 1): void {
    for (let i = 0; i < times; i++) physics.update(tick);
  }

  /** The events for the rules since the last call. */
  function contacts(): string[] {
    return events.splice(0);
  }

  const { transform } = components;
  const [visibility, velocity] = [world.components.visibility, world.components.velocity];
  const columns = {
    ...transform,
    hidden: visibility.hidden,
    vectorX: velocity.x,
    vectorY: velocity.y,
    moveMethod: velocity.method,
  };

  function of(entity: Entity, column: keyof typeof columns): number {
    return columns[column][rowOf(entity)]!;
  }

  function set(entity: Entity, column: keyof typeof columns, value: number): void {
    columns[column][rowOf(entity)] = value;
  }

  return { world, physics, add, update, contacts, of, set, events, name };
}

/** 40 by 40 px, weighing (40/30)² kg per unit of density. */
export function box(
  more: Record<string, unknown> = {},
  fixture: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    type: 'dynamic',
    width: 40,
    height: 40,
    collidesWith: everything,
    fixtures: [{ density: 1, friction: 0, restitution: 0, shape: { type: 'rectangle' }, ...fixture }],
    ...more,
  };
}
