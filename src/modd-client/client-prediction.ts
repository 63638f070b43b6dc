import type { Definition } from '../../engine/index.ts';

/**
 * The unit types whose units clients predict: those that are declared so, if the game has physics for clients
 * (reference: units#keys).
 */
export function predictedUnitTypes({ defaultData, unitTypes }: Definition): ReadonlySet<string> {
  const types = defaultData.clientPhysicsEngine ? [...unitTypes] : [];
  return new Set(types.flatMap(([key, { controls }]) => ((controls?.cspMode ?? 0) > 0 ? [key] : [])));
}
