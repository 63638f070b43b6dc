import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadDefinition } from '../../engine/index.ts';
import { publicData } from '../../src/net/protocol/audience/public-definition.ts';
import { ServedDefinition } from '../../src/server/definitions/served.ts';
import { routes } from '../../src/server/web/api.ts';
import { script } from '../support/play.ts';
import {
  eventually,
  hostForEach,
  isToldToWait,
  type ServingOptions,
  serve,
  smallGame,
  type TestClient,
  temporaryFolder,
} from './support.ts';

const host = hostForEach();

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${host.serving.url}${path}`, { headers });
const admin = { authorization: 'Bearer a token of sixteen' };

/** The data object of the small game. */
const smallData = () => smallGame()['data'] as Record<string, unknown>;

test('a definition for clients names the regions in which scripts open a shop', () => {
  const region = (variableName: string) => ({ function: 'getVariable', variableName });
  const open = { type: 'openShopForPlayer', shop: 'store', player: { function: 'getTriggeringPlayer' } };
  const inside = (name: string, holds = true) => [
    { operandType: 'boolean', operator: '==' },
    { function: 'unitIsInRegion', region: region(name), unit: { function: 'getTriggeringUnit' } },
    holds,
  ];
  const when = (conditions: unknown, then: unknown[], otherwise: unknown[] = []) => {
    return { type: 'condition', conditions, then, else: otherwise };
  };
  const regions = ['market', 'red', 'blue', 'wall', 'pit', 'off', 'camp'].map((name) => [name, { dataType: 'region' }]);
  const { shopRegions } = publicData({
    variables: { ...Object.fromEntries(regions), secret: { dataType: 'number' } },
    scripts: {
      market: { actions: [when(inside('market'), [open])] },
      teams: { actions: [when([{ operator: 'OR' }, inside('red'), inside('blue')], [open], [])] },
      elsewhere: { actions: [when(inside('wall'), [], [open]), when(inside('pit', false), [open])] },
      disabled: { actions: [when(inside('off'), [{ ...open, disabled: true }])] },
      secret: { actions: [when([{ operator: '==' }, region('secret'), 3], [open])] },
    },
    unitTypes: { elf: { scripts: { camp: { conditions: inside('camp'), actions: [open] } } } },
  });
  expect(shopRegions).toEqual(['market', 'red', 'blue', 'camp']);
});

test('of scripts, a definition for clients has those of keys and of units that only move the own unit, and names of others that keys start', () => {
  const entity = { function: 'getTriggeringUnit' };
  const leap = [{ type: 'moveEntity', entity, position: { function: 'xyCoordinate', x: 1, y: 2 } }];
  const spend = { unitAttributes: { mana: 5 } };
  const read = (variableName: string) => ({ function: 'getVariable', variableName });
  const variable = (key: string) => ({ function: 'getEntityVariable', variable: { key } });
  const me = { function: 'thisEntity' };
  const set = (key: string) => [{ type: 'setEntityVariable', entity: me, variable: variable(key), value: 1 }];
  const turn = (radians: unknown) => [{ type: 'rotateEntityToRadians', entity: me, radians }];
  const everyTick = (actions: unknown[]) => ({ triggers: [{ type: 'frameTick' }], conditions: [], actions });
  const variableOf = (key: string) => ({ function: 'getValueOfEntityVariable', entity: me, variable: variable(key) });
  const faster = [{ type: 'setEntityAttribute', entity: me, attribute: 'speed', value: 9 }];
  const healthier = [{ ...faster[0], attribute: 'health' }];
  const { scripts, unitTypes } = publicData({
    variables: {
      pace: { dataType: 'number', default: 3 },
      score: { dataType: 'number', default: 4 },
    },
    abilities: { walk: { scriptName: 'walk', cost: { cast: {} } } },
    scripts: {
      leap: { name: 'leap', triggers: [{ type: 'secondTick' }], conditions: [], actions: leap },
      heal: { actions: [...leap, { type: 'setEntityAttribute', entity, attribute: 'health', value: 9 }] },
      hunt: { actions: [{ ...leap[0], entity: { function: 'getVariable', variableName: 'prey' } }] },
      dear: { actions: leap },
      unused: { actions: leap },
      count: { actions: [{ type: 'setVariable', variableName: 'score', value: 5 }] },
    },
    unitTypes: {
      tank: {
        variables: { sent: { streamMode: 1 }, idle: { streamMode: 1 }, kept: { streamMode: 0 } },
        controls: {
          abilities: {
            w: { keyDown: 'walk' },
            e: { keyDown: { scriptName: 'rest' } },
            f: { keyDown: { scriptName: 'hide' } },
          },
        },
        scripts: {
          constant: everyTick([...turn(read('pace')), ...turn(variableOf('sent'))]),
          changing: everyTick(turn(read('score'))),
          secret: everyTick(turn(variableOf('kept'))),
          ofOthers: everyTick(turn({ function: 'getPositionX', position: { function: 'getTriggeringUnit' } })),
          seldom: { ...everyTick(turn(1)), triggers: [{ type: 'secondTick' }] },
          walk: { conditions: [], actions: set('sent') },
          rest: { conditions: [], actions: set('idle') },
          hide: { conditions: [], actions: set('kept') },
        },
      },
      hare: {
        controls: {
          abilities: {
            e: { keyDown: { scriptName: 'leap' }, keyUp: { scriptName: 'heal' } },
            f: { keyDown: { scriptName: 'hunt' } },
            g: { keyDown: { scriptName: 'dear', cost: spend } },
            q: { keyDown: { event: 'startCasting', abilityId: 'sprint' } },
            r: { keyDown: { event: 'startCasting', abilityId: 'hop' } },
          },
          unitAbilities: {
            sprint: { cost: { unitAttributes: { stamina: 5 } }, eventScripts: { startCasting: 'sprint' } },
            hop: { cost: spend, eventScripts: { startCasting: 'dear' } },
          },
        },
        attributes: { stamina: {}, mana: { streamMode: 2 } },
        scripts: { sprint: { conditions: [], actions: faster }, heal: { conditions: [], actions: healthier } },
      },
      tree: {},
    },
  }) as Record<string, Record<string, Record<string, unknown>>>;
  // Only the names of what keys start, for their buttons, and that there is a script.
  expect(scripts).toEqual({ leap: { name: 'leap' }, hunt: {}, heal: {}, dear: {} });
  expect(unitTypes!['hare']!['scripts']).toEqual({
    heal: {},
    leap: { conditions: [], actions: leap, triggers: [] },
    sprint: { conditions: [], actions: faster, triggers: [] },
  });
  expect(unitTypes!['tree']).toEqual({});
  expect(unitTypes!['tank']!['scripts']).toEqual({
    hide: {},
    rest: {},
    constant: everyTick([...turn(3), ...turn(variableOf('sent'))]),
    walk: { conditions: [], actions: set('sent'), triggers: [] },
  });
});

describe('the picture of a room', () => {
  const picture = async () => {
    const answer = await get(`/rooms/${host.rooms[0]!.identity.id}/picture`);
    const policy = answer.headers.get('content-security-policy');
    return { status: answer.status, type: answer.headers.get('content-type'), policy, text: await answer.text() };
  };

  test('shows what is there, without names', async () => {
    await host.start();
    const ann = await host.joined({ name: 'Ann' });
    await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
    const { status, type, policy, text } = await picture();
    expect([status, type, policy]).toEqual([200, 'image/svg+xml', "default-src 'none'; style-src 'unsafe-inline'"]);
    expect(text).toMatch(/^<svg .*<\/svg>$/);
    expect(text.match(/<title>[^<]*: Walker/g)).toHaveLength(1);
    expect((await get('/rooms/none/picture')).status).toBe(404);
  });

  const play = { _id: 'r5', name: 'Guest Users', type: 5, order: 2, permissions: { playGame: false } };
  test.each<readonly [string, ServingOptions]>([
    ['see only a part of it', { play: { sight: 500 } }],
    ['are not admitted', { watchersMax: 0 }],
    ['need an account', { game: smallGame({ roles: [play] }) }],
  ])('has nobody in it where watchers %s', async (_why, options) => {
    await host.start(options);
    const token = await host.serving.server.tokens.signIdentity({ userId: 'ann' });
    await host.joined({ token });
    const { status, text } = await picture();
    expect([status, text]).toEqual([200, expect.not.stringMatching(/<title>[^<]*: Walker/)]);
  });

  test('of a private room is not shown', async () => {
    await host.start({ adminToken: 'a token of sixteen', rooms: 0 });
    const headers = { ...admin, 'content-type': 'application/json' };
    await fetch(`${host.serving.url}/rooms`, { method: 'POST', headers, body: '{"private":true}' });
    expect(await picture()).toMatchObject({ status: 404, text: expect.stringContaining('no-such-room') });
  });
});

describe('a definition', () => {
  test('is served in its envelope, with an ETag that avoids sending it twice', async () => {
    await host.start();
    const answer = await get('/definitions/small-game');
    expect(answer.status).toBe(200);
    const { gameJson } = (await answer.json()) as { gameJson: { status: string; data: Record<string, unknown> } };
    expect(gameJson.status).toBe('success');
    expect(gameJson.data).toHaveProperty('unitTypes.walker');
    const etag = answer.headers.get('etag')!;
    const again = await get('/definitions/small-game', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get('/definitions/small-game', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('is compressed for clients that accept it', async () => {
    await host.start();
    const packed = await get('/definitions/small-game', { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    const plain = await get('/definitions/small-game', { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await packed.json()).toEqual(await plain.json());
    for (const refused of ['gzip;q=0', 'br, gzip; q=0.0', 'x-gzip-not']) {
      const answer = await get('/definitions/small-game', { 'accept-encoding': refused });
      expect(answer.headers.get('content-encoding')).toBeNull();
    }
    const also = await get('/definitions/small-game', { 'accept-encoding': 'br;q=1, gzip;q=0.5' });
    expect(also.headers.get('content-encoding')).toBe('gzip');
  });

  test('that is unknown is answered with an error in the envelope', async () => {
    await host.start();
    const answer = await get('/definitions/nothing');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ gameJson: { status: 'error', code: 'no-such-definition' } });
    // Malformed URLs are not quoted.
    const odd = await get('/definitions/%zz');
    expect([odd.status, await odd.json()]).toMatchObject([400, { code: 'bad-request' }]);
    const long = await get(`/definitions/${'a'.repeat(300)}`);
    expect([long.status, await long.json()]).toMatchObject([404, { code: 'not-found' }]);
    const seen = await get('/gone', { accept: 'text/html,*/*;q=0.8' });
    expect([seen.status, seen.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await seen.text()).toContain('<a href="/">See the games of this server</a>');
  });

  test('is served without what clients must not know', () => {
    const shown = publicData({
      defaultData: {
        title: 'T',
        banUsers: ['u'],
        banIps: ['1.2.3.4'],
        secretKey: 'k',
        owner: { _id: 'o', local: { email: 'e' } },
      },
      variables: {
        home: { dataType: 'region', default: {} },
        password: { dataType: 'string', default: 'sesame' },
        plan: { dataType: 'string', default: 'attack at dawn' },
      },
      scripts: {
        server: { actions: [{ type: 'sendSecurePostRequest', apiCredentials: 'c' }] },
        client: { runMode: 1, actions: [] },
      },
      unitTypes: {
        a: {
          name: 'A',
          scripts: { server: { actions: [] } },
          variables: { seen: { dataType: 'number' }, hidden: { dataType: 'number', default: 42, streamMode: 0 } },
        },
      },
      entityTypeVariables: {
        open: { dataType: 'number' },
        closed: { dataType: 'number', streamMode: 0 },
        unknown: { dataType: 'number', streamMode: 9 },
      },
      playerTypeVariables: { isSpy: { dataType: 'boolean', default: true, streamMode: 2 } },
    });
    expect(shown).toEqual({
      defaultData: { title: 'T', owner: { _id: 'o' } },
      variables: { home: { dataType: 'region', default: {} } },
      shopRegions: [],
      scripts: { client: { runMode: 1, actions: [] } },
      unitTypes: { a: { name: 'A', scripts: {}, variables: { seen: { dataType: 'number' } } } },
      entityTypeVariables: { open: { dataType: 'number' } },
      playerTypeVariables: {},
    });
  });

  test.each([
    ['in its data', { data: { title: 'Last stand' } }, 'Last stand'],
    ['in its metadata', { data: { defaultData: { title: 'Last stand' } } }, 'Last stand'],
    ['beside its data', { title: 'Last stand', data: {} }, 'Last stand'],
    ['beside its data, and an empty one in it', { title: 'Last stand', data: { title: '' } }, 'Last stand'],
    ['nowhere', { data: {} }, 'The other file'],
  ])('lists a game with its title %s, and gives it to pages', (_where, { data, ...beside }, title) => {
    const document = { ...beside, data: { ...smallData(), title: undefined, defaultData: undefined, ...data } };
    const served = ServedDefinition.of(JSON.stringify(document), 'the-other_file')!;
    expect(served.title).toBe(title);
    const { game } = loadDefinition(JSON.parse(served.public.json));
    expect(game!.definition.title).toBe(title);
  });

  test('includes the metadata that a document has next to its data', () => {
    const { defaultData, ...data } = smallData() as { defaultData?: object };
    const document = { ...defaultData, dontResize: true, banIps: ['203.0.113.1'], data };
    const served = ServedDefinition.of(JSON.stringify(document), 'small')!;
    const { game } = loadDefinition(JSON.parse(served.public.json));
    expect(game!.definition.defaultData.dontResize).toBe(true);
    expect(served.public.json).not.toContain('203.0.113.1');
  });

  test('is listed with what its players need: an account, or an IP address of their own', async () => {
    const { defaultData } = smallData() as { defaultData: object };
    const needsOf = async (data: Record<string, unknown>) => {
      await host.start({ game: smallGame(data) });
      const { definitions } = (await (await get('/definitions')).json()) as { definitions: { needs: object }[] };
      await host.serving.server.stop();
      return definitions[0]!.needs;
    };
    expect(await needsOf({})).toEqual({ account: false, ownAddress: false });
    expect(await needsOf({ defaultData: { ...defaultData, allowGuestMode: false } })).toMatchObject({ account: true });
    const roles = [{ _id: 'r5', type: 5, name: 'Guest Users', permissions: {} }];
    expect(await needsOf({ roles, settings: { allowDuplicateIPs: false } })).toEqual({
      account: true,
      ownAddress: true,
    });
  });

  test('may be read by pages of the same origin and of allowed ones only', async () => {
    await host.start({ origins: ['https://play.example.org'] });
    const readers = ['https://play.example.org', host.serving.url, 'https://elsewhere.example', 'null'];
    for (const path of ['/definitions', '/definitions/small-game', '/rooms', '/metrics', '/nothing']) {
      const allowed = readers.map(async (origin) => {
        const { headers } = await fetch(host.serving.url + path, { headers: { origin } });
        return headers.get('access-control-allow-origin');
      });
      expect(await Promise.all(allowed)).toEqual(['https://play.example.org', host.serving.url, null, null]);
    }
  });

  test('each unplayable one is reported', async () => {
    const games = temporaryFolder();
    writeFileSync(join(games.path, 'a.json'), JSON.stringify(smallGame()));
    const broken = {
      'cut.json': '{\n  "data":',
      'deep.json': `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      'empty.json': '',
      'list.json': '[]',
      'noise.json': new Uint8Array([0, 1, 2]),
      'noise.json.gz': new Uint8Array([0xff, 0x80]),
    };
    for (const [name, text] of Object.entries(broken)) writeFileSync(join(games.path, name), text);
    mkdirSync(join(games.path, 'folder.json'));
    await host.start({ paths: [games.path] });
    const told = host.serving.log
      .filter(({ code }) => code === 'bad-definition')
      .map(({ msg }) => String(msg).replaceAll(`${games.path}/`, ''));
    expect(told).toEqual([
      'cut.json: 2:10: The text ends too early: the object that begins at 1:1 is still open.',
      'deep.json: 1:1001: Objects and arrays are nested deeper than 1000 levels.',
      'empty.json: 1:1: The text is empty.',
      'folder.json: "folder.json" is a directory, not a file. If the folder contains a split game, join it first: reenact join folder.json',
      expect.stringMatching(/^list\.json: This is not a game definition: it has no `gameJson`/),
      'noise.json: 1:1: Expected a value, found U+0000.',
      'noise.json.gz: The text is not UTF-8: byte 0 (counted from 0, hexadecimal FF) is invalid.',
    ]);
  });

  test('that does not exist yet does not keep the server from starting, and is served once it does', async () => {
    const games = temporaryFolder();
    const [there, later] = ['there.json', 'later.json'].map((name) => join(games.path, name));
    const named = (gameSlug: string) =>
      JSON.stringify(smallGame({ defaultData: { _id: gameSlug, gameSlug, title: gameSlug, frameRate: 20 } }));
    writeFileSync(there!, named('there'));
    const { server } = await host.start({ paths: [there!, later!], watch: true });
    expect(host.serving.log.map(({ code }) => code)).toContain('bad-definition');
    writeFileSync(later!, named('later'));
    await eventually(() => [...server.rooms.byId.values()].some(({ identity: { slug } }) => slug === 'later'));
    expect((await get('/definitions/later')).status).toBe(200);
    games.remove();
  });

  test('that changes is played by new rooms, and a broken version is skipped', async () => {
    const games = temporaryFolder();
    const file = join(games.path, 'small-game.json');
    writeFileSync(file, JSON.stringify(smallGame()));
    await host.start({ paths: [games.path], watch: true });
    const ann = await host.joined();
    const old = (await ann.welcome()).room;
    writeFileSync(file, '{');
    await eventually(() => host.serving.log.some(({ code }) => code === 'bad-definition'));
    writeFileSync(file, JSON.stringify(smallGame({ title: 'Newer' })));
    await eventually(() => host.serving.log.some(({ msg }) => msg === 'definition-changed'));
    await eventually(() => host.serving.server.rooms.byId.size === 2);
    const bob = await host.joined();
    const room = (await bob.welcome()).room;
    expect(room).not.toBe(old);
    expect(host.serving.server.rooms.byId.get(room)!.definition.title).toBe('Newer');
    // Each room serves the definition that it plays.
    const titles = [old, room].map(async (id) => {
      const { gameJson } = (await (await get(`/rooms/${id}/definition`)).json()) as { gameJson: { data: object } };
      return (gameJson.data as { title?: string }).title;
    });
    expect(await Promise.all(titles)).toEqual(['Small game', 'Newer']);
    expect((await get('/rooms/nowhere/definition')).status).toBe(404);
    // Ann continues in the outdated room; nobody else joins it, and it closes after she has left.
    expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ sequence: 1 });
    ann.send({ kind: 'leave' });
    await eventually(() => !host.serving.server.rooms.byId.has(old));
    expect(host.serving.server.rooms.byId.has(room)).toBe(true);
    games.remove();
  });

  test('that is outdated is dropped with its last room, from memory and from the journal', async () => {
    const games = temporaryFolder();
    const file = join(games.path, 'small-game.json');
    const write = (title: string) => writeFileSync(file, JSON.stringify(smallGame({ title })));
    write('Version 0');
    const data = join(host.folder, 'data');
    const { server } = await host.start({ paths: [games.path], watch: true, data });
    const kept = () => readdirSync(join(data, 'journal/definitions'));
    await eventually(() => kept().length === 1);
    for (let version = 1; version <= 5; version++) {
      write(`Version ${version}`);
      await eventually(() =>
        [...server.rooms.byId.values()].some(({ definition: { title } }) => title.endsWith(`${version}`)),
      );
    }
    await eventually(() => server.rooms.byId.size === 1 && kept().length === 1);
    // It can be served again.
    write('Version 0');
    await eventually(() => kept().length === 1 && host.rooms[0]?.definition.title === 'Version 0');
    const ann = await host.joined();
    expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ sequence: 1 });
    games.remove();
  });

  test('that changed while a room of it was opened keeps that room only until waiting players could have joined', async () => {
    const games = temporaryFolder();
    const file = join(games.path, 'small-game.json');
    const write = (title: string) => writeFileSync(file, JSON.stringify(smallGame({ title })));
    write('Version 0');
    const { server } = await host.start({ paths: [games.path], watch: true });
    await eventually(() => server.rooms.byId.size === 1);
    const { definition: old } = [...server.rooms.byId.values()][0]!;
    write('Version 1');
    const titles = () => Array.from(server.rooms.byId.values(), ({ definition: { title } }) => title);
    await eventually(() => titles().join() === 'Version 1');
    const { identity } = await server.rooms.open(old);
    expect(identity.version).toBe(old.version);
    expect(titles()).toContain('Version 0');
    await eventually(() => titles().join() === 'Version 1');
    games.remove();
  });

  test('that is renamed is served under its new name only, and one whose file was moved is served', async () => {
    const games = temporaryFolder();
    const named = (gameSlug: string) =>
      JSON.stringify(smallGame({ defaultData: { _id: gameSlug, gameSlug, title: gameSlug, frameRate: 20 } }));
    writeFileSync(join(games.path, 'a.json'), named('first'));
    const { server } = await host.start({ paths: [games.path], watch: true });
    writeFileSync(join(games.path, 'a.json'), named('second'));
    const slugs = () => [...server.rooms.byId.values()].map(({ identity: { slug } }) => slug);
    await eventually(() => slugs().join() === 'second');
    expect((await get('/definitions/first')).status).toBe(404);
    renameSync(join(games.path, 'a.json'), join(games.path, 'b.json'));
    writeFileSync(join(games.path, 'b.json'), named('second').replace('Walker', 'Runner'));
    let shown = '';
    while (!shown.includes('Runner')) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      shown = await (await get('/definitions/second')).text();
    }
    games.remove();
  });

  test('a server without any does not start', async () => {
    await expect(serve(host.folder, { paths: [join(host.folder, 'no.json')] })).rejects.toMatchObject({
      code: 'no-definition',
    });
    await host.start();
  });
});

describe('operators', () => {
  test('can see whether the process works and whether players may join', async () => {
    await host.start();
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
    expect((await get('/nothing')).status).toBe(404);
  });

  test('get metrics of rooms, players, bytes and refusals', async () => {
    await host.start();
    const ann = await host.joined();
    await ann.result(ann.input({ kind: 'tradeClick', withUnit: 'nobody' }));
    const text = await (await get('/metrics')).text();
    const { id } = host.rooms[0]!.identity;
    expect(text).toContain(`reenact_players{room="${id}"} 1`);
    expect(text).toMatch(new RegExp(`reenact_tick_seconds_count\\{room="${id}"\\} [1-9]`));
    expect(text).toContain('reenact_refused_total{code="no-such-entity"} 1');
    expect(text).toMatch(/reenact_sent_bytes_total\{kind="frame"\} [1-9]/);
    expect(text).toMatch(/reenact_acknowledge_seconds_count 1\n/);
  });

  test('open and close rooms with the admin token, and nobody can without it', async () => {
    await host.start({ adminToken: 'a token of sixteen' });
    const open = (headers: Record<string, string>, body: object = {}) =>
      fetch(`${host.serving.url}/rooms`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await open({})).status).toBe(401);
    expect((await open({ authorization: 'Bearer a token of sixteem' })).status).toBe(401);
    const opened = await open(admin, { slug: 'small-game', seed: 'mine' });
    expect(opened.status).toBe(201);
    const { id } = (await opened.json()) as { id: string };
    expect(host.serving.server.rooms.byId.get(id)!.identity.seed).toBe('mine');
    expect((await open(admin, { slug: 'nothing' })).status).toBe(404);
    expect((await open(admin, { slug: 7 })).status).toBe(400);
    expect((await open(admin, [])).status).toBe(400);
    const plain = { ...admin, 'content-type': 'text/plain' };
    expect((await fetch(`${host.serving.url}/rooms`, { method: 'POST', headers: plain, body: 'x' })).status).toBe(400);
    // Of a program that always names a type, also without a body.
    for (const type of ['application/json', 'text/plain']) {
      const empty = { method: 'POST', headers: { ...admin, 'content-type': type } };
      expect((await fetch(`${host.serving.url}/rooms`, empty)).status).toBe(201);
    }
    const ann = await host.joined({ room: id });
    const typed = { ...admin, 'content-type': 'application/json' };
    const remove = () => fetch(`${host.serving.url}/rooms/${id}`, { method: 'DELETE', headers: typed });
    expect((await remove()).status).toBe(204);
    expect((await ann.end()).code).toBe('room-ended');
    expect((await remove()).status).toBe(404);
    const { rooms } = (await (await get('/rooms')).json()) as { rooms: { id: string }[] };
    expect(rooms.map((room) => room.id)).not.toContain(id);
  });

  test('get no room of a game that is over before its first tick, and are told why', async () => {
    const ends = smallGame({ scripts: { end: script('gameStart', [{ type: 'endGame' }]) } });
    await host.start({ game: ends, adminToken: 'a token of sixteen' });
    expect(host.rooms).toEqual([]);
    expect(host.serving.log.filter(({ code }) => code === 'game-ended-at-start')).toHaveLength(1);
    expect(await host.refused()).toBe('room-ended');
    const opened = await fetch(`${host.serving.url}/rooms`, { method: 'POST', headers: admin });
    expect([opened.status, await opened.json()]).toMatchObject([409, { code: 'room-ended' }]);
    expect((await get('/readyz')).status).toBe(200);
    expect(host.rooms).toEqual([]);
  });

  test('are told why whatever they ask is refused: each answer that is no success has a code and a message', async () => {
    const adminToken = 'look: look token-with-one-scope\nall: look,moderate,operate,addresses token-with-all-scopes';
    await host.start({ adminToken, traffic: { trustedAddresses: ['127.0.0.1'] } });
    const all = 'Bearer token-with-all-scopes';
    const seen = new Set<string>();
    const refusedWith = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
      const answer = await fetch(host.serving.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
      const text = await answer.text();
      if (answer.ok) return;
      const said = JSON.parse(text) as { code?: unknown; message?: unknown; gameJson?: object };
      const asked = `${method} ${path} ${JSON.stringify(headers)} ${body?.slice(0, 20)}: ${answer.status} ${text}`;
      expect(said.gameJson ?? said, asked).toEqual({
        ...(said.gameJson === undefined ? {} : { status: 'error' }),
        code: expect.any(String),
        message: expect.stringMatching(/^\S.{9,}/),
      });
      seen.add(`${answer.status} ${said.code}`);
    };
    const json = { 'content-type': 'application/json' };
    for (const { method, path: pattern, ...rest } of Object.values(routes)) {
      const path = pattern.replaceAll(/:\w+/g, 'ab');
      await refusedWith(method, path, {});
      await refusedWith(method, path, { authorization: 'Bearer no-such-token-at-all' });
      await refusedWith(method, path, { authorization: 'Bearer token-with-one-scope' });
      await refusedWith(method, path, { authorization: all });
      if (!('body' in rest)) continue;
      await refusedWith(method, path, { authorization: all, ...json }, '[]');
      await refusedWith(method, path, { authorization: all, ...json }, '{"unknown": 1}');
      await refusedWith(method, path, { authorization: all, ...json }, '{');
      await refusedWith(method, path, { authorization: all, ...json }, `"${'x'.repeat(20_000)}"`);
      await refusedWith(method, path, { authorization: all, 'content-type': 'application/xml' }, '<a/>');
    }
    await refusedWith('GET', '/nothing', {});
    await refusedWith('PUT', '/rooms', {});
    await refusedWith('GET', '/rooms', { 'reenact-forward': 'forged' });
    for (const status of [400, 401, 403, 404, 413, 415]) {
      expect([...seen], String(status)).toContainEqual(expect.stringMatching(`^${status} `));
    }
  });

  test.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'an upgrade at a path that has no sockets',
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      404,
    ],
  ])('are told why a connection with %s ends', async (_what, text, status) => {
    await host.start();
    const socket = connect(Number(new URL(host.serving.url).port), '127.0.0.1');
    let said = '';
    socket.on('data', (part) => (said += part));
    socket.write(text);
    await once(socket, 'close');
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(said.split('\r\n\r\n')[1]!)).toEqual({
      code: expect.any(String),
      message: expect.stringMatching(/^[A-Z].+\.$/),
    });
  });

  test('have no admin routes on a server without an admin token', async () => {
    await host.start();
    expect((await fetch(`${host.serving.url}/rooms`, { method: 'POST', headers: admin })).status).toBe(404);
  });

  test('are told to wait if they send too many requests', async () => {
    await host.start();
    expect(await isToldToWait(host.serving)).toBe(true);
  });

  test('find no names and no addresses in the log', async () => {
    await host.start();
    await host.joined({ name: 'Ada Lovelace' });
    await eventually(() => host.serving.log.some(({ msg }) => msg === 'player-joined'));
    expect(JSON.stringify(host.serving.log.filter(({ msg }) => msg !== 'listening'))).not.toMatch(
      /Lovelace|127\.0\.0\.1/,
    );
  });
});

describe('requests of games to the web', () => {
  let web: Server;
  const asked: string[] = [];
  const answers: Record<
    string,
    (respond: (status: number, body: string, headers?: Record<string, string>) => void) => void
  > = {
    '/fine': (respond) => respond(200, 'from the web'),
    '/moved': (respond) => respond(302, '', { location: '/fine' }),
    '/large': (respond) => respond(200, 'x'.repeat(10_000)),
    '/slow': () => {},
  };
  beforeEach(async () => {
    asked.length = 0;
    web = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => asked.push(`${request.method} ${request.url} ${body}`));
      answers[request.url!]?.((status, body, headers) => response.writeHead(status, headers).end(body));
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    web.closeAllConnections();
    web.close();
  });

  const address = () => `127.0.0.1:${(web.address() as { port: number }).port}`;
  const askingGame = (url: string) =>
    smallGame({
      scripts: {
        ask: script('playerCustomInput', [
          { type: 'requestPost', data: { form: { who: 'Ann' } }, url, varName: 'heard' },
        ]),
        told: script('onPostResponse', [
          { type: 'sendChatMessage', message: { function: 'getVariable', variableName: 'heard' } },
        ]),
      },
    });

  async function ask(path: string, options: ServingOptions, at = address()): Promise<TestClient> {
    await host.start({ game: askingGame(`http://${at}${path}`), ...options });
    const ann = await host.joined();
    await ann.result(ann.input({ kind: 'customInput', text: 'go' }));
    return ann;
  }

  test('reach an allowed host, whose answer reaches the scripts', async () => {
    const ann = await ask('/fine', { web: { allowed: [address()], allowPrivate: true } });
    const { events } = await ann.first('events', (message) => message.events.some(({ kind }) => kind === 'chat'));
    expect(events.find(({ kind }) => kind === 'chat')).toMatchObject({ text: 'from the web' });
    expect(asked).toEqual(['POST /fine who=Ann']);
  });

  test.each([
    ['no host is allowed', '/fine', () => ({}), 'http-refused', 0],
    [
      'another host is allowed',
      '/fine',
      () => ({ web: { allowed: ['example.org'], allowPrivate: true } }),
      'http-refused',
      0,
    ],
    ['the host is of a private network', '/fine', () => ({ web: { allowed: [address()] } }), 'http-failed', 0],
    [
      'the answer leads elsewhere',
      '/moved',
      () => ({ web: { allowed: [address()], allowPrivate: true } }),
      'http-failed',
      1,
    ],
    [
      'the answer is too large',
      '/large',
      () => ({ web: { allowed: [address()], allowPrivate: true, answerBytesMax: 100 } }),
      'http-failed',
      1,
    ],
    [
      'the answer does not come',
      '/slow',
      () => ({ web: { allowed: [address()], allowPrivate: true, timeoutMs: 2000 } }),
      'http-failed',
      1,
    ],
  ])('have no answer where %s', async (_, path, options, code, requests) => {
    await ask(path, options());
    await eventually(() => host.serving.log.some((line) => line['code'] === code));
    expect(asked.length).toBe(requests);
  });

  test('without a valid address are refused, and the game continues', async () => {
    await host.start({ game: askingGame('nowhere at all') });
    const ann = await host.joined();
    await ann.result(ann.input({ kind: 'customInput', text: 'go' }));
    await eventually(() => host.serving.log.some((line) => line['code'] === 'http-refused'));
    expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
  });

  test('do not reach a private network through a name that resolves to it', async () => {
    const named = address().replace('127.0.0.1', 'localhost');
    await ask('/fine', { web: { allowed: [named] } }, named);
    await eventually(() => host.serving.log.some((line) => line['code'] === 'http-failed'));
    expect(asked).toEqual([]);
    // The same name is reached if the operator allows private networks.
    await host.serving.server.stop();
    await ask('/fine', { web: { allowed: [named], allowPrivate: true } }, named);
    await eventually(() => asked.length === 1);
  });
});
