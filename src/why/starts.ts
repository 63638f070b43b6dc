import type {
  AnyHandle,
  ItemHandle,
  PlayerHandle,
  ProjectileHandle,
  RegionHandle,
  Simulation,
  TriggerType,
  UnitHandle,
} from '../../engine/index.ts';
import { type CompiledScript, triggersOf } from '../../engine/tools.ts';
import { type EntityNames, valueText } from '../expression/index.ts';

/** The entities and values with which a script is started. */
export interface Given {
  /** The entity on which the script runs. */
  readonly on?: Bodied;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The two units that the script finds as the last touching and the last touched unit. */
  readonly meeting?: readonly [UnitHandle, UnitHandle];
}

type Bodied = UnitHandle | ItemHandle | ProjectileHandle;

const partnersMax = 4;
const ownersMax = 2;

/** The triggers that start a script. Scripts may use older names of them. */
export function listenedBy({ node, triggerTable: { types, index } }: CompiledScript): TriggerType[] {
  return node.source.triggers.flatMap((type) => types[index(type)] ?? []);
}

/**
 * The combinations of entities and values with which the triggers of a script could start it: for `subject` if it is
 * given, otherwise for the entities of the players.
 */
export function givensOf(sim: Simulation, script: CompiledScript, subject: AnyHandle | undefined): readonly Given[] {
  const types = listenedBy(script);
  const units = unitsOf(sim, subject).filter((unit) => ownerType(script, unit) !== false);
  const found = payloadsOf(sim, types, units, subject).map((payload): Given => ({ payload }));
  const [unit] = units;
  if (unit !== undefined && types.includes('unitTouchesUnit')) {
    const others = oneOfEachType(sim.units().filter(({ id }) => id !== unit.id)).slice(0, partnersMax);
    const meetings = others.flatMap((other) => [[unit, other] as const, [other, unit] as const]);
    found.unshift(...meetings.map((meeting): Given => ({ payload: { unit: meeting[0] }, meeting })));
  }
  if (script.node.owner.kind === 'game') return found;
  const all: readonly Bodied[] = [...units, ...sim.units(), ...sim.items(), ...sim.projectiles()];
  const owners = new Map(all.filter((each) => ownerType(script, each) === true).map((each) => [each.id, each]));
  return [...owners.values()].slice(0, ownersMax).flatMap((on) => found.map((each) => ({ ...each, on })));
}

/** Whether a script belongs to the type of an entity; undefined if it belongs to no type of this kind of entity. */
function ownerType({ place }: CompiledScript, { kind, type }: Bodied) {
  const [section, own] = place.split('/');
  return section === `${kind}Types` ? own === type : undefined;
}

/**
 * Payloads for a trial: each with everything that scripts may ask for, and several values of the members that the
 * triggers require.
 */
function payloadsOf(
  sim: Simulation,
  types: readonly TriggerType[],
  units: readonly UnitHandle[],
  subject: AnyHandle | undefined,
): readonly Given['payload'][] {
  const attributes = subject !== undefined && 'attributes' in subject ? Object.entries(subject.attributes) : [];
  const projectile = oneOfEachType(sim.projectiles());
  const candidates: Readonly<Record<string, readonly unknown[]>> = {
    unit: units.length > 0 ? units : sim.units(),
    player: playersOf(sim, subject),
    item: oneOfEachType(sim.items()),
    projectile,
    collidingEntity: projectile,
    region: sim.regions(),
    attribute: attributes.map(([key, value]) => ({ type: key, name: key, value, min: 0, max: value })),
  };
  const required: ReadonlySet<string> = new Set(
    types.flatMap((type) => triggersOf(sim.definition).rows[type].required),
  );
  let found: readonly Given['payload'][] = [{}];
  for (const member of new Set(['unit', 'player', 'item', 'projectile', ...required])) {
    const values = (candidates[member] ?? []).slice(0, required.has(member) ? partnersMax : 1);
    if (values.length > 0) found = found.flatMap((each) => values.map((value) => ({ ...each, [member]: value })));
  }
  return found;
}

/** The unit in question, or the units of the player in question, or else of all human players. */
function unitsOf(sim: Simulation, subject: AnyHandle | undefined): readonly UnitHandle[] {
  if (subject?.kind === 'unit') return [subject];
  const players = new Set(playersOf(sim, subject).map(({ id }) => id));
  return sim.units().filter(({ owner }) => owner !== undefined && players.has(owner.id));
}

function playersOf(sim: Simulation, subject: AnyHandle | undefined): readonly PlayerHandle[] {
  const player = subject?.kind === 'unit' ? subject.owner : subject;
  return player?.kind === 'player' ? [player] : sim.players().filter(({ controlledBy }) => controlledBy === 'human');
}

function oneOfEachType<E extends Bodied>(all: readonly E[]): readonly E[] {
  return [...new Map(all.map((each) => [each.type, each])).values()];
}

/** How far units are from the region that a script waits for them to enter. */
export function distanceLines(
  sim: Simulation,
  subject: AnyHandle | undefined,
  { payload }: Given,
  names: EntityNames,
): readonly string[] {
  const region = payload['region'] as RegionHandle | undefined;
  const outside = (at: number, from: number, size: number) => Math.max(from - at, 0, at - from - size);
  return (region === undefined ? [] : unitsOf(sim, subject).slice(0, ownersMax)).flatMap((unit) => {
    const { x, y, width, height, name } = region!;
    const far = Math.hypot(outside(unit.x, x, width), outside(unit.y, y, height));
    return far === 0 ? [] : [`${valueText(sim, unit, names)} is ${Math.ceil(far)} px from ${name}.`];
  });
}
