import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { RoomClient } from '../src/net/index.ts';
import { spread } from './chaos-players.ts';
import { end, freePort, type Served, serve } from './served.ts';

const playersCount = 40;
const serversCount = 3;
/** How long everybody may take to be back before the run fails. */
const backMsMax = 120_000;

type ProxyName = 'nginx' | 'haproxy';

/** Starts a proxy with the configuration of deploy/, for more servers. Returns its port. */
async function startProxy(folder: string, name: ProxyName, ports: readonly number[]): Promise<Running> {
  const front = await freePort();
  const file = name === 'nginx' ? 'nginx.conf' : 'haproxy.cfg';
  const text = readFileSync(`deploy/${file}`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (/server-1:8080/.test(line)) {
        return ports.map((port, i) =>
          line.replace('server-1:8080', `127.0.0.1:${port}`).replace('server-1', `server-${i}`),
        );
      }
      return /server-2:8080/.test(line) ? [] : [line];
    })
    .join('\n')
    .replaceAll(/(listen |\[::\]:|bind :::)8080/g, `$1${front}`)
    .replace(
      'http {',
      `pid ${folder}/pid;\nhttp {\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((what) => `  ${what}_temp_path ${folder}/${what};\n`).join('')}`,
    );
  const path = join(folder, file);
  writeFileSync(path, text);
  const args = name === 'nginx' ? ['-c', path, '-g', 'daemon off; error_log stderr crit;'] : ['-f', path, '-db'];
  return new Running(name, args, front);
}

/** A program that can be ended, suspended and started again. */
class Running {
  readonly port: number;
  private readonly program: string;
  private readonly args: readonly string[];
  private child: ChildProcess;

  constructor(program: string, args: readonly string[], port: number) {
    this.program = program;
    this.args = args;
    this.port = port;
    this.child = this.start();
  }

  start(): ChildProcess {
    this.child = spawn(this.program, this.args, { stdio: ['ignore', 'ignore', 'inherit'] });
    return this.child;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }
}

async function startRedis(folder: string, name: string, primary?: Running): Promise<Running> {
  const dir = join(folder, name);
  mkdirSync(dir);
  const port = await freePort();
  // A file, because sentinels rewrite it: who is restarted returns as what it was last.
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    'appendonly yes',
    'save ""',
    'repl-diskless-sync-delay 0',
    'loglevel warning',
  ];
  if (primary !== undefined) lines.push(`replicaof 127.0.0.1 ${primary.port}`);
  writeFileSync(join(dir, 'redis.conf'), `${lines.join('\n')}\n`);
  return new Running('redis-server', [join(dir, 'redis.conf')], port);
}

async function startSentinel(folder: string, number: number, primary: Running): Promise<Running> {
  const port = await freePort();
  const path = join(folder, `sentinel-${number}.conf`);
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    'loglevel warning',
    `sentinel monitor games 127.0.0.1 ${primary.port} 2`,
    'sentinel down-after-milliseconds games 1000',
    'sentinel failover-timeout games 5000',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return new Running('redis-server', [path, '--sentinel'], port);
}

function redisCli(port: number, ...command: string[]): string {
  try {
    return execFileSync('redis-cli', ['-p', String(port), ...command], {
      encoding: 'utf8',
      timeout: 2000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

/** A player who sends inputs without end, and checks that it comes back as itself, with all that was acknowledged. */
class Witness {
  readonly client: RoomClient;
  player: string | undefined;
  acknowledged = 0;
  lostInputs = 0;
  /** It came back as somebody else, or not at all. */
  isLost = false;
  lostMs: number | undefined;
  backMs: number[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(url: string, name: string) {
    this.client = new RoomClient({ url, name, WebSocket, reconnectSeconds: 600 });
    const { client } = this;
    client.on('welcome', ({ player, sequence }) => {
      this.player ??= player;
      if (this.player !== player) this.isLost = true;
      this.lostInputs += Math.max(0, this.acknowledged - sequence);
      if (this.lostMs !== undefined) this.backMs.push(performance.now() - this.lostMs);
      this.lostMs = undefined;
    });
    client.on('lost', () => {
      this.lostMs ??= performance.now();
    });
    client.on('result', (result) => {
      if ('tick' in result) this.acknowledged = Math.max(this.acknowledged, result.sequence);
    });
    client.on('end', ({ code }) => {
      if (this.isClosed) return;
      process.stderr.write(`${name} was ended: ${code}\n`);
      this.isLost = true;
    });
    let isDown = false;
    this.timer = setInterval(() => {
      if (!client.isConnected) return;
      isDown = !isDown;
      client.send({ kind: isDown ? 'keyDown' : 'keyUp', key: 'wasd'[client.welcome!.sequence % 4]! });
    }, 100);
  }

  private isClosed = false;
  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.client.close();
  }
}

interface Cluster {
  readonly servers: (Served | undefined)[];
  readonly proxy: Running;
  readonly witnesses: readonly Witness[];
  startServer(i: number): Promise<void>;
  /** Waits until all players are connected, and have an answer to an input sent since. */
  allBack(): Promise<void>;
  result(): object;
  close(): Promise<void>;
}

/**
 * Starts servers behind a proxy, and players who connect through it. `endJournal` is called in the end, also if this
 * fails.
 */
async function startCluster(
  folder: string,
  game: string,
  proxyName: ProxyName,
  journal: string,
  endJournal: () => Promise<void>,
): Promise<Cluster> {
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'a secret of all processes, long enough', { mode: 0o600 });
  const ports: number[] = [];
  for (let i = 0; i < serversCount; i++) ports.push(await freePort());
  const servers: (Served | undefined)[] = [];
  const logs: Served['log'][] = [];
  const startServer = async (i: number): Promise<void> => {
    const line = ['--port', String(ports[i]), '--journal', journal, '--token-secret-file', secret, '--workers', '1'];
    servers[i] = await serve(
      game,
      '',
      ...line,
      '--grace',
      '600',
      '--trust-proxy',
      '--trust-address',
      '127.0.0.1',
      '--placement',
      'spread',
    );
    logs.push(servers[i]!.log);
  };
  await Promise.all(ports.map((_, i) => startServer(i)));
  const proxy = await startProxy(folder, proxyName, ports);
  const url = `ws://127.0.0.1:${proxy.port}/play`;
  for (let isReady = false; !isReady; await wait(200)) {
    isReady = await fetch(`http://127.0.0.1:${proxy.port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  const witnesses = Array.from({ length: playersCount }, (_, i) => new Witness(url, `p${i}`));
  const cluster: Cluster = {
    servers,
    proxy,
    witnesses,
    startServer,
    async allBack() {
      const start = performance.now();
      const before = witnesses.map(({ acknowledged }) => acknowledged);
      while (!witnesses.every(({ client, acknowledged }, i) => client.isConnected && acknowledged > before[i]!)) {
        if (witnesses.some(({ isLost }) => isLost)) throw new Error('A player is lost.');
        if (performance.now() - start > backMsMax) throw new Error('Not everybody has come back.');
        await wait(20);
      }
    },
    result() {
      const back = witnesses.flatMap(({ backMs }) => backMs);
      const problems: Record<string, number> = {};
      for (const { code } of logs.flat())
        if (code !== undefined) problems[String(code)] = (problems[String(code)] ?? 0) + 1;
      return {
        problems,
        players: witnesses.length,
        lostPlayers: witnesses.filter(({ isLost }) => isLost).length,
        acknowledged: witnesses.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
        lostInputs: witnesses.reduce((sum, { lostInputs }) => sum + lostInputs, 0),
        returns: back.length,
        returnsOver3s: back.filter((ms) => ms > 3000).length,
        backMs: spread(back),
      };
    },
    async close() {
      for (const witness of witnesses) witness.close();
      await proxy.end('SIGTERM');
      for (const served of servers) if (served !== undefined) await end(served, 'SIGKILL');
      await endJournal();
    },
  };
  try {
    for (const { client } of witnesses) await client.connect();
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster;
}

/** Restarts three servers behind a proxy in turn while people play. */
export async function rolling(folder: string, game: string, restarts: number, proxyName: ProxyName): Promise<object> {
  const redis = await startRedis(folder, 'redis');
  await wait(1000);
  const journal = `redis://127.0.0.1:${redis.port}`;
  const cluster = await startCluster(folder, game, proxyName, journal, () => redis.end());
  const roundMs: number[] = [];
  try {
    await cluster.allBack();
    for (let round = 0; round < restarts; round++) {
      const i = round % serversCount;
      const returnsBefore = cluster.witnesses.map(({ backMs }) => backMs.length);
      await end(cluster.servers[i]!);
      await cluster.allBack();
      await cluster.startServer(i);
      await cluster.allBack();
      const back = cluster.witnesses.flatMap(({ backMs }, at) => backMs.slice(returnsBefore[at]));
      roundMs.push(Math.max(0, ...back));
      process.stderr.write(
        `restart ${round + 1}: ${back.length} came back, at worst in ${Math.round(roundMs.at(-1)!)} ms\n`,
      );
    }
    return { proxy: proxyName, restarts, slowestOfRestartMs: spread(roundMs), ...cluster.result() };
  } finally {
    await cluster.close();
  }
}

/** Servers, Redis with replicas and sentinels, and the proxy fail one after another while people play. */
export async function clusterChaos(
  folder: string,
  game: string,
  minutes: number,
  proxyName: ProxyName,
): Promise<object> {
  const redises = [await startRedis(folder, 'redis-0')];
  await wait(1000);
  for (const i of [1, 2]) redises.push(await startRedis(folder, `redis-${i}`, redises[0]));
  await wait(2000);
  const sentinels: Running[] = [];
  for (const i of [0, 1, 2]) sentinels.push(await startSentinel(folder, i, redises[0]!));
  await wait(3000);
  const journal = `redis-sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}#games`;
  const cluster = await startCluster(folder, game, proxyName, journal, async () => {
    for (const each of [...redises, ...sentinels]) {
      each.signal('SIGCONT');
      await each.end();
    }
  });
  const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
  const primary = (): Running => {
    const said = sentinels.map(
      ({ port }) => redisCli(port, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'games').split('\n')[1],
    );
    return redises.find(({ port }) => said.includes(String(port))) ?? redises[0]!;
  };
  const replica = (): Running => {
    const current = primary();
    return any(redises.filter((each) => each !== current));
  };
  const suspend = async (what: { signal(signal: NodeJS.Signals): void }): Promise<void> => {
    what.signal('SIGSTOP');
    await wait(1000 + Math.random() * 7000);
    what.signal('SIGCONT');
  };
  const restart = async (what: Running): Promise<void> => {
    await what.end();
    await wait(Math.random() * 6000);
    what.start();
  };
  const replace = async (signal: NodeJS.Signals): Promise<void> => {
    const i = Math.floor(Math.random() * serversCount);
    await end(cluster.servers[i]!, signal);
    // Without a reachable journal a server does not start, and its supervisor starts it again.
    for (;;) {
      try {
        return await cluster.startServer(i);
      } catch {
        await wait(1000);
      }
    }
  };
  const events: Record<string, () => Promise<void>> = {
    'server killed': () => replace('SIGKILL'),
    'server ended': () => replace('SIGTERM'),
    'server suspended': () => {
      const { child } = any(cluster.servers)!;
      return suspend({ signal: (signal) => child.kill(signal) });
    },
    'primary killed': () => restart(primary()),
    'primary suspended': () => suspend(primary()),
    'replica killed': () => restart(replica()),
    'replica suspended': () => suspend(replica()),
    'sentinel killed': () => restart(any(sentinels)),
    'proxy restarted': () => restart(cluster.proxy),
    'primary and server killed': async () => {
      await Promise.all([restart(primary()), replace('SIGKILL')]);
    },
  };
  const counts: Record<string, number> = {};
  const settleMs: number[] = [];
  const until = performance.now() + minutes * 60_000;
  try {
    await cluster.allBack();
    while (performance.now() < until) {
      const name = any(Object.keys(events));
      counts[name] = (counts[name] ?? 0) + 1;
      await events[name]!();
      const start = performance.now();
      await cluster.allBack();
      settleMs.push(performance.now() - start);
      process.stderr.write(`${name}: all play ${Math.round(settleMs.at(-1)!)} ms later\n`);
      // Replicas catch up: two failures at once may lose data.
      while ((redisCli(primary().port, 'INFO', 'replication').match(/state=online/g)?.length ?? 0) < 2) await wait(200);
      await wait(Math.random() * 3000);
    }
    return { proxy: proxyName, minutes, events: counts, allPlayMsAfterEvent: spread(settleMs), ...cluster.result() };
  } finally {
    await cluster.close();
  }
}
