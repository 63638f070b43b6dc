import {
  type AnyHandle,
  everyNode,
  type ItemHandle,
  type PlayerHandle,
  type ProjectileHandle,
  type RegionHandle,
  type Simulation,
  type TriggerType,
  type UnitHandle,
} from '../../engine/index.ts';
import { type CompiledScript, internalsOf, projectileTypesOf, triggers } from '../../engine/tools.ts';
import { type EntityNames, valueText } from '../expression/index.ts';
import { variableReadBy } from '../model/index.ts';
import type { PlayReader } from './play-reader.ts';

/** What a script is started with: ids of entities, and an attribute. */
export interface Given {
  readonly on?: string | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
  /** What scripts find as touched and touching last. */
  readonly last?: Readonly<Record<string, string>>;
}

type Bodied = UnitHandle | ItemHandle | ProjectileHandle;

const partnersMax = 4;
const givenMax = 8;
const contact = /Touches(Unit|Item|Projectile)$/;
const kindsOfContact = { Unit: 'units', Item: 'items', Projectile: 'projectiles' } as const;

/** What a script would have been started with, and what kept that from happening: bodies, distances, bounds. */
export class Circumstances {
  private readonly reader: PlayReader;
  private readonly script: CompiledScript;
  private readonly from: number;
  private readonly to: number;

  /** For the ticks after `from` up to `to`. */
  constructor(reader: PlayReader, script: CompiledScript, from: number, to: number) {
    this.reader = reader;
    this.script = script;
    this.from = from;
    this.to = to;
  }

  /** With what a trigger could start the script for an entity, or for the entities of players. */
  payloads(types: readonly TriggerType[], subject: AnyHandle | undefined): readonly Given[] {
    const sim = this.reader.go(this.to);
    const units = unitsOf(sim, subject).filter(({ type }) => this.isOwner('unit', type));
    const owners = this.script.node.owner.kind === 'game' ? [undefined] : this.owners(sim, units, subject);
    // What the script expects may be more than its triggers tell.
    const any = this.payloadsOf(sim, ['unit', 'player', 'item', 'projectile'], units, subject);
    const found = types.flatMap((type) =>
      this.payloadsOf(sim, triggers[type].required, units, subject).map((each) => ({ ...any[0], ...each })),
    );
    found.push(...any.slice(0, 2));
    const met = types.includes('unitTouchesUnit') ? this.meetings(sim, units) : [];
    return [...met, ...owners.flatMap((on) => found.map((payload) => ({ on, payload })))].slice(0, givenMax);
  }

  /** Two units that touch, in both orders. */
  private meetings(sim: Simulation, units: readonly UnitHandle[]): readonly Given[] {
    const [unit] = units;
    if (unit === undefined) return [];
    const others = oneOfEachType(sim.units().filter(({ id }) => id !== unit.id)).slice(0, partnersMax);
    return others.flatMap((other) =>
      [
        [unit.id, other.id],
        [other.id, unit.id],
      ].map(([touching, touched]) => ({
        payload: { unit: touching },
        last: { touchingUnit: touching!, touchedUnit: touched! },
      })),
    );
  }

  private isOwner(kind: string, type: string | undefined): boolean {
    const [section, own] = this.script.place.split('/');
    return section !== `${kind}Types` || own === type;
  }

  private owners(sim: Simulation, units: readonly UnitHandle[], subject: AnyHandle | undefined): readonly string[] {
    const { kind } = this.script.node.owner;
    const own = subject?.kind === kind && this.isOwner(kind, (subject as Bodied).type) ? [subject.id] : [];
    const all: readonly Bodied[] = kind === 'unit' ? units : kind === 'item' ? sim.items() : sim.projectiles();
    const others = all.filter(({ type }) => this.isOwner(kind, type)).map(({ id }) => id);
    return [...new Set([...own, ...others])].slice(0, 2);
  }

  private payloadsOf(
    sim: Simulation,
    members: readonly string[],
    units: readonly UnitHandle[],
    subject: AnyHandle | undefined,
  ): readonly Readonly<Record<string, unknown>>[] {
    const of = (member: string): readonly unknown[] => {
      switch (member) {
        case 'unit':
          return (units.length > 0 ? units : sim.units()).map(({ id }) => id);
        case 'player':
          return playersOf(sim, subject).map(({ id }) => id);
        case 'item':
          return oneOfEachType(sim.items()).map(({ id }) => id);
        case 'projectile':
        case 'collidingEntity':
          return oneOfEachType(sim.projectiles()).map(({ id }) => id);
        case 'region':
          return sim.regions().map(({ id }) => id);
        case 'attribute':
          return (
            subject === undefined || subject.kind === 'region' || !('attributes' in subject)
              ? []
              : Object.entries(subject.attributes)
          ).map(([key, value]) => ({ type: key, name: key, value, min: 0, max: value }));
        default:
          return subject === undefined ? [] : [subject.id];
      }
    };
    let found: Readonly<Record<string, unknown>>[] = [{}];
    for (const member of members) {
      const values = of(member).slice(0, partnersMax);
      if (values.length > 0) found = found.flatMap((each) => values.map((value) => ({ ...each, [member]: value })));
    }
    return found;
  }

  /** What kept triggers from firing. */
  lines(
    types: readonly TriggerType[],
    subject: AnyHandle | undefined,
    { payload, last = {} }: Given,
  ): readonly string[] {
    return types.flatMap((type) => {
      const partner = contact.exec(type)?.[1] as keyof typeof kindsOfContact | undefined;
      const sim = this.reader.go(this.to);
      const units = unitsOf(sim, subject);
      if (partner !== undefined && type.startsWith('unit')) {
        const ids = [payload['item'], ...Object.values(last)].filter((id) => typeof id === 'string');
        const other = ids
          .map((id) => sim.find(id))
          .find((each) => each !== undefined && units.every(({ id }) => id !== each.id));
        const met = other !== undefined && 'type' in other ? other.type : undefined;
        return this.contactLines(sim, units, partner, met);
      }
      if (type.includes('Region')) return this.regionLines(units);
      const bound = /AttributeBecomes(Full|Zero)$/.exec(type)?.[1];
      return bound === undefined ? [] : this.boundLines(sim, subject, bound);
    });
  }

  private contactLines(
    sim: Simulation,
    units: readonly UnitHandle[],
    partner: keyof typeof kindsOfContact,
    type: string | undefined,
  ): readonly string[] {
    const kind = kindsOfContact[partner];
    const others = partnersIn(sim, kind).filter((each) => type === undefined || each.type === type);
    const lines = new Set<string>();
    const { source } = this.reader;
    for (const unit of units.slice(0, 2)) for (const line of bodyLine(sim, unit, kind, source)) lines.add(line);
    for (const other of others.slice(0, partnersMax))
      for (const line of bodyLine(sim, other, 'units', source)) lines.add(line);
    if (lines.size > 0) return [...lines];
    const ids = new Set(units.map(({ id }) => id));
    return this.nearest((now) => {
      const mine = now.units().filter(({ id }) => ids.has(id));
      const theirs = partnersIn(now, kind).filter((each) => type === undefined || each.type === type);
      return mine.flatMap((one) => theirs.flatMap((other) => (one.id === other.id ? [] : [{ one, other }])));
    });
  }

  private regionLines(units: readonly UnitHandle[]): readonly string[] {
    const sim = this.reader.go(this.to);
    const bodiless = units
      .flatMap((unit) => bodyLine(sim, unit, 'units', this.reader.source))
      .filter((line) => line.includes('no body'));
    if (bodiless.length > 0) return bodiless;
    const { definition } = sim;
    const names = new Set<string>();
    const { actions, conditions } = this.script.node;
    for (const part of [conditions, actions])
      for (const node of everyNode(part)) {
        const name = node.kind === 'call' ? variableReadBy(node) : undefined;
        if (name !== undefined && definition.variables.get(name)?.dataType === 'region') names.add(name);
      }
    const ids = new Set(units.map(({ id }) => id));
    return [...names].flatMap((name) =>
      this.nearest((now) => {
        const region = now.regions().find((each) => each.name === name);
        return region === undefined
          ? []
          : now.units().flatMap((one) => (ids.has(one.id) ? { one, other: region } : []));
      }),
    );
  }

  /** How near two came to each other, if they did not meet. */
  private nearest(
    pairsIn: (sim: Simulation) => readonly { readonly one: UnitHandle; readonly other: Bodied | RegionHandle }[],
  ): readonly string[] {
    const { reader } = this;
    let distance = Number.POSITIVE_INFINITY;
    let line = '';
    for (let tick = Math.max(reader.first, this.from); tick <= this.to; tick++) {
      const sim = reader.go(tick);
      for (const { one, other } of pairsIn(sim)) {
        const found = gapBetween(one, other);
        if (found >= distance) continue;
        distance = found;
        const where =
          other.kind === 'region' ? ` (${other.width} x ${other.height} px at (${other.x}, ${other.y}))` : '';
        const name = other.kind === 'region' ? other.name : valueText(sim, other, reader.source);
        line = `${valueText(sim, one, reader.source)} came nearest to ${name}${where}: ${Math.ceil(found)} px, at ${reader.moment(tick)}.`;
      }
    }
    return distance > 0 && line !== '' ? [line] : [];
  }

  private boundLines(sim: Simulation, subject: AnyHandle | undefined, bound: string): readonly string[] {
    const attributes = new Set<string>();
    const { actions, conditions } = this.script.node;
    for (const part of [actions, conditions])
      for (const node of everyNode(part))
        if (node.kind === 'literal' && typeof node.json === 'string') attributes.add(node.json);
    const holders =
      subject === undefined
        ? [...sim.units(), ...sim.players()]
        : [...unitsOf(sim, subject), ...playersOf(sim, subject)];
    return [...attributes].flatMap((key) => {
      const found = holders.flatMap((of) => {
        const value = of.attributes[key];
        return value === undefined ? [] : [{ of, value, max: of.attributeBounds(key)!.max }];
      });
      const far = ({ value, max }: { value: number; max: number }): number => (bound === 'Full' ? -value / max : value);
      const [nearest] = found.sort((a, b) => far(a) - far(b));
      if (nearest === undefined) return [];
      const { of, value, max } = nearest;
      const most = bound === 'Full' ? `, of at most ${rounded(max)}` : '';
      return [`The nearest: ${key} of ${valueText(sim, of, this.reader.source)} is ${rounded(value)}${most}.`];
    });
  }
}

function partnersIn(sim: Simulation, kind: 'units' | 'items' | 'projectiles'): readonly Bodied[] {
  return kind === 'units' ? sim.units() : kind === 'items' ? sim.items() : sim.projectiles();
}

/** The unit in question, or the units of the player or of all people. */
function unitsOf(sim: Simulation, subject: AnyHandle | undefined): readonly UnitHandle[] {
  if (subject?.kind === 'unit') return [subject];
  const players = new Set(playersOf(sim, subject).map(({ id }) => id));
  return sim.units().filter(({ owner }) => owner !== undefined && players.has(owner.id));
}

function playersOf(sim: Simulation, subject: AnyHandle | undefined): readonly PlayerHandle[] {
  if (subject?.kind === 'player') return [subject];
  const owner = subject?.kind === 'unit' ? subject.owner : undefined;
  return owner === undefined ? sim.players().filter(({ controlledBy }) => controlledBy === 'human') : [owner];
}

function oneOfEachType<E extends Bodied>(all: readonly E[]): readonly E[] {
  return [...new Map(all.map((each) => [each.type, each])).values()];
}

/** The distance between two rectangles, without their rotation; 0 if they overlap. A region starts at its corner. */
function gapBetween(one: Bodied, other: Bodied | RegionHandle): number {
  const isRegion = other.kind === 'region';
  const gap = (centre: number, size: number, place: number, length: number): number => {
    const middle = isRegion ? place + length / 2 : place;
    return Math.max(0, Math.abs(centre - middle) - (size + length) / 2);
  };
  return Math.hypot(gap(one.x, one.width, other.x, other.width), gap(one.y, one.height, other.y, other.height));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Says so if the body of an entity does not touch another kind, or if it has none. */
export function bodyLine(
  sim: Simulation,
  entity: Bodied,
  kind: 'units' | 'items' | 'projectiles',
  names: EntityNames,
): string[] {
  const { definition } = sim;
  const types =
    entity.kind === 'unit'
      ? definition.unitTypes
      : entity.kind === 'item'
        ? definition.itemTypes
        : projectileTypesOf(definition);
  const of = types.get(entity.type ?? '');
  const state = of?.states.get(entity.state ?? 'default');
  const body = of?.bodies.get(state?.body ?? '');
  const what = valueText(sim, entity, names);
  if (body === undefined)
    return internalsOf(sim).game.physics.hasBody(entity.entity)
      ? []
      : [`${what} has no body in state "${entity.state}": what has no body touches and enters nothing.`];
  return body.collidesWith[kind]
    ? []
    : [`The body "${state?.body}" of type ${entity.typeName} does not collide with ${kind}.`];
}
