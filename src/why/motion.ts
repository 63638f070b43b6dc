import type { AnyHandle, Simulation, UnitHandle } from '../../engine/index.ts';
import { internalsOf, rowOf, typeOf, type World } from '../../engine/tools.ts';
import { type EntityNames, idOf, valueText } from '../expression/index.ts';

/** How an entity moves, and whether the attribute in question regenerates. */
export interface Motion {
  readonly id: string;
  /** Whether the attribute in question regenerates. */
  readonly regenerates: boolean;
  readonly text: string;
  /** The player who steers it, by client id, and the keys that it holds. */
  readonly player?: string;
  readonly keys: readonly string[];
}

/** The motion of an entity before a tick; undefined for no entity. */
export function motionOf(
  sim: Simulation,
  handle: AnyHandle | undefined,
  attributes: ReadonlySet<string>,
): Motion | undefined {
  if (handle === undefined) return undefined;
  const { world } = internalsOf(sim);
  const { components: c } = world;
  const row = rowOf(handle.entity);
  const offsets = [...attributes].flatMap((key) => typeOf(world, handle.entity)?.attributes.offsets.get(key) ?? []);
  const regenerates = offsets.some((offset) => world.attributes.rate[c.attributes.start[row]! + offset] !== 0);
  return { id: handle.id, regenerates, ...steeringOf(sim, world, handle) };
}

function steeringOf(
  sim: Simulation,
  { components: c }: World,
  handle: AnyHandle,
): Pick<Motion, 'text' | 'player' | 'keys'> {
  const row = rowOf(handle.entity);
  const ai = c.ai[row];
  if (ai?.enabled === true) {
    const target = ai.target === 0 ? undefined : sim.handle(ai.target);
    return { text: `its AI (${ai.mode}${target === undefined ? '' : ` ${idOf(target)}`})`, keys: [] };
  }
  if (c.movement.x[row] === 0 && c.movement.y[row] === 0)
    return { text: 'its velocity, a force or a push; it does not move by itself', keys: [] };
  const text = `it walks, direction (${c.movement.x[row]}, ${c.movement.y[row]})`;
  const owner = handle.kind === 'unit' ? handle.owner : undefined;
  if (owner?.exists !== true) return { text, keys: [] };
  const keys = c.controls[rowOf(owner.entity)]?.keysDown ?? [];
  return { text, player: owner.clientId, keys: [...keys] };
}

/** Why a unit does not move, as far as that is certain. */
export function restLines(sim: Simulation, unit: UnitHandle, names: EntityNames): readonly string[] {
  const { world, game } = internalsOf(sim);
  const { components: c } = world;
  const row = rowOf(unit.entity);
  const what = valueText(sim, unit, names);
  if (!game.physics.hasBody(unit.entity)) return [`${what} has no body, so that it cannot move.`];
  const definition = sim.definition.unitTypes.get(unit.type ?? '');
  const body = definition?.bodies.get(definition.states.get(unit.state ?? '')?.body ?? '');
  if (body?.type === 'static') return [`The body of type ${unit.typeName} is static: nothing moves it.`];
  const isWalking = c.movement.x[row] !== 0 || c.movement.y[row] !== 0;
  return isWalking && unit.attribute('speed') === 0 ? [`${what} has speed 0.`] : [];
}

/** Why nothing steers a unit that stands, as far as that is certain. */
export function idleLines(sim: Simulation, unit: UnitHandle, names: EntityNames): readonly string[] {
  const { components: c } = internalsOf(sim).world;
  const row = rowOf(unit.entity);
  const what = valueText(sim, unit, names);
  if (c.movement.x[row] !== 0 || c.movement.y[row] !== 0) return [];
  if (c.ai[row]?.enabled === true) return targetLines(sim, unit, names);
  const { owner } = unit;
  if (owner?.controlledBy !== 'computer') return [];
  return [`${what} belongs to ${idOf(owner)}, a computer player, and has no AI: nothing steers it.`];
}

/** Why the AI of a unit has no target, as far as that is certain. */
function targetLines(sim: Simulation, unit: UnitHandle, names: EntityNames): readonly string[] {
  const ai = internalsOf(sim).world.components.ai[rowOf(unit.entity)];
  if (ai?.enabled !== true || ai.target !== 0) return [];
  const what = valueText(sim, unit, names);
  const stays = `The AI of ${what} has no target`;
  const { owner } = unit;
  const hostile = sim.units().filter((each) => {
    const other = each.owner;
    if (owner === undefined || other === undefined || other.id === owner.id) return false;
    const { relationships } = sim.definition.playerTypes.get(owner.type ?? '') ?? {};
    return relationships?.get(other.type ?? '') === 'hostile';
  });
  if (hostile.length === 0) return [`${stays}: its player is hostile to no player with units.`];
  if (ai.sensorResponse === 'none') return [`${stays}: it does not respond to units in its sensor.`];
  const far = Math.min(...hostile.map(({ x, y }) => Math.hypot(x - unit.x, y - unit.y)));
  const radius = unit.sensorRadius;
  if (radius === 0) return [`${stays}: it has no sensor.`];
  return far > radius
    ? [`${stays}: the nearest hostile unit is ${Math.ceil(far)} px away, its sensor reaches ${Math.round(radius)} px.`]
    : [];
}

/** Why a unit whose AI fights what it notices does not attack another unit, as far as that is certain. */
export function attackLines(
  sim: Simulation,
  unit: UnitHandle,
  victim: UnitHandle,
  names: EntityNames,
): readonly string[] {
  const ai = internalsOf(sim).world.components.ai[rowOf(unit.entity)];
  if (ai === undefined || (ai.sensorResponse !== 'fight' && ai.attackResponse !== 'fight')) return [];
  const [who, whom] = [unit, victim].map((each) => valueText(sim, each, names)) as [string, string];
  if (!ai.enabled) return [`The AI of ${who} is switched off.`];
  const [own, other] = [unit.owner?.type, victim.owner?.type];
  const seen = sim.definition.playerTypes.get(own ?? '')?.relationships.get(other ?? '') ?? 'neutral';
  if (seen !== 'hostile')
    return [`${who} does not attack ${whom}: players of type ${own} are ${seen} to players of type ${other}.`];
  const far = Math.hypot(unit.x - victim.x, unit.y - victim.y);
  if (ai.target !== 0 || far <= unit.sensorRadius) return [];
  return [
    `${who} does not notice ${whom}: it is ${Math.ceil(far)} px away, its sensor reaches ${unit.sensorRadius} px.`,
  ];
}
