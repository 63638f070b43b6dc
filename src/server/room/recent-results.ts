import { codeAt, indexOfCode, resentResultsMax } from '../../net/index.ts';
import type { InputResult } from './room-messages.ts';

export type PlayerResult = Omit<InputResult, 'session'>;

/**
 * The newest results of a player's inputs. They are sent again when a connection is resumed, because they may not have
 * arrived.
 */
export class RecentResults {
  readonly all: PlayerResult[] = [];

  add(result: PlayerResult) {
    this.all.push(result);
    if (this.all.length > resentResultsMax) this.all.shift();
  }

  /** The results in compact form for snapshots: delta-encoded, three small numbers per result. */
  pack(): number[] {
    let [lastSequence, lastTick] = [0, 0];
    return this.all.flatMap(({ sequence, tick, code }) => {
      const packed = [sequence - lastSequence, tick - lastTick, code === undefined ? 0 : indexOfCode(code) + 1];
      [lastSequence, lastTick] = [sequence, tick];
      return packed;
    });
  }

  static unpack(packed: readonly number[]): RecentResults {
    const results = new RecentResults();
    let [sequence, tick] = [0, 0];
    for (let i = 0; i + 2 < packed.length; i += 3) {
      sequence += packed[i]!;
      tick += packed[i + 1]!;
      const code = packed[i + 2]!;
      results.add({ sequence, tick, ...(code !== 0 && { code: codeAt(code - 1) }) });
    }
    return results;
  }
}

/** The form in which a result is sent if the journal may lack its tick. */
export function asNotDurable<R extends PlayerResult>(result: R): R {
  return { ...result, code: result.code ?? 'not-durable' };
}
