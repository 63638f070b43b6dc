import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isBuilt, program } from '../support/program.ts';
import { countingGame, reenact } from './support.ts';

interface Step {
  readonly name: string;
  readonly if?: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

const text = readFileSync(new URL('../../action.yml', import.meta.url), 'utf8');
const { inputs, runs } = parse(text) as {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};

test('each input is declared once and reaches scripts only through the environment', () => {
  expect(runs.using).toBe('composite');
  const used = new Set([...text.matchAll(/\binputs\.([\w-]+)/g)].map(([, name]) => name));
  expect([...used].sort()).toEqual(Object.keys(inputs).sort());
  for (const { run, shell } of runs.steps) {
    expect(shell).toBe('bash');
    expect(run).not.toContain('${{');
  }
});

describe.skipIf(!isBuilt || process.platform === 'win32')(
  'the steps in a clone (skipped where the program is not built)',
  () => {
    let folder: string;
    let clone: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'reenact-action-'));
      clone = join(folder, 'clone');
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const gitEnv = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const git = (cwd: string, line: string): void => {
      const { status, stderr } = spawnSync('git', line.split(' '), {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, ...gitEnv },
      });
      expect({ line, status, stderr }).toMatchObject({ status: 0 });
    };
    const save = (cwd: string, name: string, content: unknown): void =>
      writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));
    const scenario = (seconds: number): string =>
      `game: game.json\nscenarios:\n  - name: a\n    steps: [{ wait: 2 s }, { expect: seconds == ${seconds} }]\n`;

    /**
     * A repository with a game on its main branch, and a shallow clone as `actions/checkout` makes it, after `npm ci`.
     */
    function checkout(game: unknown = countingGame()): void {
      const origin = join(folder, 'origin');
      mkdirSync(origin);
      git(origin, 'init -q -b main');
      save(origin, 'game.json', game);
      save(origin, 'game.scenario.yaml', scenario(2));
      git(origin, 'add .');
      git(origin, '-c user.name=A -c user.email=a@example.org commit -q -m first');
      git(folder, `clone -q --depth 1 file://${origin} clone`);
      const installed = join(clone, 'node_modules/.bin/reenact');
      mkdirSync(dirname(installed), { recursive: true });
      writeFileSync(installed, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
      chmodSync(installed, 0o755);
    }

    interface Job {
      /** The steps that ran; the last one failed if `failed`. */
      readonly ran: readonly string[];
      readonly failed: boolean;
      readonly log: string;
      readonly summary: string;
      readonly outputs: string;
    }

    /** Runs the steps as GitHub does, up to the first that fails. `base` is set for pull requests only. */
    function job(given: Readonly<Record<string, string>> = {}, base = ''): Job {
      const values = new Map([
        ...Object.entries(inputs).map(([name, { default: value }]) => [`inputs.${name}`, value] as const),
        ...Object.entries(given).map(([name, value]) => [`inputs.${name}`, value] as const),
        ['github.base_ref', base],
        ['github.token', 'secret'],
        ['github.repository', 'ann/mine'],
        ['github.event.pull_request.number', '7'],
      ]);
      const resolved = (name: string): string => values.get(name) ?? expect.fail(`no value of ${name}`);
      // The conditions compare texts, which JavaScript does with the same operators.
      const holds = (condition: string): boolean =>
        new Function(
          `return ${condition.replaceAll(/\b(?:inputs|github)\.[\w-]+/g, (name) => JSON.stringify(resolved(name)))}`,
        )();
      const [summary, outputs] = [join(folder, 'summary'), join(folder, 'outputs')];
      for (const path of [summary, outputs]) writeFileSync(path, '');
      const ran: string[] = [];
      let [log, failed] = ['', false];
      for (const step of runs.steps) {
        if (step.if !== undefined && !holds(step.if)) continue;
        const own = Object.entries(step.env).map(([name, value]) => [
          name,
          value.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, input: string) => resolved(input)),
        ]);
        const script = join(folder, 'step.sh');
        writeFileSync(script, step.run);
        const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
          cwd: clone,
          encoding: 'utf8',
          env: {
            ...{
              PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
              HOME: folder,
              CI: 'true',
              GITHUB_ACTIONS: 'true',
              ...gitEnv,
            },
            GITHUB_STEP_SUMMARY: summary,
            GITHUB_OUTPUT: outputs,
            RUNNER_TEMP: folder,
            ...Object.fromEntries(own),
          },
        });
        ran.push(step.name);
        log += `${stdout}${stderr}`;
        failed = status !== 0;
        if (failed) break;
      }
      return { ran, failed, log, summary: readFileSync(summary, 'utf8'), outputs: readFileSync(outputs, 'utf8') };
    }

    test('a pull request: the changes are in the summary, and all gates hold', async () => {
      checkout();
      await reenact(['bench', join(clone, 'game.json'), '--save', join(clone, 'bench.json')]);
      const changed = countingGame() as { data: { variables: Record<string, unknown> } };
      changed.data.variables.rounds = { dataType: 'number', default: 7 };
      save(clone, 'game.json', changed);
      const given = {
        'bench-baseline': 'bench.json',
        'bench-require': 'actions < 100000\nactions <= 1.05 * before.actions\n',
        'max-warnings': '9',
      };
      const { ran, failed, log, summary, outputs } = job(given, 'main');
      expect({ ran, failed }, log).toEqual({ ran: ['Diff', 'Check', 'Test', 'Bench'], failed: false });
      expect(summary).toContain('rounds');
      expect(log).toContain('1 passed');
      const sarif = /^sarif=(.*)$/m.exec(outputs)![1]!;
      expect(JSON.parse(readFileSync(sarif, 'utf8'))).toMatchObject({ version: '2.1.0' });
    });

    test('a push: a warning fails the check, and the SARIF file has it', () => {
      checkout({ ...countingGame(), unheardOf: 1 });
      const { ran, failed, summary, outputs } = job();
      expect({ ran, failed, summary }).toEqual({ ran: ['Check'], failed: true, summary: '' });
      const sarif = JSON.parse(readFileSync(/^sarif=(.*)$/m.exec(outputs)![1]!, 'utf8'));
      expect(sarif.runs[0].results.length).toBeGreaterThan(0);
    });

    test('a scenario that fails is annotated', () => {
      checkout();
      save(clone, 'game.scenario.yaml', scenario(5));
      const { ran, failed, log } = job({ 'max-warnings': '9' });
      expect({ ran, failed }).toEqual({ ran: ['Check', 'Test'], failed: true });
      expect(log).toMatch(/^::error file=game\.scenario\.yaml,line=4/m);
    });

    test('a requirement that is not met fails the job', () => {
      checkout();
      const { ran, failed, log } = job({ 'bench-require': 'actions < 0.001', 'max-warnings': '9' });
      expect({ ran, failed }).toEqual({ ran: ['Check', 'Test', 'Bench'], failed: true });
      expect(log).toContain('requirement: ');
    });

    test('a comment on the pull request is written once, then updated', () => {
      checkout();
      const calls = join(folder, 'calls');
      // A fake `gh`: lists the comments in a file, and records what it is told to write.
      mkdirSync(join(folder, 'bin'));
      const gh = join(folder, 'bin/gh');
      writeFileSync(
        gh,
        `#!/bin/sh\necho "$GH_TOKEN $*" >> '${calls}'\ncase "$*" in *--jq*) cat '${folder}/comments' ;; *) cat "\${*##*@}" >> '${calls}' ;; esac\n`,
      );
      chmodSync(gh, 0o755);
      const changed = countingGame() as { data: { variables: Record<string, unknown> } };
      changed.data.variables.rounds = { dataType: 'number', default: 7 };
      save(clone, 'game.json', changed);
      const written = (comments: string): string => {
        save(folder, 'comments', comments);
        writeFileSync(calls, '');
        const { failed, log } = job({ comment: 'pull-request', 'max-warnings': '9' }, 'main');
        expect(failed, log).toBe(false);
        return readFileSync(calls, 'utf8');
      };
      const first = written('');
      expect(first).toMatch(/^secret api --silent repos\/ann\/mine\/issues\/7\/comments --field body=@/m);
      expect(first).toContain('<!-- reenact diff game.json -->');
      expect(first).toContain('rounds');
      expect(written('12\n34\n')).toContain('secret api --silent --method PATCH repos/ann/mine/issues/comments/12 ');
    });

    test('a game that the base branch does not have is new; no comment unless requested', () => {
      checkout();
      save(clone, 'other.json', countingGame());
      expect(job({ game: 'other.json', 'max-warnings': '9' }, 'main').summary).toBe('other.json is new.\n');
      expect(job({ comment: 'false', 'max-warnings': '9' }, 'main').ran).toEqual(['Check', 'Test']);
    });
  },
);
