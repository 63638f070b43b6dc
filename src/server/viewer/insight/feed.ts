import { type LoadedGame, loadDefinition } from '../../../../engine/index.ts';
import { type InsightMessage, InsightReader } from '../../../journal/index.ts';
import { unpackGame } from '../../../load/index.ts';
import { GrowingJournal } from './room-journal.ts';

/** A room with its journal, which grows as the feed continues. */
export interface FedRoom {
  readonly room: string;
  readonly game: LoadedGame;
  readonly journal: GrowingJournal;
}

interface FeedPorts {
  readonly started: (fed: FedRoom) => void;
  /** The connection was lost; the feed reconnects. */
  readonly lost: () => void;
  /** The feed has ended. `not-permitted`: the token is wrong. Other codes are those of the protocol. */
  readonly ended: (code: string) => void;
}

const retryMs = [500, 1000, 2000, 4000] as const;
/** The server sends a message at least every five seconds. */
const silentMs = 15_000;

/**
 * Follows a room until it ends or the feed is closed. After a lost connection it reconnects, and starts over from the
 * current state.
 */
export class Feed {
  private readonly stops = new AbortController();
  private fed: FedRoom | undefined;
  private failures = 0;
  private hasBegun = false;

  constructor(
    private readonly room: string,
    private readonly token: string,
    private readonly ports: FeedPorts,
  ) {
    void this.run();
  }

  close(): void {
    this.stops.abort();
  }

  private async run(): Promise<void> {
    while (!this.stops.signal.aborted) {
      const code = await this.follow().catch(() => undefined);
      if (this.stops.signal.aborted) return;
      if (code !== undefined) {
        this.close();
        this.ports.ended(code);
        return;
      }
      this.fed = undefined;
      this.ports.lost();
      const waitMs = retryMs[Math.min(this.failures++, retryMs.length - 1)]!;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  /**
   * Follows one connection until it ends. Resolves with a code if reconnecting is pointless, else with undefined.
   * Rejects for network errors.
   */
  private async follow(): Promise<string | undefined> {
    const connection = new AbortController();
    const signal = AbortSignal.any([this.stops.signal, connection.signal]);
    // A token that cannot be sent in a header is certainly wrong.
    if (!/^[\x20-\x7e\x80-\xff]+$/.test(this.token)) return 'not-permitted';
    const headers = { authorization: `Bearer ${this.token}` };
    const response = await fetch(`/rooms/${encodeURIComponent(this.room)}/insight`, { headers, signal });
    if (response.status === 401) return 'not-permitted';
    // A restarting server may not have resumed the room yet.
    if (response.status === 404 && (!this.hasBegun || this.failures >= retryMs.length)) return 'no-such-room';
    if (!response.ok || response.body === null) return undefined;
    const reader = new InsightReader();
    const body = response.body.getReader();
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      for (;;) {
        clearTimeout(timer);
        timer = setTimeout(() => connection.abort(), silentMs);
        const { done, value } = await body.read();
        if (done) return undefined;
        for (const message of reader.take(value)) {
          if (message.kind === 'end') return message.code ?? undefined;
          if (!(await this.take(message))) return undefined;
        }
      }
    } finally {
      clearTimeout(timer);
      connection.abort();
    }
  }

  private start: Extract<InsightMessage, { kind: 'start' }> | undefined;

  /** False for a message that does not follow the previous ones. */
  private async take(message: Exclude<InsightMessage, { kind: 'end' }>): Promise<boolean> {
    const { fed, start } = this;
    switch (message.kind) {
      case 'alive':
        return true;
      case 'start':
        this.start = message;
        return true;
      case 'tick':
        return fed?.journal.add(message) ?? false;
      case 'snapshot': {
        if (fed !== undefined) {
          fed.journal.keep(message.tick, message.bytes);
          return true;
        }
        if (start === undefined || start.head.tick !== message.tick) return false;
        const game = await gameOf(start.definition);
        this.failures = 0;
        this.hasBegun = true;
        this.fed = { room: start.room, game, journal: new GrowingJournal(start.head, message.bytes) };
        this.ports.started(this.fed);
        return true;
      }
    }
  }
}

async function gameOf(packed: Uint8Array): Promise<LoadedGame> {
  const stream = new Blob([new Uint8Array(packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
  const { text, host } = unpackGame(await new Response(stream).text());
  const { game } = loadDefinition(JSON.parse(text), host);
  if (game === undefined) throw new Error('The server has sent an invalid definition.');
  return game;
}
