import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { arrangeJournal, loadDefinition, Replay } from '../../engine/index.ts';
import { unmetThresholds } from '../../src/cli/thresholds.ts';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import type { WholeReport } from '../../src/report/json.ts';
import { countingGame, reenact } from './support.ts';

let folder: string;

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const mixed = `
game: game.json
scenarios:
  - name: time goes by
    tags: [fast, clock]
    steps:
      - { wait: 2 s }
      - { expect: seconds == 2 }
  - name: too much is asked
    tags: [fast]
    steps:
      - { wait: 1 s }
      - { expect: seconds == 5, because: clocks are fast here }
  - name: later
    skip: not yet written
    steps: [{ expect: seconds == 0 }]
  - name: known to be wrong
    knownFailure: the clock is slow
    steps: [{ expect: seconds == 1 }]
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reenact-test-'));
  write('game.json', countingGame());
  write('mixed.scenario.yaml', mixed);
});

const run = (...args: string[]) => reenact(['test', '--pictures', join(folder, 'pictures'), ...args]);

describe('the habits of other test runners', () => {
  test('a word that is no path selects files by their name', async () => {
    const { code, stderr } = await reenact(['test', 'no-such-file-anywhere']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'unreadable-file: Not found: no-such-file-anywhere. To select scenarios by their title: --filter no-such-file-anywhere\n',
    });
    const { stdout } = await reenact(['test', 'outbreak.scen', '--list']);
    expect(stdout).toMatch(/^(scenarios.outbreak\.scenario\.yaml:\d+ {2}.*\n)+$/);
  });

  test.each([
    [['run'], 'run. Without --watch, scenarios run once: reenact test'],
    [['--bail', '1'], '1. --bail stops at the first failure and takes no number.'],
  ])('%j says what to write', async (words, message) => {
    const { code, stderr } = await reenact(['test', ...words]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `unreadable-file: Not found: ${message}\n` });
  });

  test.each([
    ['--shard', '--jobs'],
    ['--project', '--tag'],
    ['--coverage.reporter', '--reporter'],
    ['-g', '--filter'],
  ])('%s is %s here', async (theirs, ours) => {
    expect((await run(theirs, '1')).stderr).toBe(
      `unknown-option: unknown option '${theirs}' (Did you mean ${ours}?)\n`,
    );
  });

  test('--coverage-reporter lcov counts lines of a text that it writes', async () => {
    const info = join(folder, 'coverage', 'lcov.info');
    const { stdout } = await run(
      join(folder, 'mixed.scenario.yaml'),
      '--coverage-reporter',
      'lcov',
      '--outputFile',
      info,
    );
    expect(stdout).toContain(`report: ${info}\n`);
    const records = readFileSync(info, 'utf8').split('\n');
    const source = /^SF:(.*)$/.exec(records[0]!)![1]!;
    const lines = readFileSync(source, 'utf8').split('\n');
    const counted = records.flatMap((record) => {
      const [, line, count] = /^DA:(\d+),(\d+)$/.exec(record) ?? [];
      return line === undefined ? [] : { text: lines[Number(line) - 1]!.trim(), count: Number(count) };
    });
    expect(counted).toContainEqual({ text: 'set seconds = (seconds + 1)', count: expect.any(Number) });
    expect(counted.some(({ count }) => count > 0)).toBe(true);
    expect(records.filter((record) => record.startsWith('FN:'))).toHaveLength(
      lines.filter((line) => line.startsWith('script ')).length,
    );
    expect(records.at(-2)).toBe('end_of_record');
  });
});

describe('exit codes', () => {
  test('0: all passed', async () => {
    const { code, stdout } = await run(folder, '--filter', 'time goes by');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/✓ time goes by .*\n1 passed; 2 s of play/s),
    });
  });

  test('1: some scenarios failed, with the reasons', async () => {
    const { code, stdout } = await run(join(folder, 'mixed.scenario.yaml'));
    expect(code).toBe(1);
    expect(stdout).toContain('expected: seconds == 5\n      seconds is 1\n      because clocks are fast here\n');
    expect(stdout).toMatch(/again: reenact test \S+mixed\.scenario\.yaml --filter 'too much is asked' --seed 0\n/);
    expect(stdout, 'the line of the step').toMatch(/✗ too much is asked.*\n {4}\S*mixed\.scenario\.yaml:13\n/);
    expect(stdout).toContain('- later  skipped: not yet written');
    expect(stdout).toContain('✓ known to be wrong  fails as known: the clock is slow');
    expect(stdout).toContain('1 failed, 2 passed, 1 skipped');
    const picture = /picture: (.*)/.exec(stdout)![1]!;
    expect(readFileSync(picture, 'utf8')).toMatch(/^<svg /);
  });

  test('--json is short for --reporter json', async () => {
    const { code, stdout } = await run(join(folder, 'mixed.scenario.yaml'), '--json', '--no-times');
    const { stdout: same } = await run(join(folder, 'mixed.scenario.yaml'), '--reporter', 'json', '--no-times');
    expect({ code, stdout }).toEqual({ code: 1, stdout: same });
    expect(JSON.parse(stdout)).toMatchObject({ failed: 1 });
  });

  test('1: a broken `always` is shown at its line, whenever it breaks', async () => {
    const path = write(
      'always.scenario.yaml',
      'game: game.json\nscenarios:\n  - name: a\n    steps:\n      - always: seconds < 2\n      - wait: 1 s\n      - wait: 5 s\n',
    );
    const { code, stdout } = await run(path);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/always\.scenario\.yaml:5\n/) });
    expect(stdout).toContain(
      'expected always: seconds < 2\n      seconds is 2\n      why: seconds became 2 (before: 1) at tick 40: ',
    );
  });

  test.each<[string, string[], string]>([
    ['no such file', ['no/such'], 'unreadable-file: Not found: no/such.'],
    ['seeds and a seed', ['.', '--seeds', '2', '--seed', '1'], 'conflicting-option'],
    [
      'an unknown reporter',
      ['.', '--reporter', 'fax'],
      'bad-reporter: No reporter is called "fax". Available: pretty, github, json, junit, html, lcov.',
    ],
    ['a reporter of vitest', ['.', '--reporter', 'verbose'], 'Did you mean "pretty"? It lists every scenario.'],
    ['a misspelt reporter', ['.', '--reporter', 'junti'], 'No reporter is called "junti". Did you mean "junit"?'],
    ['a reporter without its file', ['.', '--reporter', 'json='], 'bad-reporter: "json=" has no file name after "=".'],
    ['a file for the terminal', ['.', '--reporter', 'pretty=a'], '"pretty" writes to the terminal'],
    ['nothing to watch', ['no/such', '--watch'], 'unreadable-file: Not found: no/such.'],
    [
      'two reports in one file',
      ['.', '--reporter', 'json=a', '--reporter', 'junit=a'],
      'bad-reporter: Two reports cannot',
    ],
    ['a report to a dash', ['.', '--reporter', 'json=-'], 'bad-output: '],
    ['two reports in one output', ['.', '--reporter', 'pretty', '--reporter', 'json'], '--reporter json=FILE'],
    [
      'a file for no report',
      ['.', '--output', 'a.xml'],
      '--output needs exactly one report without a file, but there is none',
    ],
  ])('2: %s', async (_what, args, message) => {
    const { code, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  test('2: an invalid scenario file', async () => {
    const path = write('bad.scenario.yml', 'game: game.json\nscenarios:\n  - name: a\n    steps: [{ wiat: 1 }]');
    const { code, stderr } = await run(path);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('bad.scenario.yml:4:13: `wiat` is not a step.'),
    });
  });

  test.each([[['--filter', 'no such scenario']], [['--tag', 'fast', 'slow']], [['--filter', 'later']]])(
    '3: nothing was played, %j',
    async (args) => {
      const { code, stderr } = await run(join(folder, 'mixed.scenario.yaml'), ...args);
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('nothing-ran') });
    },
  );
});

test('--bail stops at the first failure and says what was not run', async () => {
  const body = (name: string, holds: string) =>
    `  - name: ${name}\n    steps:\n      - wait: 1 s\n      - expect: time ${holds} 1\n`;
  const scenarios = body('good', '==') + body('bad', '==').replace('== 1', '== 7') + body('late', '==');
  const path = write('bail.scenario.yaml', `game: game.json\nscenarios:\n${scenarios}`);
  const { code, stdout, stderr } = await run(path, '--bail', '--workers', '1');
  expect(code).toBe(1);
  expect(stdout).toMatch(/1 failed, 1 passed|1 passed, 1 failed/);
  expect(stderr).toBe('stopped at the first failure: 2 of 3 scenarios run, not run: "late"\n');
  expect((await run(path, '--workers', '1')).stdout).toMatch(/1 failed, 2 passed|2 passed, 1 failed/);
});

describe('--last-failed', () => {
  const notice = 'notice: running all scenarios, because the last run had no failures, or there was no last run\n';
  const scenario = (name: string, seconds: number) =>
    `  - name: ${name}\n    steps: [{ wait: 1 s }, { expect: seconds == ${seconds} }]\n`;
  const two = (a: number, b: number) =>
    write('again.scenario.yaml', `game: game.json\nscenarios:\n${scenario('a', a)}${scenario('b', b)}`);

  test('plays only what failed, until nothing does', async () => {
    const pictures = join(folder, 'again');
    const play = (path: string, ...args: string[]) =>
      reenact(['test', path, '--pictures', pictures, '--workers', '1', ...args]);
    const first = await play(two(1, 7), '--last-failed');
    expect(first).toMatchObject({ code: 1, stderr: notice, stdout: expect.stringContaining('1 failed, 1 passed') });
    // The passing scenario would fail now, but is not played.
    const path = two(7, 1);
    expect((await play(path, '--last-failed', '--list')).stdout).toMatch(/^\S+ {2}b\n$/);
    const second = await play(path, '--last-failed');
    expect(second).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/✓ b .*\n1 passed;/) });
    expect(await play(path, '--last-failed')).toMatchObject({ code: 1, stderr: notice });
  });

  test('a failure stays known until it is played again or its scenario is gone', async () => {
    const pictures = join(folder, 'kept');
    const play = (path: string, ...args: string[]) =>
      reenact(['test', path, '--pictures', pictures, '--workers', '1', ...args]);
    await play(two(1, 7));
    await play(two(1, 7), '--filter', 'a');
    expect((await play(two(1, 7), '--last-failed', '--list')).stdout).toMatch(/^\S+ {2}b\n$/);
    await play(write('again.scenario.yaml', `game: game.json\nscenarios:\n${scenario('a', 1)}`));
    expect(await play(two(1, 7), '--last-failed', '--list')).toMatchObject({ stderr: notice });
  });

  test('a run that passes leaves no folder behind', async () => {
    const pictures = join(folder, 'unmade');
    await reenact(['test', two(1, 1), '--pictures', pictures]);
    expect(existsSync(pictures)).toBe(false);
  });

  test('a truncated file counts as no failures', async () => {
    write('last-failed.json', '{"reenactLastFailed":1,"fai');
    const { code, stderr } = await reenact(['test', two(1, 1), '--pictures', folder, '--last-failed']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: notice });
  });
});

describe('thresholds', () => {
  const path = () =>
    write(
      'threshold.scenario.yaml',
      'game: game.json\nscenarios:\n  - name: a\n    steps: [{ wait: 1 s }, { expect: seconds == 1 }]\n',
    );

  test('of coverage: exit code 1 and one line below', async () => {
    const { code, stdout, stderr } = await run(path(), '--coverage-min', '80');
    expect(code).toBe(1);
    expect(stdout).toContain('1 passed');
    const [, ran, total] = /actions (\d+) of (\d+)/.exec(stdout)!;
    const percent = Math.floor((Number(ran) / Number(total)) * 1000) / 10;
    expect(stderr).toMatch(/^requirement: coverage of \S*game\.json: [^\n]*\n$/);
    expect(stderr).toContain(`: ${ran} of ${total} actions ran (${percent} %), but 80 % is required\n`);
    expect(await run(path(), '--coverage-min', String(percent))).toMatchObject({ code: 0, stderr: '' });
  });

  test('of mutation', async () => {
    const { code, stderr } = await run(path(), '--mutation-min', '99.5', '--workers', '1');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^requirement: mutation of \S*game\.json: \d+ of \d+ changes were detected \([\d.]+ %\), but 99\.5 % is required\n$/,
      ),
    });
    expect(await run(path(), '--mutation-min', '1', '--workers', '1')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a scenario that tests nothing cannot pass', () => {
  test.each([
    ['nothing is expected', 'steps: [{ wait: 1 s }]', 'the scenario has no expectations'],
    ['there are no steps', 'tags: [a]', 'the scenario has no expectations'],
    [
      'a known failure passes',
      'knownFailure: old\n    steps: [{ expect: seconds == 0 }]',
      'the scenario passes; remove `knownFailure: old`',
    ],
    [
      'a slip of the pen is known to fail',
      'knownFailure: old\n    steps: [{ expect: secnds == 0 }]',
      'Did you mean "seconds"?',
    ],
    ['no trigger has the name', 'steps: [{ event: secondTock, times: 0 }]', 'Did you mean "secondTick"?'],
    ['nobody it is about is there', 'steps: [{ expect: no units owned by c11 }]', 'there is no c11'],
  ])('%s', async (_what, body, message) => {
    const path = write('vain.scenario.yaml', `game: game.json\nscenarios:\n  - name: a\n    ${body}\n`);
    const { code, stdout } = await run(path);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(message) });
  });
});

describe('misspellings get suggestions', () => {
  test.each([
    ['game: gmae.json', 'expect: seconds == 0', 'game.json?'],
    ['given: { players: alice }', 'expect: seconds == 0', 'Expected a list; found "alice".'],
    ['seed: 1', 'wait 5 s', 'A step must be an object such as `wait: 5 s`.'],
    ['seed: 1', 'expect: seconds = 0', 'To compare values, use "==".'],
    ['seed: 1', 'expect: state == playing', "To write a string, use quotes: 'playing'."],
    ['seed: 1', 'expect: stte == "playing"', 'Did you mean "state"?'],
    ['given: { players: [alice] }', 'press: d', '`by` is missing.'],
    [
      'given: { players: [alice] }',
      '{ press: buton1, by: alice }',
      'No key is called "buton1". Did you mean "button1"?',
    ],
    ['given: { players: [alice] }', '{ press: d, by: alcie }', 'There is no player "alcie". Did you mean "alice"?'],
    ['given: { players: [alice] }', '{ move: alcie, to: [1, 1] }', 'Did you mean "alice"?'],
    ['seed: 1', 'wait: 3 parsecs', '"3 parsecs" is not a duration. Expected a duration such as "5 s"'],
    ['budget: { ticks: many }', 'expect: seconds == 0', 'Expected a whole number; found "many".'],
  ])('%s, %s', async (more, step, answer) => {
    const game = more.startsWith('game:') ? '' : 'game: game.json\n';
    const path = write('new.scenario.yaml', `${game}${more}\nscenarios:\n  - name: a\n    steps:\n      - ${step}\n`);
    const { code, stdout, stderr } = await run(path);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain(answer);
  });
});

describe('choosing', () => {
  const titles = async (...args: string[]) => {
    const { stdout } = await run(join(folder, 'mixed.scenario.yaml'), '--list', ...args);
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.split('  ')[1]);
  };

  test('by text, pattern and tags', async () => {
    expect(await titles('--filter', 'KNOWN')).toEqual(['known to be wrong']);
    expect(await titles('--filter', '/^t.*[sd]$/')).toEqual(['time goes by', 'too much is asked'].slice(1));
    expect(await titles('--tag', 'fast', 'clock')).toEqual(['time goes by']);
  });

  test('with several seeds each', async () => {
    expect(await titles('--filter', 'time', '--seeds', '2')).toEqual([
      'time goes by (seed 1)',
      'time goes by (seed 2)',
    ]);
  });

  test('only', async () => {
    const path = write(
      'only.scenario.yaml',
      'game: game.json\nscenarios:\n  - name: a\n    steps: [{ expect: seconds == 0 }]\n  - name: b\n    only: true\n    steps: [{ expect: seconds == 0 }]',
    );
    const { stdout, stderr } = await run(path);
    expect(stdout).toMatch(/✓ b .*\n1 passed/);
    expect(stderr).toBe('notice: 1 of 2 scenarios are not run, because others are marked "only"\n');
    for (const [CI, more, code] of [
      ['false', [], 0],
      ['', [], 0],
      ['true', ['--allow-only'], 0],
      ['true', ['--list'], 2],
    ] as const)
      expect((await reenact(['test', path, '--pictures', '', ...more], { env: { CI } })).code).toBe(code);
    expect(await reenact(['test', path, '--pictures', ''], { env: { CI: 'true' } })).toMatchObject({
      code: 2,
      stderr: `bad-scenario: A scenario file is invalid.\n${path}:6:11: \`only\` is not allowed in CI, because other scenarios would not run. To allow it: --allow-only\n`,
    });
  });

  test.each(['time|clock', '^time', 'reset$', 'time.*by'])('-t %s says how to write a pattern', async (text) => {
    const { code, stderr } = await run(join(folder, 'mixed.scenario.yaml'), '-t', text);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `nothing-ran: no scenario matched, so none was run. For a regular expression, use slashes: -t '/${text}/'\n`,
    });
  });
});

test('the log has one line per contact, naming both entities, and omits internal events of joining', async () => {
  const path = write(
    'contact.scenario.yaml',
    'game: game.json\nscenarios:\n  - name: a\n    given: { players: [alice, bob] }\n    steps: [{ move: alice, to: bob }, { wait: 200 ms }, { expect: seconds == 9 }]',
  );
  const { stdout } = await run(path, '--long');
  const told = stdout.slice(stdout.indexOf('last events'));
  expect(told).toMatch(/unitTouchesUnit: unit alice\.unit \(Walker\), touching bob\.unit \(Walker\)\n/);
  expect(told).toMatch(/unitTouchesUnit: unit bob\.unit \(Walker\), touching alice\.unit \(Walker\)\n/);
  expect(told).not.toMatch(/entityTouches|InventorySlot/);
});

describe('reports', () => {
  const report = async (reporter: string, ...args: string[]) =>
    (await run(join(folder, 'mixed.scenario.yaml'), '--reporter', reporter, ...args)).stdout;

  test('json', async () => {
    const found = JSON.parse(await report('json', '--coverage', '--mutate', '--workers', '1'));
    expect(found).toMatchObject({ passed: 2, failed: 1, skipped: 1 });
    expect(found.scenarios[1]).toMatchObject({
      title: 'too much is asked',
      outcome: 'failed',
      failure: { kind: 'expectation', expected: 'expected: seconds == 5', tick: 20, seconds: 1 },
    });
    expect(found.coverage[0]).toMatchObject({ scripts: { ran: 1, total: 2 } });
    const [{ total, noticed, unnoticed, leftOut }] = found.mutation;
    expect(leftOut, 'one fails, one is known to').toBe(2);
    expect(noticed).toBeGreaterThan(0);
    expect(noticed + unnoticed.length).toBe(total);
    // Only the passing scenario expects `seconds` to be 2, and it notices the mutant of the counter.
    expect(unnoticed.map(({ text }: { text: string }) => text)).not.toContain('without "set seconds = (seconds + 1)"');
  });

  test('coverage and mutation testing agree on what ran, also in scenarios that fail', async () => {
    const path = write(
      'failing.scenario.yaml',
      'game: game.json\nscenarios:\n  - name: short\n    steps: [{ wait: 1 s }, { expect: seconds == 1 }]\n  - name: long\n    steps: [{ wait: 4 s }, { expect: seconds == 5 }]',
    );
    const { stdout } = await run(path, '--coverage', '--mutate', '--workers', '1');
    expect(stdout).toMatch(/^coverage of .*\n {2}includes 1 failed scenario\n/m);
    expect(stdout).toMatch(/^mutation of .*\n {2}excluded, because they fail without any change: 1 scenario\n/m);
    expect(stdout).toMatch(/^ {2}run only by failing scenarios {2}every second: without "set state = /m);
    expect(stdout).toMatch(/^ {2}never run {2}player joins: /m);
    const page = (await run(path, '--mutate', '--reporter', 'html', '--output', join(folder, 'failing.html'))).code;
    expect(page).toBe(1);
    const html = readFileSync(join(folder, 'failing.html'), 'utf8');
    for (const text of [
      'excluded, because they fail without any change: 1 scenario',
      'Coverage includes 1 failed scenario',
    ])
      expect(html).toContain(text);
  });

  test('junit', async () => {
    const xml = await report('junit');
    expect(xml).toContain('<testsuites name="reenact" tests="4" failures="1" skipped="1"');
    expect(xml).toContain('<failure message="expected: seconds == 5" type="expectation">expected: seconds == 5');
    expect(xml).toContain('<skipped message="not yet written"/>');
  });

  test('github: an annotation at the line of each step that failed, on one line', async () => {
    const lines = (await report('github')).trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^::error file=\S+mixed\.scenario\.yaml,line=13,title=too much is asked::expected: seconds == 5%0A/,
    );
    expect(lines[1]).toMatch(/^::notice title=reenact test::1 failed, 2 passed, 1 skipped;/);
  });

  test('several reporters at once, each with its file', async () => {
    const [xml, json] = [join(folder, 'several.xml'), join(folder, 'several.json')];
    const stdout = await report('pretty', '--reporter', `junit=${xml}`, '--reporter', 'json', '--output', json);
    expect(stdout).toContain('1 failed, 2 passed, 1 skipped');
    expect(stdout).toContain(`report: ${xml}\nreport: ${json}\n`);
    expect(readFileSync(xml, 'utf8')).toContain('failures="1"');
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ passed: 2, failed: 1 });
  });

  test('html is one self-contained file', async () => {
    const path = join(folder, 'report.html');
    await report('html', '--reporter', `junit=${join(folder, 'report.xml')}`, '--coverage', '--output', path);
    const html = readFileSync(path, 'utf8');
    const failed = /<details class="case failed" open>.*?<\/details>/s.exec(html)![0];
    expect(failed).toContain('too much is asked');
    expect(failed).toContain('because clocks are fast here');
    expect(failed).toContain('<svg ');
    expect(failed).toMatch(/<div class="plot" id="plot1">/);
    expect(html).toContain('<title>1 failed · Scenarios</title>');
    expect(html).toMatch(/data-show="failed"[^>]*>failed <span>1</);
    expect(html).toContain('new uPlot(');
    expect(html, 'whole seconds hold until the next').toContain('"steps":[true]');
    expect(html).toContain('"failedAt":1');
    expect(html).toMatch(/<section id="coverage0"><h2>Coverage of [^<]*game\.json</);
    expect(html).toMatch(/<li class="unrun action"><small>never<\/small>/);
    expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=/);
  });
});

test('names of games and scenarios are escaped in the page', async () => {
  const path = write(
    'names.scenario.yaml',
    'game: game.json\ntags: [<i>tag</i>]\nscenarios:\n  - name: <b>bold</b>\n    description: <u>line</u>\n    steps: [{ expect: seconds == 9, because: "</script><script>alert(1)</script>" }]',
  );
  const { stdout } = await run(path, '--reporter', 'html', '--output', join(folder, 'names.html'));
  expect(stdout).toContain('1 failed');
  const html = readFileSync(join(folder, 'names.html'), 'utf8');
  for (const text of ['bold', 'line', 'tag', 'alert(1)']) expect(html).toContain(text);
  expect(html).not.toMatch(/<b>bold|<u>line|<i>tag|<i>#<i>|<script>alert/);
});

describe('the command shown for a failure repeats exactly that case', () => {
  test.each([
    ['a', 'seed: 3'],
    ['a and more', 'seeds: [5, 7]'],
    ["it's $HOME of \\`x`", 'dialect: [standard, moddio]'],
    ['with a table', 'each: [{ n: 1 }, { n: 2 }]\n    seeds: 2'],
    ['/slashes/', 'tags: [a]'],
  ])('%s, %s', async (name, more) => {
    const path = write(
      'again.scenario.yaml',
      `game: game.json\nscenarios:\n  - name: b, a, ${name}\n    steps: [{ expect: seconds == 0 }]\n  - name: "${name.replaceAll('\\', '\\\\')}"\n    ${more}\n    steps: [{ expect: seconds == 9 }]`,
    );
    const { stdout } = await run(path);
    const commands = [...stdout.matchAll(/again: reenact (test .*)/g)].map(([, command]) => command!);
    expect(commands.length).toBeGreaterThan(0);
    expect(new Set(commands).size).toBe(commands.length);
    for (const command of commands) {
      const again = await reenact([...wordsOf(command), '--pictures', '']);
      expect(again.code).toBe(1);
      expect(again.stdout).toContain('1 failed, 0 passed;');
    }
  });
});

/** Splits a command line with single quotes and backslashes as a shell does. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\(.)/g, (_all, quoted?: string, escaped?: string) => quoted ?? escaped ?? ''),
  );
}

describe('--update', () => {
  test('writes the actual values, and keeps every other byte', async () => {
    const text = `
game:   "game.json"
scenarios:
  - name: seen
    given: {players: [ann,   ben]} # two of them
    steps:
      - wait: 2 s
      # what we saw
      - value: seconds # a number
      - { value: state,   is: gameover }   # a word
      - {value: "state", is: 'over', because: it ends}
      - value: state
        is: "over"
      - value: seconds
        is:
      - { value: units of type Walker }
      - value: >
          seconds + 1
        because: it counts`;
    const path = write('update.scenario.yaml', text);
    expect((await run(path, '--update')).stderr).toBe(`updated: 7 in ${path}\n`);
    const expected = text
      .replace('# a number\n', '# a number\n        is: 2\n')
      .replace('is: gameover', 'is: playing')
      .replace("'over'", 'playing')
      .replace('"over"', '"playing"')
      .replace('is:\n', 'is: 2\n')
      .replace('Walker }', 'Walker, is: 2 }')
      .replace('seconds + 1\n', 'seconds + 1\n        is: 3\n');
    expect(readFileSync(path, 'utf8')).toBe(expected);
    expect((await run(path)).code).toBe(0);
    await run(path, '--update');
    expect(readFileSync(path, 'utf8')).toBe(expected);
  });

  test('keeps the layout of JSON', async () => {
    const text =
      '{ "game": "game.json",\n  "scenarios": [\n    {"name": "a", "steps": [{"value": "seconds", "is": 7}, {"value": "state"}]}] }';
    const path = write('update.scenario.json', text);
    await run(path, '-u');
    expect(readFileSync(path, 'utf8')).toBe(text.replace('7', '0').replace('"state"', '"state", "is": "playing"'));
  });
});

test('an interrupt ends the run', async () => {
  const { code } = await reenact(['test', join(folder, 'mixed.scenario.yaml')], { interrupt: true });
  expect(code).toBe(130);
});

test('reports an output file that cannot be written, and creates missing folders', async () => {
  const mixedFile = join(folder, 'mixed.scenario.yaml');
  const made = join(folder, 'new', 'report.xml');
  expect((await run(mixedFile, '--reporter', 'junit', '--output', made)).code).toBe(1);
  expect(readFileSync(made, 'utf8')).toContain('<testsuites');
  const { code, stderr } = await run(mixedFile, '--reporter', 'html', '--output', join(mixedFile, 'report.html'));
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('cannot-write: ') });
});

test('an invalid file does not affect the others', async () => {
  const bad = write('unread.scenario.yaml', 'scenarios: [');
  const { code, stdout, stderr } = await run(bad, join(folder, 'mixed.scenario.yaml'), '--reporter', 'github');
  expect(code).toBe(2);
  expect(stderr).toContain('bad-scenario: A scenario file is invalid.\n');
  expect(stdout).toMatch(/^::error file=\S+unread\.scenario\.yaml,line=1,/);
  expect(stdout).toContain('1 failed, 2 passed, 1 skipped');
});

/** Pages contain scripts made by the build. */
const isBuilt = existsSync(new URL('../../dist/viewer/page.js', import.meta.url));

describe('pictures of failures', () => {
  const pages = (name: string) => (isBuilt ? [expect.stringMatching(new RegExp(`${name}\\.html$`))] : []);
  const failing = (name: string, seconds: number) =>
    write(
      'pictured.scenario.yaml',
      `game: game.json\nscenarios:\n  - name: ${name}\n    steps: [{ expect: seconds == ${seconds} }]`,
    );

  test('pictures of the previous run are removed, even if a scenario was renamed', async () => {
    const pictures = join(folder, 'removed');
    const play = (path: string) => reenact(['test', path, '--pictures', pictures]);
    await play(failing('old name', 9));
    const left = () => readdirSync(pictures).sort();
    expect(left()).toEqual([
      ...pages('old-name'),
      expect.stringMatching(/old-name\.svg$/),
      '.gitignore',
      'last-failed.json',
    ]);
    await play(failing('new name', 9));
    expect(left()).toEqual([
      ...pages('new-name'),
      expect.stringMatching(/new-name\.svg$/),
      '.gitignore',
      'last-failed.json',
    ]);
    writeFileSync(join(pictures, 'mine.svg'), '<svg/>');
    await play(failing('new name', 0));
    expect(left()).toEqual(['.gitignore', 'last-failed.json', 'mine.svg']);
  });

  test('coverage leaves the runs of each script there, for editors', async () => {
    const pictures = join(folder, 'counted');
    await reenact(['test', failing('counted', 0), '--pictures', pictures, '--coverage']);
    const { runs } = JSON.parse(readFileSync(join(pictures, 'coverage.json'), 'utf8'));
    expect(Object.keys(runs)).toEqual([join(folder, 'game.json')]);
    const { [join(folder, 'game.json')]: counts } = runs;
    const pointers = Object.keys(counts);
    expect(pointers).toContainEqual(expect.stringMatching(/\/scripts\/[^/]+$/));
    expect(pointers).toContainEqual(expect.stringMatching(/\/actions\/0$/));
  });

  test('if the folder cannot be created, only the picture is missing', async () => {
    const path = failing('a', 9);
    const { code, stdout, stderr } = await reenact(['test', path, '--pictures', join(path, 'pictures')]);
    expect(code).toBe(1);
    expect(stdout).toContain('1 failed, 0 passed');
    expect(stdout).not.toContain('picture:');
    expect(stderr).toMatch(/^no-pictures: /);
  });

  test.skipIf(process.platform !== 'linux')('an unwritable folder does not stop the run', async () => {
    const { code, stderr } = await reenact(['test', failing('a', 9), '--pictures', '/proc/none/pictures']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^no-pictures: /) });
  });

  test('a report that cannot be written does not affect the others', async () => {
    const path = failing('a', 9);
    const [xml, json] = [join(folder, 'kept.xml'), join(folder, 'kept.json')];
    const reporters = [`json=${join(path, 'no.json')}`, `junit=${xml}`, `json=${json}`];
    const { code, stderr } = await reenact([
      'test',
      path,
      '--pictures',
      '',
      ...reporters.flatMap((each) => ['--reporter', each]),
    ]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^cannot-write: .*no\.json/) });
    expect(readFileSync(xml, 'utf8')).toContain('failures="1"');
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ failed: 1 });
  });
});

describe.skipIf(!isBuilt)('the play of a failure', () => {
  /** The recording in a page or report. */
  function playIn(html: string, definition: string, journal: string) {
    const content = (id: string): Uint8Array => {
      const [, text] = new RegExp(`id="${id}">([^<]*)<`).exec(html)!;
      return new Uint8Array(gunzipSync(new Uint8Array(Buffer.from(text!, 'base64'))));
    };
    const { game } = loadDefinition(JSON.parse(new TextDecoder().decode(content(definition))));
    const replay = new Replay(game!, arrangeJournal(readJournalBytes(content(journal))!.records)!);
    while (!replay.isAtEnd) {
      expect(replay.difference()).toBeUndefined();
      replay.step();
    }
    expect(replay.difference()).toBeUndefined();
    return replay.sim;
  }

  const edited = `
game: game.json
scenarios:
  - name: what is set by hand is in the page
    definition: { title: Another title }
    given: { variables: { seconds: 7 } }
    steps:
      - { wait: 1 s }
      - { set: { seconds: 30 } }
      - { wait: 1 s }
      - { expect: seconds == 5 }
`;

  test('has a page beside the picture, which opens at the failure', async () => {
    const { stdout } = await run(write('edited.scenario.yaml', edited));
    const html = readFileSync(/watch: (.*)/.exec(stdout)![1]!, 'utf8');
    expect(html).toContain('<div id="app" data-tick="40">');
    const sim = playIn(html, 'definition', 'journal');
    expect(sim.tick).toBe(40);
    expect(sim.variable('seconds')).toBe(31);
    expect(sim.definition.title).toBe('Another title');
  });

  test('is in the report', async () => {
    const report = join(folder, 'watched.html');
    await run(write('edited.scenario.yaml', edited), '--html', report);
    expect(playIn(readFileSync(report, 'utf8'), 'definition0', 'play0').variable('seconds')).toBe(31);
  });

  test('is written for at most ten failures', async () => {
    const many = Array.from({ length: 12 }, (_, i) => `  - { name: n${i}, steps: [{ expect: seconds == ${i + 9} }] }`);
    const path = write('many.scenario.yaml', `game: game.json\nscenarios:\n${many.join('\n')}\n`);
    const { stdout } = await run(path);
    expect(stdout.match(/watch: /g)).toHaveLength(10);
    expect(stdout.match(/picture: /g)).toHaveLength(12);
  });
});

test('no picture unless requested', async () => {
  const { stdout } = await reenact(['test', join(folder, 'mixed.scenario.yaml'), '--pictures', '']);
  expect(stdout).not.toContain('picture:');
  expect(stdout).not.toContain('watch:');
});

test('a share fails a run only if one is required, and not by rounding', () => {
  const report = (ran: number, noticed: number) =>
    ({
      coverage: [{ game: 'a.json', actions: { ran, total: 1000 } }],
      mutation: [{ game: 'a.json', noticed, total: 300 }],
    }) as unknown as Pick<WholeReport, 'coverage' | 'mutation'>;
  expect(unmetThresholds(report(0, 0), {})).toEqual([]);
  expect(unmetThresholds(report(0, 240), { mutationMin: 80 })).toEqual([]);
  expect(unmetThresholds(report(500, 0), { coverageMin: 50 })).toEqual([]);
  expect(unmetThresholds(report(799, 239), { coverageMin: 80, mutationMin: 80 })).toEqual([
    'coverage of a.json: 799 of 1000 actions ran (79.9 %), but 80 % is required',
    'mutation of a.json: 239 of 300 changes were detected (79.6 %), but 80 % is required',
  ]);
});

describe('words of other test runners', () => {
  test('-t, --grep and --dialect choose', async () => {
    write('game.json', countingGame());
    const file = write(
      'both.scenario.yaml',
      `game: game.json\ndialect: [standard, moddio]\nscenarios:\n  - name: early\n    steps: [{ wait: 1 s }]\n  - name: late\n    steps: [{ wait: 2 s }]\n`,
    );
    const listed = async (...args: string[]) =>
      (await reenact(['test', file, '--list', ...args])).stdout.split('\n').length - 1;
    expect(await listed()).toBe(4);
    expect(await listed('-t', 'early')).toBe(2);
    expect(await listed('--grep', 'early')).toBe(2);
    expect(await listed('--grep=early', '--dialect', 'moddio')).toBe(1);
    expect(await listed('--dialect', 'standard')).toBe(2);
  });
});
