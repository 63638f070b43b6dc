import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { FrameReader } from '../../src/server/client/index.ts';
import { encodeClientMessage, protocolVersion } from '../../src/server/protocol/messages.ts';
import { createUnitAt, setVariable } from '../support/actions.ts';
import { script, unitType } from '../support/play.ts';
import { eventually, serve, smallGame, type TestClient, TestHost } from './support.ts';
import { type Threat, threats } from './threats.ts';

/**
 * `npm run hostile`: a client and the author of a game try each of the `threats` against a running server. After each attempt, another player
 * still gets answers.
 */

const secret = 'a secret of this test, of more than thirty-two characters';
const adminToken = 'a token of administrators, which nobody guesses';
const hostileHtml = '<b onclick="steal()">hi</b><img src=x onerror=steal()><script>steal()</script>';
const pollution = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';

const said = { function: 'playerCustomInput', player: { function: 'getTriggeringPlayer' } };
/** A script that a player starts by a word. */
const when = (word: string, actions: object[]) => ({
  type: 'condition',
  conditions: [{ operator: '==', operandType: 'string' }, said, word],
  then: actions,
  else: [],
});
const keep = (value: unknown) => setVariable('heard', value);
const forever = { type: 'while', conditions: [], actions: [keep('again')] };

/** The author is as hostile as the player. */
const game = (sentinel: string) =>
  smallGame({
    defaultData: {
      ...{ _id: 'small-game', gameSlug: 'small-game', title: 'Small game', frameRate: 20, engineTickRate: 20 },
      ...{ secretKey: 'the key of the author', banIps: ['203.0.113.9'] },
    },
    unitTypes: {
      walker: unitType({ name: 'Walker' }),
      lurker: unitType({ name: 'Lurker' }),
    },
    scripts: {
      ...(smallGame()['data'] as { scripts: object }).scripts,
      lurk: script('gameStart', [
        createUnitAt('lurker', { function: 'computerPlayer', number: 1 }, { x: 90, y: 90 }),
        { type: 'hideEntity', entity: { function: 'getLastCreatedUnit' } },
      ]),
      ring: script([], [{ type: 'runScript', scriptName: 'ring' }]),
      attack: script('playerCustomInput', [
        when('html', [{ type: 'updateUiTextForEveryone', target: 'top', value: hostileHtml }]),
        when('prototype', [
          keep({ function: 'objectToString', object: { function: 'stringToObject', string: pollution } }),
        ]),
        when('pattern', [
          keep({
            function: 'replaceValuesInString',
            sourceString: `${'a'.repeat(3000)}!`,
            matchString: '(a+)+$',
            newString: '',
          }),
        ]),
        when('web', [{ type: 'requestPost', data: {}, url: `http://${sentinel}/inside`, varName: 'heard' }]),
        when('loop', [forever]),
        when('call', [{ type: 'runScript', scriptName: 'ring' }]),
        when('save', [{ type: 'savePlayerData', player: { function: 'getTriggeringPlayer' } }]),
        when('dismiss', [{ type: 'kickPlayer', entity: { function: 'getTriggeringPlayer' }, message: hostileHtml }]),
      ]),
    },
  });

const host = new TestHost();
/** Counts the requests to `inside`, a server in the operator's network, which must receive none. */
let asked = 0;
const inside = createServer((_request, response) => {
  asked++;
  response.end('inside');
});
let ann: TestClient;
const client = (wishes = {}) => host.joined({ name: 'mallory', ...wishes });
const say = async (by: TestClient, text: string) => by.result(by.input({ kind: 'customInput', text }));
const get = (path: string, options?: RequestInit) => fetch(`${host.serving.url}${path}`, options);
const sign = (claims: object, { audience = 'reenact', ends = '1h', key = secret } = {}) =>
  new SignJWT({ sub: 'mallory', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setExpirationTime(ends)
    .sign(new TextEncoder().encode(key));

beforeAll(async () => {
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  host.begin();
  const tokenSecretFile = join(host.folder, 'secret');
  writeFileSync(tokenSecretFile, secret, { mode: 0o600 });
  const sentinel = `127.0.0.1:${(inside.address() as AddressInfo).port}`;
  await host.start({
    ...{ game: game(sentinel), data: join(host.folder, 'data'), tokenSecretFile, adminToken },
    // In this dialect, games supply regular expressions.
    play: { dialect: 'moddio' },
    viewer: { live: '', insight: '', journal: '' },
    web: { allowed: [sentinel], allowPrivate: false },
    // The timeouts are long, so that slow machines pass.
    traffic: {
      ...{ connectionsPerAddress: 24, strikesMax: 30, messages: { size: 60, perSecond: 0.001 } },
      ...{ addressMessages: { size: 400, perSecond: 100 }, connects: { size: 200, perSecond: 50 } },
    },
  });
  ann = await host.joined({ name: 'ann the honest' });
});
afterAll(async () => {
  await host.end();
  inside.close();
});

/** Ann still plays, and no prototype has changed. */
async function allIsWell(): Promise<void> {
  expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Object.prototype).not.toHaveProperty('polluted');
}

/** The number of script faults so far. */
const faults = (): Promise<number> => metric('reenact_faults_total');

/** The sum of a metric over all labels. */
async function metric(name: string): Promise<number> {
  const text = await (await get('/metrics')).text();
  const lines = text.split('\n').filter((line) => line.split(/[ {]/)[0] === name);
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Expects that a script started by a word is stopped with a fault. */
async function stoppedBy(word: string): Promise<void> {
  const before = await faults();
  await say(await client(), word);
  await expect.poll(faults).toBeGreaterThan(before);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}

const written = (): string =>
  [
    JSON.stringify(host.serving.log),
    ...filesIn(join(host.folder, 'data')).map((path) => readFileSync(path, 'latin1')),
  ].join();

/** The attempts by threat; each throws unless it is repelled. */
const attempts: Partial<Record<Threat, () => Promise<void>>> = {
  'HTML of a game runs code': async () => {
    await say(await client(), 'html');
    const isText = ({ kind }: { kind: string }): boolean => kind === 'ui.text';
    const { events } = await ann.first('events', (message) => message.events.some(isText));
    const { value } = events.find(isText) as { value?: unknown };
    expect(value).toContain('hi');
    expect(value).not.toMatch(/onclick|onerror|<script|steal/);
  },
  "The server's page runs or loads foreign content": async () => {
    const policy = (await get('/')).headers.get('content-security-policy');
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*(\*|unsafe-inline)/);
  },
  'Chat is interpreted as HTML': async () => {
    const mallory = await client();
    await mallory.result(mallory.input({ kind: 'chat', text: hostileHtml }));
    // As it was typed, for clients that show it as plain text.
    const isSaid = (event: object): boolean => 'text' in event && event.text === hostileHtml;
    await ann.first('events', ({ events }) => events.some((event) => event.kind === 'chat' && isSaid(event)));
  },
  'A kick message carries HTML': async () => {
    const mallory = await client();
    mallory.input({ kind: 'customInput', text: 'dismiss' });
    expect((await mallory.end()).code).toBe('kicked');
    // Plain text for clients of this protocol, like chat; clients that show HTML get it sanitized.
    expect(await mallory.first('refused', ({ code }) => code === 'kicked')).toMatchObject({ text: hostileHtml });
  },
  'Names contain terminal escape sequences': async () => {
    await client({ name: '\u001b[2J\u0007mallory' });
    const raw = host.serving.log.flatMap((line) => Object.values(line).map(String));
    expect(raw.join()).not.toContain('\u001b');
  },
  'Prototype pollution by keys of a document': async () => {
    const mallory = await client();
    // Written with another key of the same length, which is replaced in the bytes.
    const data = { __prXto__: { polluted: 1 } };
    const bytes = encodeClientMessage({ kind: 'input', sequence: 1, input: { kind: 'data', data } });
    const text = Buffer.from(bytes).toString('latin1').replace('__prXto__', '__proto__');
    mallory.socket.send(Buffer.from(text, 'latin1'));
    expect(await mallory.first('refused')).toMatchObject({ code: 'malformed' });
  },
  'The same in scripts': async () => {
    await say(await client(), 'prototype');
  },
  'Slow regular expressions (ReDoS)': () => stoppedBy('pattern'),
  'Path traversal by names of accounts or games': async () => {
    const mallory = await client({ token: await sign({ sub: '../../../mallory' }) });
    await say(mallory, 'save');
    expect(filesIn(host.folder).filter((path) => path.includes('mallory'))).toEqual([]);
  },
  "Scripts request hosts of the operator's network (SSRF)": async () => {
    await say(await client(), 'web');
    const isRefusal = ({ msg }: { msg?: unknown }): boolean => String(msg).includes('private network');
    await eventually(() => host.serving.log.some(isRefusal), 'a refusal');
    expect(asked).toBe(0);
  },
  'A token for another purpose, algorithm, server or time': async () => {
    const unsigned = new UnsecuredJWT({ sub: 'ann' }).setAudience('reenact').setExpirationTime('1h').encode();
    const { resume } = await ann.welcome();
    expect(await host.refused({ token: unsigned })).toBe('token-invalid');
    expect(await host.refused({ token: resume })).toBe('token-invalid');
    expect(await host.refused({ token: await sign({}, { key: `${secret} of another server` }) })).toBe('token-invalid');
    expect(await host.refused({ token: await sign({}, { ends: '-1h' }) })).toBe('token-expired');
    expect(await host.refused({ resume: await sign({}) })).toBe('resume-unknown');
  },
  'A weak secret': async () => {
    const tokenSecretFile = join(host.folder, 'weak');
    writeFileSync(tokenSecretFile, 'secret', { mode: 0o600 });
    await expect(serve(host.folder, { tokenSecretFile })).rejects.toMatchObject({ code: 'bad-secret' });
  },
  'Other users of the machine read secrets or data': async () => {
    const tokenSecretFile = join(host.folder, 'exposed');
    writeFileSync(tokenSecretFile, secret);
    chmodSync(tokenSecretFile, 0o644);
    await expect(serve(host.folder, { tokenSecretFile })).rejects.toMatchObject({ code: 'secret-exposed' });
    expect(statSync(join(host.folder, 'data')).mode & 0o077).toBe(0);
  },
  'Seats blocked by lost connections': async () => {
    const resumes: string[] = [];
    let code: string | undefined;
    while (code === undefined && resumes.length <= 24) {
      const lost = await host.connected();
      lost.send({ kind: 'join', protocol: protocolVersion, name: 'mallory' });
      const answer = await Promise.race([lost.first('refused'), lost.welcome()]);
      if (answer.kind === 'refused') ({ code } = answer);
      else resumes.push(answer.resume);
      await lost.lose();
    }
    expect(code).toBe('too-many-connections');
    for (const resume of resumes) (await client({ resume })).send({ kind: 'leave' });
  },
  "Guessing administrators' routes": async () => {
    for (const authorization of ['', 'Bearer ', 'Bearer guess', `Bearer ${adminToken}x`, `Basic ${adminToken}`]) {
      const headers = { authorization };
      const answers = [
        await get('/rooms', { method: 'POST', headers }),
        await get(`/rooms/${host.rooms[0]!.identity.id}`, { method: 'DELETE', headers }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    }
    expect(host.rooms.length).toBe(1);
  },
  "Players or watchers see a room's scripts, hidden variables or addresses": async () => {
    const { status } = await get(`/rooms/${host.rooms[0]!.identity.id}/insight`);
    expect(status).toBe(401);
  },
  'Replayed inputs': async () => {
    const mallory = await client();
    const bytes = encodeClientMessage({ kind: 'input', sequence: 1, input: { kind: 'keyDown', key: 'd' } });
    for (let i = 0; i < 2; i++) mallory.socket.send(bytes);
    const codes = (): unknown[] =>
      mallory.messages
        .flatMap((message) => (message.kind === 'inputResults' ? message.results : []))
        .map((result) => ('refused' in result ? result.refused : undefined));
    await eventually(() => codes().length === 2);
    expect(codes().sort()).toEqual(['repeated', undefined]);
  },
  'Oversized messages': async () => {
    const mallory = await client();
    const bytes = new Uint8Array(1500);
    bytes.set(encodeClientMessage({ kind: 'input', sequence: 1, input: { kind: 'keyDown', key: 'd' } }));
    mallory.socket.send(bytes);
    expect(await mallory.first('refused')).toMatchObject({ code: 'too-large' });
    mallory.socket.send(new Uint8Array(100_000));
    expect((await mallory.end()).number).toBe(1009);
  },
  'Malformed bytes': async () => {
    const mallory = await client();
    mallory.socket.send(Uint8Array.of(255, 1, 2, 3));
    const isCoded = ({ code }: { code: string }): boolean => /malformed|unknown-message/.test(code);
    await mallory.first('refused', isCoded);
    const other = await client();
    other.socket.send('hello');
    await other.first('refused', isCoded);
  },
  'Request smuggling, path traversal, other protocols': async () => {
    const { port } = new URL(host.serving.url);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    let answer = '';
    socket.on('data', (part) => (answer += part));
    const head = 'POST /rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n';
    socket.write(`${head}0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toContain('reenact_');
    for (const path of ['/..%2fsecret', '/definitions/..%2f..%2fsecret', '/definitions/__proto__']) {
      expect((await get(path)).status).toBe(404);
    }
  },
  'Decompression bombs in messages or bodies': async () => {
    const body = new Uint8Array(gzipSync(new Uint8Array(10 * 1024 * 1024)));
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const sent = { method: 'POST', body, headers: { ...headers, 'content-encoding': 'gzip' } };
    expect((await get('/rooms', sent)).status).toBe(400);
    // Compressed messages are tested in hostile-requests.test.ts; compression is off here.
    const socket = new WebSocket(host.serving.wsUrl, { perMessageDeflate: true });
    await new Promise((resolve) => socket.once('open', resolve));
    expect(socket.extensions).toBe('');
    socket.terminate();
  },
  'A flood from one connection or many': async () => {
    const mallory = await client();
    for (let i = 0; i < 300; i++) mallory.send({ kind: 'ping', time: i });
    expect((await mallory.end()).code).toBe('too-many');
  },
  'Many, slow or half-open connections': async () => {
    const { port } = new URL(host.serving.url);
    const half = Array.from({ length: 10 }, () => connect(Number(port), '127.0.0.1'));
    for (const socket of half) socket.on('error', () => {}).write('GET /play HTTP/1.1\r\nUpgrade: websocket\r\n');
    const many = await Promise.allSettled(Array.from({ length: 40 }, () => host.connected()));
    const refused = many.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(String(reason)).toMatch(/429/);
    for (const each of many) if (each.status === 'fulfilled') await each.value.lose();
    for (const socket of half) socket.destroy();
  },
  'A forged address header': async () => {
    const open: WebSocket[] = [];
    let refusal: Error | undefined;
    for (let i = 0; i < 40 && refusal === undefined; i++) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}`, forwarded: `for=198.51.100.${i}` };
      const socket = new WebSocket(host.serving.wsUrl, { headers });
      await new Promise<void>((resolve) => {
        socket.once('open', resolve);
        socket.once('error', (error) => {
          refusal = error;
          resolve();
        });
      });
      open.push(socket);
    }
    expect(String(refusal)).toMatch(/429/);
    for (const socket of open) socket.terminate();
  },
  'Deeply nested documents or messages': async () => {
    const mallory = await client();
    const start = encodeClientMessage({ kind: 'input', sequence: 1, input: { kind: 'data', data: { a: 1 } } });
    // Nested lists of one element.
    mallory.socket.send(Buffer.concat([start.subarray(0, -1), new Uint8Array(9000).fill(0x91), Uint8Array.of(1)]));
    expect(await mallory.first('refused')).toMatchObject({ code: expect.stringMatching(/malformed|too-l/) });
  },
  'Scripts that never end': async () => {
    await stoppedBy('loop');
    await stoppedBy('call');
  },
  "Another site's page opens a socket as the visitor": async () => {
    await expect(host.connected({ origin: 'https://elsewhere.example' })).rejects.toThrow('403');
  },
  'DNS rebinding': async () => {
    const headers = { host: 'evil.example:8080', origin: 'http://evil.example:8080' };
    const socket = new WebSocket(host.serving.wsUrl, { headers });
    const said = await new Promise((resolve) => {
      socket.once('open', () => resolve('open'));
      socket.once('error', (error) => resolve(error.message));
    });
    expect(said).toContain('421');
    for (const path of ['/rooms', '/definitions/small-game', '/metrics']) {
      const status = await new Promise((resolve, reject) => {
        request(`${host.serving.url}${path}`, { headers }, (answer) => resolve(answer.resume().statusCode))
          .on('error', reject)
          .end();
      });
      expect(status).toBe(421);
    }
  },
  'Secrets in the definition sent to clients': async () => {
    const text = await (await get('/definitions/small-game')).text();
    expect(text).toContain('Small game');
    expect(text).not.toMatch(/the key of the author|203\.0\.113\.9/);
  },
  'State that a player may not see': async () => {
    const mallory = await client();
    const reader = new FrameReader();
    await mallory.first('frame');
    for (const message of mallory.messages) if (message.kind === 'frame') reader.apply(message.bytes);
    const types = Array.from(reader.all('unit'), ({ type }) => type?.key);
    expect(types).toContain('walker');
    expect(types).not.toContain('lurker');
  },
  'Names and addresses of players in logs': async () => {
    expect(JSON.stringify(host.serving.log)).not.toMatch(/ann the honest|"mallory"|127\.0\.0\.1:\d+"?,"player/);
  },
  'Tokens and secrets in logs and in the journal': async () => {
    const token = await sign({});
    const { resume } = await (await client({ token })).welcome();
    for (const hidden of [secret, adminToken, token, resume]) expect(written()).not.toContain(hidden);
  },
};

/** Not reachable by a connection: these need files that only the operator can put in place. */
const triedElsewhere = [
  // These need a page that shows the HTML, or only the sanitizer: their rows name the tests.
  'Styles of a game load from elsewhere',
  'Styles of a game cover or change the page of the server',
  "Player input becomes markup in a game's text",
  'A dialogue template inserts a value into a sanitised attribute',
  'A file in the store belongs to somebody else',
  'A gzip bomb as document',
  "Sanitising a game's HTML takes too long",
];

describe('against a server with a player', () => {
  test('every threat is tried', () => {
    expect([...Object.keys(attempts), ...triedElsewhere].sort()).toEqual(Object.keys(threats).sort());
  });

  test.each(Object.entries(attempts))('%s', async (_threat, attempt) => {
    await attempt();
    await allIsWell();
    // The address has seats for the next connection.
    await host.leaveAllBut(ann);
    await expect.poll(() => metric('reenact_connections')).toBe(1);
  });

  test('the server reports no problem', () => {
    const problems = host.serving.log.filter(({ level }) => (level as number) >= 50);
    // The operator gets a report about the refused request to the private address.
    expect(problems.map(({ code }) => code).filter((code) => code !== 'http-failed')).toEqual([]);
  });
});
