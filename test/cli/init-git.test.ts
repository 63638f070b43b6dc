import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isBuilt, program } from '../support/program.ts';
import { reenact } from './support.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reenact-init-git-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(!isBuilt || process.platform === 'win32')(
  'a project in git, after the printed commands (skipped where the program is not built)',
  () => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8', env });
    const game = () => JSON.parse(readFileSync(join(folder, 'game.json'), 'utf8'));
    const save = (value: unknown) => writeFileSync(join(folder, 'game.json'), JSON.stringify(value));
    const commits = () => git('log', '--format=%s').stdout.trim().split('\n');

    /** Does what `npm install` would, and the commands that `init` prints. */
    async function clone(): Promise<void> {
      const { stdout } = await reenact(['init', folder]);
      const installed = join(folder, 'node_modules/.bin/reenact');
      mkdirSync(dirname(installed), { recursive: true });
      writeFileSync(installed, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
      chmodSync(installed, 0o755);
      for (const args of ['init -q -b main', 'config user.email a@example.org', 'config user.name A'])
        expect(git(...args.split(' '))).toMatchObject({ status: 0 });
      const printed = stdout.match(/^ {2}git config .*$/gm)!;
      expect(printed).toHaveLength(2);
      for (const line of printed) execFileSync('sh', ['-c', line], { cwd: folder, env });
      git('add', '.');
    }

    test('the hook lets a good game pass and refuses a broken one', async () => {
      await clone();
      expect(git('commit', '-m', 'good')).toMatchObject({ status: 0 });
      const good = game();
      const { data } = good;
      save({ ...good, data: { ...data, scripts: { ...data.scripts, wrong: 7 } } });
      const broken = git('commit', '-am', 'broken');
      expect(broken.status).toBe(1);
      expect(`${broken.stdout}${broken.stderr}`).toMatch(/game\.json.*scripts/s);
      expect(commits()).toEqual(['good']);
    });

    test('the hook refuses a game that fails a scenario', async () => {
      await clone();
      writeFileSync(
        join(folder, 'fails.scenario.yaml'),
        'game: game.json\nscenarios:\n  - name: nobody plays\n    steps: [{ expect: players == 1 }]\n',
      );
      git('add', '.');
      const { status, stdout, stderr } = git('commit', '-m', 'failing');
      expect(status).toBe(1);
      expect(`${stdout}${stderr}`).toContain('✗ nobody plays');
    });

    test('the difference is shown as text', async () => {
      await clone();
      git('commit', '-qm', 'good');
      const good = game();
      save({ ...good, data: { ...good.data, settings: { ...good.data.settings, frameRate: 33 } } });
      const { stdout } = git('diff');
      expect(stdout).toMatch(/^\+ .*frameRate.*33$/m);
      expect(stdout).not.toContain('"frameRate"');
    });
  },
);
