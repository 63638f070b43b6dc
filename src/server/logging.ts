import { type DestinationStream, type Logger, pino } from 'pino';
import type { About, Observer } from './base/observer.ts';
import type { Metrics } from './metrics.ts';

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines. Events name their subjects by ids: no names, addresses or texts of players. */
export function createLog(level: LogLevel, to: DestinationStream): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, to);
}

/** The same problem of the same room or file is written once in this time, with how often it came. */
const quietMs = 10_000;
const remembered = 1000;

/** Writes events to the log, and counts them for the metrics. */
export function observe(log: Logger, metrics: Metrics): Observer {
  const seen = new Map<string, { atMs: number; more: number }>();
  return {
    problem(code, message, about: About = {}) {
      metrics.problem(code);
      const now = performance.now();
      const key = `${code} ${about.room ?? about.file ?? ''}`;
      const last = seen.get(key);
      if (last !== undefined && now - last.atMs < quietMs) {
        last.more++;
        return;
      }
      if (seen.size >= remembered) seen.clear();
      seen.set(key, { atMs: now, more: 0 });
      log.error({ code, ...about, ...(last !== undefined && last.more > 0 ? { repeated: last.more } : {}) }, message);
    },
    event(what, about) {
      const level = what === 'player-joined' || what === 'player-left' || what === 'connection-lost' ? 'debug' : 'info';
      log[level]({ ...about }, what);
    },
    tick: (room, figures) => metrics.tick(room, figures),
    overrun(room, ticks) {
      metrics.overrun(room, ticks);
      log.debug({ room, ticks }, 'overrun');
    },
    roomGone: (room) => metrics.roomGone(room),
    sent: (kind, bytes) => metrics.sent(kind, bytes),
    received: (kind, bytes) => metrics.received(kind, bytes),
    refused: (code) => metrics.refused(code),
    ended: (code) => metrics.ended(code),
    acknowledged: (ms) => metrics.acknowledged(ms),
    dataLate: (outcome) => metrics.dataLate(outcome),
  };
}
