import type { DialectName } from '../../../engine/definition/dialect.ts';
import { type Effect, implied } from '../../../engine/tools.ts';

/**
 * How it shows that an effect happened: any of these changes. None for those that other actions show, such as the list
 * that an action runs.
 */
export function signsOf(effect: Effect): readonly string[] {
  switch (effect.does) {
    case 'creates':
      return (effect.kind === undefined ? ['unit', 'item', 'projectile'] : [effect.kind]).map(
        (kind) => `creates ${kind}`,
      );
    case 'destroys':
      return ['unit', 'item', 'projectile', 'debris', 'player', 'region'].map((kind) => `destroys ${kind}`);
    case 'changes':
      if (effect.aspect === 'payload') return [];
      if (effect.aspect === 'members') return ['variable of game'];
      return [effect.aspect === 'variable' && effect.of === undefined ? 'variable of game' : effect.aspect];
    case 'runs':
      return effect.when === 'later' || effect.when === 'repeatedly' ? ['timer'] : [];
    case 'tells':
      return [`tells ${effect.output}`];
    case 'fires':
      return [`fires ${effect.trigger}`];
    case 'ends':
      return ['ends'];
    default:
      return [];
  }
}

/** The effects that happen in a dialect. */
export function effectsIn(effects: readonly Effect[], dialect: DialectName): readonly Effect[] {
  return effects.filter(({ only }) => only === undefined || only === dialect);
}

/** What follows from a change directly. */
export function impliedBy(change: string): readonly string[] {
  return implied[change as keyof typeof implied] ?? [];
}

/** Changes, with all that follows from them by itself. */
export function withImplied(changes: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (change: string): void => {
    if (found.has(change)) return;
    found.add(change);
    for (const each of impliedBy(change)) add(each);
    if (change === 'plays effect') found.add('tells effect');
    if (change === 'ends') found.add('fires serverShuttingDown');
  };
  for (const each of changes) add(each);
  return found;
}
