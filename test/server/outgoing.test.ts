import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Observer } from '../../src/cluster/operator/observer.ts';
import { fetchBody, isPublicAddress } from '../../src/server/outside/outgoing.ts';
import { defaultWeb, WebRequests } from '../../src/server/outside/web-requests.ts';

/** A service of this machine that must not be reached, on all of its addresses, by IPv4 and IPv6. */
let secret: Server;
let port = 0;
let reached: string[] = [];

beforeAll(async () => {
  secret = createServer((request, response) => {
    reached.push(request.url!);
    response.end('secret');
  });
  await new Promise<void>((resolve) => secret.listen(0, '::', resolve));
  port = (secret.address() as AddressInfo).port;
});
afterAll(() => secret.close());
afterEach(() => {
  reached = [];
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const get = { method: 'GET', type: undefined, body: undefined } as const;
const limits = { timeoutMs: 5000, answerBytesMax: 1000 };

/** Makes all names resolve to these addresses, those of each further lookup in turn. */
function resolveTo(...lookups: string[][]): void {
  let lookup = 0;
  vi.spyOn(dns, 'lookup').mockImplementation(((
    _name: string,
    _options: object,
    callback: (...found: unknown[]) => void,
  ) => {
    const found = lookups[Math.min(lookup++, lookups.length - 1)]!;
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as never);
  syncBuiltinESMExports();
}

test('the service can be reached where private networks are allowed', async () => {
  for (const host of ['127.0.0.1', '[::1]', 'localhost', '2130706433', '[::ffff:7f00:1]'])
    expect(await fetchBody(new URL(`http://${host}:${port}/`), get, { ...limits, allowPrivate: true })).toBe('secret');
});

test.each([
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '127.1',
  '127.0.1',
  // As a whole number, octal, hexadecimal, and mixed.
  '2130706433',
  '0x7f000001',
  '017700000001',
  '0177.0.0.1',
  '0x7f.1',
  '127.0.0.1.',
  '１２７.0.0.1',
  '127。0。0。1',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fec0::1]',
  '[5f00::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ip6-localhost',
  hostname(),
  'user:word@127.0.0.1',
  'example.org:80@127.0.0.1',
  'example.org%23@127.0.0.1',
])('a game does not reach this machine as %s', async (host) => {
  const url = `http://${host}:${port}/`;
  if (!URL.canParse(url)) return;
  await expect(fetchBody(new URL(url), get, limits)).rejects.toThrow();
  expect(reached).toEqual([]);
});

test.each<[string, string[][]]>([
  ['a private address', [['127.0.0.1']]],
  ['a private address in the form of IPv6', [['::ffff:127.0.0.1']]],
  ['private addresses only', [['::1', '10.0.0.1', '169.254.169.254']]],
  ['no address', [[]]],
])('a game does not reach this machine by a name that resolves to %s', async (_what, lookups) => {
  resolveTo(...lookups);
  await expect(fetchBody(new URL(`http://example.org:${port}/`), get, limits)).rejects.toThrow('private network');
  expect(reached).toEqual([]);
});

test('a name that resolves to a public address first and a private one then, or to both, does not lead to this machine', async () => {
  // Nobody answers at this address, which is reserved for documentation.
  resolveTo(['192.0.2.1'], ['127.0.0.1']);
  const waits = { ...limits, timeoutMs: 300 };
  for (let time = 0; time < 2; time++)
    await expect(fetchBody(new URL(`http://example.org:${port}/`), get, waits)).rejects.toThrow();
  resolveTo(['127.0.0.1', '192.0.2.1']);
  await expect(fetchBody(new URL(`http://example.org:${port}/`), get, waits)).rejects.toThrow();
  expect(reached).toEqual([]);
});

/**
 * What becomes of a request of a game, where the operator allows `example.org`, and this machine as one of its
 * addresses.
 */
async function asked(url: string): Promise<unknown> {
  const told: string[] = [];
  const observer = { problem: (code: string) => told.push(code) } as unknown as Observer;
  const web = new WebRequests(
    { ...defaultWeb, allowed: ['example.org', `127.0.0.1:${port}`], allowPrivate: true },
    observer,
  );
  const room = { identity: { id: 'r' } } as never;
  const body = await new Promise((resolve) =>
    web.ask(
      room,
      { kind: 'http', op: 'request', url, options: { method: 'GET' }, requestId: 1 } as never,
      (_id, answer) => resolve(answer),
    ),
  );
  return body ?? told[0];
}

test.each([
  ['http://127.0.0.1:PORT/', 'secret'],
  // Other spellings of an allowed host are that host.
  ['HTTP://0x7f.1:PORT/', 'secret'],
  ['http://127.0.0.2:PORT/', 'http-refused'],
  ['http://localhost:PORT/', 'http-refused'],
  ['http://example.org@127.0.0.1:1/', 'http-refused'],
  ['http://example.org:80@127.0.0.2:PORT/', 'http-refused'],
  ['http://name@127.0.0.1:PORT/', 'http-refused'],
  ['http://:word@127.0.0.1:PORT/', 'http-refused'],
  ['http://example.org.127.0.0.2.nip.io:PORT/', 'http-refused'],
  ['http://example.org:PORT/', 'http-refused'],
  ['file:///etc/passwd', 'http-refused'],
  ['ftp://127.0.0.1:PORT/', 'http-refused'],
  ['gopher://127.0.0.1:PORT/', 'http-refused'],
  ['ws://127.0.0.1:PORT/', 'http-refused'],
  ['data:text/plain,secret', 'http-refused'],
  ['//127.0.0.1:PORT/', 'http-refused'],
  ['http://127.0.0.1:PORT\\@example.org/', 'secret'],
])('a request to %s: %s', async (url, answer) => {
  expect(await asked(url.replace('PORT', String(port)))).toBe(answer);
});

test.each([
  '93.184.216.34',
  '2606:2800:220:1:248:1893:25c8:1946',
  '::ffff:93.184.216.34',
  '2001:4860:4860::8888',
  '2a00:1450::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '2001:0:4136:e378:8000:63bf:f5ff:fffe',
  'fec0::1',
  '100::1',
  'nonsense',
  '5f00::1',
  '::ffff:0:7f00:1',
  '2002:7f00:1::',
  '192.0.0.1',
  '198.18.0.1',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
