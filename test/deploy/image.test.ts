import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { RoomClient } from '../../src/net/index.ts';
import { freePort } from '../cluster/databases.ts';
import { eventually, smallGame, temporaryFolder } from '../server/support.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');

/** The images that the Dockerfile builds on; variables of the same names choose others. */
const bases = Object.fromEntries(
  [...dockerfile.matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm)].map(([, name = '', image = '']) => [
    name,
    process.env[name] ?? image,
  ]),
);

const succeeds = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const isWanted = process.env['REENACT_TESTS'] === 'image';
const tool = isWanted ? ['docker', 'podman'].find((each) => succeeds(each, 'info')) : undefined;

function whyNot(): string | undefined {
  if (!isWanted) return 'npm run test:image does';
  if (tool === undefined) return 'neither docker nor podman works here';
  const missing = Object.values(bases).find(
    (image) => !succeeds(tool, 'image', 'inspect', image) && !succeeds(tool, 'pull', image),
  );
  return missing && `${missing} cannot be had here`;
}

const unable = whyNot();

/** Runs the container tool and returns its standard output. */
async function container(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(tool!, args, { cwd: root, maxBuffer: 2 ** 26 });
  return stdout.trim();
}

const image = `reenact-test:${process.pid}`;

describe.skipIf(unable !== undefined)(`an image is built (${unable ?? 'here'})`, { shuffle: false }, () => {
  const folder = temporaryFolder();
  const started: string[] = [];

  beforeAll(async () => {
    const args = Object.entries(bases).flatMap(([name, base]) => ['--build-arg', `${name}=${base}`]);
    // The default of podman is a format without health checks.
    if (tool === 'podman') args.push('--format', 'docker');
    await container('build', '-f', 'deploy/Dockerfile', '-t', image, ...args, '.');
  }, 1_200_000);
  afterAll(async () => {
    for (const id of started) await container('rm', '-f', '-v', id);
    await container('rmi', image);
    folder.remove();
  });

  /** Runs a module in the image, without a server. */
  const run = (module: string) =>
    container(
      'run',
      '--rm',
      '--read-only',
      '--entrypoint',
      '/nodejs/bin/node',
      image,
      '--input-type=module',
      '-e',
      module,
    );

  test('has at most 200 MB, of which at most 60 are not of its base', async () => {
    const sizeOf = async (name: string) => Number(await container('image', 'inspect', '--format', '{{.Size}}', name));
    const size = await sizeOf(image);
    expect(size).toBeLessThanOrEqual(200e6);
    expect(size - (await sizeOf(bases['BASE_IMAGE']!))).toBeLessThanOrEqual(60e6);
  });

  test('names every package inside, with its licence', async () => {
    const found = JSON.parse(
      await run(`
        import { globSync, readFileSync } from 'node:fs';
        const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
        const packages = globSync('/app/**/node_modules/{*,@*/*}/package.json').map(read).filter(({ version }) => version !== undefined);
        const { components } = read('/app/sbom.json');
        const licenses = readFileSync('/app/licenses.txt', 'utf8');
        const names = (each) => each.name + ' ' + each.version;
        console.log(JSON.stringify({ packages: packages.map(names), components: components.map(names), licenses }));
      `),
    ) as { packages: string[]; components: string[]; licenses: string };
    const of = (names: readonly string[]) => names.map((each) => each.slice(0, each.indexOf(' ')));
    expect(of(found.packages)).toEqual(
      expect.arrayContaining(['reenact', '@reenact/server', 'ws', 'pg', '@redis/client']),
    );
    expect(found.packages.filter((each) => !found.components.includes(each))).toEqual([]);
    // Bundled in ours.
    expect(of(found.components)).toEqual(
      expect.arrayContaining(['sanitize-html', 'commander', 'dompurify', 'fastify']),
    );
    expect(found.components.filter((each) => !found.licenses.includes(`${each}: `))).toEqual([]);
  });

  test('plays, keeps its data through a crash, and ends in order', { timeout: 300_000 }, async () => {
    const games = join(folder.path, 'games');
    mkdirSync(games);
    writeFileSync(join(games, 'small-game.json'), JSON.stringify(smallGame()));
    chmodSync(folder.path, 0o755);
    const port = await freePort();
    const options = [
      '--read-only',
      '--cap-drop',
      'ALL',
      '--security-opt',
      'no-new-privileges',
      '-v',
      `${games}:/games:ro`,
    ];
    const id = await container('run', '-d', '-p', `127.0.0.1:${port}:8080`, ...options, image);
    started.push(id);
    const state = (path: string, of = id) => container('inspect', '--format', `{{${path}}}`, of);
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ready, { timeout: 60_000 }).toBe(200);

    // Podman needs systemd to run health checks by itself.
    const { Test: check } = JSON.parse(await state('json .Config.Healthcheck')) as { Test: string[] };
    expect(check[0]).toBe('CMD');
    await container('exec', id, ...check.slice(1));
    const user = 'console.log(process.getuid(), process.pid)';
    expect(await container('exec', id, '/nodejs/bin/node', '-e', user)).toMatch(/^65532 /);

    const client = new RoomClient({ url: `ws://127.0.0.1:${port}/play`, name: 'ann', WebSocket });
    const { player } = await client.connect();
    const lost: unknown[] = [];
    client.on('lost', ({ code }) => lost.push(code));
    let results = 0;
    client.on('result', () => results++);
    client.send({ kind: 'keyDown', key: 'd' });
    await eventually(() => results === 1, 'the result of an input');

    await container('kill', '--signal', 'KILL', id);
    await container('start', id);
    await eventually(() => lost.length > 0, 'a lost connection');
    await expect.poll(() => client.isConnected, { timeout: 60_000 }).toBe(true);
    expect(client.state.player).toBe(player);
    client.send({ kind: 'keyUp', key: 'd' });
    await eventually(() => results === 2, 'the result of another input');

    await container('stop', '-t', '30', id);
    expect(await state('.State.ExitCode')).toBe('0');
    expect(lost).toContain('shutting-down');
    client.close();
  });
});
