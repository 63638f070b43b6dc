import type { AnyHandle, Simulation } from '../../engine/index.ts';
import { internalsOf, rowOf, typeOf, type World } from '../../engine/tools.ts';
import { idOf } from '../expression/index.ts';

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
