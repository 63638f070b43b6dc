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
}

interface ReportedPlayer {
  readonly player: string;
  readonly name: string;
  readonly userId?: string | undefined;
}

const keptMs = 30 * 24 * 3600 * 1000;
/** Beyond this, the oldest reports are dropped. */
const reportsMax = 500;

const pack = promisify<Uint8Array | string, Buffer>(gzip);
const unpack = promisify<Uint8Array, Buffer>(gunzip);

function plain({ buffer, byteOffset, length }: Buffer): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

/** The reports of players, each with the play that led to it. */
export class Reports {
  private readonly records: RecordStore;
  private readonly machine: Pick<Machine, 'clock' | 'random'>;
  private readonly games = new Set<string>();

  constructor(records: RecordStore, machine: Pick<Machine, 'clock' | 'random'>) {
    this.records = records;
    this.machine = machine;
  }

  async add(report: Omit<Report, 'id' | 'atMs'>, play: Uint8Array, definition: string): Promise<string> {
    const atMs = this.machine.clock.date();
    const id = randomDigits(this.machine, 8);
    const until = atMs + keptMs;
    const full: Report = { id, atMs, ...report };
    // Written at most once a day, which renews its expiry.
    const game = `${report.version} ${Math.floor(atMs / (24 * 3600 * 1000))}`;
    if (!this.games.has(game)) {
      await this.records.put('report-games', report.version, plain(await pack(definition)), until + keptMs);
      this.games.add(game);
    }
    await this.records.put('report-plays', id, plain(await pack(play)), until);
    await this.records.put('reports', id, jsonRecord(full), until);
    const all = await this.all();
    for (const { id: old } of all.slice(reportsMax)) await this.remove(old);
    return id;
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
