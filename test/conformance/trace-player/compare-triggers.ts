import { type Difference, sameValue } from './difference.ts';
import type { FiredTrigger, Recording } from './recording.ts';
import type { TriggerRule } from './rules.ts';
import type { TraceTrigger } from './trace.ts';

interface Occurrence {
  readonly tick: number;
  /** Position in the actual order of firing. */
  readonly index: number;
  readonly scope: 'global' | 'entity';
  /** Equal for triggers of the same type about the same entities, ignoring numbers in the payload. */
  readonly identity: string;
  readonly attribute: unknown;
}

/**
 * Pairs every expected trigger with one that fired within `ticks` outer ticks, then compares the order of the pairs. Triggers without listeners are
 * compared only if the rule names them, because engines may differ in whether they fire those.
 */
export function compareTriggers(
  expected: readonly TraceTrigger[],
  { triggers: fired, rate, views }: Recording,
  rule: TriggerRule,
  ticks: number,
): Difference[] {
  const wanted = occurrences(
    expected.filter(({ type, heard }) => heard === true || rule.also?.test(type) === true),
    ({ t }) => tickOf(t, rate),
    ({ entity, payload = {} }) => ({ entity, payload }),
  );
  // Only recordings of cases about `frameTick` contain it.
  const frames = expected.some(({ type }) => type === 'frameTick');
  const happened = occurrences(
    fired.filter(({ type, heard }) => (type !== 'frameTick' || frames) && (heard || rule.also?.test(type) === true)),
    ({ tick }) => tick,
    (trigger) => ({ entity: trigger.entity, payload: trigger.payload }),
  );
  const differences: Difference[] = [];
  const report = (tick: number, scope: string, expectedText: unknown, got: unknown) =>
    differences.push({ timeSeconds: tick / rate, path: `triggers.${scope}`, expected: expectedText, got });

  // A trigger at the very end may, within the tolerance, fire after the recording stopped.
  const lastTick = views.length - 1 - ticks;
  const pairs: [Occurrence, Occurrence][] = [];
  const identities = new Set([...wanted, ...happened].map(({ identity }) => identity));
  for (const identity of identities) {
    const ours = happened.filter((occurrence) => occurrence.identity === identity);
    const theirs = wanted.filter((occurrence) => occurrence.identity === identity);
    if (rule.firstOnly) {
      ours.length = Math.min(ours.length, 1);
      theirs.length = Math.min(theirs.length, 1);
    }
    let mine = 0;
    let their = 0;
    while (mine < ours.length || their < theirs.length) {
      const got = ours[mine];
      const want = theirs[their];
      if (got && want && Math.abs(got.tick - want.tick) <= ticks) {
        pairs.push([want, got]);
        mine++;
        their++;
      } else if (want && (!got || want.tick < got.tick)) {
        if (want.tick <= lastTick) report(want.tick, want.scope, identity, 'nothing');
        their++;
      } else if (got) {
        if (got.tick <= lastTick) report(got.tick, got.scope, 'nothing', identity);
        mine++;
      }
    }
  }

  pairs.sort(([a], [b]) => a.index - b.index);
  for (const [want, got] of pairs) {
    if (want.attribute !== undefined && !sameValue(want.attribute, got.attribute)) {
      report(want.tick, `${want.scope}.${want.identity}`, want.attribute, got.attribute);
    }
  }
  if (rule.order !== 'none') {
    const wrong = firstInversion(pairs, rule.order);
    if (wrong) {
      const [before, after] = wrong;
      report(
        after[0].tick,
        `${after[0].scope}.order`,
        `${before[0].identity}, then ${after[0].identity}`,
        'the other way round',
      );
    }
  }
  return differences.sort((a, b) => a.timeSeconds - b.timeSeconds);
}

/** Times between two ticks belong to the later one. A recorded tick may be some microseconds late. */
export function tickOf(timeSeconds: number, rate: number): number {
  return Math.ceil(timeSeconds * rate - 0.01);
}

function occurrences<T extends TraceTrigger | FiredTrigger>(
  triggers: readonly T[],
  tick: (trigger: T) => number,
  about: (trigger: T) => { entity: string | undefined; payload: Readonly<Record<string, unknown>> },
): Occurrence[] {
  return triggers.map((trigger, index) => {
    const { entity, payload } = about(trigger);
    const { attribute, ...members } = payload;
    const key = (attribute as { type?: string } | undefined)?.type;
    const texts = Object.keys(members)
      .sort()
      .filter((name) => members[name] !== '$undefined')
      .map((name) => `${name}=${String(members[name])}`);
    if (key !== undefined) texts.push(`attribute=${key}`);
    const { scope, type } = trigger;
    const identity = `${entity ?? 'global'} ${type}(${texts.join(', ')})`;
    return { tick: tick(trigger), index, scope, identity, attribute };
  });
}

type Pair = readonly [Occurrence, Occurrence];

/** Checks the order of pairs. Within a tick, only pairs that are in one tick on both sides are compared. */
function firstInversion(pairs: readonly Pair[], order: 'tick' | 'all'): readonly [Pair, Pair] | undefined {
  const latest = new Map<string, Pair>();
  for (const pair of pairs) {
    const [want, got] = pair;
    const group = order === 'all' ? '' : `${want.scope} ${want.tick} ${got.tick}`;
    const before = latest.get(group);
    if (before && before[1].index > got.index) return [before, pair];
    latest.set(group, pair);
  }
  return undefined;
}
