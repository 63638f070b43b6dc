import { describe, expect, test } from 'vitest';
import { type CaseResult, report } from './report.ts';

const difference = { timeSeconds: 0.05, path: 'u1.x', expected: 1, got: 2 };
const failed: CaseResult = {
  name: 'a_walk',
  family: 'a',
  outcome: 'failed',
  documented: false,
  differences: [difference, { ...difference, path: 'u1.y' }],
  faults: ['scripts/s/0 missing-value (1x)'],
};
const passed: CaseResult = {
  name: 'a_stand',
  family: 'a',
  outcome: 'passed',
  documented: false,
  differences: [],
  faults: [],
};
const onPurpose: CaseResult = {
  ...failed,
  name: 'd_size',
  family: 'd',
  outcome: 'onPurpose',
  documented: true,
  knownBug: 'half done',
};

describe('the report', () => {
  test('says of each case how it went, and ends with the count', () => {
    expect(report([failed, passed, onPurpose], { verbose: false }).split('\n')).toEqual([
      'a motion: 1 of 2 passed',
      '  a_walk: failed at 0.05 s u1.x: expected 1, got 2, and 1 more',
      '  a_stand: passed',
      'd regions: 1 of 1 passed',
      '  d_size: passed, differs on purpose: half done',
      '2 passed, 1 failed',
    ]);
  });

  test('shows every difference and every fault on request', () => {
    const lines = report([failed], { verbose: true }).split('\n');
    expect(lines).toContain('    at 0.05 s u1.x: expected 1, got 2');
    expect(lines).toContain('    at 0.05 s u1.y: expected 1, got 2');
    expect(lines).toContain('    fault: scripts/s/0 missing-value (1x)');
  });

  test('says what else is known about a case that failed', () => {
    const text = report([{ ...failed, documented: true, knownBug: 'half done' }], { verbose: false });
    expect(text).toContain('; docs/semantics names this case; the recording shows a known defect: half done');
  });

  test('counts nothing when there is nothing', () => {
    expect(report([], { verbose: false })).toBe('0 passed, 0 failed');
  });
});
