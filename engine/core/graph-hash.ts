import type { GraphAdapters } from './graph.ts';
import type { StateHasher } from './hash.ts';

const OBJECT = 11;
const AGAIN = 12;
const LIST = 13;
const MAP = 14;
const PLAIN = 15;
const FROZEN = 16;
const ADAPTED = 17;

/** Texts beyond this length are hashed once and remembered: scripts keep long ones in variables for whole games. */
const longText = 64;
/** As many as there can be names of entities by default: with fewer, a large world would hash each of them in every tick. */
const textsMax = 16_384;

/**
 * Feeds object graphs to a hasher, one object after the other in order of discovery, so that neither depth nor rings matter. Two members
 * that are one object differ from two that are equal, unless it is frozen: then no program sees a difference. `graph.ts` says which values
 * a graph has. One hasher is used again and again.
 */
export class GraphHasher {
  private readonly hasher: StateHasher;
  private readonly adapters: GraphAdapters;
  private readonly ids = new Map<object, number>();
  private readonly waiting: object[] = [];
  private readonly texts = new Map<string, string>();
  private readonly numbers = new Map<string, number>();

  /** Hashes a text on its own. */
  private readonly digest: (text: string) => string;

  constructor(hasher: StateHasher, adapters: GraphAdapters, digest: (text: string) => string) {
    this.hasher = hasher;
    this.adapters = adapters;
    this.digest = digest;
  }

  /** Forgets the objects that were seen before this call. */
  restart(): void {
    this.ids.clear();
  }

  /** A value and everything that hangs from it. */
  value(root: unknown): void {
    this.one(root);
    const { waiting } = this;
    if (waiting.length === 0) return;
    for (let i = 0; i < waiting.length; i++) this.members(waiting[i]!);
    waiting.length = 0;
  }

  /** 52 bits of a text's digest. */
  numberOf(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) {
      if (this.numbers.size >= textsMax) this.numbers.clear();
      number = Number.parseInt(this.digest(text).slice(0, 13), 16);
      this.numbers.set(text, number);
    }
    return number;
  }

  private one(value: unknown): void {
    if (typeof value === 'number') this.hasher.float(value);
    else if (typeof value === 'string') this.text(value);
    else if (typeof value === 'object' && value !== null) {
      if (Object.isFrozen(value)) {
        this.waiting.push(value);
        this.hasher.int(FROZEN);
        return;
      }
      const known = this.ids.get(value);
      if (known === undefined) {
        this.ids.set(value, this.ids.size);
        this.waiting.push(value);
        this.hasher.int(OBJECT);
      } else {
        this.hasher.int(AGAIN);
        this.hasher.int(known);
      }
    } else this.hasher.value(value);
  }

  private text(text: string): void {
    if (text.length < longText) {
      this.hasher.string(text);
      return;
    }
    let digest = this.texts.get(text);
    if (digest === undefined) {
      if (this.texts.size >= textsMax) this.texts.clear();
      digest = this.digest(text);
      this.texts.set(text, digest);
    }
    this.hasher.int(text.length);
    this.hasher.string(digest);
  }

  private members(object: object): void {
    const { hasher } = this;
    for (let i = 0; i < this.adapters.length; i++) {
      const adapter = this.adapters[i]!;
      if (!adapter.owns(object)) continue;
      hasher.int(ADAPTED + i);
      for (const part of adapter.save(object)) this.one(part);
      return;
    }
    if (Array.isArray(object)) {
      hasher.int(LIST);
      hasher.int(object.length);
      for (let i = 0; i < object.length; i++) this.one(object[i]);
    } else if (object instanceof Map) {
      hasher.int(MAP);
      hasher.int(object.size);
      for (const [key, value] of object) {
        this.one(key);
        this.one(value);
      }
    } else {
      hasher.int(PLAIN);
      for (const key in object) {
        this.text(key);
        this.one((object as Record<string, unknown>)[key]);
      }
      hasher.int(PLAIN);
    }
  }
}
