import { assert } from './assert.ts';
import { type GraphAdapters, put } from './graph.ts';

/**
 * Copies object graphs as if they were written and read (see `graph.ts`), for a world that goes on beside the first. One copier serves for a whole state, so
 * that what is one object stays one object. Objects with an adapter never change, so that both worlds hold them. Neither depth nor rings matter.
 */
export class GraphCopier {
  private readonly adapters: GraphAdapters;
  private readonly copies = new Map<object, object>();
  /** Copies that are still empty, each behind its object. */
  private readonly empty: object[] = [];

  constructor(adapters: GraphAdapters) {
    this.adapters = adapters;
  }

  value(value: unknown): unknown {
    const { empty } = this;
    const copy = this.link(value);
    for (let copied = empty.pop(); copied !== undefined; copied = empty.pop()) this.fill(empty.pop()!, copied);
    return copy;
  }

  private link(value: unknown): unknown {
    if (value === null || typeof value !== 'object') {
      assert(typeof value !== 'function' && typeof value !== 'symbol', `a ${typeof value} is no part of a state`);
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

  private fill(object: object, copy: object): void {
    if (Array.isArray(object)) for (let i = 0; i < object.length; i++) (copy as unknown[]).push(this.link(object[i]));
    else if (object instanceof Map) {
      for (const [key, value] of object) (copy as Map<unknown, unknown>).set(this.link(key), this.link(value));
    } else {
      const prototype: unknown = Object.getPrototypeOf(object);
      assert(prototype === Object.prototype || prototype === null, 'a state is made of plain objects');
      for (const key of Object.keys(object)) put(copy, key, this.link((object as Record<string, unknown>)[key]));
    }
    if (Object.isFrozen(object)) Object.freeze(copy);
  }
}
