import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { parse } from 'yaml';
import { RoomClient } from '../../src/net/index.ts';
import { freePort, gone, type RedisDatabase, redis, redisServer } from '../cluster/databases.ts';
import { eventually, type Serving, serve, smallGame, temporaryFolder } from './support.ts';

const deploy = new URL('../../deploy/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, deploy), 'utf8');
const has = (command: string, flag: string): boolean => spawnSync(command, [flag]).status === 0;

/** Proxies with the configurations of deploy/: their arguments for a configuration file. */
const proxies = [
  {
    name: 'nginx',
    file: 'nginx.conf',
    isHere: has('nginx', '-v'),
    args: (path: string) => ['-c', path, '-g', 'daemon off; error_log stderr error;'],
  },
  { name: 'haproxy', file: 'haproxy.cfg', isHere: has('haproxy', '-v'), args: (path: string) => ['-f', path, '-db'] },
];

describe.each(proxies)('$name with the configuration of deploy/', ({ name, file, isHere, args }) => {
  const unable = !isHere || redisServer === undefined ? `no ${name} or redis here` : undefined;
  let folder: ReturnType<typeof temporaryFolder>;
  let database: RedisDatabase;
  let proxy: ChildProcess | undefined;
  let servers: Serving[] = [];

  beforeEach(async () => {
    if (unable !== undefined) return;
    folder = temporaryFolder();
    writeFileSync(join(folder.path, 'small-game.json'), JSON.stringify(smallGame()));
    writeFileSync(join(folder.path, 'secret'), 'a secret of all processes, long enough', { mode: 0o600 });
    database = await redis(join(folder.path, 'redis'));
    await database.start();
  });
  afterEach(async () => {
    if (unable !== undefined) return;
    proxy?.kill('SIGTERM');
    if (proxy !== undefined) await gone(proxy);
    for (const { server } of servers.splice(0)) await server.stop();
    await database.kill();
    folder.remove();
  });

  function start(port: number): Promise<Serving> {
    return serve(folder.path, {
      paths: [join(folder.path, 'small-game.json')],
      port,
      journal: database.url,
      leaseMs: 3000,
      trustProxy: true,
      tokenSecretFile: join(folder.path, 'secret'),
    });
  }

  /** Starts the proxy before two servers. Returns its URL and the ports of the servers. */
  async function arrange() {
    const [front, ...ports] = [await freePort(), await freePort(), await freePort()] as const;
    const text = read(file)
      .replaceAll('server-1:8080', `127.0.0.1:${ports[0]}`)
      .replaceAll('server-2:8080', `127.0.0.1:${ports[1]}`)
      .replaceAll(/(listen |\[::\]:|bind :::)8080/g, `$1${front}`)
      // Where a user who is not root may write.
      .replace(
        'http {',
        `pid ${folder.path}/pid;\nhttp {\n  client_body_temp_path ${folder.path}/body; proxy_temp_path ${folder.path}/proxy; fastcgi_temp_path ${folder.path}/fastcgi; uwsgi_temp_path ${folder.path}/uwsgi; scgi_temp_path ${folder.path}/scgi;`,
      );
    const path = join(folder.path, file);
    writeFileSync(path, text);
    servers = [await start(ports[0]), await start(ports[1])];
    proxy = spawn(name, args(path), { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    proxy.stderr!.on('data', (part) => (said += part));
    const url = `http://127.0.0.1:${front}`;
    await expect
      .poll(
        () =>
          proxy!.exitCode === null
            ? fetch(`${url}/readyz`).then(
                ({ status }) => status,
                () => 0,
              )
            : said,
        { timeout: 30_000 },
      )
      .toBe(200);
    return { url, front, ports };
  }

  async function players(url: string, count: number) {
    return Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const client = new RoomClient({ url: `${url.replace('http', 'ws')}/play`, name: `p${i}`, WebSocket });
        const ends: unknown[] = [];
        client.on('end', ({ code }) => ends.push(code));
        return { client, ends, player: (await client.connect()).player };
      }),
    );
  }

  test.skipIf(unable !== undefined)(
    `a rolling restart loses no player, over IPv4 and IPv6, and what is for operators is closed (${unable ?? 'runs here'})`,
    { timeout: 300_000 },
    async () => {
      const { url, front, ports } = await arrange();
      for (const path of ['/metrics', '/%6detrics', '/%61dmin/rooms', '/rooms/x/journal', '/rooms/x/%70age']) {
        expect((await fetch(url + path)).status, path).toBe(403);
      }
      for (const method of ['POST', 'DELETE'])
        for (const path of ['/rooms/x', '/%72ooms/x'])
          expect((await fetch(url + path, { method })).status, method + path).toBe(403);
      // Only servers speak for other addresses: the header does not arrive, or the request would be refused.
      expect((await fetch(`${url}/rooms`, { headers: { 'reenact-forward': 'x' } })).status).toBe(200);

      const all = [...(await players(url, 4)), ...(await players(`http://[::1]:${front}`, 2))];
      for (let i = 0; i < 2; i++) {
        await servers[i]!.server.stop();
        await eventually(() => {
          expect(all.flatMap(({ ends }) => ends)).toEqual([]);
          return all.every(({ client }) => client.isConnected);
        }, 'everybody back');
        servers[i] = await start(ports[i]!);
      }
      const answered = new Set<number>();
      for (const [i, { client, ends, player }] of all.entries()) {
        client.on('result', () => answered.add(i));
        client.send({ kind: 'keyDown', key: 'd' });
        expect(ends).toEqual([]);
        expect(client.state.player).toBe(player);
      }
      await eventually(() => answered.size === all.length, 'an answer for each');
      for (const { client } of all) client.close();
    },
  );
});

test.skipIf(!proxies[1]!.isHere)('HAProxy starts while a server is down, whose name is then unknown', () => {
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', fileURLToPath(new URL('haproxy.cfg', deploy))]);
  expect(String(stderr)).toContain("could not resolve address 'server-1', disabling server");
  expect(status).toBe(0);
});

test.skipIf(!proxies[1]!.isHere || !has('openssl', 'version'))(
  'with a certificate, HAProxy offers HTTP/2 over TLS, too',
  async () => {
    const folder = temporaryFolder();
    const [port, tlsPort] = [await freePort(), await freePort()];
    const pem = join(folder.path, 'certificate.pem');
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
    spawnSync('openssl', [...request, '-keyout', pem, '-out', `${pem}.crt`]);
    appendFileSync(pem, readFileSync(`${pem}.crt`, 'utf8'));
    const text = read('haproxy.cfg').replaceAll(':::8080', `:::${port}`).replaceAll(':::8443', `:::${tlsPort}`);
    const file = join(folder.path, 'haproxy.cfg');
    writeFileSync(file, text);
    const env = { ...process.env, CERTIFICATE: pem };
    const proxy = spawn('haproxy', ['-f', file, '-db'], { env, stdio: 'ignore' });
    const agreed = () =>
      new Promise((resolve) => {
        const socket = tls.connect(tlsPort, '127.0.0.1', { ALPNProtocols: ['h2'], rejectUnauthorized: false });
        socket.on('secureConnect', () => {
          resolve(socket.alpnProtocol);
          socket.destroy();
        });
        socket.on('error', ({ message }) => resolve(message));
      });
    await expect.poll(agreed, { timeout: 30_000 }).toBe('h2');
    proxy.kill();
    await gone(proxy);
    folder.remove();
  },
);

test('the servers of compose.yaml are those that the proxies and Prometheus know', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, { image: string }> };
  const servers = Object.keys(services).filter((name) => services[name]!.image.startsWith('reenact:'));
  expect(servers).toEqual(['server-1', 'server-2']);
  for (const file of ['nginx.conf', 'haproxy.cfg', 'prometheus.yml']) {
    expect([...new Set(read(file).match(/server-\d+(?=:8080)/g))], file).toEqual(servers);
  }
});

test('settings in deploy/ are settings of the command', async () => {
  const { Ajv } = await import('ajv');
  const schema = JSON.parse(readFileSync(new URL('../../schema/serve.schema.json', import.meta.url), 'utf8'));
  const accepts = new Ajv().compile(schema);
  for (const file of ['serve.yaml', 'image.yaml', 'kubernetes/serve.yaml', 'systemd/serve.yaml']) {
    expect([accepts(parse(read(file))), accepts.errors], file).toEqual([true, null]);
  }
});
