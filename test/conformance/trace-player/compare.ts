import type { StateView } from '../../../engine/index.ts';
import { compareTriggers, tickOf } from './compare-triggers.ts';
import { type Difference, isRecord, sameValue } from './difference.ts';
import { dataOf } from './play.ts';
import type { Recording } from './recording.ts';
import { type FamilyRule, familyRules, type MotionRule, otherFamily } from './rules.ts';
import { type EntityListName, entityLists, type Members, type Sample, type TraceFile, wholeSamples } from './trace.ts';
import { compareWandering, wanderersOf } from './wandering.ts';

/** All differences between a recorded case and our engine, in order of time, by the rules of the case's family. */
export function compareCase(trace: TraceFile, recording: Recording): Difference[] {
  const rule = familyRules[trace.family] ?? otherFamily;
  const samples = wholeSamples(trace.samples);
  const comparison = new Comparison(trace, recording, rule, samples);
  const differences = [
    ...comparison.samples(),
    ...compareTriggers(trace.triggers, recording, rule.triggers, rule.ticks * recording.gameTicks),
    ...compareWandering(trace, samples, recording),
  ];
  return differences.sort((a, b) => a.timeSeconds - b.timeSeconds);
}

type AnyView = StateView[EntityListName][number];
/** The views at one tick, by list, then by label. */
type Labelled = Readonly<Record<EntityListName, ReadonlyMap<string, AnyView>>>;

class Comparison {
  private readonly differences: Difference[] = [];
  private readonly recording: Recording;
  private readonly rule: FamilyRule;
  private readonly whole: readonly Sample[];
  /** Labelled samples, by outer tick. */
  private readonly labelled: readonly Labelled[];
  /** Labels of entities that move randomly. */
  private readonly wanderers: ReadonlySet<string>;
  /** Global variables that have a default. */
  private readonly withDefault: ReadonlySet<string>;
  /** Ticks of the recorded contacts of each entity. */
  private readonly contactTicks = new Map<string, number[]>();

  constructor(trace: TraceFile, recording: Recording, rule: FamilyRule, whole: readonly Sample[]) {
    this.recording = recording;
    this.rule = rule;
    this.whole = whole;
    this.labelled = recording.views.map(byLabel);
    this.wanderers = wanderersOf(trace, whole);
    this.withDefault = variablesWithDefault(trace.definition);
    for (const { t, scope, type, entity } of trace.triggers) {
      if (scope !== 'entity' || entity === undefined || !/^entityTouches/.test(type)) continue;
      const ticks = this.contactTicks.get(entity);
      if (ticks) ticks.push(tickOf(t, recording.rate));
      else this.contactTicks.set(entity, [tickOf(t, recording.rate)]);
    }
  }

  samples(): readonly Difference[] {
    this.whole.forEach((sample, index) => {
      const tick = Math.round(sample.time * this.recording.rate);
      if (this.labelled[tick] === undefined) {
        this.report(sample, 'samples', 'a sample', 'the game ended before');
        return;
      }
      for (const list of entityLists) this.compareList(sample, tick, list);
      if (this.rule.variables === 'always' || index === this.whole.length - 1) this.compareVariables(sample, tick);
    });
    return this.differences;
  }

  private report({ time }: Sample, path: string, expected: unknown, got: unknown): void {
    this.differences.push({ timeSeconds: time, path, expected, got });
  }

  /** The ticks at which a change that is recorded at `tick` may occur. */
  private near(tick: number): readonly number[] {
    const ticks = [tick];
    for (let away = 1; away <= this.rule.ticks * this.recording.gameTicks; away++) ticks.push(tick - away, tick + away);
    return ticks.filter((candidate) => this.labelled[candidate] !== undefined);
  }

  private compareList(sample: Sample, tick: number, list: EntityListName): void {
    const ticks = this.near(tick);
    const expected = sample.entities[list];
    for (const members of expected.values()) {
      const found = ticks.map((at) => this.labelled[at]![list].get(members.id)).filter((view) => view !== undefined);
      if (found.length === 0) {
        this.report(sample, members.id, 'exists', 'does not exist');
        continue;
      }
      this.compareMembers(sample, members, found);
      const exact = this.labelled[tick]![list].get(members.id);
      if (exact && this.rule.motion?.lists.includes(list)) {
        this.compareMotion(sample, tick, members, exact, found, this.rule.motion);
      }
    }
    for (const [id, view] of this.labelled[tick]![list]) {
      if (expected.has(id) || isIdleComputer(view)) continue;
      if (ticks.every((at) => this.labelled[at]![list].has(id))) this.report(sample, id, 'does not exist', 'exists');
    }
  }

  private compareMembers(sample: Sample, members: Members, found: readonly AnyView[]): void {
    const random = this.wanderers.has(members.id);
    for (const name of this.rule.members) {
      if (!(name in members) || (random && name !== 'attributes')) continue;
      // Recordings do not show when a dropped item loses its slot.
      if (name === 'slotIndex' && members.owner === null) continue;
      const want = name === 'slots' ? withoutEmptyEnd(members[name]) : members[name];
      const got = found.map((view) => memberOf(view, name));
      // Recordings still have labels of entities that no longer exist, where our views may have none.
      if (isGone(want, sample) && got.includes(null)) continue;
      if (!got.some((value) => sameValue(want, value)))
        this.reportMember(sample, `${members.id}.${name}`, want, got[0]);
    }
  }

  /** Names the parts of a record that differ rather than the whole. */
  private reportMember(sample: Sample, path: string, want: unknown, got: unknown): void {
    if (!isRecord(want) || !isRecord(got)) {
      this.report(sample, path, want, got);
      return;
    }
    for (const key of new Set([...Object.keys(want), ...Object.keys(got)])) {
      if (!sameValue(want[key], got[key])) this.report(sample, `${path}.${key}`, want[key], got[key]);
    }
  }

  private compareMotion(
    sample: Sample,
    tick: number,
    members: Members,
    view: AnyView,
    found: readonly AnyView[],
    rule: MotionRule,
  ): void {
    const { id } = members;
    if (this.wanderers.has(id)) return;
    // A contact may occur a tick earlier than recorded, so the time before it has the tolerance of contacts, too.
    const lastTick = tick + this.rule.ticks * this.recording.gameTicks;
    const contacts = (this.contactTicks.get(id) ?? []).filter((at) => at <= lastTick).length;
    if (rule.only === 'carried' && members.owner === null) return;
    if (rule.only === 'beforeContact' && contacts > 0) return;
    const { positionPx, velocity, angle } = rule.tolerance(sample.time, contacts);

    const compare = (path: string, want: unknown, got: readonly unknown[], tolerance: number) => {
      const close = (value: unknown) =>
        typeof want === 'number' && typeof value === 'number' ? Math.abs(want - value) <= tolerance : want === value;
      if (!got.some(close)) this.report(sample, `${id}.${path}`, want, got[0]);
    };
    const x = memberOf(view, 'x');
    const y = memberOf(view, 'y');
    compare('x', members.x, [x], positionPx);
    compare('y', members.y, [y], positionPx);
    // Velocities jump at an impact. Like the contact, the jump may be a tick off.
    const moments = contacts === 0 ? [view] : [view, ...found];
    const each = (name: string) => moments.map((moment) => memberOf(moment, name));
    if (velocity !== undefined) {
      compare('vx', members.vx, each('vx'), velocity);
      compare('vy', members.vy, each('vy'), velocity);
    }
    if (angle !== undefined) compare('angle', members.angle, each('angle'), angle);

    const wantBody = members.body as readonly number[] | null;
    const gotBody = memberOf(view, 'body') as readonly number[] | null;
    if (wantBody === null || gotBody === null) {
      const without = moments.some((moment) => (memberOf(moment, 'body') === null) === (wantBody === null));
      if (!without) this.report(sample, `${id}.body`, wantBody, gotBody);
      return;
    }
    compare('body.x', wantBody[0], [gotBody[0]], positionPx);
    compare('body.y', wantBody[1], [gotBody[1]], positionPx);
  }

  private compareVariables(sample: Sample, tick: number): void {
    const views = this.near(tick).map((at) => this.recording.views[at]!.variables);
    for (const [name, want] of Object.entries(sample.variables)) {
      const got = views.map((variables) => variables[name]);
      // Reading a default consumes it. From then on a recording shows null if the variable has no value.
      if (want === null && this.withDefault.has(name) && got.includes('$undefined')) continue;
      if (!got.some((value) => sameValue(want, value))) this.report(sample, `variables.${name}`, want, got[0]);
    }
  }
}

function variablesWithDefault(definition: unknown): ReadonlySet<string> {
  const { variables } = dataOf(definition);
  if (!isRecord(variables)) return new Set();
  const entries = Object.entries(variables).filter(([, variable]) => isRecord(variable) && 'default' in variable);
  return new Set(entries.map(([name]) => name));
}

function byLabel(view: StateView): Labelled {
  const labelled = <V extends AnyView>(list: readonly V[]) =>
    new Map<string, AnyView>(list.map((one) => [one.id, one]));
  return {
    units: labelled(view.units),
    items: labelled(view.items),
    projectiles: labelled(view.projectiles),
    players: labelled(view.players),
  };
}

function memberOf(view: AnyView, name: string): unknown {
  // Recordings know bots as a kind of player.
  if (name === 'kind' && 'isBot' in view && view.isBot) return 'bot';
  const value = (view as unknown as Readonly<Record<string, unknown>>)[name];
  return name === 'slots' ? withoutEmptyEnd(value) : value;
}

/** Whether a value is the label of an entity that no longer exists. */
function isGone(value: unknown, { entities }: Sample): boolean {
  if (typeof value !== 'string' || !/^[uibp][0-9]+$/.test(value)) return false;
  return entityLists.every((list) => !entities[list].has(value));
}

/** The number of trailing empty slots is an implementation detail. */
function withoutEmptyEnd(slots: unknown): unknown {
  if (!Array.isArray(slots)) return slots;
  let end = slots.length;
  while (end > 0 && slots[end - 1] === null) end--;
  return slots.slice(0, end);
}

/** Recordings omit computer players that the game does not use. */
function isIdleComputer(view: AnyView): boolean {
  return 'kind' in view && view.kind === 'computer' && view.type === null && view.units.length === 0;
}
