import { hostClock } from '../machine/index.ts';

const minuteMs = 60_000;
const minutesMax = 60;
/** A tick counts as late if it begins more than this time after it was due, ms. */
const lateMin = 50;

/** What a process did in a minute. `cores`: processor time of all threads, in cores. */
export interface Minute {
  readonly players: number;
  readonly rooms: number;
  readonly lateTicks: number;
  readonly cores: number;
  readonly memoryBytes: number;
}

/** The figures of this process in each of the last sixty minutes. */
export class LastHour {
  private readonly minutes: Minute[] = [];
  private lateTicks = 0;
  private begunMs = hostClock.now();
  private cpu = process.cpuUsage();

  constructor(private readonly sizes: () => Pick<Minute, 'players' | 'rooms'>) {}

  /** Counts a tick that began `lateMs` after it was due. */
  tick(lateMs: number) {
    if (lateMs > lateMin) this.lateTicks++;
    this.turn();
  }

  /** The figures of each minute, oldest first. The last one is the current minute. */
  all(): readonly Minute[] {
    this.turn();
    return [...this.minutes, this.current()];
  }

  /** Closes the minutes that are over. There may be several, because idle rooms have no ticks. */
  private turn() {
    const over = Math.floor((hostClock.now() - this.begunMs) / minuteMs);
    if (over === 0) return;
    const minute = this.current();
    for (let i = 0; i < over; i++) this.minutes.push(minute);
    this.minutes.splice(0, this.minutes.length - minutesMax);
    this.lateTicks = 0;
    this.begunMs += over * minuteMs;
    this.cpu = process.cpuUsage();
  }

  private current(): Minute {
    const { user, system } = process.cpuUsage(this.cpu);
    const ms = Math.max(1, hostClock.now() - this.begunMs);
    return {
      ...this.sizes(),
      lateTicks: this.lateTicks,
      cores: (user + system) / 1000 / ms,
      memoryBytes: process.memoryUsage.rss(),
    };
  }
}
