import type { Code } from '../protocol/codes.ts';
import type { OperatorCode } from './codes.ts';

/** The subject of an event; no personal data. */
export interface About {
  readonly room?: string | undefined;
  readonly player?: string | undefined;
  readonly connection?: number | undefined;
  readonly file?: string | undefined;
  readonly [detail: string]: string | number | boolean | undefined;
}

/** The player plays without it; it was brought; the player left before that. */
export type LateDataOutcome = 'missing' | 'loaded' | 'left';

/** The events for operators, which log and metrics show. */
export interface Observer {
  /** Something an operator may have to do something about. */
  problem(code: OperatorCode, message: string, about?: About): void;
  event(
    what:
      | 'room-opened'
      | 'room-resumed'
      | 'room-ended'
      | 'room-moved'
      | 'room-slow'
      | 'room-keeps-up'
      | 'room-handed-over'
      | 'player-joined'
      | 'player-left'
      | 'watching'
      | 'saved-data-late'
      | 'saved-data-loaded'
      | 'connection-lost'
      | 'definition-changed'
      | 'journal-working'
      | 'draining'
      | 'listening',
    about: About,
  ): void;
  tick(
    room: string,
    figures: {
      tickMs: number;
      encodeMs: number;
      busyMs: number;
      lateMs: number;
      players: number;
      faults: number;
      /** Of the room, as a part of its rate. */
      speed: number;
    },
  ): void;
  overrun(room: string, ticks: number): void;
  roomGone(room: string): void;
  sent(kind: string, bytes: number): void;
  received(kind: string, bytes: number): void;
  refused(code: Code): void;
  ended(code: Code): void;
  /** From an input's arrival to its being kept. */
  acknowledged(ms: number): void;
  /** Of the saved data of a player that could not be read at the join. */
  dataLate(outcome: LateDataOutcome): void;
}
