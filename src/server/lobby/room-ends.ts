/** How a room leaves this process: it is over, or another process plays it. */
export type RoomEnd = 'over' | 'elsewhere';

/** The maximum number of ended rooms that are remembered. */
const overMax = 1000;

/** Remembers which rooms have ended, and notifies the waiting callers when a room ends. */
export class RoomEnds {
  private readonly waiting = new Map<string, ((end: RoomEnd) => void)[]>();
  /** The most recently ended rooms. */
  private readonly over = new Set<string>();

  /** Resolves when the room has left this process. */
  of(id: string): Promise<RoomEnd> {
    return new Promise((resolve) => this.waiting.set(id, [...(this.waiting.get(id) ?? []), resolve]));
  }

  isAwaited(id: string): boolean {
    return this.waiting.has(id);
  }

  /** Whether a room is over; only the most recent ones are remembered. */
  isOver(id: string): boolean {
    return this.over.has(id);
  }

  left(id: string, end: RoomEnd) {
    if (end === 'over') {
      this.over.add(id);
      const [oldest] = this.over;
      if (this.over.size > overMax && oldest !== undefined) this.over.delete(oldest);
    }
    for (const resolve of this.waiting.get(id) ?? []) resolve(end);
    this.waiting.delete(id);
  }
}
