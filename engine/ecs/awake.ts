import { enlarged } from '../core/enlarged.ts';
import { type Entity, noEntity, rowOf } from './entity.ts';
import { EntityList } from './list.ts';

const wordBits = 32;
/** Words summarised by one bit of `blocks`. */
const blockWords = 32;

/**
 * All entities in creation order, with a bit for each that says whether it is awake. A pass over the awake entities
 * skips resting ones at almost no cost. An entity is awake from its creation until `rest`, and again after `wake`. A
 * second level of bits summarises 32 words each, so skipping 10,000 resting entities takes ten comparisons. A separate
 * list of awake entities would have to be kept in creation order: each entity that wakes in the middle would move the
 * rest of the list.
 *
 * The bits are not part of the state: after a snapshot is restored all entities are awake, and the next pass puts idle
 * ones to rest again.
 */
export class AwakeList extends EntityList {
  /** By row: the position of its entity in `entries`. */
  private positions = new Uint32Array(0);
  private words = new Uint32Array(0);
  private blocks = new Uint32Array(0);
  /** By row: when its entity must wake, ms. Only meaningful while the entity rests. */
  private untilMs = new Float64Array(0);
  /** The position of the first tombstone. */
  private firstTombstone = Number.POSITIVE_INFINITY;
  /** The earliest time, ms, at which a resting entity must wake. */
  private dueMs = Number.POSITIVE_INFINITY;

  /** Has room for `rows` rows. */
  constructor(rows: number) {
    super();
    this.reserve(rows);
  }

  /** Makes room for `rows` rows. */
  reserve(rows: number): void {
    if (rows <= this.positions.length) return;
    this.positions = enlarged(this.positions, rows);
    this.untilMs = enlarged(this.untilMs, rows);
    // Destroyed entities keep both position and row until the end of the tick, so there are never more positions than
    // rows. Whole blocks, because `setResting` reads all words of a block.
    const blocks = Math.floor(rows / wordBits / blockWords) + 1;
    this.words = enlarged(this.words, blocks * blockWords);
    this.blocks = enlarged(this.blocks, Math.floor(blocks / wordBits) + 1);
  }

  override add(entity: Entity): void {
    const position = this.entries.length;
    this.entries.push(entity);
    this.positions[rowOf(entity)] = position;
    this.setAwake(position);
  }

  /** Makes the entity the newest in this list. */
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
    // Tombstones after `from` have moved down by one.
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

  /**
   * Has the next pass visit the entity, and the current pass, too, if it has not reached its position yet. Does nothing
   * if the entity no longer exists.
   */
  wake(entity: Entity): void {
    const position = this.positions[rowOf(entity)]!;
    if (entity !== noEntity && this.entries[position] === entity) this.setAwake(position);
  }

  /**
   * Passes skip the entry at `position` until it is woken, or until `wakeDue` is called at or after `untilMs`
   * (Infinity: never).
   */
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
   * The last position before `before` whose entry is awake, or -1. A pass from newest to oldest starts with the length
   * of `entries` and continues from each result. It still visits older entities that wake during the pass, and misses
   * entities that are added or that wake at positions already passed.
   */
  lastAwake(before: number): number {
    const { words, blocks } = this;
    let word = before >>> 5;
    const bits = words[word]! & ((1 << (before & 31)) - 1);
    if (bits !== 0) return lastBit(word, bits);
    let block = word >>> 5;
    // Check the summary first, to skip a block in which everything rests.
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

  /** Wakes all entities whose time to wake has come. */
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

  /** Starts at the first tombstone, because most entities that are destroyed are among the newest. */
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

/** The index of the highest set bit of `bits`, counted from the start of the first word. */
function lastBit(word: number, bits: number): number {
  return (word << 5) + 31 - Math.clz32(bits);
}
