import type { AnyHandle, Definition, PlayerHandle, Simulation, UnitHandle } from '../../engine/index.ts';
import { idOf } from '../expression/index.ts';

/** A field of the definition that may have kept an entity as it is, and that no script reads. */
interface Limit {
  readonly text: string;
  readonly section: 'itemTypes' | 'playerTypes';
  readonly key: string;
  /** The members of the type without the limit. */
  readonly members: object;
}

/** The limits that apply to an entity, or to those who could act on it, in the current state of a play. */
export function limitsOn(sim: Simulation, subject: AnyHandle): readonly Limit[] {
  const unit = subject.kind === 'unit' ? subject : undefined;
  const limits = [...userLimits(sim), ...(unit?.owner === undefined ? [] : enemyLimits(sim, unit, unit.owner))];
  return [...new Map(limits.map((limit) => [limit.text, limit])).values()];
}

/** A definition without a limit. */
export function withoutLimit(definition: Definition, { section, key, members }: Limit): Definition {
  const types = new Map<string, object>(definition[section]);
  return { ...definition, [section]: types.set(key, { ...types.get(key), ...members }) };
}

/** Items that their carriers cannot use. */
function userLimits(sim: Simulation): Limit[] {
  return sim.items().flatMap(({ type: key = '', name, owner }) => {
    const allowed = sim.definition.itemTypes.get(key)?.canBeUsedBy ?? [];
    if (owner === undefined || allowed.length === 0 || allowed.includes(owner.type ?? '')) return [];
    // The keys are told, because different types may have the same name.
    const text = `"${name}" can be used only by units of type ${allowed.join(', ')} (canBeUsedBy), and ${idOf(owner)} is of type ${owner.type}.`;
    return [{ text, section: 'itemTypes', key, members: { canBeUsedBy: [] } } as const];
  });
}

/** The relationships because of which nobody attacks the unit or damages it. */
function enemyLimits(sim: Simulation, unit: UnitHandle, owner: PlayerHandle): Limit[] {
  const { playerTypes, itemTypes } = sim.definition;
  const ownType = owner.type ?? '';
  const towards = (type: string) => playerTypes.get(type)?.relationships.get(ownType) ?? 'neutral';
  const said = (type: string) =>
    `Players of type ${playerTypes.get(type)?.name || type} are ${towards(type)} towards ${owner.typeName}, the player type of ${idOf(unit)}`;
  const damage = sim.items().flatMap(({ type: key = '', name, owner: holder }): Limit[] => {
    const by = holder?.owner;
    const attacker = by?.exists ? by.type : undefined;
    const item = itemTypes.get(key)?.damage;
    const affected = item?.targetsAffected ?? [];
    // Players never damage their own units.
    if (attacker === undefined || holder?.owner?.id === owner.id || affected.length === 0) return [];
    if (affected.includes('everything') || affected.includes(towards(attacker))) return [];
    const text = `${said(attacker)}, and "${name}" damages only ${affected.join(', ')} units (targetsAffected).`;
    return [{ text, section: 'itemTypes', key, members: { damage: { ...item, targetsAffected: [] } } }];
  });
  const calm = sim.units().flatMap(({ owner: other }): Limit[] => {
    const key = other?.exists && other.type;
    if (!key || key === ownType || towards(key) === 'hostile') return [];
    const relationships = new Map(playerTypes.get(key)?.relationships).set(ownType, 'hostile');
    return [{ text: `${said(key)}.`, section: 'playerTypes', key, members: { relationships } }];
  });
  return [...damage, ...calm];
}
