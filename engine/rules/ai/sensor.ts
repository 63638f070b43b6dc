import { Sensing } from '../../components/sensing.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { changesIn, rule } from '../effects.ts';
import type { Game } from '../game.ts';

/**
 * A sensor: a circle around a unit that detects what comes near (reference: physics#sensors). A unit has at most one.
 * Contacts of the sensor are reported to the unit's scripts and its AI.
 */

export const sensorMotion = rule('sensors follow their units', ['tick'], changesIn('sensor', 'position'));

/**
 * Gives a unit a sensor, or resizes the one it has. Radius in px; a sensor whose radius is not above 0 detects nothing.
 * Returns 0 if the entity limit is reached.
 */
export function createSensor(game: Game, unit: Entity, radius: number): Entity {
  const { world } = game;
  const present = world.components.sensing.sensor[rowOf(unit)]!;
  if (world.exists(present)) {
    resizeSensor(game, present, radius);
    return present;
  }
  const sensor = world.allocate('sensor');
  if (sensor === noEntity) return noEntity;
  world.components.identity.owner[rowOf(sensor)] = unit;
  world.components.sensing.sensor[rowOf(unit)] = sensor;
  resizeSensor(game, sensor, radius);
  return sensor;
}

/**
 * Recreates the sensor's circle with a new radius (px), so that all bodies inside are detected again. A radius that is
 * not above 0 removes the circle. In dialects without `zeroRadiusSensorsStayOff`, `redetectTouching` later restores the
 * previous circle.
 */
export function resizeSensor(game: Game, sensor: Entity, radius: number): void {
  const { world } = game;
  const unit = world.ownerOf(sensor);
  if (!world.has(unit, Sensing)) return;
  if (!(radius > 0 || game.rules.zeroRadiusSensorsStayOff)) {
    game.physics.requestRemoval(sensor);
    return;
  }
  const { sensing, transform } = world.components;
  const row = rowOf(unit);
  world.components.sensing.radius[row] = radius > 0 ? radius : 0;
  game.physics.setSensorBody(sensor, transform.x[row]!, transform.y[row]!, sensing.radius[row]!);
}

/**
 * Makes all bodies inside the unit's sensor leave and re-enter it in the next physics updates. Does nothing for a unit
 * without a sensor.
 */
export function redetectTouching(game: Game, unit: Entity): void {
  const sensor = game.world.components.sensing.sensor[rowOf(unit)]!;
  if (game.world.exists(sensor)) game.physics.renewSensorBody(sensor);
}

export function removeSensor(game: Game, unit: Entity): void {
  const { world } = game;
  if (!world.has(unit, Sensing)) return;
  const { sensor } = world.components.sensing;
  const row = rowOf(unit);
  if (world.exists(sensor[row]!)) dismiss(game, sensor[row]!);
  world.components.sensing.sensor[row] = noEntity;
}

/** Runs in every pass over the entities: moves the sensor to its unit, and removes it if the unit no longer exists. */
export function sensorBehaviour(game: Game, sensor: Entity): void {
  const { world } = game;
  const unit = world.ownerOf(sensor);
  if (!world.is(unit, Kind.unit)) {
    dismiss(game, sensor);
    return;
  }
  // A sensor without a body stays where it is, and its next body is built there.
  if (!game.rules.zeroRadiusSensorsStayOff && !game.physics.hasBody(sensor)) return;
  const row = rowOf(unit);
  game.physics.moveSensor(sensor, world.components.transform.x[row]!, world.components.transform.y[row]!);
}

/**
 * Whether `sensorBehaviour` would change nothing, so that the sensor may sleep. Physics wakes the sensor when its unit
 * moves; `removeSensor` removes it together with its unit.
 */
export function isSensorInPlace({ world, physics }: Game, sensor: Entity): boolean {
  const { identity, transform } = world.components;
  const unit = identity.owner[rowOf(sensor)]!;
  if (!world.is(unit, Kind.unit) || physics.gravityMovesSensors) return false;
  return physics.isAt(sensor, transform.x[rowOf(unit)]!, transform.y[rowOf(unit)]!);
}

function dismiss(game: Game, sensor: Entity) {
  game.physics.requestRemoval(sensor);
  game.world.release(sensor);
}
