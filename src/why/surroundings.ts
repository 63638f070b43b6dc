import {
  type Condition,
  everyNode,
  type Journal,
  type LoadedGame,
  Replay,
  type Simulation,
  type TriggerType,
  type UnitHandle,
} from '../../engine/index.ts';
import { internalsOf } from '../../engine/internal.ts';
import { regionOf } from '../expression/source.ts';
import { variableOf } from '../run/script-text.ts';
import { amount } from '../text/words.ts';

/** Triggers that only fire for entities with a body. */
const needsBody = /Touches|Region|Sensor/;
const typesShown = 2;

/** The types of units that touch nothing because their state has no body, if one of these triggers would need that. */
export function bodilessLines(sim: Simulation, triggers: Iterable<TriggerType>): string[] {
  if (![...triggers].some((trigger) => needsBody.test(trigger))) return [];
  const { physics } = internalsOf(sim).game;
  const counts = new Map<string, number>();
  for (const { entity, typeName, state } of sim.units()) {
    if (physics.hasBody(entity)) continue;
    const of = `of type ${typeName} ${state === undefined ? 'without a state' : `in state "${state}"`}`;
    counts.set(of, (counts.get(of) ?? 0) + 1);
  }
  return [...counts]
    .slice(0, typesShown)
    .map(
      ([of, count]) => `${amount(count, 'unit')} ${of} without a body: what has no body touches and enters nothing.`,
    );
}

/** The names of the region variables that comparisons read. */
export function regionsIn({ definition }: LoadedGame, comparisons: Iterable<Condition>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const comparison of comparisons)
    for (const node of everyNode(comparison)) {
      const name = node.kind === 'call' ? variableOf(node) : undefined;
      if (name !== undefined && definition.variables.get(name)?.dataType === 'region') found.add(name);
    }
  return found;
}

interface Nearest {
  readonly unit: string;
  readonly distance: number;
  readonly tick: number;
}

/**
 * For each region that no unit of a player entered up to a tick, how near one came. Replays the play. `nameOf` is the text of a
 * unit.
 */
export function approachLines(
  game: LoadedGame,
  journal: Journal,
  regions: ReadonlySet<string>,
  { tick, nameOf }: { readonly tick: number; readonly nameOf: (sim: Simulation, unit: UnitHandle) => string },
): string[] {
  if (regions.size === 0) return [];
  const nearest = new Map<string, Nearest>();
  const replay = new Replay(game, journal, { keyframeTicks: Number.MAX_SAFE_INTEGER });
  for (;;) {
    const { sim } = replay;
    const units = sim.units().filter(({ owner }) => owner?.controlledBy === 'human');
    for (const name of regions) {
      const region = regionOf(sim, name);
      if (region === undefined) continue;
      for (const unit of units) {
        const distance = Math.hypot(
          gap(unit.x, unit.width, region.x, region.width),
          gap(unit.y, unit.height, region.y, region.height),
        );
        if (distance < (nearest.get(name)?.distance ?? Number.POSITIVE_INFINITY))
          nearest.set(name, { unit: nameOf(sim, unit), distance, tick: replay.tick });
      }
    }
    if (replay.tick >= tick || replay.isAtEnd) break;
    replay.step();
  }
  return [...nearest].flatMap(([name, { unit, distance, tick: at }]) => {
    const region = regionOf(replay.sim, name);
    if (distance <= 0 || region === undefined) return [];
    const size = `${region.width} x ${region.height} px at (${region.x}, ${region.y})`;
    return [
      `No player's unit was in ${name} (${size}): ${unit} came nearest, ${Math.ceil(distance)} px, at tick ${at}.`,
    ];
  });
}

/** The distance between an interval around its centre and one that starts at a corner; 0 if they overlap. */
function gap(centre: number, width: number, corner: number, length: number): number {
  return Math.max(0, corner - (centre + width / 2), centre - width / 2 - (corner + length));
}

/** Why a unit holds nothing: which slots its items are in. */
export function emptyHandLines(sim: Simulation, { slot, slots }: UnitHandle): string[] {
  const carried = slots.flatMap((item, i) => {
    if (item === undefined) return [];
    const permitted = sim.definition.itemTypes.get(item.type ?? '')?.controls?.permittedInventorySlots ?? [];
    const only = permitted.length === 0 ? '' : `, its type permits only slot ${permitted.join(', ')}`;
    return [`${item.id} (${item.name}) in slot ${i + 1}${only}`];
  });
  if (slots[slot] !== undefined) return [];
  return [
    `Its selected slot ${slot + 1} is empty; ${carried.length === 0 ? 'it carries no item' : `it carries ${carried.join('; ')}`}.`,
  ];
}
