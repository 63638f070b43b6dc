import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Machine, randomDigits } from '../machine/machine.ts';
import { jsonRecord, jsonRecords, type RecordStore } from './record-store.ts';

/** A player's complaint about another one. */
interface Report {
  readonly id: string;
  readonly atMs: number;
  readonly room: string;
  readonly slug: string;
  /** The tick of the report in its play. */
  readonly tick: number;
  readonly by: ReportedPlayer;
  readonly about: ReportedPlayer;
  readonly text: string;
  /** The version of the definition. */
  readonly version: string;
  readonly title: string;
  /** The size of its play; 0 if that is not kept any more. */
  readonly playBytes: number;
}

interface ReportedPlayer {
  readonly player: string;
  readonly name: string;
  readonly userId?: string | undefined;
}

const keptMs = 30 * 24 * 3600 * 1000;
/** Beyond this many reports, the oldest are dropped. Beyond this many bytes, the largest plays are: the state of a game can be large. */
const defaultLimits = { reports: 500, playBytes: 256 * 1024 * 1024 };

const pack = promisify<Uint8Array | string, Buffer>(gzip);
const unpack = promisify<Uint8Array, Buffer>(gunzip);

function plain({ buffer, byteOffset, length }: Buffer): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

/** The reports of players, each with the play that led to it. */
export class Reports {
  private readonly records: RecordStore;
  private readonly machine: Pick<Machine, 'clock' | 'random'>;
  private readonly limits: typeof defaultLimits;
  private readonly games = new Set<string>();

  constructor(records: RecordStore, machine: Pick<Machine, 'clock' | 'random'>, limits = defaultLimits) {
    this.limits = limits;
    this.records = records;
    this.machine = machine;
  }

  async add(report: Omit<Report, 'id' | 'atMs' | 'playBytes'>, play: Uint8Array, definition: string): Promise<string> {
    const atMs = this.machine.clock.date();
    const id = randomDigits(this.machine, 8);
    const until = atMs + keptMs;
    // Written at most once a day, which renews its expiry.
    const game = `${report.version} ${Math.floor(atMs / (24 * 3600 * 1000))}`;
    if (!this.games.has(game)) {
      await this.records.put('report-games', report.version, plain(await pack(definition)), until + keptMs);
      this.games.add(game);
    }
    const packed = plain(await pack(play));
    await this.records.put('report-plays', id, packed, until);
    await this.put({ id, atMs, ...report, playBytes: packed.length });
    await this.prune();
    return id;
  }

  private put(report: Report): Promise<void> {
    return this.records.put('reports', report.id, jsonRecord(report), report.atMs + keptMs);
  }

  private async prune(): Promise<void> {
    const all = await this.all();
    for (const { id } of all.slice(this.limits.reports)) await this.remove(id);
    const kept = all.slice(0, this.limits.reports).sort((a, b) => b.playBytes - a.playBytes);
    let bytes = kept.reduce((sum, { playBytes }) => sum + playBytes, 0);
    for (const report of kept) {
      if (bytes <= this.limits.playBytes) break;
      bytes -= report.playBytes;
      await this.records.remove('report-plays', report.id);
      await this.put({ ...report, playBytes: 0 });
    }
  }

  /** The newest first. */
  async all(): Promise<readonly Report[]> {
    const all = jsonRecords<Report>(await this.records.all('reports'));
    return [...all.values()].sort((a, b) => b.atMs - a.atMs);
  }

  async get(id: string): Promise<Report | undefined> {
    const bytes = await this.records.get('reports', id);
    return bytes && jsonRecords<Report>(new Map([[id, bytes]])).get(id);
  }

  /** The play as a journal file. */
  async play(id: string): Promise<Uint8Array | undefined> {
    const bytes = await this.records.get('report-plays', id);
    return bytes && plain(await unpack(bytes));
  }

  async definition({ version }: Report): Promise<string | undefined> {
    const bytes = await this.records.get('report-games', version);
    return bytes && (await unpack(bytes)).toString('utf8');
  }

  async remove(id: string): Promise<boolean> {
    await this.records.remove('report-plays', id);
    return this.records.remove('reports', id);
  }
}
