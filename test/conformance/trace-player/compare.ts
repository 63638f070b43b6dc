import type { StateView } from '../../../engine/index.ts';
import { compareTriggers } from './compare-triggers.ts';
import { type Difference, isNumbers, isRecord, sameValue } from './difference.ts';
import { dataOf } from './play.ts';
import type { Recording } from './recording.ts';
import { entityLists, type Members, type Sample, type TraceFile, wholeSamples } from './trace.ts';

/**
 * All differences between a recorded case and our engine, in order of time. Everything that is recorded is compared, in
 * every case: each member of each entity at each sample, global variables, and triggers with their order.
 */
export function compareCase(trace: TraceFile, recording: Recording): Difference[] {
  const comparison = new Comparison(trace, recording);
  const differences = [
    ...comparison.samples(wholeSamples(trace.samples)),
    ...compareTriggers(trace.triggers, recording),
  ];
  return differences.sort((a, b) => a.timeSeconds - b.timeSeconds);
}

type AnyView = StateView[(typeof entityLists)[number]][number];

/** Members that a solver computes. Their last digits may differ: px, rad, and physics units per second. */
const motion: ReadonlySet<string> = new Set(['x', 'y', 'angle', 'vx', 'vy', 'body']);
const motionTolerance = 1e-3;

class Comparison {
  private readonly differences: Difference[] = [];
  private readonly recording: Recording;
  /** Global variables that have a default. */
  private readonly withDefault: ReadonlySet<string>;

  constructor(trace: TraceFile, recording: Recording) {
    this.recording = recording;
    this.withDefault = variablesWithDefault(trace.definition);
  }

  samples(whole: readonly Sample[]): readonly Difference[] {
    for (const sample of whole) {
      const view = this.recording.views[Math.round(sample.time * this.recording.rate)];
      if (view === undefined) this.report(sample, 'samples', 'a sample', 'the game ended before');
      else this.compareSample(sample, view);
    }
    return this.differences;
  }

  private report({ time }: Sample, path: string, expected: unknown, got: unknown): void {
    this.differences.push({ timeSeconds: time, path, expected, got });
  }

  private compareSample(sample: Sample, view: StateView): void {
    for (const list of entityLists) {
      const expected = sample.entities[list];
      const got = new Map<string, AnyView>(view[list].map((one: AnyView) => [one.id, one]));
      for (const members of expected.values()) {
        const found = got.get(members.id);
        if (found === undefined) this.report(sample, members.id, 'exists', 'does not exist');
        else this.compareMembers(sample, members, found);
      }
      for (const [id, one] of got) {
        if (!expected.has(id) && !isIdleComputer(one)) this.report(sample, id, 'does not exist', 'exists');
      }
    }
    for (const [name, want] of Object.entries(sample.variables)) {
      const got = view.variables[name];
      // Reading a default consumes it. From then on a recording shows null if the variable has no value.
      if (want === null && got === '$undefined' && this.withDefault.has(name)) continue;
      if (!sameValue(want, got)) this.reportParts(sample, `variables.${name}`, want, got);
    }
  }

  private compareMembers(sample: Sample, { id, ...members }: Members, view: AnyView): void {
    for (const [name, want] of Object.entries(members)) {
      const got = memberOf(view, name);
      const path = `${id}.${name}`;
      // Recordings still have labels of entities that no longer exist, and the last slot of dropped items.
      if (got === null && (isGone(want, sample) || (name === 'slotIndex' && members.owner === null))) continue;
      if (motion.has(name)) this.compareMotion(sample, path, want, got);
      else if (!sameValue(name === 'slots' ? withoutEmptyEnd(want) : want, got)) {
        this.reportParts(sample, path, want, got);
      }
    }
  }

  private compareMotion(sample: Sample, path: string, want: unknown, got: unknown): void {
    const bodies = isNumbers(want) && isNumbers(got);
    const close = bodies ? want.every((part, index) => isClose(part, got[index])) : isClose(want, got);
    if (!close) this.report(sample, path, want, got);
  }

  /** Names the parts of a record that differ rather than the whole. */
  private reportParts(sample: Sample, path: string, want: unknown, got: unknown): void {
    if (!isRecord(want) || !isRecord(got)) {
      this.report(sample, path, want, got);
      return;
    }
    for (const key of new Set([...Object.keys(want), ...Object.keys(got)])) {
      if (!sameValue(want[key], got[key])) this.report(sample, `${path}.${key}`, want[key], got[key]);
    }
  }
}

function isClose(want: unknown, got: unknown): boolean {
  return typeof want === 'number' && typeof got === 'number' ? Math.abs(want - got) <= motionTolerance : want === got;
}

function variablesWithDefault(definition: unknown): ReadonlySet<string> {
  const { variables } = dataOf(definition);
  if (!isRecord(variables)) return new Set();
  const entries = Object.entries(variables).filter(([, variable]) => isRecord(variable) && 'default' in variable);
  return new Set(entries.map(([name]) => name));
}

function memberOf(view: AnyView, name: string): unknown {
  // Recordings know bots as a kind of player.
  if (name === 'kind' && 'isBot' in view && view.isBot) return 'bot';
  // Recordings do not tell slots of trades from others.
  if (name === 'slots' && 'slots' in view) return withoutEmptyEnd([...view.slots, ...(view.tradeSlots ?? [])]);
  return (view as unknown as Readonly<Record<string, unknown>>)[name];
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
