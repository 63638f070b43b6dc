import { type DestinationStream, type Logger, pino } from 'pino';
import type { About, Observer } from '../cluster/index.ts';
import type { Metrics } from './metrics.ts';

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Creates a log that consists of JSON lines. Events refer to players by id only; they never contain a name, an IP
 * address or chat text.
 */
export function createLog(level: LogLevel, to: DestinationStream): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, to);
}

/**
 * The time in which the same problem of the same room or file is logged at most once, ms. The next entry contains the
 * number of repetitions.
 */
const quietMs = 10_000;
const rememberedMax = 1000;

/** The levels of events that are not logged as `info`. */
const levels: Partial<Record<Parameters<Observer['event']>[0], 'debug' | 'warn'>> = {
  'player-joined': 'debug',
  'player-left': 'debug',
  'connection-lost': 'debug',
  'page-refused': 'warn',
  'room-slow': 'warn',
};

/** Returns an observer that writes to the log and updates the metrics. */
export function observe(log: Logger, metrics: Metrics): Observer {
  // Audit entries are written at every level but `silent`, because operators need a complete audit log.
  const auditing = log.level === 'silent' ? undefined : log.child({}, { level: 'info' });
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
      if (seen.size >= rememberedMax) seen.clear();
      seen.set(key, { atMs: now, more: 0 });
      log.error({ code, ...about, ...(last !== undefined && last.more > 0 && { repeated: last.more }) }, message);
    },
    event(what, about) {
      log[levels[what] ?? 'info']({ ...about }, what);
    },
    audit: (by, act, about) => auditing?.info({ by, act, ...about }, 'audit'),
    tick: (room, figures) => metrics.tick(room, figures),
    overrun(room, ticks) {
      metrics.overrun(room, ticks);
      log.debug({ room, ticks }, 'overrun');
    },
    roomGone: (room) => metrics.roomGone(room),
    sent: (kind, bytes, clients) => metrics.sent(kind, bytes, clients),
    received: (kind, bytes) => metrics.received(kind, bytes),
    refused: (code) => metrics.refused(code),
    ended: (code) => metrics.ended(code),
    acknowledged: (ms) => metrics.acknowledged(ms),
  };
}
