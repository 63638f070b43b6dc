import { assert } from '../core/assert.ts';
import type { Kind } from '../schema/index.ts';
import type { Tag } from './component.ts';

/** A part of a world of which there is one, and which no entity has: the clock, the chance, what is posted. Others call it a singleton. */
export interface Resource<T> extends Tag {
  /** Of a resource that is state as it stands: its kind, which saves, hashes and checks it. */
  readonly state: Kind<T> | undefined;
}

export interface StateResource<T> extends Resource<T> {
  readonly state: Kind<T>;
}

/**
 * Declares a resource. With a kind it is state as it stands, and the kind gives its type. Without one it is no state, or is saved in a form of its own.
 *
 * ```ts
 * const Clock = resource('clock', record({ tick: count(), nowMs: f64() }));
 * const Random = resource<RandomStreams>('random');
 * ```
 */
export function resource<T>(name: string, state: Kind<T>): StateResource<T>;
export function resource<T>(name: string): Resource<T>;
export function resource<T>(name: string, state?: Kind<T>): Resource<T> {
  return { name, state };
}

interface ResourceList {
  readonly [name: string]: Resource<unknown>;
}

type ValueOf<R> = R extends Resource<infer T> ? T : never;

/** The members of a world that its resources are, each under its name. */
export type ResourcesOf<R extends ResourceList> = { readonly [K in keyof R]: ValueOf<R[K]> };

type StatesOf<R extends ResourceList> = {
  readonly [K in keyof R as R[K] extends StateResource<unknown> ? K : never]: Kind<ValueOf<R[K]>>;
};

/** All resources of a world. */
export class ResourceSet<const R extends ResourceList> {
  readonly all: R;
  /** The kinds of those that are state as they stand, to be fields of the world's state. */
  readonly states: StatesOf<R>;

  constructor(all: R) {
    const states: Record<string, Kind<unknown>> = {};
    for (const [name, resource] of Object.entries(all)) {
      assert(resource.name === name, `${resource.name} stands in the list under its name`);
      if (resource.state !== undefined) states[name] = resource.state;
    }
    this.all = all;
    this.states = states as unknown as StatesOf<R>;
  }
}
