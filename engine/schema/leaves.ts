import type { GraphAdapters } from '../core/graph.ts';
import { type Parts, partAdapter } from './parts.ts';

export type Leaf = readonly [path: string, value: string];

/** Collects every primitive value with its path. */
export class LeafList {
  readonly leaves: Leaf[] = [];
  private readonly adapters: GraphAdapters;
  private readonly met = new Map<object, string>();

  constructor(parts: Parts, adapters: GraphAdapters) {
    this.adapters = [partAdapter(parts), ...adapters];
  }

  private put(path: string, value: unknown) {
    this.leaves.push([path, textOf(value)]);
  }

  /** Adds all primitive values in `root`. An object that occurs again is listed as the path of its first occurrence. */
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
      const members = membersOf(value);
      this.leaves.push([at, `${Array.isArray(value) ? 'list' : 'object'} of ${members.length}`]);
      for (let i = members.length - 1; i >= 0; i--) waiting.push([`${at}/${members[i]![0]}`, members[i]![1]]);
    }
  }
}

function membersOf(value: object): (readonly [string, unknown])[] {
  if (value instanceof Map) return [...value].map(([key, member]) => [String(key), member]);
  return Object.entries(value);
}

function textOf(value: unknown) {
  if (typeof value === 'string') return JSON.stringify(value);
  return Object.is(value, -0) ? '-0' : String(value);
}
