import type { AnyHandle, Simulation, UnitHandle } from '../../engine/index.ts';
import { internalsOf, isWalkingKey, rowOf } from '../../engine/tools.ts';
import { type EntityNames, idOf, valueText } from '../expression/index.ts';
import { modelOf } from '../model/index.ts';

/** How an entity moves. */
export interface Motion {
  readonly id: string;
  readonly text: string;
  /**
   * The client id of the player who steers the entity, and the keys that this player holds and that can move the
   * entity.
   */
  readonly player?: string;
  readonly keys: readonly string[];
}

/** The motion of an entity before a tick; undefined without an entity. */
export function motionOf(sim: Simulation, handle: AnyHandle | undefined): Motion | undefined {
  return handle && { id: handle.id, ...steeringOf(sim, handle) };
}

function steeringOf(sim: Simulation, handle: AnyHandle): Pick<Motion, 'text' | 'player' | 'keys'> {
  const { components: c } = internalsOf(sim).world;
  const row = rowOf(handle.entity);
  const ai = c.ai[row];
  if (ai?.enabled === true) {
    const target = ai.target === 0 ? undefined : sim.handle(ai.target);
    return { text: `its AI (${ai.mode}${target === undefined ? '' : ` ${idOf(target)}`})`, keys: [] };
  }
  if (c.movement.x[row] === 0 && c.movement.y[row] === 0)
    return { text: 'its velocity, a force or a push (it does not walk)', keys: [] };
  const text = `it walks in direction (${c.movement.x[row]}, ${c.movement.y[row]})`;
  const { owner, type = '' } = handle.kind === 'unit' ? handle : {};
  if (owner?.exists !== true) return { text, keys: [] };
  const scheme = sim.definition.unitTypes.get(type)?.controls?.movementControlScheme;
  const keys = c.controls[rowOf(owner.entity)]?.keysDown ?? [];
  return { text, player: owner.clientId, keys: [...keys].filter((key) => isWalkingKey(scheme, key)) };
}

/** Reasons that keep a unit from moving by itself, as far as they are certain. */
export function restLines(sim: Simulation, unit: UnitHandle, names: EntityNames): readonly string[] {
  const { world, game } = internalsOf(sim);
  const { components: c } = world;
  const row = rowOf(unit.entity);
  const what = valueText(sim, unit, names);
  if (!game.physics.hasBody(unit.entity)) return [`${what} has no body, so only scripts can move it.`];
  const definition = sim.definition.unitTypes.get(unit.type ?? '');
  const body = definition?.bodies.get(definition.states.get(unit.state ?? '')?.body ?? '');
  if (body?.type === 'static') return [`The body of type ${unit.typeName} is static, so only scripts can move it.`];
  if (c.movement.x[row] !== 0 || c.movement.y[row] !== 0)
    return unit.attribute('speed') === 0 ? [`${what} has speed 0.`] : [];
  const ai = c.ai[row];
  if (ai?.enabled === true) return ai.target === 0 ? targetLines(sim, unit, what) : [];
  const { owner } = unit;
  const isMoved = (['position', 'velocity', 'direction'] as const).some(
    (aspect) => modelOf(sim.definition).changes(aspect).length > 0,
  );
  if (owner?.controlledBy !== 'computer' || isMoved) return [];
  return [`${what} belongs to ${idOf(owner)}, a computer player, and has no AI, so nothing steers it.`];
}

/** Reasons why the AI of a unit has no target, as far as they are certain. */
function targetLines(sim: Simulation, { owner, x, y, sensorRadius }: UnitHandle, what: string) {
  const relationships = sim.definition.playerTypes.get(owner?.type ?? '')?.relationships;
  const hostile = sim.units().filter((each) => relationships?.get(each.owner?.type ?? '') === 'hostile');
  const stays = `The AI of ${what} has no target`;
  if (hostile.length === 0) return [`${stays}: its player is not hostile to any player that has units.`];
  const far = Math.min(...hostile.map((each) => Math.hypot(each.x - x, each.y - y)));
  if (far <= sensorRadius) return [];
  return [
    `${stays}: the nearest hostile unit is ${Math.ceil(far)} px away, beyond the sensor radius of ${Math.round(sensorRadius)} px.`,
  ];
}
