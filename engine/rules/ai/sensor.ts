import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/**
 * A circle around a unit that notices what comes near (reference: physics#sensors). A unit has at most one. Its contacts reach the scripts of the
 * unit and its AI.
 */

/** Gives a unit its sensor. Radius in px; a radius that is not above 0 makes one that notices nothing. 0 when the limit of entities is reached. */
export function createSensor(game: Game, unit: Entity, radius: number): Entity {
  const { world } = game;
  const state = world.units[rowOf(unit)]!;
  if (world.exists(state.sensor)) {
    resizeSensor(game, state.sensor, radius);
    return state.sensor;
  }
  const sensor = world.allocate('sensor');
  if (sensor === noEntity) return noEntity;
  world.components.identity.owner[rowOf(sensor)] = unit;
  state.sensor = sensor;
  resizeSensor(game, sensor, radius);
  return sensor;
}

/** The circle is made anew around its unit, so that what is inside is noticed again. */
export function resizeSensor(game: Game, sensor: Entity, radius: number): void {
  const { world } = game;
  const unit = world.components.identity.owner[rowOf(sensor)]!;
  const state = world.units[rowOf(unit)];
  if (state === undefined || !world.exists(unit)) return;
  state.sensorRadius = radius > 0 ? radius : 0;
  lookAgain(game, unit);
}

/** Bodies inside the unit's sensor leave and enter it at the next physics updates. Nothing for a unit without a sensor. */
export function lookAgain(game: Game, unit: Entity): void {
  const { world } = game;
  const { sensor, sensorRadius } = world.units[rowOf(unit)]!;
  if (!world.exists(sensor)) return;
  const row = rowOf(unit);
  game.physics.setSensorBody(
    sensor,
    world.components.transform.x[row]!,
    world.components.transform.y[row]!,
    sensorRadius,
  );
}

export function removeSensor(game: Game, unit: Entity): void {
  const { world } = game;
  const state = world.units[rowOf(unit)];
  if (state === undefined) return;
  if (world.exists(state.sensor)) dismiss(game, state.sensor);
  state.sensor = noEntity;
}

/** Every pass over the entities: the sensor is where its unit is, and goes when the unit has gone. */
export function sensorBehaviour(game: Game, sensor: Entity): void {
  const { world } = game;
  const unit = world.components.identity.owner[rowOf(sensor)]!;
  if (!world.is(unit, Kind.unit)) {
    dismiss(game, sensor);
    return;
  }
  const row = rowOf(unit);
  game.physics.moveSensor(sensor, world.components.transform.x[row]!, world.components.transform.y[row]!);
}

function dismiss(game: Game, sensor: Entity): void {
  game.physics.requestRemoval(sensor);
  game.world.release(sensor);
}
