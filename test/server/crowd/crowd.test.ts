import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { RandomStream } from '../../../engine/core/random.ts';
import { type LoadedGame, loadDefinition, Simulation } from '../../../engine/index.ts';
import { subscribedIn } from '../../../src/bots/bots.ts';
import { type ClientEvent, RoomClient } from '../../../src/net/index.ts';
import { ClientBot, clientBotsOf } from '../../../src/server/crowd/client-bot.ts';
import { ClientSurroundings } from '../../../src/server/crowd/client-surroundings.ts';
import { CrowdError, playCrowd } from '../../../src/server/crowd/crowd.ts';
import { crowdText } from '../../../src/server/crowd/crowd-text.ts';
import { quantileOf, ServerFigures } from '../../../src/server/crowd/server-figures.ts';
import { reenact } from '../../cli/support.ts';
import { joinAs, script } from '../../support/play.ts';
import { CuttableProxy } from '../../support/proxy.ts';
import { sampleDocument } from '../../support/samples.ts';
import { isBuilt, startProcess } from '../processes.ts';
import { eventually, type Serving, serve, smallGame, TestClient, temporaryFolder } from '../support.ts';

let folder: ReturnType<typeof temporaryFolder> | undefined;
let serving: Serving | undefined;
afterEach(async () => {
  await serving?.server.stop();
  serving = undefined;
  folder?.remove();
});

test('bots play on a real server over their own sockets, and the cost is reported', async () => {
  folder = temporaryFolder();
  serving = await serve(folder.path, {
    game: sampleDocument('outbreak.json'),
    play: { sight: 600, variables: ['state'] },
  });
  const result = await playCrowd({ url: serving.url, players: 4, seconds: 2, warmUpSeconds: 4, seed: 'crowd' });
  expect(result).toMatchObject({ rate: 20, players: 4 });
  expect(result.playing).toBeGreaterThan(1);
  expect(result.inputs).toBeGreaterThan(20);
  // Of one client: at most a frame for each tick, of some kilobytes.
  expect(result.receivedPerSecond).toBeGreaterThan(100);
  expect(result.receivedPerSecond).toBeLessThan(100_000);
  expect(result.framesPerSecond).toBeGreaterThan(1);
  expect(result.framesPerSecond).toBeLessThan(60);
  expect(result.latencyMs!.p50).toBeGreaterThan(0);
  expect(result.latencyMs!.p99).toBeGreaterThanOrEqual(result.latencyMs!.p50);
  expect(result.server?.tickMs.p50).toBeGreaterThan(0);
  expect(result.server?.cpuShare).toBeGreaterThan(0);
  const text = crowdText(result);
  for (const word of ['players', 'inputs', 'latency', 'ticks', 'encoding', '% of a core']) expect(text).toContain(word);
});

test('a report leaves out what was not measured, and counts one as one', async () => {
  folder = temporaryFolder();
  serving = await serve(folder.path, { game: smallGame() });
  const idle = await playCrowd({ url: serving.url, players: 1, seconds: 0.2, warmUpSeconds: 1, seed: 'crowd' });
  const result = { ...idle, inputs: 0, latencyMs: undefined, lost: { 'no answer': 1 }, resumed: 1 };
  expect(crowdText(result)).not.toContain('latency');
  expect(crowdText(result)).toMatch(/^lost +1 no answer; 1 player resumed$/m);
  expect(crowdText({ ...result, resumed: 2 })).toContain('; 2 players resumed');
  expect(idle.latencyMs === undefined).toBe(!crowdText(idle).includes('latency'));
});

test.skipIf(spawnSync('openssl', ['version']).status !== 0)(
  'a server whose certificate has expired is not recommended to be trusted; one that is self-signed is',
  async () => {
    folder = temporaryFolder();
    const at = (name: string) => join(folder!.path, name);
    const openssl = (...args: string[]) => spawnSync('openssl', args);
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=localhost',
      '-keyout',
      at('key'),
      '-out',
      at('asked'),
    );
    const saidWith = async (days: string) => {
      openssl('x509', '-req', '-in', at('asked'), '-signkey', at('key'), '-days', days, '-out', at('certificate'));
      const server = createServer({ key: readFileSync(at('key')), cert: readFileSync(at('certificate')) });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const { code, stderr } = await reenact(['load', `https://127.0.0.1:${port}`]);
      server.close();
      expect(code).toBe(2);
      return stderr;
    };
    expect(await saidWith('-1')).toMatch(
      /^no-server: .*certificate has expired\. Renew the certificate where TLS is terminated/m,
    );
    expect(await saidWith('1')).toMatch(
      /^no-server: .*self-signed certificate\. To trust the certificate, set NODE_EXTRA_CA_CERTS=FILE/m,
    );
  },
);

test('a crowd that has lost its server before the measurement reports why, and no figures', async () => {
  folder = temporaryFolder();
  serving = await serve(folder.path, { game: smallGame() });
  let isStopping = false;
  const progress = (share: number) => {
    if (share > 0.2 && !isStopping) {
      isStopping = true;
      void serving!.server.stop();
    }
  };
  const crowd = { url: serving.url, players: 2, seconds: 1, warmUpSeconds: 3, seed: 'crowd', progress };
  await expect(playCrowd(crowd)).rejects.toThrow(
    new CrowdError('No bot was in the room during the measurement; connections ended with: shutting-down.'),
  );
});

test('bots with the definition also send inputs that only scripts handle', async () => {
  folder = temporaryFolder();
  const game = smallGame({ scripts: { join: joinAs('walker'), click: script('htmlUiClick', []) } });
  serving = await serve(folder.path, { game });
  const { url } = serving;
  const clicks = async (given?: LoadedGame) => {
    const subscribed = given && subscribedIn(new Simulation(given, { seed: '' }));
    // Each bot acts in each step, and sometimes clicks.
    await playCrowd({ url, players: 8, seconds: 1, warmUpSeconds: 4, seed: 'crowd', rate: 60, subscribed });
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/reenact_received_messages_total\{kind="htmlClick"\} (\d+)/.exec(text)?.[1] ?? 0);
  };
  expect(await clicks()).toBe(0);
  expect(await clicks(loadDefinition(game).game)).toBeGreaterThan(0);
});

/** A game that lets only one player of each address in. */
const onePerAddress = smallGame({ settings: { allowDuplicateIPs: false } });

test.each<[string, Parameters<typeof serve>[1]]>([
  ['the game', { game: onePerAddress }],
  ['the server', { traffic: { connectionsPerAddress: 2 } }],
])(
  'bots whose one address %s does not admit often enough end the command, which says which setting to change',
  async (_, options) => {
    folder = temporaryFolder();
    serving = await serve(folder.path, options);
    const { code, stdout, stderr } = await reenact(['load', serving.url, '--players', '6', '--seconds', '30']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^one-address: .* --trust-address and the address of this machine/);
  },
);

test('a game for one player of each address can be measured from one that the server trusts, and nobody else has that right', async () => {
  folder = temporaryFolder();
  const traffic = { trustedAddresses: ['127.0.0.1'] };
  serving = await serve(folder.path, { game: onePerAddress, traffic, trustProxy: true });
  const { lost, playing } = await playCrowd({
    url: serving.url,
    players: 4,
    seconds: 1,
    warmUpSeconds: 3,
    seed: 'crowd',
  });
  expect(lost).toEqual({});
  expect(playing).toBeGreaterThan(1);
  const { wsUrl } = serving;
  const first = await TestClient.join(wsUrl, {}, '198.51.100.7');
  await expect(TestClient.join(wsUrl, {}, '198.51.100.7')).rejects.toThrow('same-ip');
  first.socket.terminate();
});

test('a missing server and a missing room are reported in one sentence', async () => {
  const nowhere = { url: 'http://127.0.0.1:1', players: 1, seconds: 1, seed: '0' };
  await expect(playCrowd(nowhere)).rejects.toThrow(
    new CrowdError('The server cannot be reached: connect ECONNREFUSED 127.0.0.1:1.'),
  );
  folder = temporaryFolder();
  serving = await serve(folder.path);
  const noRoom = { ...nowhere, url: serving.url, room: 'none' };
  await expect(playCrowd(noRoom)).rejects.toThrow(new CrowdError('The server refused the connection: no-such-room.'));
});

describe('metrics of a server', () => {
  const text = (low: number, high: number, overruns: number) => `# HELP reenact_tick_seconds Time.
reenact_tick_seconds_bucket{le="0.001",room="a"} ${low}
reenact_tick_seconds_bucket{le="0.002",room="a"} ${high}
reenact_tick_seconds_bucket{le="+Inf",room="a"} ${high}
reenact_tick_seconds_bucket{le="0.001",room="b"} 0
reenact_tick_overruns_total{room="a"} ${overruns}
reenact_tick_overruns_total{room="b"} 2
`;

  test('are summed over rooms, and cover the time between scrapes', () => {
    const figures = new ServerFigures();
    figures.scrape(text(10, 10, 1));
    figures.scrape(text(60, 110, 4));
    expect(figures.overruns).toBe(3);
    expect([...figures.tickSeconds]).toEqual([
      [0.001, 50],
      [0.002, 100],
      [Number.POSITIVE_INFINITY, 100],
    ]);
    expect(quantileOf(figures.tickSeconds, 0.5)).toBeCloseTo(0.001);
    expect(quantileOf(figures.tickSeconds, 0.75)).toBeCloseTo(0.0015);
    const unordered = new Map([
      [0.004, 4],
      [0.001, 1],
    ]);
    expect(quantileOf(unordered, 0.5)).toBeCloseTo(0.002, 6);
    expect(quantileOf(new Map(), 0.5)).toBeNaN();
  });

  test('continue across a restart and the end of a room', () => {
    const figures = new ServerFigures();
    const process = (seconds: number) => `process_cpu_seconds_total ${seconds}\n`;
    figures.scrape(text(10, 30, 32) + process(50));
    figures.scrape(text(12, 40, 33) + process(51));
    // Another process, with the same counts as the first.
    figures.scrape(text(15, 45, 40) + process(3));
    figures.scrape(process(4));
    expect([figures.overruns, figures.cpuSeconds, figures.restarts]).toEqual([1 + 42, 5, 1]);
    expect(figures.tickSeconds.get(0.001)).toBe(2 + 15);
  });
});

test('a bot returns as the same player after an outage that lasts longer than any bot stays, and leaves later of its own accord', async () => {
  folder = temporaryFolder();
  serving = await serve(folder.path);
  const proxy = await CuttableProxy.start(serving.server.port);
  const { game } = loadDefinition(smallGame());
  const welcomed: string[] = [];
  const ends: unknown[] = [];
  const clock = { tick: 0, rate: 20 };
  const bot = new ClientBot(
    {
      get tick() {
        return clock.tick;
      },
      rate: clock.rate,
      open(name) {
        const client = new RoomClient({ url: proxy.wsUrl, name, WebSocket });
        client.on('welcome', ({ player }) => welcomed.push(player));
        return client;
      },
      ended: (_client, code) => ends.push(code),
    },
    game!.definition,
    0,
    new RandomStream('bot'),
    clientBotsOf(game!.definition, { trade: false, canvas: false, click: false, data: false }),
  );
  const live = (seconds: number) => {
    for (let i = 0; i < seconds * clock.rate; i++) {
      clock.tick++;
      bot.think();
    }
  };
  try {
    live(5);
    await eventually(() => bot.client?.isConnected, 'the join');
    proxy.cut();
    await eventually(() => bot.client?.isConnected === false, 'the loss');
    // No bot stays longer than 140 s.
    live(300);
    proxy.isDown = false;
    await eventually(() => bot.client?.isConnected, 'the return');
    live(10);
    expect(welcomed).toHaveLength(2);
    expect(new Set(welcomed).size).toBe(1);
    // It may join again three seconds after it left, so the clock stops as soon as it is gone.
    for (let seconds = 0; seconds < 140 && bot.client !== undefined; seconds++) live(1);
    await eventually(() => serving!.server.rooms.byId.values().next().value!.seats.size === 0, 'the departure');
  } finally {
    bot.leave();
    await proxy.stop();
  }
  expect(ends).toContain('left');
});

test.skipIf(!isBuilt)('bots resume as the same players when the server is killed and restarted', async () => {
  folder = temporaryFolder();
  const file = join(folder.path, 'small-game.json');
  writeFileSync(
    file,
    JSON.stringify(smallGame({ defaultData: { _id: 'g', title: 'g', defaultMaxPlayers: 8, engineTickRate: 20 } })),
  );
  const options = { paths: [file], data: join(folder.path, 'data') };
  let server = await startProcess(options);
  const port = Number(new URL(server.url).port);
  const seen: number[] = [];
  let isBack = false;
  try {
    const playing = playCrowd({
      url: server.url,
      players: 8,
      seconds: 60,
      warmUpSeconds: 5,
      seed: 'crowd',
      progress: (share) => seen.push(share),
      interrupted: () => isBack,
    });
    const warm = 5 / 65;
    await eventually(() => (seen.at(-1) ?? 0) > warm + 0.03, 'some play');
    await server.kill();
    server = await startProcess({ ...options, port });
    await eventually(() => server.log.filter(({ msg }) => msg === 'player-joined').length >= 8, 'their return');
    setTimeout(() => (isBack = true), 1000);
    const result = await playing;
    // One bot may just have left by itself.
    expect(result.resumed).toBeGreaterThanOrEqual(6);
    expect(result.lost).toEqual({ 'no answer': result.resumed });
    expect(result.server).toMatchObject({ restarts: 1 });
    expect(result.server!.overruns).toBeGreaterThanOrEqual(0);
    expect(result.server!.cpuShare).toBeGreaterThan(0);
    const said = crowdText(result);
    expect(said).toContain(`${result.resumed} no answer; ${result.resumed} players resumed`);
    expect(said).not.toMatch(/-\d/);
  } finally {
    await server.kill();
  }
});

test('a bot knows which shop is open', () => {
  const seat = { state: undefined, tick: 0, rate: 20, join() {}, leave() {}, send() {} };
  const bot = new ClientSurroundings(loadDefinition(smallGame()).game!.definition, seat);
  const afterwards = (event: ClientEvent) => {
    bot.receive(event);
    return bot.openShop();
  };
  expect([
    afterwards({ kind: 'ui.shop', op: 'open', shopId: 'store' }),
    afterwards({ kind: 'ui.shop', op: 'purchased', shopId: 'other' }),
    afterwards({ kind: 'ui.dialogue', op: 'close' }),
    afterwards({ kind: 'ui.shop', op: 'close' }),
  ]).toEqual(['store', 'store', 'store', undefined]);
});
