import type { Tag } from './component.ts';

/** One step of a tick. `C` is what systems are given. */
export interface System<C> {
  readonly name: string;
  /** Components it looks at, and those it changes, itself and by what it calls. Scripts that run in it may do both with any. */
  readonly reads: readonly Tag[];
  readonly writes: readonly Tag[];
  /** It goes entity by entity in the order that is named here, and does all its parts for one before it comes to the next. */
  readonly stage?: { readonly order: 'newest first'; readonly parts: readonly string[] };
  /** Left out: in every tick. */
  isDue?(context: C): boolean;
  run(context: C): void;
}

/** Runs the systems that are due, in the order of the list. `told` hears of each before it begins. */
export function runSystems<C, S extends System<C>>(
  systems: readonly S[],
  context: C,
  told?: ((system: S) => void) | undefined,
): void {
  for (let i = 0; i < systems.length; i++) {
    const system = systems[i]!;
    if (system.isDue !== undefined && !system.isDue(context)) continue;
    told?.(system);
    system.run(context);
  }
}
