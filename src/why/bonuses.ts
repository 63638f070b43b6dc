import type { AnyHandle, Simulation } from '../../engine/index.ts';
import { internalsOf, rowOf } from '../../engine/tools.ts';
import { idOf } from '../expression/index.ts';

/** The bonuses that items give to an attribute of a unit or player. */
interface Bonuses {
  /** The passive bonuses in effect, as texts such as `i3 (Vest), 50 %`. */
  readonly passive: ReadonlySet<string>;
  /** The quantity of each consumable item, by the text of its bonus. */
  readonly consumable: ReadonlyMap<string, number>;
}

export function bonusesOf(sim: Simulation, of: AnyHandle | undefined, attributes: ReadonlySet<string>): Bonuses {
  const passive = new Set<string>();
  const consumable = new Map<string, number>();
  const units = of?.kind === 'unit' ? [of] : of?.kind === 'player' ? of.units : [];
  const part = of?.kind === 'unit' ? 'unitAttribute' : 'playerAttribute';
  const { passiveBonus } = internalsOf(sim).world.components;
  for (const item of units.flatMap(({ slots }) => slots)) {
    if (item === undefined) continue;
    const { bonus } = sim.definition.itemTypes.get(item.type ?? '') ?? {};
    const name = `${idOf(item)} (${item.name})`;
    const given = passiveBonus[rowOf(item.entity)] === undefined ? undefined : bonus?.passive?.[part];
    for (const [key, { type, value }] of given ?? [])
      if (attributes.has(key)) passive.add(`${name}, ${value}${type === 'percentage' ? ' %' : ''}`);
    for (const [key, value] of bonus?.consume?.[part] ?? [])
      if (attributes.has(key)) consumable.set(`${name}, ${value}`, item.quantity);
  }
  return { passive, consumable };
}

/** Texts about bonuses that began, ended or were used between two moments. */
export function bonusChanges(before: Bonuses, now: Bonuses): readonly string[] {
  const given = [...now.passive].filter((each) => !before.passive.has(each));
  const ended = [...before.passive].filter((each) => !now.passive.has(each));
  const used = [...before.consumable].filter(([text, quantity]) => !(now.consumable.get(text)! >= quantity));
  return [
    ...given.map((each) => `the bonus of ${each}`),
    ...ended.map((each) => `the end of the bonus of ${each}`),
    ...used.map(([text]) => `the bonus of using ${text}`),
  ];
}
