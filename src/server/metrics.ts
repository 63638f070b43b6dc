import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Dictionary } from '../../engine/core/index.ts';
import { type ListedRoom, type Observer, operatorCodes } from '../cluster/index.ts';
import type { Code } from '../net/index.ts';
import { LastHour } from './last-hour.ts';

type Figures = Pick<
  Observer,
  'tick' | 'overrun' | 'roomGone' | 'sent' | 'received' | 'refused' | 'ended' | 'acknowledged'
> & { problem(code: string): void };

/** The server's metrics for Prometheus. Each server has its own registry, so that several can run in one process. */
export class Metrics implements Figures {
  readonly hour: LastHour;
  private readonly registry = new Registry();
  private readonly tickSeconds = this.histogram(
    'reenact_tick_seconds',
    'Time to simulate a tick of a room, without encoding.',
    ['room'],
    [0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.033, 0.05, 0.1, 0.25],
  );
  private readonly encodeSeconds = this.histogram(
    'reenact_encode_seconds',
    'Time to encode the messages of a tick for all clients of a room.',
    ['room'],
    [0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.005, 0.02],
  );
  private readonly lateSeconds = this.histogram(
    'reenact_tick_late_seconds',
    'How late a tick of a room began.',
    ['room'],
    [0.001, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.1, 0.2, 0.5, 1],
  );
  private readonly busySeconds = this.counter(
    'reenact_tick_busy_seconds_total',
    'Processor time of the ticks of a room, including encoding.',
    ['room'],
  );
  private readonly overruns = this.counter(
    'reenact_tick_overruns_total',
    'Ticks skipped because a room was too late.',
    ['room'],
  );
  private readonly players = new Gauge(this.described('reenact_players', 'Players in a room.', ['room']));
  private readonly faults = this.counter('reenact_faults_total', 'New faults of the game in a room.', ['room']);
  private readonly sentBytes = this.counter('reenact_sent_bytes_total', 'Bytes sent, by kind of message.', ['kind']);
  private readonly sentMessages = this.counter('reenact_sent_messages_total', 'Messages sent, by kind.', ['kind']);
  private readonly receivedBytes = this.counter('reenact_received_bytes_total', 'Bytes received, by kind of message.', [
    'kind',
  ]);
  private readonly receivedMessages = this.counter('reenact_received_messages_total', 'Messages received, by kind.', [
    'kind',
  ]);
  private readonly refusals = this.counter('reenact_refused_total', 'Refused messages and connections, by code.', [
    'code',
  ]);
  private readonly ends = this.counter('reenact_connections_ended_total', 'Connections ended by the server, by code.', [
    'code',
  ]);
  private readonly acknowledgeSeconds = this.histogram(
    'reenact_acknowledge_seconds',
    'Time from the arrival of an input until it has been played and journalled.',
    [],
    [0.005, 0.01, 0.02, 0.04, 0.06, 0.1, 0.2, 0.5, 1],
  );
  private readonly problems = this.counter('reenact_problems_total', 'Problems of the server, by code.', ['code']);

  constructor(sizes: {
    readonly rooms: () => readonly Pick<ListedRoom, 'id' | 'players' | 'speed' | 'slowReason'>[];
    readonly connections: () => number;
    readonly isStoreFailing: () => boolean;
  }) {
    collectDefaultMetrics({ register: this.registry });
    // In Prometheus, `increase()` is 0 at the first sample of a series. Without these initial zeros, an alert would
    // miss the first problem of each kind.
    for (const code of Object.keys(operatorCodes)) this.problems.inc({ code }, 0);
    const { rooms } = sizes;
    this.hour = new LastHour(() => {
      const all = rooms();
      return { rooms: all.length, players: all.reduce((sum, { players }) => sum + players, 0) };
    });
    this.gauge('reenact_rooms', 'Open rooms.', () => rooms().length);
    this.gaugeOf('reenact_room_speed', 'Share of the recently due ticks that a room with players has played.', () =>
      rooms().flatMap(({ id, players, speed }) => (players > 0 ? [[{ room: id }, speed]] : [])),
    );
    this.gaugeOf('reenact_room_slow', '1 for a room that is too slow; the label is the reason.', () =>
      rooms().flatMap(({ id, slowReason: reason }) => (reason === undefined ? [] : [[{ room: id, reason }, 1]])),
    );
    this.gauge('reenact_connections', 'Open connections.', sizes.connections);
    this.gauge('reenact_store_failing', '1 while saved data cannot be read or written, else 0.', () =>
      Number(sizes.isStoreFailing()),
    );
  }

  async text(): Promise<{ readonly type: string; readonly text: string }> {
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }

  tick(room: string, figures: Parameters<Observer['tick']>[1]) {
    const { tickMs, encodeMs, busyMs, lateMs, players, faults } = figures;
    this.hour.tick(lateMs);
    this.tickSeconds.observe({ room }, tickMs / 1000);
    this.encodeSeconds.observe({ room }, encodeMs / 1000);
    this.busySeconds.inc({ room }, Math.max(0, busyMs) / 1000);
    this.lateSeconds.observe({ room }, lateMs / 1000);
    this.players.set({ room }, players);
    if (faults > 0) this.faults.inc({ room }, faults);
  }

  overrun(room: string, ticks: number) {
    this.overruns.inc({ room }, ticks);
  }

  /** Removes the metrics of a room that has ended, which would accumulate otherwise. */
  roomGone(room: string) {
    for (const metric of [
      this.tickSeconds,
      this.encodeSeconds,
      this.lateSeconds,
      this.busySeconds,
      this.overruns,
      this.players,
      this.faults,
    ]) {
      metric.remove({ room });
    }
  }

  sent(kind: string, bytes: number, clients = 1) {
    this.sentMessages.inc({ kind }, clients);
    this.sentBytes.inc({ kind }, bytes * clients);
  }

  received(kind: string, bytes: number) {
    this.receivedMessages.inc({ kind });
    this.receivedBytes.inc({ kind }, bytes);
  }

  refused(code: Code) {
    this.refusals.inc({ code });
  }

  ended(code: Code) {
    this.ends.inc({ code });
  }

  acknowledged(ms: number) {
    this.acknowledgeSeconds.observe(ms / 1000);
  }

  problem(code: string) {
    this.problems.inc({ code });
  }

  private described<L extends string>(name: string, help: string, labelNames: L[]) {
    return { name, help, labelNames, registers: [this.registry] };
  }

  private counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return new Counter(this.described(name, help, labelNames));
  }

  private histogram<L extends string>(name: string, help: string, labelNames: L[], buckets: number[]): Histogram<L> {
    return new Histogram({ ...this.described(name, help, labelNames), buckets });
  }

  private gauge(name: string, help: string, read: () => number) {
    this.gaugeOf(name, help, () => [[{}, read()]]);
  }

  /** A gauge whose values, with their labels, are read at each scrape. */
  private gaugeOf(name: string, help: string, read: () => readonly (readonly [Dictionary<string>, number])[]) {
    new Gauge({
      ...this.described(name, help, ['room', 'reason']),
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
  }
}
