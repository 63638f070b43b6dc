import type { RandomStream } from '../../engine/core/random.ts';
import { internalsOf } from '../../engine/tools.ts';
import type { RoomThread, ThreadListener } from '../../src/server/lobby/threads.ts';
import { type HostOptions, RoomHost } from '../../src/server/room/host.ts';
import type { RoomReport } from '../../src/server/room/room.ts';
import type { RoomCommand } from '../../src/server/room/room-messages.ts';
import type { RoomProtocols } from '../../src/server/room/room-protocol.ts';
import type { Process } from './process.ts';
import type { Timeline } from './timeline.ts';

/** Receives each report of a thread as soon as it is sent, with the rooms in their state at that moment. */
export type ReportWatcher = (host: RoomHost, report: RoomReport) => void;

/**
 * A thread of rooms, simulated in the only real thread. Messages in both directions are delayed and keep their order,
 * and it can die. Real threads run in parallel, which makes no difference to rooms, because they share nothing but
 * these messages.
 */
export class VirtualThread implements RoomThread {
  readonly id: number;
  private readonly host: RoomHost;
  private readonly process: Process;
  private readonly random: RandomStream;
  private readonly timeline: Timeline;
  private readonly listener: ThreadListener;
  private isOver = false;
  private lastCommandMs = 0;
  private lastReportMs = 0;

  constructor(
    id: number,
    parts: {
      readonly timeline: Timeline;
      readonly process: Process;
      readonly watch: ReportWatcher;
      readonly random: RandomStream;
    },
    options: HostOptions,
    protocols: RoomProtocols,
    listener: ThreadListener,
  ) {
    this.id = id;
    this.timeline = parts.timeline;
    this.process = parts.process;
    this.random = parts.random;
    this.listener = listener;
    this.host = new RoomHost(options, protocols, parts.process.clock, (report) => {
      if (this.isOver || parts.process.isDead) return;
      parts.watch(this.host, report);
      this.lastReportMs = this.later(this.lastReportMs, () => listener.report(this, report));
    });
  }

  /** The number of entities in all its rooms. */
  get entities(): number {
    let sum = 0;
    for (const { sim } of this.host.rooms.values()) sum += internalsOf(sim).world.entityCount;
    return sum;
  }

  /** Reading a definition, and building or resuming a room, takes up to half a second; later commands wait. */
  send(command: RoomCommand): void {
    const isLong = command.kind === 'define' || command.kind === 'open' || command.kind === 'resume';
    if (isLong) this.lastCommandMs = Math.max(this.lastCommandMs, this.timeline.nowMs) + this.random.between(1, 500);
    this.lastCommandMs = this.later(this.lastCommandMs, () => {
      if (!this.isOver) this.host.handle(command);
    });
  }

  /** Dies without notice, with all its rooms. Messages already sent still arrive. */
  die(): void {
    this.isOver = true;
    this.host.close();
    this.later(this.lastReportMs, () => this.listener.died(this, 'The simulator ended it.'));
  }

  async close(): Promise<void> {
    this.isOver = true;
    this.host.close();
  }

  /** After the messages sent before. */
  private later(lastMs: number, act: () => void): number {
    const atMs = Math.max(lastMs, this.timeline.nowMs + 0.05);
    this.timeline.after(atMs - this.timeline.nowMs, () => this.process.run(act));
    return atMs;
  }
}
