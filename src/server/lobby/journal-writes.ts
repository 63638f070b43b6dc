import { messageOf } from '../../../engine/core/index.ts';
import type { RoomSnapshot } from '../../cluster/index.ts';
import type { Timer } from '../../machine/index.ts';
import type { ServedDefinition } from '../definitions/served.ts';
import type { LobbyParts } from './parts.ts';
import { isHere, type RoomEntry } from './room.ts';

/** How a room is removed from the journal: deleted, or set aside for inspection because it failed. */
type JournalRemoval = 'forget' | 'setAside';

const retryMs = 1000;

/**
 * Writes rooms to the journal and removes them from it, with retries. Keeps track of what is still to be done: rooms
 * that the journal lacks, ticks that it lost, and ended rooms that it still contains.
 */
export class JournalWrites {
  /** Whether the journal has reported that it cannot be written. */
  isFailing = false;
  /** The versions of definitions that the journal contains. */
  private readonly definitions = new Set<string>();
  /** Rooms whose identity or newest snapshot could not be written. */
  private readonly unwritten = new Set<string>();
  /** Rooms that lost ticks while the journal was failing. */
  private readonly lost = new Set<string>();
  /** Ended rooms that could not be removed yet. */
  private readonly removals: { readonly id: string; readonly how: JournalRemoval }[] = [];
  private removalTimer: Timer | undefined;
  private isStopped = false;

  constructor(private readonly parts: LobbyParts) {}

  stop() {
    this.isStopped = true;
    this.removalTimer?.cancel();
  }

  /** Whether the journal works and contains the identity and the newest snapshot of each room. */
  get isWorking(): boolean {
    return !this.isFailing && this.unwritten.size === 0;
  }

  /** Writes a new room, and its definition before it. Rejects if that fails. */
  async keepRoom({ identity, definition }: RoomEntry): Promise<void> {
    await this.written(
      identity.id,
      this.parts.journal.keepRoom(identity, () => this.keepDefinition(definition)),
    );
  }

  /**
   * Schedules another attempt to write a room that is already being played. Until one succeeds, all ticks of the room
   * count as lost.
   */
  keepRoomLater(room: RoomEntry) {
    this.parts.clock.after(retryMs, () => {
      if (!isHere(this.parts.rooms, room)) return;
      this.keepRoom(room).catch(() => this.keepRoomLater(room));
    });
  }

  async keepDefinition({ version, text }: ServedDefinition): Promise<void> {
    if (this.definitions.has(version)) return;
    await this.parts.journal.keepDefinition(version, text);
    this.definitions.add(version);
  }

  forgetDefinition(version: string) {
    if (this.definitions.delete(version)) void this.parts.journal.forgetDefinition(version).catch(() => {});
  }

  /** Writes a snapshot. Returns whether that succeeded. */
  async keepSnapshot(id: string, snapshot: RoomSnapshot): Promise<boolean> {
    try {
      await this.written(id, this.parts.journal.keepSnapshot(id, snapshot));
      return true;
    } catch (error) {
      const message = `A snapshot could not be written: ${messageOf(error)}`;
      this.parts.observer.problem('journal-failed', message, { room: id });
      return false;
    }
  }

  /** Removes a room, with retries: otherwise the next process would resume a room that is over. */
  remove(id: string, how: JournalRemoval = 'forget') {
    this.parts.journal[how](id).catch(() => {
      if (this.isStopped) return;
      this.removals.push({ id, how });
      this.removalTimer ??= this.parts.clock.after(retryMs, () => {
        this.removalTimer = undefined;
        for (const each of this.removals.splice(0)) this.remove(each.id, each.how);
      });
    });
  }

  /** Forgets a room that has left this process: nothing of it needs to be written any more. */
  left(id: string) {
    this.unwritten.delete(id);
  }

  /** Notes that the journal has lost ticks of a room. While the journal is failing, no snapshot can replace them. */
  lose(id: string) {
    if (this.isFailing) this.lost.add(id);
  }

  /** Notes that the journal works again. Returns the rooms that lost ticks in the meantime. */
  works(): readonly string[] {
    this.isFailing = false;
    const lost = [...this.lost];
    this.lost.clear();
    return lost;
  }

  /** Waits for a write, and notes whether the room is now written. */
  private async written(id: string, writing: Promise<void>) {
    try {
      await writing;
      this.unwritten.delete(id);
    } catch (error) {
      if (this.parts.rooms.has(id)) this.unwritten.add(id);
      throw error;
    }
  }
}
