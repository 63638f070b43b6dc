import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { decodeServerMessage, encodeClientMessage, protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { type HostRule, hostRuleOf, isHostAllowed } from '../../src/server/web/hosts.ts';
import { hostForEach, type ServingOptions } from './support.ts';

const host = hostForEach();

/** Status and body of a request with a Host header, as a browser sends it after DNS rebinding. */
function askedAs(name: string, path: string, method = 'GET'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${host.serving.url}${path}`, { method, headers: { host: name } }, (answer) => {
      let body = '';
      answer.on('data', (part) => (body += part));
      answer.on('end', () => resolve({ status: answer.statusCode!, body }));
    });
    sent.on('error', reject).end();
  });
}

/** Plays from a page of the host. Returns what the server says first, or the code with which it ends the connection. */
function played(name: string): Promise<string | undefined> {
  const socket = new WebSocket(host.serving.wsUrl, { headers: { host: name }, origin: `http://${name}` });
  return new Promise((resolve) => {
    socket.once('open', () =>
      socket.send(encodeClientMessage({ kind: 'join', protocol: protocolVersion, name: 'eve' })),
    );
    socket.once('message', (data: Buffer) => {
      const decoded = decodeServerMessage(new Uint8Array(data));
      const message = decoded.ok ? decoded.message : undefined;
      resolve(message?.kind === 'refused' ? message.code : message?.kind);
      socket.terminate();
    });
    socket.once('error', (error) => resolve(error.message));
  });
}

describe('a page after DNS rebinding', () => {
  test('may neither play nor read anything on a server for the local machine', async () => {
    await host.start({ adminToken: 'a token of administrators' });
    for (const name of ['evil.example', 'evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example']) {
      expect(await played(name)).toBe('host-not-allowed');
      for (const path of ['/rooms', '/definitions', '/metrics', '/healthz', '/nothing', '/rooms/x/journal']) {
        const { status, body } = await askedAs(name, path);
        expect([status, JSON.parse(body)]).toMatchObject([
          421,
          { code: 'host-not-allowed', message: expect.stringContaining('--host-name') },
        ]);
      }
      expect((await askedAs(name, '/rooms', 'POST')).status).toBe(421);
    }
    const metrics = (await askedAs('localhost', '/metrics')).body;
    expect(metrics).toMatch(/^reenact_refused_total\{code="host-not-allowed"\} 4$/m);
  });

  test('may not do so either if the operator lists the hosts', async () => {
    await host.start({ host: '0.0.0.0', hostNames: ['play.example.org'] });
    expect(await played('evil.example')).toBe('host-not-allowed');
    const named = host.serving.log.filter(({ msg }) => msg === 'page-refused');
    expect(named).toMatchObject([{ 'host-name': 'evil.example', allow: '--host-name evil.example' }]);
    expect(await played('play.example.org:8080')).toBe('limits');
    expect((await askedAs('PLAY.example.org.', '/rooms')).status).toBe(200);
  });

  test('is allowed with any host name if the operator wants that', async () => {
    await host.start({ hostNames: 'any' });
    expect(await played('play.example.org')).toBe('limits');
    expect((await askedAs('play.example.org', '/rooms')).status).toBe(200);
  });
});

test.each<[listening: string, options: ServingOptions, rule: HostRule]>([
  ['on the loopback', { host: '127.0.0.1' }, []],
  ['on the loopback by its name', { host: 'localhost' }, []],
  ['on the loopback of IPv6', { host: '::1' }, []],
  ['on the loopback behind a proxy', { host: '127.0.0.1', trustProxy: true }, 'any'],
  ['on all addresses', { host: '0.0.0.0' }, 'any'],
  ['to a network', { host: '192.0.2.7', hostNames: ['play.example.org'] }, ['play.example.org']],
  ['where clients reach it', { host: '::1', publicUrl: 'wss://one.example.org/play' }, ['one.example.org']],
  ['as the operator wants', { host: '127.0.0.1', hostNames: 'any' }, 'any'],
])('a server that listens %s has the appropriate rule for hosts', (_, options, rule) => {
  expect(hostRuleOf({ host: '127.0.0.1', trustProxy: false, ...options })).toEqual(rule);
});

test.each([
  ['127.0.0.1:8080', true],
  ['192.0.2.7', true],
  ['[::1]:8080', true],
  ['[2001:db8::7]', true],
  ['localhost', true],
  ['LocalHost:8080', true],
  ['reenact.localhost', true],
  ['play.example.org', true],
  ['Play.Example.ORG.:443', true],
  ['play.example.org.evil.example', false],
  ['xplay.example.org', false],
  ['evil.example', false],
  ['evil.example@127.0.0.1', false],
  ['evil.example/127.0.0.1', false],
  ['[evil.example]', false],
  ['127.0.0.1:8080:evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['', false],
  [undefined, true],
])('the host %j is accepted by the server play.example.org: %s', (name, isOne) => {
  const headers = name === undefined ? {} : { host: name };
  expect(isHostAllowed({ headers }, ['play.example.org'])).toBe(isOne);
  expect(isHostAllowed({ headers }, 'any')).toBe(true);
});
