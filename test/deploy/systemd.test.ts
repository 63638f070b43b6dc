import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../server/support.ts';

const isHere = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!isHere)(`the unit is one for systemd (${isHere ? 'checked by it' : 'no systemd-analyze here'})`, () => {
  const folder = temporaryFolder();
  const unit = join(folder.path, 'reenact.service');
  cpSync(fileURLToPath(new URL('../../deploy/systemd/reenact.service', import.meta.url)), unit);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  folder.remove();
  expect([status, stderr]).toEqual([0, '']);
});
