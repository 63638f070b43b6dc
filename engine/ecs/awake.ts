import { type Entity, noEntity, rowOf } from './entity.ts';
import { EntityList } from './list.ts';

const wordBits = 32;
/** Words of one bit of the summary. */
const blockWords = 32;

/**
 * All entities in creation order, and which of them are awake: a pass over the awake ones costs nothing for those that rest. An entity is
 * awake from its creation until `rest`, and again from `wake`. A bit for each position says so, and a summary has a bit for each 32 words
 * of them. So 10,000 resting entities are ten comparisons. A list of the awake ones would need creation order, and costs a move of its tail
 * for each that wakes in the middle.
 *
 * The bits are not part of the state. After a snapshot all entities are awake, and the next pass puts those to rest that have nothing to
 * do.
 */
export class AwakeList extends EntityList {
  /** Of each row: the position of its entity in `entries`. */
  private readonly positions: Uint32Array;
  private readonly words: Uint32Array;
  private readonly blocks: Uint32Array;
  /** Of each row: until when its entity rests, ms, where it does. */
  private readonly untilMs: Float64Array;
  /** No entry before this position is a tombstone. */
  private firstTombstone = Number.POSITIVE_INFINITY;
  /** The earliest time, ms, at which an entity that rests must be awake again. */
  private dueMs = Number.POSITIVE_INFINITY;

  /** `capacity` is the number of rows. */
  constructor(capacity: number) {
    super();
    this.positions = new Uint32Array(capacity);
    this.untilMs = new Float64Array(capacity);
    // Entries of destroyed entities take a position until the end of the tick; their rows are not free before that.
    this.words = new Uint32Array(Math.ceil(capacity / wordBits) + 1);
    this.blocks = new Uint32Array(Math.ceil(this.words.length / blockWords / wordBits) + 1);
  }

  override add(entity: Entity): void {
    const position = this.entries.length;
    this.entries.push(entity);
    this.positions[rowOf(entity)] = position;
    this.setAwake(position);
  }

  /** Counts an entity as the newest from now on. */
  moveToEnd(entity: Entity): void {
    const { entries, positions } = this;
    const from = positions[rowOf(entity)]!;
    if (entries[from] !== entity) return;
    const last = entries.length - 1;
    for (let position = from; position < last; position++) {
      const next = entries[position + 1]!;
      entries[position] = next;
      positions[rowOf(next)] = position;
      if (this.isAwakeAt(position + 1)) this.setAwake(position);
      else this.setResting(position);
    }
    // Destroyed entities behind it stand one position earlier now.
    if (from < this.firstTombstone) this.firstTombstone = from;
    entries[last] = entity;
    positions[rowOf(entity)] = last;
    this.setAwake(last);
  }

  override leaveTombstone(entity: Entity): void {
    super.leaveTombstone(entity);
    const position = this.positions[rowOf(entity)]!;
    if (position < this.firstTombstone) this.firstTombstone = position;
  }

  /** The next pass visits the entity; so does the present one, if it has not come by its place yet. Nothing happens for one that is gone. */
  wake(entity: Entity): void {
    const position = this.positions[rowOf(entity)]!;
    if (entity !== noEntity && this.entries[position] === entity) this.setAwake(position);
  }

  /** No pass visits the entry at `position` until it is woken, or `untilMs` is reached in `wakeDue`; Infinity for never. */
  rest(position: number, untilMs: number): void {
    this.setResting(position);
    this.untilMs[rowOf(this.entries[position]!)] = untilMs;
    if (untilMs < this.dueMs) this.dueMs = untilMs;
  }

  isAwake(entity: Entity): boolean {
    const position = this.positions[rowOf(entity)]!;
    return this.entries[position] === entity && this.isAwakeAt(position);
  }

  /**
   * The last position before `before` whose entry is awake; -1 for none. A pass newest first begins with the length of `entries` and goes
   * on with each result. It meets entities that wake behind it, in time, and none that are added or wake ahead of it.
   */
  lastAwake(before: number): number {
    const { words, blocks } = this;
    let word = before >>> 5;
    const bits = words[word]! & ((1 << (before & 31)) - 1);
    if (bits !== 0) return lastBit(word, bits);
    let block = word >>> 5;
    // The summary first: where all of the block rests, none of its words is looked at.
    if ((blocks[block >>> 5]! & (1 << (block & 31))) !== 0)
      for (word--; word >= block << 5; word--) if (words[word] !== 0) return lastBit(word, words[word]!);
    let group = block >>> 5;
    let inGroup = blocks[group]! & ((1 << (block & 31)) - 1);
    while (inGroup === 0) {
      if (group === 0) return -1;
      inGroup = blocks[--group]!;
    }
    block = lastBit(group, inGroup);
    word = (block << 5) + blockWords - 1;
    while (words[word] === 0) word--;
    return lastBit(word, words[word]!);
  }

  /** Wakes those that rest until a time that has come. */
  wakeDue(nowMs: number): void {
    if (nowMs < this.dueMs) return;
    let next = Number.POSITIVE_INFINITY;
    const { entries, untilMs } = this;
    for (let position = 0; position < entries.length; position++) {
      if (this.isAwakeAt(position)) continue;
      const due = untilMs[rowOf(entries[position]!)]!;
      if (due <= nowMs) this.setAwake(position);
      else if (due < next) next = due;
    }
    this.dueMs = next;
  }

  /** Entries before the first destroyed one keep their place: entities that come and go are mostly the newest. */
  override compact(isAlive: (entity: Entity) => boolean): void {
    if (this.tombstones === 0) return;
    const { entries, positions } = this;
    let kept = this.firstTombstone;
    this.tombstones = 0;
    this.firstTombstone = Number.POSITIVE_INFINITY;
    for (let position = kept; position < entries.length; position++) {
      const entity = entries[position]!;
      if (!isAlive(entity)) continue;
      if (this.isAwakeAt(position)) this.setAwake(kept);
      else this.setResting(kept);
      positions[rowOf(entity)] = kept;
      entries[kept++] = entity;
    }
    for (let position = kept; position < entries.length; position++) this.setResting(position);
    entries.length = kept;
  }

  override restore(entries: readonly Entity[], tombstones: number): void {
    super.restore(entries, tombstones);
    this.firstTombstone = 0;
    this.dueMs = Number.POSITIVE_INFINITY;
    this.words.fill(0);
    this.blocks.fill(0);
    for (let position = 0; position < entries.length; position++) {
      this.positions[rowOf(entries[position]!)] = position;
      this.setAwake(position);
    }
  }

  private isAwakeAt(position: number): boolean {
    return (this.words[position >>> 5]! & (1 << (position & 31))) !== 0;
  }

  private setAwake(position: number): void {
    const word = position >>> 5;
    this.words[word]! |= 1 << (position & 31);
    this.blocks[word >>> 10]! |= 1 << ((word >>> 5) & 31);
  }

  private setResting(position: number): void {
    const word = position >>> 5;
    this.words[word]! &= ~(1 << (position & 31));
    const block = word >>> 5;
    for (let other = block << 5; other < (block + 1) << 5; other++) if (this.words[other] !== 0) return;
    this.blocks[block >>> 5]! &= ~(1 << (block & 31));
  }
}

/** The number of the highest bit that is set, where a word holds 32 of them. */
function lastBit(word: number, bits: number): number {
  return (word << 5) + 31 - Math.clz32(bits);
}
