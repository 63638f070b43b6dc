import type { Tag } from './component.ts';

/** The data that a system, or a part of one, touches itself and through the functions it calls. */
export interface Access {
  /** Components and resources it reads. It may also read those that it writes. */
  readonly reads: readonly Tag[];
  readonly writes: readonly Tag[];
  /** Code that runs in it and is not ours, so that no list says what it touches. */
  readonly calls?: string;
}

/** The access of code that does all of this: each component and resource once, under `writes` where any of it is written. */
export function accessOf(...all: readonly Partial<Access>[]): Access {
  const writes = new Set(all.flatMap((each) => each.writes ?? []));
  const reads = new Set(all.flatMap((each) => each.reads ?? []).filter((each) => !writes.has(each)));
  const calls = all.find((each) => each.calls !== undefined)?.calls;
  return { reads: [...reads], writes: [...writes], ...(calls === undefined ? {} : { calls }) };
}

/** The work of a stage for one entity, under its name. */
export interface Part extends Access {
  readonly name: string;
}

/** It goes entity by entity in the order that is named here, and does all its parts for one before it comes to the next. */
export interface Stage {
  readonly order: 'newest first';
  readonly parts: readonly Part[];
}

/** One step of a tick. `C` is what systems are given. Of a stage, `reads` and `writes` are those of the pass itself, between its parts. */
export interface System<C> extends Access {
  readonly name: string;
  readonly stage?: Stage;
  /** Left out: in every tick. */
  isDue?(context: C): boolean;
  run(context: C): void;
}

/** Runs the systems that are due, in the order of the list. `before` is called with each before it begins. */
export function runSystems<C, S extends System<C>>(
  systems: readonly S[],
  context: C,
  before?: ((system: S) => void) | undefined,
): void {
  for (let i = 0; i < systems.length; i++) {
    const system = systems[i]!;
    if (system.isDue !== undefined && !system.isDue(context)) continue;
    before?.(system);
    system.run(context);
  }
}
