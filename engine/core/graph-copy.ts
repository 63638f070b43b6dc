import { assert } from './assert.ts';
import { type GraphAdapters, put } from './graph.ts';

/**
 * Copies object graphs, to fork a world. The copy is the same as if the graph had been written to bytes and read back
 * (see `graph.ts`). Use one copier for a whole state, so that shared objects stay shared. Objects with an adapter are
 * immutable, so both worlds share them. Graphs may be cyclic and of any depth.
 */
export class GraphCopier {
  private readonly copies = new Map<object, object>();
  /** The copies that are still empty and must be filled, as a flat list of pairs: first the object, then its copy. */
  private readonly empty: object[] = [];

  constructor(private readonly adapters: GraphAdapters) {}

  value(value: unknown): unknown {
    const { empty } = this;
    const copy = this.link(value);
    for (let copied = empty.pop(); copied !== undefined; copied = empty.pop()) this.fill(empty.pop()!, copied);
    return copy;
  }

  private link(value: unknown): unknown {
    if (value === null || typeof value !== 'object') {
      assert(typeof value !== 'function' && typeof value !== 'symbol', `a state contains no ${typeof value}`);
      return value;
    }
    let copy = this.copies.get(value);
    if (copy === undefined) {
      const isShared = this.adapters.some((each) => each.owns(value));
      copy = isShared ? value : Array.isArray(value) ? [] : value instanceof Map ? new Map() : {};
      this.copies.set(value, copy);
      if (!isShared) this.empty.push(value, copy);
    }
    return copy;
  }

  private fill(object: object, copy: object) {
    if (Array.isArray(object)) for (let i = 0; i < object.length; i++) (copy as unknown[]).push(this.link(object[i]));
    else if (object instanceof Map) {
      for (const [key, value] of object) (copy as Map<unknown, unknown>).set(this.link(key), this.link(value));
    } else {
      const prototype: unknown = Object.getPrototypeOf(object);
      assert(prototype === Object.prototype || prototype === null, 'objects of a state are plain objects');
      for (const key of Object.keys(object)) put(copy, key, this.link((object as Record<string, unknown>)[key]));
    }
    if (Object.isFrozen(object)) Object.freeze(copy);
  }
}
