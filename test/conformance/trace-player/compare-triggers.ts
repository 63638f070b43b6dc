import type { TriggerType } from '../../../engine/index.ts';
import { triggersOf } from '../../../engine/tools.ts';
import { type Difference, sameValue } from './difference.ts';
import type { FiredTrigger, Recording } from './recording.ts';
import type { TraceTrigger } from './trace.ts';

interface Occurrence {
  readonly tick: number;
  /** Position in the actual order of firing. */
  readonly index: number;
  /** Equal for triggers of the same type about the same entities, ignoring numbers in the payload. */
  readonly identity: string;
  /** Tick and identity. */
  readonly key: string;
  readonly attribute: unknown;
}

/** Compares which triggers fired in which tick, and in which order. */
export function compareTriggers(expected: readonly TraceTrigger[], { triggers: fired, rate }: Recording): Difference[] {
  // Only recordings of cases about `frameTick` contain it.
  const frames = expected.some(({ type }) => type === 'frameTick');
  const wanted = occurrences(expected.filter(isCompared), ({ t }) => tickOf(t, rate));
  const happened = occurrences(
    fired.filter((trigger) => isCompared(trigger) && (trigger.type !== 'frameTick' || frames)),
    ({ tick }) => tick,
  );
  const differences: Difference[] = [];
  const report = (tick: number, path: string, want: unknown, got: unknown) =>
    differences.push({ timeSeconds: tick / rate, path: `triggers.${path}`, expected: want, got });

  const unpaired = new Map<string, Occurrence[]>();
  for (const occurrence of happened) {
    const list = unpaired.get(occurrence.key);
    if (list) list.push(occurrence);
    else unpaired.set(occurrence.key, [occurrence]);
  }
  let latest: readonly [want: Occurrence, got: Occurrence] | undefined;
  let isOrdered = true;
  for (const want of wanted) {
    const { tick, identity } = want;
    const got = unpaired.get(want.key)?.shift();
    if (got === undefined) {
      report(tick, identity, 'fires', 'does not fire');
      continue;
    }
    if (!sameValue(want.attribute, got.attribute)) report(tick, identity, want.attribute, got.attribute);
    // What follows the first inversion is reported only once.
    if (latest && latest[1].index > got.index && isOrdered) {
      isOrdered = false;
      report(tick, identity, `after ${latest[0].identity}`, 'before it');
    }
    latest = [want, got];
  }
  for (const { tick, identity } of [...unpaired.values()].flat()) report(tick, identity, 'does not fire', 'fires');
  return differences;
}

/**
 * Queued triggers reach only the scopes in which a script hears them, so recordings and engines may differ in whether
 * they list the others.
 */
function isCompared({ type, heard }: TraceTrigger | FiredTrigger): boolean {
  return heard === true || triggersOf({}).rows[type as TriggerType]?.delivery !== 'queued';
}

/** Times between two ticks belong to the later one. A recorded tick may be some microseconds late. */
export function tickOf(timeSeconds: number, rate: number): number {
  return Math.ceil(timeSeconds * rate - 0.01);
}

function occurrences<T extends TraceTrigger | FiredTrigger>(
  list: readonly T[],
  tick: (trigger: T) => number,
): Occurrence[] {
  return list.map((trigger, index) => {
    const { entity = 'global', type, payload = {} } = trigger;
    const { attribute, ...members } = payload;
    const attributeType = (attribute as { type?: string } | undefined)?.type;
    const texts = Object.keys(members)
      .sort()
      .filter((name) => members[name] !== '$undefined')
      .map((name) => `${name}=${String(members[name])}`);
    if (attributeType !== undefined) texts.push(`attribute=${attributeType}`);
    const identity = `${entity} ${type}(${texts.join(', ')})`;
    const at = tick(trigger);
    return { tick: at, index, identity, key: `${at} ${identity}`, attribute };
  });
}
