import { isRecord } from '../../../engine/core/index.ts';
import { isRecordId, jsonOf, jsonRecord, jsonRecords, type RecordStore } from '../../store/index.ts';
import { type Ban, isBan, isSameSubject } from './bans.ts';
import { isReport, keptMs, type Report } from './reports.ts';

/**
 * A line of a backup of bans and reports. Lines with `bytes`, in base64, precede the line that they belong to: a
 * report, whose journal they contain, or a definition that journals of reports need. A journal may take several lines.
 */
export type CommunityLine =
  | { readonly ban: Ban }
  | { readonly bytes: string }
  | { readonly definition: string }
  | { readonly report: Report };

/** Divisible by three, so that only the last part has base64 padding. */
const partBytes = 3 * 1024 * 1024;

export function isCommunityLine(value: unknown): value is CommunityLine {
  if (!isRecord(value)) return false;
  const { ban, bytes, definition, report } = value;
  const isDefinition = typeof definition === 'string' && isRecordId(definition);
  return isBan(ban) || isReport(report) || typeof bytes === 'string' || isDefinition;
}

/**
 * The lines for all bans in force, and for all reports with their journals. `onDamaged` is called for records that
 * cannot be read.
 */
export async function* communityLines(
  records: RecordStore,
  onDamaged: (message: string) => void,
): AsyncGenerator<CommunityLine> {
  const readable = async <T>(kind: 'bans' | 'reports', is: (value: unknown) => value is T): Promise<readonly T[]> => {
    const read: T[] = [];
    let count = 0;
    for await (const [, bytes] of records.list(kind)) {
      count++;
      const value = jsonOf(bytes);
      if (is(value)) read.push(value);
    }
    if (read.length < count) onDamaged(`${count - read.length} of ${count} ${kind} are damaged.`);
    return read;
  };
  for (const ban of await readable('bans', isBan)) yield { ban };
  const definitions = new Set<string>();
  for (const report of await readable('reports', isReport)) {
    const { id, version } = report;
    if (!definitions.has(version)) {
      definitions.add(version);
      const definition = await records.get('report-games', version);
      if (definition !== undefined) {
        yield* partsOf(definition);
        yield { definition: version };
      }
    }
    const play = await records.get('report-plays', id);
    if (play === undefined && report.playBytes > 0) onDamaged(`The play of report ${id} is missing.`);
    yield* partsOf(play ?? new Uint8Array());
    yield { report };
  }
}

function* partsOf(bytes: Uint8Array): Generator<CommunityLine> {
  for (let at = 0; at < bytes.length; at += partBytes) {
    yield { bytes: Buffer.from(bytes.subarray(at, at + partBytes)).toString('base64') };
  }
}

/** Restores records from the lines of a backup. Expired bans and reports are left out. */
export class CommunityRestore {
  bans = 0;
  reports = 0;
  /** The number of bans that were not replaced, because they are newer than those in the backup. */
  newer = 0;
  private parts: Uint8Array[] = [];

  private constructor(
    private readonly records: RecordStore,
    private readonly nowMs: number,
    private readonly overwrites: boolean,
    private readonly present: readonly Ban[],
  ) {}

  static async begin(records: RecordStore, nowMs: number, overwrites: boolean): Promise<CommunityRestore> {
    const present = [...(await jsonRecords<unknown>(records, 'bans')).values()].filter(isBan);
    return new CommunityRestore(records, nowMs, overwrites, present);
  }

  async add(line: CommunityLine): Promise<void> {
    if ('bytes' in line) {
      this.parts.push(new Uint8Array(Buffer.from(line.bytes, 'base64')));
      return;
    }
    if ('ban' in line) return this.ban(line.ban);
    const bytes = new Uint8Array(Buffer.concat(this.parts));
    this.parts = [];
    if ('report' in line) return this.report(line.report, bytes);
    // The definition is kept at least as long as the newest report that needs it.
    await this.records.put('report-games', line.definition, bytes, this.nowMs + keptMs);
  }

  private async ban(ban: Ban) {
    const untilMs = ban.untilMs ?? Infinity;
    if (untilMs <= this.nowMs) return;
    const same = this.present.find((each) => each.id === ban.id || isSameSubject(each, ban));
    if (same !== undefined && same.atMs > ban.atMs && !this.overwrites) {
      this.newer++;
      return;
    }
    const restored = { ...ban, id: same?.id ?? ban.id };
    await this.records.put('bans', restored.id, jsonRecord(restored), untilMs);
    this.bans++;
  }

  private async report(report: Report, play: Uint8Array) {
    const untilMs = report.atMs + keptMs;
    if (untilMs <= this.nowMs) return;
    if (play.length > 0) await this.records.put('report-plays', report.id, play, untilMs);
    await this.records.put('reports', report.id, jsonRecord({ ...report, playBytes: play.length }), untilMs);
    this.reports++;
  }
}
