import type { Code } from '../../net/index.ts';
import type { OperatorCode } from './codes.ts';

/** The subject of an event. Must not contain personal data. */
export interface About {
  readonly room?: string | undefined;
  readonly player?: string | undefined;
  readonly connection?: number | undefined;
  readonly file?: string | undefined;
  readonly [detail: string]: string | number | boolean | undefined;
}

/** Receives events for operators, which go to the log and the metrics. */
export interface Observer {
  /** A problem that may need the operator's attention. */
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
      | 'room-kept'
      | 'newer-version'
      | 'player-joined'
      | 'player-left'
      | 'watching'
      | 'connection-lost'
      | 'page-refused'
      | 'definition-changed'
      | 'journal-working'
      | 'store-working'
      | 'draining'
      | 'listening',
    about: About,
  ): void;
  /** An administrator has taken an action. `by` is the name of the administrator. */
  audit(by: string, act: string, about: About): void;
  tick(
    room: string,
    figures: {
      tickMs: number;
      encodeMs: number;
      busyMs: number;
      lateMs: number;
      players: number;
      faults: number;
    },
  ): void;
  overrun(room: string, ticks: number): void;
  roomGone(room: string): void;
  /** A message was sent to `clients` clients, in the same form for all. */
  sent(kind: string, bytes: number, clients?: number): void;
  received(kind: string, bytes: number): void;
  refused(code: Code): void;
  ended(code: Code): void;
  /** An input was acknowledged `ms` after its arrival. */
  acknowledged(ms: number): void;
}
