import type { Timer } from '../../machine/index.ts';
import type { Overrun } from '../room/room-messages.ts';
import { Pace } from './pace.ts';
import type { LobbyParts } from './parts.ts';
import { type RoomEntry, release } from './room.ts';

/** How often to look for ticks that do not end, ms; see `RoomThread.stuckIn`. */
const watchMs = 1000;
/**
 * A tick that needs this much processor time blocks the other rooms of its thread for a noticeable time, ms. The first
 * tick of a definition of 2 MB takes 130 ms.
 */
const stallMs = 300;

/**
 * Watches how fast rooms play. The monitor tells players and operators about slow rooms, and moves a room to another
 * thread if the room takes too much time of its thread.
 */
export class PaceMonitor {
  private watching: Timer | undefined;

  constructor(private readonly parts: LobbyParts) {}

  /** Starts looking for rooms that report nothing. */
  begin() {
    this.watching = this.parts.clock.every(watchMs, () => this.watch());
  }

  stop() {
    this.watching?.cancel();
  }

  /** Starts to judge a room that was opened or resumed. Its rate is known only then, and does not change afterwards. */
  opened(room: RoomEntry, rate: number) {
    if (room.rate !== rate) room.pace = new Pace(rate);
    room.rate = rate;
    this.judge(room, room.pace.resumed(room.tickAtMs));
  }

  ticked(room: RoomEntry, { busyMs, players }: { readonly busyMs: number; readonly players: number }) {
    this.judge(room, room.pace.ticked(busyMs, room.tickAtMs));
    if (busyMs >= stallMs) {
      const { rooms, pool } = this.parts;
      pool.noteStall(room);
      // The other rooms of the definition move before they, too, block their threads.
      for (const other of rooms.values()) this.judge(other, false);
    }
    // The room falls asleep. Its pace is measured anew when it wakes up.
    if (players === 0) room.pace = new Pace(room.rate);
  }

  overrun(room: RoomEntry, ticks: number, why: Overrun) {
    this.parts.observer.overrun(room.identity.id, ticks);
    this.judge(room, room.pace.overrun(ticks, why));
  }

  /** Looks for ticks and moves that do not end. */
  private watch() {
    const { rooms, pool, clock } = this.parts;
    const now = clock.now();
    const stuck = pool.stuckIn();
    for (const room of rooms.values()) {
      const { pace, state } = room;
      if (room.seats.size === 0) continue;
      if (state === 'open') pace.expect(now);
      if (state === 'opening' && pace.isSilentAt(now)) this.judge(room, pace.stuck('moving'));
      if (state === 'open' && stuck.includes(room.identity.id)) this.judge(room, pace.stuck('unfinished-tick'));
    }
  }

  /**
   * Reports a change of the room's pace. Moves the room to another thread if it takes too much time of its current
   * thread; its clients must then reconnect. `isChanged`: whether the room has just become slow, or runs at full speed
   * again.
   */
  private judge(room: RoomEntry, isChanged: boolean) {
    const { pool, seats, observer, clock } = this.parts;
    const { pace, rate, identity } = room;
    if (pace.isSlow) pace.reason ??= pool.reasonOf(room);
    if (isChanged) {
      observer.event(pace.isSlow ? 'room-slow' : 'room-keeps-up', {
        room: identity.id,
        slug: identity.slug,
        speed: pace.speedAt(clock.now()),
        ...(pace.isSlow
          ? { reason: pace.reason, tickMs: Math.round(pace.busyMs), periodMs: Math.round(1000 / rate) }
          : {}),
      });
      seats.listener.paced(room);
    }
    if (room.state === 'open' && pool.isGreedy(room)) release(room);
  }
}
