import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { cached, isRecord } from '../../../engine/core/index.ts';
import { plainBytes } from '../../cluster/index.ts';
import { digest, type Machine, randomDigits } from '../../machine/index.ts';
import { isRecordId, jsonOf, jsonRecord, jsonRecords, type RecordStore } from '../../store/index.ts';

/** A player's complaint about another player. */
export interface Report {
  readonly id: string;
  readonly atMs: number;
  readonly room: string;
  readonly slug: string;
  /** The tick of the journal at which the player reported. */
  readonly tick: number;
  readonly by: ReportedPlayer;
  readonly about: ReportedPlayer;
  readonly text: string;
  /** The version of the definition that the room played. */
  readonly version: string;
  readonly title: string;
  /** The size of the compressed journal in bytes; 0 if the journal has been removed. */
  readonly playBytes: number;
  /** A code that distinguishes the sources of reports, but is too short to identify a source. */
  readonly source: string;
}

/** The evidence for a report. */
interface Evidence {
  /** A journal file with the ticks before the report. */
  readonly bytes: Uint8Array;
  readonly definition: string;
  /** The site of the sender's IP address, see `siteOf`. */
  readonly source: string;
}

interface ReportedPlayer {
  readonly player: string;
  readonly name: string;
  readonly userId?: string | undefined;
}

/** How long a report is kept, ms. */
export const keptMs = 30 * 24 * 3600 * 1000;
/**
 * The limits on reports and journals. Beyond them, items of the source that sent most are dropped, so that a flood
 * displaces its own items rather than those of other sources.
 */
const defaultLimits = { reports: 500, playBytes: 256 * 1024 * 1024 };

/** Whether a value that was read from a backup or a record is a report. */
export function isReport(value: unknown): value is Report {
  if (!isRecord(value)) return false;
  const { id, version, by, about, ...rest } = value;
  const { room, slug, text, title, source, atMs, tick, playBytes } = rest;
  return (
    [id, version].every((each) => typeof each === 'string' && isRecordId(each)) &&
    [by, about].every((each) => isRecord(each) && typeof each['player'] === 'string') &&
    [room, slug, text, title, source].every((each) => typeof each === 'string') &&
    [atMs, tick, playBytes].every(Number.isFinite)
  );
}

const pack = promisify<Uint8Array | string, Buffer>(gzip);
const unpack = promisify<Uint8Array, Buffer>(gunzip);

/** The reports of players, each with a journal of the ticks before it. */
export class Reports {
  private readonly games = new Set<string>();

  constructor(
    private readonly records: RecordStore,
    private readonly machine: Pick<Machine, 'clock' | 'random'>,
    private readonly limits: typeof defaultLimits = defaultLimits,
  ) {}

  async add(
    report: Omit<Report, 'id' | 'atMs' | 'playBytes' | 'source'>,
    { bytes, definition, source }: Evidence,
  ): Promise<string> {
    const atMs = this.machine.clock.date();
    const id = randomDigits(this.machine, 8);
    const until = atMs + keptMs;
    // The definition is written at most once a day per version, which also extends its expiry time.
    const game = `${report.version} ${Math.floor(atMs / (24 * 3600 * 1000))}`;
    if (!this.games.has(game)) {
      await this.records.put('report-games', report.version, plainBytes(await pack(definition)), until + keptMs);
      this.games.add(game);
    }
    const packed = plainBytes(await pack(bytes));
    await this.records.put('report-plays', id, packed, until);
    await this.put({ id, atMs, ...report, playBytes: packed.length, source: digest(source, 4) });
    await this.prune();
    return id;
  }

  private put(report: Report) {
    return this.records.put('reports', report.id, jsonRecord(report), report.atMs + keptMs);
  }

  private async prune() {
    const { reports, playBytes } = this.limits;
    const kept = [...(await this.all())];
    while (kept.length > reports) {
      const last = heaviest(kept, () => 1).at(-1)!;
      kept.splice(kept.indexOf(last), 1);
      await this.remove(last.id);
    }
    let bytes = kept.reduce((sum, report) => sum + report.playBytes, 0);
    const withPlay = kept.filter((report) => report.playBytes > 0);
    while (bytes > playBytes) {
      const own = heaviest(withPlay, (report) => report.playBytes);
      const largest = own.reduce((a, b) => (b.playBytes > a.playBytes ? b : a));
      withPlay.splice(withPlay.indexOf(largest), 1);
      bytes -= largest.playBytes;
      await this.records.remove('report-plays', largest.id);
      await this.put({ ...largest, playBytes: 0 });
    }
  }

  /** All reports, newest first. */
  async all(): Promise<readonly Report[]> {
    const all = await jsonRecords<Report>(this.records, 'reports');
    return [...all.values()].sort((a, b) => b.atMs - a.atMs);
  }

  async get(id: string): Promise<Report | undefined> {
    const bytes = isRecordId(id) ? await this.records.get('reports', id) : undefined;
    return bytes && jsonOf<Report>(bytes);
  }

  /** The journal file of a report; undefined if there is none. */
  async play(id: string): Promise<Uint8Array | undefined> {
    const bytes = await this.records.get('report-plays', id);
    return bytes && plainBytes(await unpack(bytes));
  }

  async definition({ version }: Report): Promise<string | undefined> {
    const bytes = await this.records.get('report-games', version);
    return bytes && (await unpack(bytes)).toString('utf8');
  }

  async remove(id: string): Promise<boolean> {
    if (!isRecordId(id)) return false;
    await this.records.remove('report-plays', id);
    return this.records.remove('reports', id);
  }
}

/**
 * The reports of the source with the largest total weight, newest first. If several sources are equal, the one with the
 * oldest report is chosen.
 */
function heaviest(reports: readonly Report[], weightOf: (report: Report) => number): readonly Report[] {
  const bySource = new Map<string, { weight: number; readonly own: Report[] }>();
  // From the oldest report to the newest, because a map keeps the order of its keys, and `reduce` returns the first of
  // equal sources.
  for (const report of reports.toReversed()) {
    const known = cached(bySource, report.source, () => ({ weight: 0, own: [] }));
    known.weight += weightOf(report);
    known.own.unshift(report);
  }
  return [...bySource.values()].reduce((most, each) => (each.weight > most.weight ? each : most)).own;
}
