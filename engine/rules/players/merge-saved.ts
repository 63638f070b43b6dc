import { isRecord } from '../../core/plain-object.ts';
import { entityTypes, type PlainRecord } from './saved-data.ts';

/**
 * Merges saved data that could not be read in time with what the player did without it (docs/semantics/players.md).
 * Each value has three versions: `before`, when scripts asked to load it; `now`; and `stored`. If it did not change
 * between `before` and `now`, the stored value is kept. A changed number becomes the stored number plus the change; for
 * any other changed value the newer one wins. Nothing stored and nothing earned is lost. All of it is untrusted plain
 * data.
 */
type Merge = (before: unknown, now: unknown, stored: unknown) => unknown;

/** Merges each part of a save with what the host has stored. */
export function mergeSaved({ data, since }: Readonly<Record<'data' | 'since', Parts>>, stored: Parts): Parts {
  return {
    ...(data.player === undefined ? {} : { player: mergePlayer(since.player, data.player, stored.player) }),
    ...(data.unit === undefined ? {} : { unit: mergeUnit(since.unit, data.unit, stored.unit) }),
  };
}

interface Parts {
  readonly player?: unknown;
  readonly unit?: unknown;
}

/** Merges the player part, see `SavedPlayer`. */
export const mergePlayer: Merge = (before, now, stored) =>
  mergeMembers(before, now, stored, { attributes: mergeAttributes, variables: mergeVariables, quests: mergeQuests });

/** Merges the unit part, see `SavedUnit`. */
export const mergeUnit: Merge = (before, now, stored) =>
  mergeMembers(before, now, stored, {
    attributes: mergeAttributes,
    variables: mergeVariables,
    inventoryItems: mergeItems,
  });

function mergeMembers(
  before: unknown,
  now: unknown,
  stored: unknown,
  members: Readonly<Record<string, Merge>>,
): unknown {
  if (!isRecord(stored)) return now;
  if (!isRecord(now)) return stored;
  const merged = Object.entries(members).map(([key, merge]) => [
    key,
    merge(memberOf(before, key), now[key], stored[key]),
  ]);
  return { ...stored, ...now, ...Object.fromEntries(merged) };
}

/** Merges records member by member; a member that only one side has is kept. */
function each(merge: Merge): Merge {
  return (before, now, stored) => {
    if (!isRecord(stored)) return now;
    if (!isRecord(now)) return stored;
    const keys = new Set([...Object.keys(stored), ...Object.keys(now)]);
    return Object.fromEntries(
      Array.from(keys, (key) => {
        const isIn = (side: PlainRecord): boolean => Object.hasOwn(side, key);
        if (!isIn(now)) return [key, stored[key]];
        return [key, isIn(stored) ? merge(memberOf(before, key), now[key], stored[key]) : now[key]];
      }),
    );
  };
}

const mergeAttributes = each((before, now, stored) => {
  // Without an earlier state, as after a type change, it is unknown what was earned.
  if (!isRecord(before) || !isRecord(now) || !isRecord(stored)) return now;
  const newer = (key: string): unknown => (now[key] === before[key] ? stored[key] : now[key]);
  const min = newer('min');
  const max = newer('max');
  return { ...stored, min, max, regenerateSpeed: newer('regenerateSpeed'), value: mergeAmount(before, now, stored) };

  function mergeAmount(before: PlainRecord, now: PlainRecord, stored: PlainRecord): unknown {
    const sum = mergeValue(before['value'], now['value'], stored['value']);
    if (typeof sum !== 'number' || typeof now['value'] !== 'number' || typeof stored['value'] !== 'number') return sum;
    const lowest = typeof min === 'number' ? min : Number.NEGATIVE_INFINITY;
    const highest = typeof max === 'number' ? max : Number.POSITIVE_INFINITY;
    // Two losses must not reach the minimum together if neither does alone: nobody dies of two wounds that are not
    // mortal.
    if (sum <= lowest) return Math.min(highest, Math.max(lowest, Math.min(now['value'], stored['value'])));
    return Math.min(highest, sum);
  }
});

const mergeVariables = each((before, now, stored) => {
  // Entity ids of an earlier game are meaningless.
  if (!isRecord(before) || !isRecord(now) || !isRecord(stored) || entityTypes.has(String(now['dataType']))) return now;
  return { ...now, value: mergeValue(before['value'], now['value'], stored['value']) };
});

const mergeValue: Merge = (before, now, stored) => {
  if (isSame(before, now)) return stored;
  if (isSame(before, stored)) return now;
  const areNumbers = typeof before === 'number' && typeof now === 'number' && typeof stored === 'number';
  return areNumbers ? stored + (now - before) : now;
};

/**
 * Merges quests by game, then by id. A quest completed on one side is completed; if it is active on both, the greater
 * progress counts.
 */
const mergeQuests: Merge = (_before, now, stored) => {
  if (!isRecord(stored)) return now;
  if (!isRecord(now)) return stored;
  const completed = each(each((_, one) => one))(undefined, now['completed'], stored['completed']);
  const active = each(each((_, one, other) => (progressOf(other) > progressOf(one) ? other : one)))(
    undefined,
    now['active'],
    stored['active'],
  );
  if (!isRecord(active)) return { active, completed };
  const left = Object.entries(active).map(([game, quests]) => {
    const done = memberOf(completed, game);
    if (!isRecord(quests) || !isRecord(done)) return [game, quests];
    return [game, Object.fromEntries(Object.entries(quests).filter(([id]) => !Object.hasOwn(done, id)))];
  });
  return { active: Object.fromEntries(left), completed };
};

/**
 * The stored items, followed by those the unit has gained since. As in a load, the stored items replace those the unit
 * started with.
 */
const mergeItems: Merge = (before, now, stored) => {
  if (!Array.isArray(stored) || stored.length === 0) return now;
  const had: unknown[] = Array.isArray(before) ? [...before] : [];
  const gained = (Array.isArray(now) ? now : []).flatMap((item: unknown) => {
    const at = had.findIndex((other) => isKindOf(other, item));
    const [old] = at < 0 ? [] : had.splice(at, 1);
    if (!isRecord(old) || !isRecord(item)) return [item];
    const more = Number(item['quantity'] ?? 0) - Number(old['quantity'] ?? 0);
    return more > 0 ? [{ ...item, quantity: more }] : [];
  });
  return [...stored, ...gained];
};

function isKindOf(one: unknown, other: unknown): boolean {
  return isRecord(one) && isRecord(other) && one['itemTypeId'] === other['itemTypeId'];
}

function progressOf(quest: unknown): number {
  const progress = memberOf(quest, 'progress');
  return typeof progress === 'number' ? progress : 0;
}

function memberOf(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Whether two values are equal plain data. Members may be in any order: a database may have sorted them. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, i) => isSame(value, other[i]));
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}
