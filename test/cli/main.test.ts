import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/text/terminal.ts';
import { countingGame, file, reenact } from './support.ts';

const game = file('game.json', countingGame());

describe('help and version', () => {
  test.each(['--version', '-v'])('%s is the version of the package', async (word) => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await reenact([word])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each([[['help']], [['--help']], [['-h']]])('%j names every command', async (args) => {
    const { code, stdout, stderr } = await reenact(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of ['check', 'run', 'print', 'schema', 'help']) expect(stdout).toContain(`\n  ${command} `);
  });

  test("a command's help explains its arguments and options", async () => {
    const { stdout } = await reenact(['help', 'run']);
    expect(stdout).toContain('--until <expression>');
    expect(stdout).toContain('docs/expressions.md');
    expect(stdout).toMatch(/Exit codes: .*3 --until never became true/);
    expect((await reenact(['run', '--help'])).stdout).toBe(stdout);
  });

  test('without a command, prints the help and fails', async () => {
    const { code, stdout, stderr } = await reenact([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: reenact');
  });
});

test('a command either has --json, or says what programs can read instead', async () => {
  const { stdout } = await reenact(['help']);
  const commands = [...stdout.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!).filter((name) => name !== 'help');
  expect(commands.length).toBeGreaterThan(25);
  for (const name of commands) {
    if ((await reenact(['help', name])).stdout.includes('--json')) continue;
    const rest = name === 'record' ? ['--as-scenario', 'x.scenario.yaml'] : [];
    const { code, stderr } = await reenact([name, ...rest, '--json']);
    expect([name, code, stderr]).toEqual([name, 2, expect.stringMatching(/^unknown-option: .*'--json'\. [A-Z].+\n$/)]);
  }
  expect((await reenact(['--json', 'print'])).stderr).toBe("unknown-option: unknown option '--json'\n");
});

describe('a wrong command line is one line with a code, and exit code 2', () => {
  test.each<[args: string[], line: RegExp]>([
    [['rnu', game], /^unknown-command: .*rnu.*Did you mean run\?/],
    [['run'], /^missing-argument: .*file/],
    [['run', game, game], /^excess-arguments: /],
    [['run', game, '--fo', '1'], /^unknown-option: .*--fo.*Did you mean --for\?/],
    [['test', '--testNamePattern', 'x'], /^unknown-option: .*--testNamePattern.*\(Did you mean --filter\?\)$/m],
    [['test', '--max-workers=2'], /^unknown-option: .*\(Did you mean --jobs\?\)$/m],
    [['test', '--run'], /^unknown-option: .*\(Did you mean reenact test, which runs once without --watch\?\)$/m],
    [['test', '--coverage.enabled'], /^unknown-option: .*\(Did you mean --coverage\?\)$/m],
    [
      ['test', '--testTimeout=5000'],
      /^unknown-option: .*\(Did you mean budget: \{ wall: 5 s \} in the scenario file\?\)$/m,
    ],
    [['test', '--retries', '2'], /^unknown-option: .*\(Did you mean --seeds\?\)$/m],
    [['test', '--headed'], /^unknown-option: .*\(Did you mean reenact view\?\)$/m],
    [['lint', game], /^unknown-command: .*lint.*\(Did you mean check\?\)$/m],
    [['blame'], /^unknown-command: .*\(Did you mean why\?\)$/m],
    [['run', game, '--seconds'], /^option-missing-argument: /],
    [['run', game, '--seconds', '-1'], /^invalid-argument: .*Expected a length such as 60s/],
    [['run', game, '--seconds', '1e3'], /^invalid-argument: /],
    [['run', game, '--seconds', 'NaN'], /^invalid-argument: /],
    [['run', game, '--ticks', '1.5'], /^invalid-argument: .*1200ticks/],
    [['run', game, '--for', '25h'], /^invalid-argument: .*Expected a length/],
    [['run', game, '--for', '2d'], /^invalid-argument: .*Expected a length/],
    [['bench', game, '--for', '5ticks'], /^invalid-argument: .*Expected a time such as 60s/],
    [['run', game, '--ticks', '1', '--seconds', '1'], /^conflicting-option: /],
    [['run', game, '--bots', '1001'], /^invalid-argument: .*winner:EXPRESSION, of at most 1000 bots/],
    [['load', 'http://localhost:1', '--bots', '8'], /^unknown-option: .*--bots/],
    [['run', game, '--dialect', 'other'], /^invalid-argument: .*standard, moddio/],
    [['run', game, '--until', 'state = 1'], /^expression-syntax: /],
    [['run', game, '--until', 'sate == 1'], /^expression-unknown-name: .*Did you mean "state"/],
    [['run', 'nowhere.json'], /^unreadable-file: File "nowhere\.json" not found\.$/m],
    [['print', 'nowhere.json'], /^unreadable-file: /],
    [['replay', 'nowhere.rj'], /^unreadable-file: File "nowhere\.rj" not found\.$/m],
    [['replay', 'test'], /^unreadable-file: "test" is a directory, not a file\.$/m],
    [['check'], /^missing-argument: /],
    [['check', '-', '-'], /^duplicate-argument: /],
    [['check', game, '--format', 'xml'], /^invalid-argument: .*pretty, json, sarif/],
    [['schema', 'extra'], /^excess-arguments: /],
  ])('%j', async (args, line) => {
    const { code, stdout, stderr } = await reenact(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/\n$/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('a wrong expression is shown with its place', async () => {
    const { stderr } = await reenact(['run', game, '--until', 'seconds > 3 && state = "gameover"']);
    expect(stderr.split('\n')).toEqual([
      'expression-syntax: To compare values, use "==".',
      '  seconds > 3 && state = "gameover"',
      '                       ^',
      '',
    ]);
  });
});

describe('an unexpected error', () => {
  async function failing(env: Record<string, string>): Promise<{ code: number; stderr: string }> {
    let stderr = '';
    const broken: Terminal = {
      stdin: (async function* () {})(),
      stdout: {
        write() {
          throw new Error('the paper has run out');
        },
      },
      stderr: { write: (text) => (stderr += text) },
      env,
      onInterrupt: () => () => {},
    };
    return { code: await main(['schema'], broken), stderr };
  }

  test('is one line', async () => {
    const { code, stderr } = await failing({});
    expect(code).toBe(70);
    expect(stderr).toMatch(/^internal: the paper has run out .*REENACT_DEBUG.*\n$/);
  });

  test('shows where it happened when asked', async () => {
    const { code, stderr } = await failing({ REENACT_DEBUG: '1' });
    expect(code).toBe(70);
    expect(stderr).toMatch(/^Error: the paper has run out\n\s+at .*main\.test\.ts/);
  });
});
