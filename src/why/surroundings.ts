import {
  type Condition,
  everyNode,
  type LoadedGame,
  literalText,
  type ScriptNode,
  type Simulation,
  type TriggerType,
  type UnitHandle,
} from '../../engine/index.ts';
import { internalsOf, projectileTypesOf } from '../../engine/tools.ts';
import { entityText, regionOf } from '../expression/index.ts';
import { variableReadBy } from '../model/index.ts';
import { amount } from '../text/index.ts';

/** Triggers that only fire for entities with a body. */
const needsBody = /Touches|Region|Sensor/;
const typesShown = 2;

/**
 * The types of units that touch nothing because the definition gives their state no body, if one of these triggers
 * would need that.
 */
export function bodilessLines(sim: Simulation, triggers: Iterable<TriggerType>): string[] {
  if (![...triggers].some((trigger) => needsBody.test(trigger))) return [];
  const { physics } = internalsOf(sim).game;
  const counts = new Map<string, number>();
  for (const { entity, type, typeName, state } of sim.units()) {
    const of = sim.definition.unitTypes.get(type ?? '');
    // A unit that is hidden or dying has no body either, for now.
    if (physics.hasBody(entity) || of?.bodies.has(of.states.get(state ?? '')?.body ?? '') === true) continue;
    const text = `of type ${typeName} ${state === undefined ? 'without a state' : `in state "${state}"`}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .slice(0, typesShown)
    .map(
      ([of, count]) => `${amount(count, 'unit')} ${of} without a body: what has no body touches and enters nothing.`,
    );
}

const contact = /^(unit|item|projectile)Touches(Unit|Item|Projectile)$/;

/**
 * The types whose bodies keep a pair of kinds from touching, if one of these triggers waits for that and no pair could
 * touch.
 */
export function excludingLines(sim: Simulation, triggers: Iterable<TriggerType>): string[] {
  const lines = new Set<string>();
  for (const trigger of triggers) {
    const [, one, another] = contact.exec(trigger) ?? [];
    if (one === undefined || another === undefined) continue;
    const kinds = [one, another.toLowerCase()] as const;
    const [first, second] = [bodiesOf(sim, kinds[0], kinds[1]), bodiesOf(sim, kinds[1], kinds[0])];
    if (first.size === 0 || second.size === 0) continue;
    if ([...first.values()].some(Boolean) && [...second.values()].some(Boolean)) continue;
    for (const [bodies, other] of [
      [first, kinds[1]],
      [second, kinds[0]],
    ] as const)
      for (const [what, collides] of [...bodies].slice(0, typesShown))
        if (!collides) lines.add(`${what} does not collide with ${other}s, so that ${trigger} cannot fire for it.`);
  }
  return [...lines];
}

/** The bodies that entities of a kind have now, and whether each collides with another kind. */
function bodiesOf(sim: Simulation, kind: string, other: string): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const { unitTypes, itemTypes } = sim.definition;
  const [entities, types] =
    kind === 'unit'
      ? [sim.units(), unitTypes]
      : kind === 'item'
        ? [sim.items(), itemTypes]
        : [sim.projectiles(), projectileTypesOf(sim.definition)];
  for (const { type, state, typeName } of entities) {
    const of = types.get(type ?? '');
    const name = of?.states.get(state ?? '')?.body ?? '';
    const body = of?.bodies.get(name);
    if (body === undefined) continue;
    found.set(
      `The body "${name}" of type ${typeName}`,
      body.collidesWith[`${other as 'unit' | 'item' | 'projectile'}s`],
    );
  }
  return found;
}

const atBound = /AttributeBecomes(Full|Zero)$/;

/** For scripts that wait for attributes to become full or zero: the attribute that is nearest to that now. */
export function nearestBoundLines(sim: Simulation, scripts: Iterable<ScriptNode>): string[] {
  const lines = new Set<string>();
  for (const script of scripts) {
    const [, bound] = script.source.triggers.map((each) => atBound.exec(each)).find((each) => each !== null) ?? [];
    if (bound === undefined) continue;
    for (const key of attributesIn(script)) {
      let nearest: { readonly text: string; readonly share: number } | undefined;
      for (const each of [...sim.units(), ...sim.players()]) {
        const value = each.attributes[key];
        if (value === undefined) continue;
        const { max } = each.attributeBounds(key)!;
        const share = bound === 'Full' ? -value / max : value;
        if (nearest !== undefined && share >= nearest.share) continue;
        const what = bound === 'Full' ? `, of at most ${rounded(max)}` : '';
        nearest = { share, text: `The nearest: ${key} of ${entityText(sim, each)} is ${rounded(value)}${what}.` };
      }
      if (nearest !== undefined) lines.add(nearest.text);
    }
  }
  return [...lines];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The attributes that the conditions of a script name. */
function attributesIn({ actions, conditions }: ScriptNode): ReadonlySet<string> {
  const found = new Set<string>();
  for (const part of [actions, conditions])
    for (const node of everyNode(part)) {
      if (node.kind !== 'condition' || node.isEmpty || !node.isList || node.isJunction) continue;
      const [left, right] = node.sides;
      const key = left.kind === 'call' && left.rule?.returns === 'attribute' ? literalText(right) : undefined;
      if (key !== undefined) found.add(key);
    }
  return found;
}

/** The names of the region variables that comparisons read. */
export function regionsIn({ definition }: LoadedGame, comparisons: Iterable<Condition>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const comparison of comparisons)
    for (const node of everyNode(comparison)) {
      const name = node.kind === 'call' ? variableReadBy(node) : undefined;
      if (name !== undefined && definition.variables.get(name)?.dataType === 'region') found.add(name);
    }
  return found;
}

interface Nearest {
  readonly unit: string;
  readonly distance: number;
  readonly tick: number;
}

/** How near the units of players came to regions. */
export class Approaches {
  private readonly nearest = new Map<string, Nearest>();

  /** Compares the units with the nearest so far. `nameOf` is the text of a unit. */
  note(sim: Simulation, regions: ReadonlySet<string>, nameOf: (sim: Simulation, unit: UnitHandle) => string): void {
    if (regions.size === 0) return;
    const units = sim.units().filter(({ owner }) => owner?.controlledBy === 'human');
    for (const name of regions) {
      const region = regionOf(sim, name);
      if (region === undefined) continue;
      let distance = this.nearest.get(name)?.distance ?? Number.POSITIVE_INFINITY;
      let nearest: UnitHandle | undefined;
      for (const unit of units) {
        const found = Math.hypot(
          gap(unit.x, unit.width, region.x, region.width),
          gap(unit.y, unit.height, region.y, region.height),
        );
        if (found >= distance) continue;
        distance = found;
        nearest = unit;
      }
      if (nearest !== undefined) this.nearest.set(name, { unit: nameOf(sim, nearest), distance, tick: sim.tick });
    }
  }

  /** Adds those of later ticks. */
  add(later: Approaches): void {
    for (const [name, found] of later.nearest)
      if (found.distance < (this.nearest.get(name)?.distance ?? Number.POSITIVE_INFINITY))
        this.nearest.set(name, found);
  }

  /** For each of the regions that nobody entered, how near somebody came. */
  lines(sim: Simulation, regions: ReadonlySet<string>): string[] {
    return [...regions].flatMap((name) => {
      const found = this.nearest.get(name);
      const region = regionOf(sim, name);
      if (found === undefined || found.distance <= 0 || region === undefined) return [];
      const size = `${region.width} x ${region.height} px at (${region.x}, ${region.y})`;
      const { unit, distance, tick } = found;
      return [
        `No player's unit was in ${name} (${size}): ${unit} came nearest, ${Math.ceil(distance)} px, at tick ${tick}.`,
      ];
    });
  }
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
