import type { StateView, ValueView } from '../../../engine/index.ts';
import type { FailureReport } from '../../run/index.ts';

type Difference = FailureReport['differences'][number];

const most = 16;

/** The differences between two states. Those of entities and variables for which `matters` is true come first. */
export function differences(
  before: StateView,
  after: StateView,
  matters: (word: string) => boolean,
  nameOf: (id: string) => string,
): readonly Difference[] {
  const first: Difference[] = [];
  const rest: Difference[] = [];
  const add = (word: string, what: string, from: ValueView | undefined, to: ValueView | undefined) => {
    if (JSON.stringify(from) === JSON.stringify(to)) return;
    (matters(word) ? first : rest).push({ what, before: shown(from, nameOf), after: shown(to, nameOf) });
  };
  for (const name of Object.keys(after.variables)) add(name, name, before.variables[name], after.variables[name]);
  for (const kind of ['units', 'items', 'projectiles'] as const) {
    const [from, to] = [countByType(before[kind]), countByType(after[kind])];
    for (const type of new Set([...from.keys(), ...to.keys()])) {
      add(kind, `${kind} of type ${type}`, from.get(type) ?? 0, to.get(type) ?? 0);
    }
  }
  const old = new Map([...before.units, ...before.players].map((each) => [each.id, each]));
  for (const now of [...after.players, ...after.units]) {
    const then = old.get(now.id);
    if (then === undefined) continue;
    const name = nameOf(now.id);
    add(now.id, `${name}.type`, then.type, now.type);
    for (const members of ['attributes', 'variables'] as const)
      for (const key of Object.keys(now[members])) add(now.id, `${name}.${key}`, then[members][key], now[members][key]);
    if ('owner' in now && 'owner' in then) add(now.id, `${name}.owner`, then.owner, now.owner);
  }
  return [...first, ...rest].slice(0, most);
}

function countByType(entities: readonly { readonly type: string | null }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of entities) counts.set(type ?? 'none', (counts.get(type ?? 'none') ?? 0) + 1);
  return counts;
}

function shown(value: ValueView | undefined, nameOf: (id: string) => string) {
  // A view represents entities as `@id`.
  if (typeof value === 'string' && /^@[^@\s]+$/.test(value)) return nameOf(value.slice(1));
  if (value === undefined || value === null || value === '$undefined') return 'nothing';
  if (typeof value === 'number') return String(Number(value.toFixed(3)));
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
