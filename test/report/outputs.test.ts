import { describe, expect, test } from 'vitest';
import { coverageText } from '../../src/report/coverage-text.ts';
import { githubReport } from '../../src/report/github.ts';
import { htmlReport } from '../../src/report/html.ts';
import { jsonReport } from '../../src/report/json.ts';
import { junitReport } from '../../src/report/junit.ts';
import { mutationText, resultText } from '../../src/report/pretty.ts';
import { totalsOf, totalsText } from '../../src/report/result-text.ts';
import type { FailureReport } from '../../src/run/failure-report.ts';
import type { MutationReport } from '../../src/scenario/judging/mutation.ts';
import type { CaseResult } from '../../src/scenario/playing/play-case.ts';
import type { GameCoverage } from '../../src/scenario/telling/coverage-reports.ts';
import type { Paint } from '../../src/text/paint.ts';
import { markupMistakes } from '../support/markup.ts';

/** Every kind of report, whole, over the same results. */

const failure: FailureReport = {
  kind: 'expectation',
  expected: 'lives of ann == 3',
  found: ['lives of ann is 2', 'ann is <b>alive</b>'],
  because: 'a wolf & its pack came',
  expressions: ['lives of ann == 3'],
  why: ['lives of ann became 2 (before: 3) at tick 80: the <wolf>.'],
  tick: 90,
  seconds: 4.5,
  events: [
    { tick: 80, seconds: 4, text: 'secondTick', from: undefined },
    { tick: 85, seconds: 4.25, text: 'chat "hm"', from: 'scripts/count, sendChatMessage' },
  ],
  scripts: Array.from({ length: 9 }, (_, i) => ({ script: `Script ${i + 1}`, count: 10 - i })),
  falseConditions: [
    { script: 'Count', text: 'seconds > 100', sides: ['seconds is 4'], count: 3, tick: 80, seconds: 4 },
    { script: 'Other', text: 'seconds > 99', sides: [], count: 1, tick: 60, seconds: 3 },
  ],
  differences: [
    { what: 'lives of ann', before: '3', after: '2' },
    { what: 'x of ann', before: '100', after: '200.5' },
  ],
  picture: '<svg></svg>',
};

function result(title: string, more: Partial<CaseResult> = {}, given: Partial<CaseResult['case']> = {}): CaseResult {
  return {
    case: {
      file: 'tests/hill.yaml',
      line: 4,
      index: 0,
      title,
      name: title,
      description: undefined,
      tags: [],
      game: 'games/hill.json',
      dialect: 'standard',
      seed: '1',
      faults: 'fail',
      budget: {},
      only: false,
      skip: undefined,
      knownFailure: undefined,
      ...given,
    } as unknown as CaseResult['case'],
    outcome: 'passed',
    note: undefined,
    failure: undefined,
    failedStep: undefined,
    failedLine: undefined,
    checked: 2,
    ticks: 100,
    simulatedSeconds: 5,
    wallMs: 250,
    hash: undefined,
    counts: undefined,
    plots: [],
    recording: undefined,
    values: [],
    ...more,
  };
}

const line = (label: string, values: readonly (number | null)[]) => ({
  label,
  seconds: values.map((_, i) => i / 2),
  values,
});

const results = [
  result('it is quiet', { checked: 1, hash: 'abcd' }, { description: 'Nothing <happens>.', tags: ['calm', 'a&b'] }),
  result('one value', { plots: [line('wolves', [1])] }),
  result('two values', { plots: [line('wolves', [1, 2]), line('speed', [0.5, null])] }),
  result('it is known', { note: 'known failure: rain' }),
  result(
    'ann keeps her lives',
    {
      outcome: 'failed',
      failure,
      failedStep: 3,
      failedLine: 17,
      simulatedSeconds: 4.5,
      wallMs: 1000,
      plots: [line('lives of ann', [3, 3, 2])],
    },
    { file: "tests/ann's wolf.yaml", dialect: 'moddio', seed: 'a b' },
  ),
  result('later', { outcome: 'skipped', note: 'not yet, 100 %', simulatedSeconds: 0, wallMs: 0 }, { line: undefined }),
];

const coverage: GameCoverage = {
  game: 'games/hill.json',
  failing: 1,
  silent: ['playerLeavesGame', 'secondTick'],
  scripts: { ran: 2, total: 3 },
  actions: { ran: 5, total: 7 },
  branches: { ran: 0, total: 0 },
  triggers: { ran: 1, total: 3 },
  each: [
    {
      place: 'scripts/a',
      pointer: '/scripts/a',
      name: 'Whole',
      triggers: ['gameStart'],
      runs: 12,
      actions: { ran: 2, total: 2 },
      branches: { ran: 0, total: 0 },
      lines: [{ depth: 0, pointer: '/scripts/a/actions/0', text: 'set seconds to 1', count: 12, kind: 'action' }],
    },
    {
      place: 'scripts/b',
      pointer: '/scripts/b',
      name: 'Half',
      triggers: [],
      runs: 3,
      actions: { ran: 3, total: 4 },
      branches: { ran: 1, total: 2 },
      lines: [
        { depth: 0, pointer: '/scripts/b/conditions', text: 'only if seconds > 1', count: 3, kind: 'branch' },
        { depth: 1, pointer: '/scripts/b/actions/0', text: 'send "<hi>"', count: 0, kind: 'action' },
        { depth: 1, pointer: '/scripts/b/actions/1', text: 'repeat', count: 1, kind: 'action' },
      ],
    },
    {
      place: 'scripts/c',
      pointer: '/scripts/c',
      name: 'Never',
      triggers: ['secondTick'],
      runs: 0,
      actions: { ran: 0, total: 1 },
      branches: { ran: 0, total: 2 },
      lines: [{ depth: 0, pointer: '/scripts/c/actions/0', text: 'end the game', count: 0, kind: 'action' }],
    },
  ],
};

const mutation: MutationReport = {
  game: 'games/hill.json',
  planned: 50,
  leftOut: 1,
  total: 44,
  noticed: 2,
  unnoticed: Array.from({ length: 42 }, (_, i) => ({
    script: `Script ${i + 1}`,
    location: `scripts/s${i + 1}/actions/0`,
    text: '1 became <2>',
    ranBy: (['passing', 'failing', 'none'] as const)[i % 3]!,
    noticedBy: undefined,
  })) as unknown as MutationReport['unnoticed'],
};

/** Marks colours, so that they are compared, too. */
const paint: Paint = (style, text) => `<${style}>${text}</${style}>`;

const whole = { results, wallMs: 2000, coverage: [coverage], mutation: [mutation] };

/** The body of a page and the data of its charts, without styles and code. */
function contentOf(page: string): readonly string[] {
  const body = page.slice(page.indexOf('<main>'), page.indexOf('</main>'));
  const plots = /\{const plots = (.*?), colors = /.exec(page)?.[1] ?? 'no charts';
  return [...(/<title>.*<\/title>/.exec(page) ?? []), ...body.split('\n'), plots];
}

describe('reports of scenarios', () => {
  test('as text, one result after the other', () => {
    const saved = { picture: 'failures/1.png', page: 'failures/1.html' };
    const none = { picture: undefined, page: undefined };
    const said = results.map((each) => resultText(each, paint, each.failure === undefined ? none : saved));
    expect(said.join('')).toMatchSnapshot();
    expect(totalsText(totalsOf(results), 2000)).toBe('1 failed, 4 passed, 1 skipped; 25 s of play in 2.00 s (12x)');
    expect(totalsText(totalsOf(results.slice(0, 2)), 0)).toBe('2 passed; 10 s of play');
  });

  test.each([
    ['JSON', () => jsonReport(whole)],
    ['JUnit XML', () => junitReport(results)],
    [
      'annotations of GitHub',
      () => githubReport(results, [{ file: 'a,b.yaml', line: 3, column: 5, message: 'no: 5 %\nbad' } as never], 2000),
    ],
    ['a table of coverage', () => coverageText(coverage)],
    ['undetected mutants', () => mutationText(mutation, paint)],
  ])('as %s', (_, report) => {
    expect(report()).toMatchSnapshot();
  });

  test('as a page', () => {
    expect(contentOf(htmlReport(whole))).toMatchSnapshot();
  });

  test('as a page without failures, and one without results', () => {
    const passed = { ...whole, results: results.slice(0, 1), coverage: [], mutation: [] };
    expect(contentOf(htmlReport(passed))).toMatchSnapshot();
    const skipped = { ...passed, results: results.slice(-1) };
    expect(contentOf(htmlReport(skipped))).toMatchSnapshot();
    expect(JSON.parse(jsonReport(passed))).not.toHaveProperty('coverage');
  });
});

describe('the head of a page', () => {
  const passed = results.filter(({ outcome }) => outcome === 'passed');
  const headOf = (more: Partial<typeof whole>): string => {
    const page = htmlReport({ ...whole, results: passed, ...more });
    return `${/<title>(.*) · /.exec(page)![1]} | ${/<h1>(.*)<\/h1>/.exec(page)![1]}`;
  };

  test('is all green only if no change to the games went undetected', () => {
    expect(headOf({})).toBe(
      '4 passed, 42 changes undetected | All 4 passed<b class="unseen">, 42 changes undetected</b>',
    );
    const green = '4 passed | <b class="passed">All 4 passed</b>';
    expect(headOf({ mutation: [{ ...mutation, noticed: 44, unnoticed: [] }] })).toBe(green);
    expect(headOf({ mutation: [] })).toBe(green);
  });

  test('is about failures first', () => {
    expect(headOf({ results })).toBe('1 failed | <b class="failed">1 failed</b>, 4 passed, 42 changes undetected');
  });

  test('has no header cell without text, nor labels of elements without a role, in any part of the page', () => {
    expect(markupMistakes(htmlReport(whole, 'viewer()'))).toEqual([]);
  });
});
