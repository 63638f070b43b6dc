import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Simulation } from '../../engine/index.ts';
import { Pictures } from '../../src/cli/pictures.ts';
import { onsetText } from '../../src/run/failure-report.ts';
import { EventLog } from '../../src/scenario/playing/events.ts';
import { type CaseResult, type PlayCaseOptions, playCase } from '../../src/scenario/playing/play-case.ts';
import { RunningCase } from '../../src/scenario/playing/running-case.ts';
import { casesOf } from '../../src/scenario/reading/cases.ts';
import { Games } from '../../src/scenario/reading/games.ts';
import { readScenarioFile } from '../../src/scenario/reading/scenario-reader.ts';
import { OnsetSearch } from '../../src/scenario/telling/onset-search.ts';
import { scenario } from '../../src/scenario/testing.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { add, reenact } from '../cli/support.ts';
import { document, script } from '../support/play.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reenact-explaining-'));
  const restart = { type: 'setTimeOut', duration: 1, actions: [{ type: 'runScript', scriptName: 'loop' }] };
  const game = document({
    variables: { k: { dataType: 'number', default: 0 } },
    scripts: { loop: { ...script('gameStart', [add('k', 1), restart]), name: 'loop' } },
  });
  writeFileSync(join(folder, 'game.json'), JSON.stringify(game));
  const scenarios = [
    'game: game.json',
    'scenarios:',
    '  - { name: first, steps: [{ wait: 1 s }, { expect: k > 0 }] }',
    '  - { name: second, steps: [{ wait: 10 s }, { expect: k < 0 }] }',
    '  - { name: third, steps: [{ wait: 1 s }, { expect: k > 0 }] }',
  ];
  writeFileSync(join(folder, 'three.scenario.yaml'), scenarios.join('\n'));
});

afterEach(() => {
  vi.restoreAllMocks();
});

test('the failure of a script that restarted itself 10,000 times is explained, and the scenarios after it are played', async () => {
  const { code, stdout, stderr } = await reenact(['test', folder, '--pictures', '']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/why: k became 10\d\d\d \(before: 10\d\d\d\) at tick 200: set k = \(k \+ 1\)/);
  expect(stdout).toContain('1 failed, 2 passed');
});

function fail(): never {
  throw new RangeError('out of stack');
}

/** The result of the second scenario of a file. */
function second(wishes: PlayCaseOptions = { explains: true, recording: true }, file = 'three'): CaseResult {
  const cases = casesOf(readScenarioFile(join(folder, `${file}.scenario.yaml`)));
  return playCase(cases[1]!, new Games(), wishes);
}

test.each<[string, () => unknown]>([
  ['the reason', () => vi.spyOn(RecordedPlay.prototype, 'why').mockImplementation(fail)],
  ['the last events', () => vi.spyOn(EventLog.prototype, 'last').mockImplementation(fail)],
  ['the tick that matters', () => vi.spyOn(OnsetSearch.prototype, 'look').mockImplementation(fail)],
  ['names in the recording', () => vi.spyOn(RunningCase.prototype, 'idsByName').mockImplementation(fail)],
])('a bug of ours in finding %s is reported as one, and the result stands', (_what, breakIt) => {
  breakIt();
  const { outcome, failure } = second();
  expect(outcome).toBe('failed');
  expect(failure).toMatchObject({ kind: 'expectation', expected: 'expected: k < 0' });
  expect(failure!.found).toEqual([expect.stringMatching(/^k is 10\d\d\d$/)]);
  const at = failure!.why.findIndex((line) => line.startsWith('explanation-failed: '));
  expect(failure!.why[at]).toBe(
    'explanation-failed: RangeError: out of stack (a bug in Reenact; the result of the scenario is still valid)',
  );
  expect(failure!.why[at + 1]).toMatch(/^ {2}at .*fail /);
});

test.each([
  ['expect: k < 5000', 'The expectation held until tick 100 (5.00 s).'],
  ['never: k >= 5000', 'The expectation held until tick 100 (5.00 s).'],
  ['expect: k < 0', 'The expectation never held. Its value last changed at tick 200 (10.00 s).'],
  ['expect: units > 0', 'The expectation never held, and its value never changed.'],
])('a failure of "%s" says since when: %s', (expected, said) => {
  writeFileSync(
    join(folder, 'since.scenario.yaml'),
    readFileSync(join(folder, 'three.scenario.yaml'), 'utf8').replace('expect: k < 0', expected),
  );
  const { recording } = second({ recording: true }, 'since');
  expect(onsetText(recording!.onset!)).toBe(said);
});

test('any other bug of ours fails its scenario, not the run', () => {
  vi.spyOn(Simulation.prototype, 'hash').mockImplementation(fail);
  const { outcome, failure } = second({ hash: true });
  expect({ outcome, kind: failure!.kind, found: failure!.found[0] }).toEqual({
    outcome: 'failed',
    kind: 'internal',
    found: 'RangeError: out of stack',
  });
});

test('a picture that cannot be drawn is reported, and the others are written', () => {
  const notices: string[] = [];
  const pictures = new Pictures(join(folder, 'pictures'), (text) => notices.push(text));
  const result = second({ explains: true });
  const broken = { ...result.failure!, picture: '' };
  Object.defineProperty(broken, 'picture', { get: fail });
  expect(pictures.save({ ...result, failure: broken }).picture).toBeUndefined();
  expect(notices).toEqual([expect.stringMatching(/^explanation-failed: RangeError: out of stack \(a bug/)]);
  expect(pictures.save(result).picture).toMatch(/\.svg$/);
});

test('a failure in TypeScript says why, as in a file', () => {
  const start = () => scenario({ game: join(folder, 'game.json') }).wait('1 s');
  const why = /\n {2}why: k became 1\d\d\d \(before: 1\d\d\d\) at tick 20: set k = \(k \+ 1\) /;
  expect(() => start().expect('k < 0')).toThrow(why);
  expect(() => start().expectValue('k', 3)).toThrow(why);
  // The play goes on after a failure.
  const play = start();
  expect(() => play.expect('k < 0')).toThrow(why);
  expect(() => play.wait('1 s').expect('k < 0')).toThrow(/why: k became 2\d\d\d .* at tick 40/);
});

test('what a check reports in the script that a failure names stands below its causes', async () => {
  const when = (text: string) => [
    { operandType: 'number', operator: '==' },
    { function: 'getVariable', variableName: 'k' },
    text,
  ];
  const game = document({
    variables: { k: { dataType: 'number', default: 0 }, over: { dataType: 'boolean', default: false } },
    scripts: {
      end: {
        ...script('secondTick', [
          ...[true, false].map((value) => ({
            type: 'condition',
            conditions: when('none'),
            then: [{ type: 'setVariable', variableName: 'over', value }],
            else: [],
          })),
        ]),
        name: 'end',
      },
    },
  });
  const checked = mkdtempSync(join(tmpdir(), 'reenact-checked-'));
  writeFileSync(join(checked, 'game.json'), JSON.stringify(game));
  writeFileSync(
    join(checked, 'end.scenario.yaml'),
    'game: game.json\nscenarios:\n  - { name: ends, steps: [{ wait: 2 s }, { expect: over == true }] }\n',
  );
  const { stdout } = await reenact(['test', checked, '--pictures', '']);
  expect(stdout).toMatch(/why: over stayed false: "end" would: .* k == "none" as number was false/);
  expect(stdout.match(/why: reenact check reports in "end": .* \(unequal-kinds\)/g)).toHaveLength(1);
});
