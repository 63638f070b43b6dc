import { defined, isRecord } from '../../engine/core/index.ts';
import { align } from './align.ts';
import { isSame, leavesOf, type Renames, similarity } from './canonical.ts';
import { byText, editorMembers, isScalar, type JsonRecord } from './value-text.ts';

/** A value that changed; `before` or `after` is absent if it was added or removed. */
export interface FieldChange {
  /** The path within the changed type, script or entity: `attributes.health.max`, `fixtures[0].density`. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

interface FieldDiff {
  readonly changes: readonly FieldChange[];
  /** The number of texts that changed only because they name something that was renamed. */
  readonly followed: number;
}

const pairedMin = 0.4;

/** The deepest values that differ between two objects, by path. */
export function fieldChanges(before: JsonRecord, after: JsonRecord, renames: Renames): FieldDiff {
  const changes: FieldChange[] = [];
  let followed = 0;
  const compare = (path: string, old: unknown, now: unknown): void => {
    if (old === now) return;
    if (isRecord(old) && isRecord(now)) {
      members(path, old, now);
    } else if (Array.isArray(old) && Array.isArray(now) && !(old.every(isScalar) && now.every(isScalar))) {
      elements(path, old, now);
    } else if (typeof old === 'string' && typeof now === 'string' && renames.get(old) === now) {
      followed++;
    } else if (!isSame(old, now, renames) && !(isEmpty(old) && isEmpty(now))) {
      changes.push({ path, ...defined({ before: old, after: now }) });
    } else if (!isSame(old, now, new Map())) followed++;
  };
  const members = (path: string, old: JsonRecord, now: JsonRecord): void => {
    const at = (key: string): string => (path === '' ? key : `${path}.${key}`);
    const later = new Set(Object.keys(now).filter((key) => !editorMembers.has(key)));
    const rows: (() => void)[] = [];
    for (const key of Object.keys(old).sort(byText)) {
      if (editorMembers.has(key)) continue;
      const renamed = renames.get(key);
      const current = Object.hasOwn(now, key) || renamed === undefined || !later.has(renamed) ? key : renamed;
      later.delete(current);
      if (current !== key) followed++;
      rows.push(() => compare(at(current), old[key], own(now, current)));
    }
    for (const row of rows) row();
    for (const key of [...later].sort(byText)) compare(at(key), undefined, now[key]);
  };
  const elements = (path: string, old: readonly unknown[], now: readonly unknown[]): void => {
    const pairs = [...align(old.length, now.length, (i, j) => isSame(old[i], now[j], renames))];
    const close = (i: number, j: number): boolean => similarity(leavesOf(old[i]), leavesOf(now[j])) >= pairedMin;
    let [i, j] = [0, 0];
    for (const [nextOld, nextNow] of [...pairs, [old.length, now.length] as const]) {
      while (i < nextOld || j < nextNow) {
        const isPair = i < nextOld && j < nextNow && (nextOld - i === nextNow - j || close(i, j));
        const at = (index: number): string => `${path}[${index}]`;
        if (isPair) compare(at(j), old[i++], now[j++]);
        else if (j >= nextNow || (i < nextOld && nextOld - i > nextNow - j)) compare(at(i), old[i++], undefined);
        else compare(at(j), undefined, now[j++]);
      }
      if (nextOld < old.length) compare(`${path}[${j}]`, old[i++], now[j++]);
    }
  };
  members('', before, after);
  return { changes, followed };
}

function own(value: JsonRecord, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Absent, or an object or list without members. */
function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
