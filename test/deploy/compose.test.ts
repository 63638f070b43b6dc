import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort, gone, redisServer } from '../cluster/databases.ts';
import { isBuilt, startProcess } from '../server/processes.ts';
import { smallGame, temporaryFolder } from '../server/support.ts';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));

interface Service {
  readonly mem_limit?: string;
  readonly networks?: readonly string[];
  readonly secrets?: readonly string[];
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}
const { services, networks, secrets } = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal: boolean }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};
const { redis } = services;

describe('the cluster of Docker Compose', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  test('limits the memory of each service, and lets only the servers reach the databases', () => {
    for (const [name, { mem_limit }] of Object.entries(services)) expect(mem_limit, name).toBeDefined();
    for (const database of ['redis', 'postgres']) {
      expect([networks[database], services[database]!.networks]).toEqual([{ internal: true }, [database]]);
      const there = Object.keys(services).filter((name) => services[name]!.networks?.includes(database));
      expect(there.sort()).toEqual([database, 'server-1', 'server-2'].sort());
    }
  });

  test('is started with all its secrets, readable by nobody else', () => {
    cpSync(join(deploy, 'start.sh'), join(folder.path, 'start.sh'));
    const programs = programsOf(folder.path, { docker: 'exit 0' });
    const start = () =>
      execFileSync('sh', [join(folder.path, 'start.sh')], { env: { ...process.env, PATH: programs } });
    start();
    const read = (name: string) => readFileSync(join(folder.path, 'secrets', name), 'utf8');
    const password = read('redis-password');
    expect(password).toMatch(/^[0-9a-f]{64}$/);
    for (const { file } of Object.values(secrets)) expect(statSync(join(folder.path, file)).mode & 0o777).toBe(0o600);
    start();
    expect(read('journal-url')).toBe(`redis://:${password}@redis:6379`);
  });

  test.skipIf(redisServer === undefined)('has a Redis that asks for its password', async () => {
    const port = await freePort();
    const programs = programsOf(folder.path, { 'docker-entrypoint.sh': `exec "$@" --port ${port}`, chown: 'exit 0' });
    const env = { ...process.env, PATH: programs };
    mkdirSync(join(folder.path, 'run'), { recursive: true });
    writeFileSync(join(folder.path, 'run/redis-password'), 'a-password');
    const inside = (text: string): string =>
      text
        .replaceAll('$$', '$')
        .replaceAll('/tmp/', `${folder.path}/`)
        .replaceAll('/run/secrets', join(folder.path, 'run'))
        .replaceAll('redis-cli', `redis-cli -p ${port}`);
    const [command = '', ...args] = redis!.command!.map(inside);
    const child: ChildProcess = spawn(command, args, { env, cwd: folder.path, stdio: 'ignore' });
    const check = () => spawnSync('sh', ['-c', inside(redis!.healthcheck!.test[1]!)], { env }).status;
    try {
      await expect.poll(check).toBe(0);
      const said = (more: readonly string[]) =>
        spawnSync('redis-cli', ['-p', `${port}`, ...more, 'CONFIG', 'GET', 'maxmemory-policy'], { encoding: 'utf8' });
      expect(said([]).stdout).toContain('NOAUTH');
      expect(said(['--no-auth-warning', '-a', 'a-password']).stdout).toContain('noeviction');
      // Neither in its arguments nor in those of its parents.
      expect(spawnSync('ps', ['-ef'], { encoding: 'utf8' }).stdout.split('\n')).not.toContainEqual(
        expect.stringMatching(/redis-server.*a-password/),
      );
      writeFileSync(join(folder.path, 'run/redis-password'), 'another');
      expect(check()).not.toBe(0);
    } finally {
      child.kill('SIGTERM');
      await gone(child);
    }
  });
});

/** A `PATH` whose first folder has these programs. */
function programsOf(folder: string, programs: Readonly<Record<string, string>>): string {
  const path = join(folder, 'programs');
  mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(path, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(path, name), 0o755);
  }
  return `${path}:${process.env['PATH']}`;
}

describe.skipIf(!isBuilt || process.platform !== 'linux')('the health check of the image', () => {
  const folder = temporaryFolder();
  beforeAll(() => writeFileSync(join(folder.path, 'small-game.json'), JSON.stringify(smallGame())));
  afterAll(() => folder.remove());

  test.each(['127.0.0.1', '0.0.0.0', '::', '127.0.0.2'])('finds the server that listens on %s', async (host) => {
    const server = await startProcess({ paths: [join(folder.path, 'small-game.json')], host });
    const isHealthy = () =>
      spawnSync(process.execPath, [join(deploy, 'health.mjs'), `${server.child.pid}`]).status === 0;
    try {
      expect(isHealthy()).toBe(true);
    } finally {
      await server.kill();
    }
    expect(isHealthy()).toBe(false);
  });
});
