import { dirname, join } from 'node:path';
import type { GameCoverage } from '../scenario/index.ts';
import { fileTitle } from '../text/index.ts';

/**
 * The files of a coverage report in the format of lcov, by path: the report at `path`, and beside it, for each game, a
 * file with the text of its scripts, to whose lines the report refers.
 */
export function lcovFiles(coverage: readonly GameCoverage[], path: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const records = coverage.flatMap(({ game, each }) => {
    const source = join(dirname(path), `${fileTitle(game)}.scripts.txt`);
    const lines: string[] = [];
    const record = [`SF:${source}`];
    for (const { place, name, runs, lines: own } of each) {
      lines.push(`script "${name}" (${place})`);
      record.push(`FN:${lines.length},${place}`, `FNDA:${runs},${place}`);
      for (const { depth, text, count, kind } of own) {
        lines.push('  '.repeat(depth + 1) + text);
        record.push(kind === 'action' ? `DA:${lines.length},${count}` : `BRDA:${lines.length},0,0,${count}`);
      }
    }
    files.set(source, `${lines.join('\n')}\n`);
    return [...record, 'end_of_record\n'];
  });
  return files.set(path, records.join('\n'));
}
