import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually, smallGame, type TestClient, TestHost } from './support.ts';

/** Bytes that no browser or client sends, and paths that try to escape, while a player is connected. */

const secret = 'a secret of this test, of more than thirty-two characters';
const adminToken = 'a token of administrators, which nobody guesses';
const host = new TestHost();
let ann: TestClient;

beforeAll(async () => {
  host.begin();
  const tokenSecretFile = join(host.folder, 'secret');
  writeFileSync(tokenSecretFile, secret, { mode: 0o600 });
  await host.start({
    game: smallGame({ title: 'Small\n\u001b[2J\u009b2J game' }),
    data: join(host.folder, 'data'),
    ...{ tokenSecretFile, adminToken, viewer: { live: {}, insight: '', admin: '', journal: '' }, compress: true },
    traffic: { trustedAddresses: ['127.0.0.1'], requestMs: 1000 },
  });
  ann = await host.joined();
});
afterAll(() => host.end());

/** Sends bytes on a new connection, and returns what comes back until the server closes it. */
function answerTo(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(host.serving.url).port), '127.0.0.1');
    let said = '';
    socket.on('data', (part) => (said += part.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(said));
    socket.write(bytes, 'latin1');
  });
}

const statusesIn = (said: string): number[] =>
  [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

async function allIsWell(): Promise<void> {
  expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect({}).not.toHaveProperty('polluted');
}

describe('a request within a request', () => {
  /** Its answer would contain the metrics of the server. */
  const hidden = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  const post = 'POST /rooms HTTP/1.1\r\nHost: localhost\r\n';
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  test('is answered if the requests are pipelined', async () => {
    const said = await answerTo(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n${hidden}`);
    expect(statusesIn(said)).toEqual([200, 200]);
    expect(said).toContain('reenact_connections');
  });

  test.each([
    ['two kinds of length', `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${post}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n`],
    ['a list of lengths', `${post}Content-Length: 0, ${hidden.length}\r\n\r\n`],
    ['a length with a sign', `${post}Content-Length: +0\r\n\r\n`],
    ['a length below zero', `${post}Content-Length: -1\r\n\r\n`],
    ['a length in another base', `${post}Content-Length: 0x0\r\n\r\n`],
    ['a space before the colon', `${post}Content-Length : 0\r\n\r\n`],
    ['a tab in a name', `${post}Content-Length\t: 0\r\n\r\n`],
    ['a coding of no name', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['codings in another order', `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['a part without an end', `${post}Transfer-Encoding: chunked\r\n\r\n0\r\n`],
    ['a part that is too long for a number', `${post}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n`],
    ['a part with a sign', `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n`],
    ['a line that goes on', `${post}X: a\r\n Content-Length: 0\r\nContent-Length : 3\r\n\r\n`],
    ['a letter that ends a line for some', `${post}X: a\rContent-Length: 3\r\n\r\n`],
    ['a null', `${post}X: a\0b\r\n\r\n`],
    [
      'a body behind an upgrade from elsewhere',
      `GET /play HTTP/1.1\r\nHost: localhost\r\nOrigin: https://e.example\r\n${upgrade}\r\n`,
    ],
    ['a body behind an upgrade without a key', `GET /play HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`],
    [
      'an upgrade to something else',
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
    ['another version of HTTP', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['none', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a method of no name', 'STEAL / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('with %s is not answered', async (_, bytes) => {
    const said = await answerTo(bytes + hidden);
    expect(said).not.toContain('reenact_connections');
    for (const status of statusesIn(said)) expect([400, 401, 403, 404, 405, 408]).toContain(status);
    await allIsWell();
  });
});

test('a request with two Host headers is refused, also one for a WebSocket', async () => {
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n';
  for (const hosts of ['Host: localhost\r\nHost: evil.example\r\n', 'Host: localhost\r\nhOST: localhost\r\n']) {
    for (const request of [`GET /rooms HTTP/1.1\r\nConnection: close\r\n`, `GET /play HTTP/1.1\r\n${upgrade}`]) {
      const said = await answerTo(`${request}${hosts}\r\n`);
      expect(statusesIn(said)).toEqual([400]);
      expect(said).toContain('more than one Host header');
    }
  }
  await allIsWell();
});

test('a WebSocket is opened at its path, and at no other', async () => {
  const at = async (path: string): Promise<string> => {
    const socket = new WebSocket(host.serving.wsUrl.replace('/play', path));
    const opened = await new Promise<string>((resolve) => {
      socket.once('open', () => resolve('open'));
      socket.once('error', ({ message }) => resolve(message));
    });
    socket.terminate();
    return opened;
  };
  for (const path of ['/play', '/play?a=b']) expect(await at(path)).toBe('open');
  for (const path of ['/', '/rooms', '/play/', '/Play', '/metrics', '/x/../y']) expect(await at(path)).toContain('404');
});

test.each([
  ['of eight kilobytes', `X-Long: ${'a'.repeat(9000)}\r\n`],
  ['of a thousand lines', Array.from({ length: 1000 }, (_, i) => `X-${i}: abcdef\r\n`).join('')],
])('headers %s are refused', async (_, lines) => {
  const said = await answerTo(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n`);
  expect(statusesIn(said)).toEqual([431]);
  await allIsWell();
});

test('no path leads outside of what is served, or to a member of an object', async () => {
  const ways = [
    '../',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..%5c',
    '..\\',
    '%252e%252e%252f',
    './/../',
    '..;/',
    '%c0%ae%c0%ae/',
  ];
  const starts = [
    '/',
    '/definitions/',
    '/rooms/',
    `/rooms/${host.rooms[0]!.identity.id}/`,
    '/api/game-client/',
    '/play/',
  ];
  const targets = ['secret', 'data/secret', 'small-game.json', 'etc/passwd'];
  const paths = starts.flatMap((start) =>
    ways.flatMap((way) => [1, 4, 12].flatMap((times) => targets.map((target) => start + way.repeat(times) + target))),
  );
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '%00',
    '%',
    '%zz',
    '*',
    ':id',
    'a%00b',
  ];
  for (const name of names)
    paths.push(`/definitions/${name}`, `/rooms/${name}/definition`, `/${name}`, `/definitions?${name}=1`);
  paths.push(
    `//evil.example/rooms`,
    '/rooms//definition',
    `/${'a/'.repeat(2000)}`,
    `/definitions/${'%41'.repeat(500)}`,
  );
  for (let i = 0; i < paths.length; i += 20) {
    const requests = paths.slice(i, i + 20).map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const last = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const said = await answerTo(requests.join('') + last);
    expect(said).not.toContain(secret);
    expect(said).not.toMatch(/root:|"scripts":\{"join/);
    // Answers neither quote the URL nor reveal the library.
    expect(said).not.toMatch(/FST_|not a valid|"statusCode"/);
    for (const status of statusesIn(said)) expect([200, 400, 404, 414, 431]).toContain(status);
  }
  await allIsWell();
});

describe('a body', () => {
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(host.serving.url + path, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json', ...headers },
    });

  test('that is compressed is not decompressed, and one that is too long is not read', async () => {
    const bomb = new Uint8Array(gzipSync(new Uint8Array(10 * 1024 * 1024)));
    expect(bomb.length).toBeLessThan(16 * 1024);
    expect((await post('/rooms', bomb, { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await post('/rooms', `"${'a'.repeat(20_000)}"`)).status).toBe(413);
    await allIsWell();
  });

  test.each([
    '{"__proto__":{"polluted":1}}',
    '{"slug":"small-game","constructor":{"prototype":{"polluted":1}}}',
    '{"slug":{"toString":1}}',
    '{"slug":["small-game"]}',
    '[[[[]]]]',
    '['.repeat(8000),
    'null',
    '',
  ])('%j opens no room and changes no prototype', async (body) => {
    const before = host.rooms.length;
    const { status } = await post('/rooms', body);
    // An empty body requests the default game.
    if (status === 201) expect(['null', '']).toContain(body);
    else {
      expect(status).toBe(400);
      expect(host.rooms.length).toBe(before);
    }
    await allIsWell();
  });

  test('about a player affects no other room or player', async () => {
    const { id } = host.rooms[0]!.identity;
    for (const player of ['__proto__', 'constructor', 'p999', '../p1', ''] as const) {
      const said = await post(`/rooms/${id}/results`, JSON.stringify({ kind: 'adResult', player, result: 'x' }));
      expect([400, 404]).toContain(said.status);
    }
    await allIsWell();
  });
});

test('a compressed message that expands beyond the limit ends its connection', async () => {
  const socket = new WebSocket(host.serving.wsUrl, { perMessageDeflate: { threshold: 0 } });
  await new Promise((resolve) => socket.once('open', resolve));
  expect(socket.extensions).toContain('permessage-deflate');
  const packed = deflateRawSync(new Uint8Array(50 * 1024 * 1024));
  expect(packed.length).toBeLessThan(60 * 1024);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.send(new Uint8Array(50 * 1024 * 1024));
  expect(await closed).toBe(1009);
  await allIsWell();
});

test('a token for one purpose is not valid for another', async () => {
  const { resume } = await ann.welcome();
  const { id } = host.rooms[0]!.identity;
  for (const token of [resume, secret, `${adminToken} `.repeat(2), '', 'null', 'undefined', '[object Object]']) {
    const headers = { authorization: `Bearer ${token}` };
    for (const path of [`/rooms/${id}/journal`, `/rooms/${id}/page`]) {
      expect((await fetch(host.serving.url + path, { headers })).status).toBe(401);
    }
  }
  for (const path of [`/rooms/${id}/journal?token=${adminToken}`, `/rooms/${id}/journal#${adminToken}`]) {
    expect((await fetch(host.serving.url + path)).status).toBe(401);
  }
  expect(await host.refused({ token: adminToken })).toBe('token-invalid');
  expect(await host.refused({ resume: adminToken })).toBe('resume-unknown');
});

test('ids of others and unknown ids have no effect', async () => {
  const mallory = await host.joined({ name: 'mallory' });
  const { player } = await ann.welcome();
  const ids = [player, 'u999', 'p999', '', '__proto__', 'constructor', '@u1', 'u1\0', 'U1', ' u1'];
  const results = ids.flatMap((id) => [
    mallory.input({ kind: 'moderate', action: 'kick', target: id }),
    mallory.input({ kind: 'tradeClick', withUnit: id }),
  ]);
  for (const sequence of results) expect(await mallory.result(sequence)).toHaveProperty('refused');
  await allIsWell();
  expect(ann.closed).toBeUndefined();
  mallory.send({ kind: 'leave' });
  await mallory.end();
});

test('no text of players or authors can control a terminal or start a line in the log', async () => {
  const evil = 'x\n{"level":60,"msg":"forged"}\r\u001b[2J\u009b2J\u202e';
  const mallory = await host.joined({ name: evil, room: 'small-game' });
  await mallory.result(mallory.input({ kind: 'chat', text: evil }));
  await mallory.result(mallory.input({ kind: 'customInput', text: evil }));
  await host.refused({ token: evil });
  await host.refused({ resume: evil });
  await host.refused({ room: evil });
  await fetch(`${host.serving.url}/definitions/${encodeURIComponent(evil)}`);
  await mallory.lose();
  await eventually(() => host.serving.log.some(({ msg }) => msg === 'connection-lost'));
  for (const line of host.serving.log) {
    expect(Object.values(line).map(String).join()).not.toMatch(/forged|[\p{Cc}\u202e]/u);
  }
});
