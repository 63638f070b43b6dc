import type { CatalogueOperation, CatalogueTrigger } from '../../engine/index.ts';

/**
 * An operation with its operands in one line, such as `moveEntity(entity: entity, position: position)`. A question mark
 * marks optional operands.
 */
export function signature({ type, params, returns, status, aliases, why }: CatalogueOperation): string {
  const operands = params.map(({ key, type: kind, optional }) => `${key}${optional ? '?' : ''}: ${kind}`).join(', ');
  const gives = returns === undefined ? '' : ` -> ${returns}`;
  const also = aliases.length === 0 ? '' : `  also ${aliases.join(', ')}`;
  const note = status === 'world' ? '' : `  [${status}${why === undefined ? '' : `: ${why}`}]`;
  return `${type}(${operands})${gives}${also}${note}`;
}

/** A trigger with its payload in one line, such as `playerJoinsGame(player)  global; direct`. */
export function triggerLine({ type, scopes, delivery, tells, tellsSometimes, aliases }: CatalogueTrigger): string {
  const payload = [...tells, ...tellsSometimes.map((key) => `${key}?`)].join(', ');
  const also = aliases.length === 0 ? '' : `  also ${aliases.join(', ')}`;
  return `${type}(${payload})  ${scopes.join(', ')}; ${delivery}${also}`;
}
