import type { Dictionary } from '../../engine/core/index.ts';
import type { CaseResult } from '../scenario/index.ts';
import { escapeHtml } from '../text/index.ts';
import { byFile, failedText, totalsOf } from './result-text.ts';

/** JUnit XML for continuous integration: one suite per file. */
export function junitReport(results: readonly CaseResult[]): string {
  const suites = byFile(results).map(([file, list]) => {
    const cases = list.map((result) => testCase(result)).join('');
    return `  <testsuite ${attributes({ name: file, ...totals(list) })}>\n${cases}  </testsuite>\n`;
  });
  const head = attributes({ name: 'reenact', ...totals(results) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${head}>\n${suites.join('')}</testsuites>\n`;
}

function testCase(result: CaseResult) {
  const { case: given, outcome, note, failure, wallMs } = result;
  const head = attributes({ name: given.title, classname: given.file, file: given.file, time: seconds(wallMs) });
  if (outcome === 'passed') return `    <testcase ${head}/>\n`;
  if (outcome === 'skipped')
    return `    <testcase ${head}><skipped ${attributes({ message: note ?? '' })}/></testcase>\n`;
  const message = attributes({ message: failure?.expected ?? '', type: failure?.kind ?? '' });
  return `    <testcase ${head}><failure ${message}>${escapeHtml(failedText(result))}</failure></testcase>\n`;
}

function totals(results: readonly CaseResult[]) {
  const { failed, skipped } = totalsOf(results);
  return {
    tests: String(results.length),
    failures: String(failed),
    skipped: String(skipped),
    time: seconds(results.reduce((sum, { wallMs }) => sum + wallMs, 0)),
  };
}

function seconds(ms: number) {
  return (ms / 1000).toFixed(3);
}

function attributes(members: Dictionary<string>) {
  return Object.entries(members)
    .map(([name, value]) => `${name}="${escapeHtml(value).replace(/\s/g, ' ')}"`)
    .join(' ');
}
