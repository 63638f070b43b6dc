import { messageOf } from '../../../engine/core/index.ts';
import { type Entity, EntityReader, everyNode, type Node, type Simulation } from '../../../engine/index.ts';
import {
  actionsOfTick,
  globalValue,
  internalsOf,
  mapOf,
  rememberedType,
  rowOf,
  statesOf,
} from '../../../engine/tools.ts';
import type { BoundExpression } from '../../expression/index.ts';
import { conditionOf, modelOf, type Use } from '../../model/index.ts';
import type { BoundPlan, Ground } from '../playing/ground.ts';
import type { InputRecording } from '../playing/input-recording.ts';
import type { IsOver } from '../playing/time-limit.ts';
import type { ExplorePlan } from '../searching/plan.ts';
import { Exploits } from './exploits.ts';
import { Suspects } from './suspects.ts';
import { waysOn, waysText } from './ways.ts';

export const findingKinds = [
  'fault',
  'limit',
  'not-finite',
  'leak',
  'outside',
  'in-wall',
  'dead-end',
  'standstill',
  'exploit',
  'never',
  'always',
  'within',
  'actions',
  'crash',
  'goal',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** Something wrong that was noticed in a play. Plain data. */
export interface Sighting {
  /** A key that is the same for the same mistake in every play. */
  readonly key: string;
  readonly kind: FindingKind;
  readonly message: string;
  /** The tick after which the mistake was first detected. */
  readonly tick: number;
  /** The recorded inputs that show the mistake, if playing its episode again does not. */
  readonly recording?: InputRecording;
  /** Depending on the kind: the best value of an objective, or the tick from which on something is missed. */
  readonly value?: number;
  /** Groups sightings of one kind at several places, which may be one mistake; only a few of a group are examined. */
  readonly group?: string;
}

/** The key of the sighting of a goal. */
export function goalKey(expression: string): string {
  return `goal ${expression}`;
}

/**
 * Whether a run would notice a finding if it occurred: a finding of another run may come from an expression or a limit
 * that this run does not have.
 */
export function looksFor(
  { never, always, within, reachable, actionsMax }: ExplorePlan,
  { key, kind }: Pick<Sighting, 'key' | 'kind'>,
): boolean {
  const what = key.slice(kind.length + 1);
  switch (kind) {
    case 'never':
      return never.includes(what);
    case 'always':
      return always.includes(what);
    case 'within':
      return within.some(({ expression }) => expression === what);
    case 'dead-end':
      return reachable.some(({ expression }) => expression === what);
    case 'actions':
      return actionsMax !== undefined;
    default:
      return true;
  }
}

/**
 * The name of a fault, which identifies it. For `limit-actions`, only the script counts, because it is a matter of
 * chance which action is the last one allowed in a tick.
 */
function faultName(code: string, at: string) {
  return `${code} ${code === 'limit-actions' ? at.split('/actions/')[0] : at}`;
}

const mobileKinds = ['unit', 'item', 'projectile'] as const;
/**
 * A unit must be outside the map or in a wall for this many seconds, because games move units out of sight for a
 * moment.
 */
const outsideSecondsMin = 3;
/**
 * Units misplaced in different squares of this many tiles count as different sightings, because their causes probably
 * differ.
 */
const placeTiles = 8;
/**
 * A leak is reported only if it still grows in a play that is this many times as long. Otherwise, the population may be
 * one that slowly approaches a bound.
 */
export const leakFactor = 2;

const leakSecondsMin = 120;
const leakWindows = 4;
/**
 * The minimum growth, in entities, that counts as a leak. The second value applies if a comparison of numbers may end
 * the growth, because the number of entities may only be approaching its bound. The third one applies if no entity of
 * the type has been removed in the play, so that nothing seems to remove them.
 */
const leakEntitiesMin = 20;
const boundedEntitiesMin = 60;
const keptEntitiesMin = 12;
/** The minimum growth of a string that counts as a leak: much longer than the names of all players. */
const leakCharactersMin = 100;
/** The share of a play for which `lowsOf` returns numbers: in the rest, it is too early to tell which entities stay. */
const lowsShare = 0.75;
/**
 * A play goes on for `leakFactor` times as long if the number of entities of a type has grown by this many, and in both
 * halves of the play.
 */
const growingEntitiesMin = 4;
/**
 * The growth between the last two windows must be at least this share of the growth between the first two, because
 * growth towards a bound slows down.
 */
const leakSteadiness = 0.3;

/**
 * Watches one play for mistakes. Uses only the simulated state, never wall time, so that a replay finds the same. Call
 * `look` after each step.
 */
export class Detector {
  readonly found = new Map<string, Sighting>();
  private readonly bound: BoundPlan;
  private readonly reader: EntityReader;
  private readonly secondTicks: number;
  private readonly met: Set<BoundExpression> = new Set();
  /** For each unit, the number of consecutive checks that found it outside the map, or in a wall. */
  private readonly outside = new Map<Entity, number>();
  private readonly inWall = new Map<Entity, number>();
  /**
   * The number of entities of each type, and the greatest length of each string variable, after each second; 0 for
   * seconds before the first one.
   */
  private readonly populations = new Map<string, number[]>();
  private readonly suspects: Suspects | undefined;
  private readonly exploits: Exploits;
  private seconds = 0;
  /** Whether any limit of the engine was exceeded. */
  hasHitLimit = false;
  private exhaustedTick: number | undefined;
  /** The tick and the place of the last fault. */
  private faulted = '';

  /**
   * `only`: the key of the sighting to look for; other sightings are reported only if they cost nothing extra.
   */
  constructor(
    private readonly sim: Simulation,
    private readonly plan: ExplorePlan,
    private readonly bind: Ground['bind'],
    private readonly isOver: IsOver,
    private readonly only: string | undefined = undefined,
  ) {
    this.suspects = this.isFor('standstill') ? new Suspects(sim, isOver, only?.slice('standstill '.length)) : undefined;
    this.exploits = new Exploits(sim);
    this.bound = bind(() => sim);
    this.reader = new EntityReader(sim);
    this.secondTicks = Math.max(1, Math.round(sim.rate));
    for (const { code, at, message } of sim.faults()) this.fault(code, at, message);
    sim.on('fault', ({ code, at, message }) => this.fault(code, at, message));
  }

  /** Looks for mistakes after a tick. Throws `OutOfTime`. */
  look() {
    const { sim, plan, bound } = this;
    if (bound.goal?.holds() === true) this.see('goal', bound.goal.text, `${bound.goal.text} holds`);
    for (const each of bound.never) if (each.answer() === true) this.see('never', each.text, `${each.text} holds`);
    for (const each of bound.always)
      if (each.answer() === false) this.see('always', each.text, `${each.text} does not hold`);
    for (const { bound: each, seconds } of bound.within) {
      const ticks = Math.round(seconds * sim.rate);
      if (sim.tick <= ticks && !this.met.has(each) && each.holds()) this.met.add(each);
      if (sim.tick === ticks && !this.met.has(each))
        this.see('within', each.text, `${each.text} did not hold in the first ${seconds} s`);
    }
    for (const [what, message] of this.exploits.look()) this.see('exploit', what, message);
    const { actionsMax } = plan;
    if (actionsMax !== undefined) {
      const actions = actionsOfTick(sim);
      if (actions > actionsMax) this.see('actions', '', `${actions} actions in one tick, more than ${actionsMax}`);
    }
    if (sim.tick % this.secondTicks === 0) this.lookEachSecond();
  }

  /**
   * Looks for leaks and dead ends. Call it after the last step, because a leak shows only over a whole play, and a dead
   * end only where the play ends. Throws `OutOfTime`.
   */
  end() {
    for (const [type, counts] of this.series()) {
      // If units change their types, only their total may grow steadily.
      if (type === 'unit' && [...this.found.keys()].some((key) => key.startsWith('leak unit'))) continue;
      const isKept = counts.every((count, i) => count >= (counts[i - 1] ?? 0));
      const isText = type.startsWith('variable ');
      const entitiesMin = isKept ? keptEntitiesMin : leakEntitiesMin;
      const least = isText ? leakCharactersMin : this.isBounded(type) ? boundedEntitiesMin : entitiesMin;
      const growth = growthOf(lowsOf(counts), least);
      if (growth === undefined) continue;
      const [from, to, seconds] = growth;
      const what = type === 'unit' ? 'units of all types' : type;
      const grew = `grew from ${from} to ${to}${isText ? ' characters' : ''} in ${seconds} s`;
      this.see('leak', type, `${what}: ${grew}, and was still growing at the end`);
    }
    for (const [index, { bound, seconds }] of this.bound.reachable.entries())
      if (this.isFor('dead-end') && !this.sim.ended && !bound.holds() && !this.canReach(index, seconds))
        this.see('dead-end', bound.text, `${bound.text} cannot become true: ${waysText()} failed for ${seconds} s`);
  }

  /**
   * Whether the creation of a type (`unit bear`) always depends on a comparison of two numbers, in scripts that create
   * it, or on the keys and items of players. Also true if no script creates it, except for what weapons shoot.
   */
  private isBounded(type: string) {
    const [kind, key] = type.split(' ') as [(typeof mobileKinds)[number], string];
    const model = modelOf(this.sim.definition);
    const creations = model.uses(kind, key).filter(({ role, isOff }) => role === 'creates' && !isOff);
    const compares = ({ place, guards }: Use) =>
      guards.some((guard) => {
        // A variable that the script itself resets is a clock, not a limit.
        const isClock = guard.asked.some(({ variable }) =>
          model.changes('variable', variable).some((use) => use.place === place && use.by === undefined),
        );
        if (isClock) return false;
        const action = model.action(place, guard);
        return action === undefined || [...everyNode(conditionOf(action)!)].some(isOfNumbers);
      });
    // Players may build as much as they like, if it takes something.
    const isBuilt = ({ place }: Use) =>
      model.usesIn(place).some(({ role }) => role === 'changes' || role === 'destroys') &&
      model.starts(place).every(({ by, name }) => by === 'key' || by === 'ability' || name === 'unitUsesItem');
    const isShot = kind === 'projectile' && creations.length === 0;
    return !isShot && creations.every((use) => compares(use) || isBuilt(use));
  }

  /** Whether the number of entities of a type seems to grow, so that the play should go on. */
  get seesGrowth(): boolean {
    return this.series().some(([, counts]) => growthOf(lowsOf(counts), growingEntitiesMin, 2) !== undefined);
  }

  /** The populations; in games that change the types of units, with the number of all units, as `unit`. */
  private series(): readonly (readonly [string, readonly number[]])[] {
    const units = [...this.populations].flatMap(([type, counts]) => (type.startsWith('unit ') ? [counts] : []));
    const all = modelOf(this.sim.definition).allUses;
    if (!all.some(({ role, aspect, of }) => role === 'changes' && aspect === 'type' && of === 'unit'))
      return [...this.populations];
    const total = Array.from({ length: this.seconds }, (_, i) => units.reduce((sum, counts) => sum + counts[i]!, 0));
    return [...this.populations, ['unit', total]];
  }

  private isFor(kind: FindingKind) {
    return this.only === undefined || this.only.split(' ')[0] === kind;
  }

  private canReach(index: number, seconds: number) {
    let bound: BoundExpression | undefined;
    let of: Simulation | undefined;
    const { sim, isOver } = this;
    return waysOn({ sim, isOver }, seconds, (fork) => {
      if (of !== fork) bound = this.bind(() => fork).reachable[index]!.bound;
      of = fork;
      return bound!.holds();
    });
  }

  crashed(error: unknown) {
    const message = messageOf(error);
    this.see('crash', message.slice(0, 80), `the engine failed, which is a bug in the engine: ${message}`);
  }

  private fault(code: string, at: string, message: string) {
    const here = `${this.sim.tick} ${at}`;
    // The value is missing because of the fault that the same action had just before.
    if (code === 'missing-value' && this.faulted === here) return;
    this.faulted = here;
    const isLimit = code.startsWith('limit-');
    this.hasHitLimit ||= isLimit;
    if (code === 'limit-actions') {
      // Only the script that used up the actions is reported: later scripts of the tick have done nothing wrong.
      if (this.exhaustedTick === this.sim.tick) return;
      this.exhaustedTick = this.sim.tick;
    }
    this.see(isLimit ? 'limit' : 'fault', faultName(code, at), `${code} at ${at}: ${message}`);
  }

  private see(kind: FindingKind, what: string, message: string, more: Pick<Sighting, 'value' | 'group'> = {}) {
    const key = `${kind} ${what}`.trimEnd();
    if (!this.found.has(key)) this.found.set(key, { key, kind, message, tick: this.sim.tick, ...more });
  }

  private lookEachSecond() {
    this.seconds++;
    for (const [what, message, second] of this.suspects?.look() ?? [])
      this.see('standstill', what, message, { value: second * this.secondTicks });
    this.lookAtMap();
    const counts = new Map<string, number>();
    if (this.isFor('not-finite') || this.isFor('leak')) this.lookAtValues(counts);
    if (!this.isFor('leak')) return;
    for (const kind of mobileKinds) {
      for (const entity of this.reader.all(kind)) {
        if (!this.reader.exists(entity)) continue;
        const type = `${kind} ${this.typeOf(entity)}`;
        counts.set(type, (counts.get(type) ?? 0) + 1);
      }
    }
    for (const type of counts.keys())
      if (!this.populations.has(type)) this.populations.set(type, new Array(this.seconds - 1).fill(0));
    for (const [type, series] of this.populations) series.push(counts.get(type) ?? 0);
  }

  /** Looks for values that are not finite, and notes the lengths of strings. */
  private lookAtValues(lengths: Map<string, number>) {
    const { sim, reader } = this;
    const { world } = internalsOf(sim);
    for (const name of world.globals.layout.names)
      this.value(globalValue(sim, name), () => `variable ${name}`, lengths);
    const { attributes, components } = world;
    for (const kind of [...mobileKinds, 'player'] as const) {
      for (const entity of reader.all(kind)) {
        if (!reader.exists(entity)) continue;
        const row = rowOf(entity);
        const start = components.attributes.start[row]!;
        for (let i = start; i < start + components.attributes.count[row]!; i++) {
          this.value(attributes.value[i], () => `an attribute of ${kind} ${this.typeOf(entity)}`, lengths);
        }
        const variables = components.variables[row];
        if (variables !== undefined) {
          for (const [slot, name] of variables.layout.names.entries()) {
            const what = () => `variable ${name} of ${kind} ${this.typeOf(entity)}`;
            this.value(variables.values[slot], what, lengths);
          }
        }
        if (kind === 'player') continue;
        const position = reader.x(entity) + reader.y(entity);
        this.value(position, () => `the position of ${kind} ${this.typeOf(entity)}`, lengths);
      }
    }
  }

  private value(value: unknown, name: () => string, lengths: Map<string, number>) {
    if (typeof value === 'string') lengths.set(name(), Math.max(lengths.get(name()) ?? 0, value.length));
    if (typeof value === 'number' && !Number.isFinite(value)) this.see('not-finite', name(), `${name()} is ${value}`);
  }

  /** Looks at units of players only, because games keep other units outside the map on purpose. */
  private lookAtMap() {
    const { sim, reader } = this;
    const { width, height, layers } = mapOf(sim);
    const { width: cellWidth, height: cellHeight } = sim.definition.cellSize;
    if (width === 0 || height === 0) return;
    const walls = layers.findLast(({ name, type }) => name === 'walls' && type === 'tilelayer')?.tiles;
    const outside = new Set<Entity>();
    const inWall = new Set<Entity>();
    for (const player of reader.all('player')) {
      if (!reader.exists(player) || !reader.isHuman(player)) continue;
      const unit = reader.selectedUnit(player);
      if (!reader.is(unit, 'unit') || reader.isHidden(unit)) continue;
      const x = reader.x(unit);
      const y = reader.y(unit);
      // A unit that touches the edge may stick out by its own size.
      const isInside =
        x >= -cellWidth && y >= -cellHeight && x <= (width + 1) * cellWidth && y <= (height + 1) * cellHeight;
      if (!isInside) outside.add(unit);
      const isWall = (left: number, top: number) =>
        (walls?.[Math.floor(top / cellHeight) * width + Math.floor(left / cellWidth)] ?? 0) !== 0;
      if (!isInside || !isWall(x, y)) continue;
      const body = this.bodyStoppedByWalls(unit);
      // A unit that pushes against a wall sinks into it a little, so all its corners must be in walls.
      if (body === undefined) continue;
      const [right, down] = [body.width / 2, body.height / 2];
      if ([x - right, x + right].every((left) => isWall(left, y - down) && isWall(left, y + down))) inWall.add(unit);
    }
    this.seeLasting('outside', outside, this.outside, 'outside the map');
    this.seeLasting('in-wall', inWall, this.inWall, 'in a wall');
  }

  private bodyStoppedByWalls(unit: Entity) {
    const { definition } = this.sim;
    const type = definition.unitTypes.get(this.typeOf(unit));
    const key = statesOf(this.sim, unit)[this.reader.stateIndex(unit)]?.key;
    const body = type?.bodies.get(type.states.get(key ?? '')?.body ?? '');
    const isStopped =
      body?.type === 'dynamic' && body.collidesWith.walls && body.fixtures.some((each) => !each.isSensor);
    return isStopped ? body : undefined;
  }

  private seeLasting(kind: FindingKind, now: ReadonlySet<Entity>, known: Map<Entity, number>, where: string) {
    const { reader } = this;
    for (const unit of known.keys()) if (!now.has(unit)) known.delete(unit);
    for (const unit of now) {
      const looks = (known.get(unit) ?? 0) + 1;
      known.set(unit, looks);
      if (looks < outsideSecondsMin) continue;
      const type = this.typeOf(unit);
      const x = reader.x(unit);
      const y = reader.y(unit);
      const { width, height } = this.sim.definition.cellSize;
      const square = `${Math.floor(x / width / placeTiles)}, ${Math.floor(y / height / placeTiles)}`;
      const message = `the ${type} of a player was ${where} for ${looks} s, at ${Math.round(x)}, ${Math.round(y)}`;
      this.see(kind, `${type} in square ${square}`, message, { group: `${kind} ${type}` });
    }
  }

  private typeOf(entity: Entity) {
    return rememberedType(this.sim, entity)?.key ?? '?';
  }
}

function isOfNumbers(node: Node) {
  return node.kind === 'condition' && ['<', '<=', '>', '>='].includes(node.operator ?? '');
}

/**
 * The numbers of entities that stay, for all but the last part of a play: for each second, the least number from then
 * on. They grow if a round leaves some of the entities that it has created.
 */
function lowsOf(counts: readonly number[]): number[] {
  let low = Infinity;
  const lows = counts.toReversed().map((count) => {
    low = Math.min(low, count);
    return low;
  });
  return lows.reverse().slice(0, Math.floor(counts.length * lowsShare));
}

/**
 * Detects a population that grew steadily, apart from the first quarter of the time. Returns its first and last number,
 * and the seconds between them; undefined if the population levels off, or rises and falls.
 */
export function growthOf(
  counts: readonly number[],
  least: number,
  windowCount = leakWindows,
): readonly [from: number, to: number, seconds: number] | undefined {
  if (counts.length < leakSecondsMin) return undefined;
  const settled = counts.slice(Math.floor(counts.length / 4));
  const length = Math.floor(settled.length / windowCount);
  const windows = Array.from({ length: windowCount }, (_, i) => settled.slice(i * length, (i + 1) * length));
  const means = windows.map((window) => window.reduce((sum, count) => sum + count, 0) / length);
  for (const [i, window] of windows.entries()) {
    const least = Math.min(...window);
    if (Math.max(...window) === least || (i > 0 && least < Math.max(...windows[i - 1]!))) return undefined;
  }
  const first = means[1]! - means[0]!;
  const last = means.at(-1)! - means.at(-2)!;
  const growth = settled.at(-1)! - settled[0]!;
  if (growth < least || last < first * leakSteadiness) return undefined;
  return [settled[0]!, settled.at(-1)!, settled.length - 1];
}
