import type { GraphAdapters } from '../core/graph-bytes.ts';
import { type Parts, partAdapter } from './parts.ts';

export type Leaf = readonly [path: string, value: string];

/** Collects every number and word of declared values with its path. */
export class LeafList {
  readonly leaves: Leaf[] = [];
  private readonly adapters: GraphAdapters;
  private readonly met = new Map<object, string>();

  constructor(parts: Parts, adapters: GraphAdapters) {
    this.adapters = [partAdapter(parts), ...adapters];
  }

  put(path: string, value: unknown): void {
    this.leaves.push([path, textOf(value)]);
  }

  /** How many elements or members there are. */
  count(path: string, what: string, count: number): void {
    this.leaves.push([path, `${what} of ${count}`]);
  }

  /** A value of any form: an object that was met before is told by the path at which it was. */
  value(path: string, root: unknown): void {
    const waiting: [string, unknown][] = [[path, root]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [at, value] = next;
      if (value === null || typeof value !== 'object') {
        this.put(at, value);
        continue;
      }
      const adapter = this.adapters.find((each) => each.owns(value));
      if (adapter !== undefined) {
        this.leaves.push([at, adapter.show(value)]);
        continue;
      }
      if (!Object.isFrozen(value)) {
        const before = this.met.get(value);
        if (before !== undefined) {
          this.leaves.push([at, `the same as ${before}`]);
          continue;
        }
        this.met.set(value, at);
      }
      const members = value instanceof Map ? [...value] : Object.entries(value);
      this.count(at, Array.isArray(value) ? 'list' : 'object', members.length);
      for (let i = members.length - 1; i >= 0; i--) waiting.push([`${at}/${String(members[i]![0])}`, members[i]![1]]);
    }
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return Object.is(value, -0) ? '-0' : String(value);
}
