import type { CaseResult } from '../scenario/index.ts';
import { failedText } from './result-text.ts';

/** The results in the Test Anything Protocol, version 14. */
export function tapReport(results: readonly CaseResult[]): string {
  const lines = ['TAP version 14', `1..${results.length}`];
  for (const [i, result] of results.entries()) {
    const { outcome, case: given, note } = result;
    const description = `${given.file} ${given.title}`.replace(/[\\#]/g, '\\$&').replaceAll('\n', ' ');
    const directive = outcome === 'skipped' ? ` # SKIP ${(note ?? '').replaceAll('\n', ' ')}` : '';
    lines.push(`${outcome === 'failed' ? 'not ok' : 'ok'} ${i + 1} - ${description}${directive}`);
    if (outcome !== 'failed') continue;
    const text = failedText(result, '      ');
    lines.push('  ---', `  seed: ${JSON.stringify(given.seed)}`, '  message: |', text, '  ...');
  }
  return `${lines.join('\n')}\n`;
}
