import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/machine/node-disk.ts';
import { protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { readSecret, readSecretFile } from '../../src/server/base/secret-file.ts';
import { type Serving, type ServingOptions, serve, TestClient, temporaryFolder } from './support.ts';

let folder: ReturnType<typeof temporaryFolder>;
let serving: Serving | undefined;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await serving?.server.stop();
  folder.remove();
});

const secret = 'a secret of this test, of more than thirty-two characters';
const adminToken = 'a token of administrators';

test('no token and no secret is in the log or in the journal', async () => {
  const secretFile = join(folder.path, 'secret');
  writeFileSync(secretFile, secret, { mode: 0o600 });
  const data = join(folder.path, 'data');
  serving = await serve(folder.path, { data, tokenSecretFile: secretFile, adminToken });
  const token = await new SignJWT({ sub: 'ann' })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('reenact')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));
  const ann = await TestClient.join(serving.wsUrl, { token });
  const { resume } = await ann.welcome();
  await ann.result(ann.input({ kind: 'customInput', text: 'hello' }));
  await ann.lose();
  // Refused content is reported to operators, and must not be quoted.
  const stranger = await TestClient.connect(serving.wsUrl);
  stranger.send({ kind: 'join', protocol: protocolVersion, name: 'bob', token: `${token}x` });
  await stranger.end();
  const kept = filesIn(data).map((path) => readFileSync(path, 'latin1'));
  expect(kept.length).toBeGreaterThan(0);
  const written = [...kept, JSON.stringify(serving.log)].join('\n');
  expect(written).toContain('hello');
  for (const hidden of [secret, adminToken, token, resume]) expect(written.includes(hidden)).toBe(false);
});

test.each([
  'redis://reenact:sesame@127.0.0.1:1',
  'redis://reenact:sesame@127.0.0.1:99999',
  'redis://reenact:sesame@%/',
  'mysql://reenact:sesame@127.0.0.1/games',
])('the password in the address of a journal is not shown when %s cannot be used', async (journal) => {
  const said = await serve(folder.path, { journal, leaseMs: 300 }).catch((error: unknown) => error);
  expect(said).toMatchObject({ code: 'bad-journal' });
  expect(`${String(said)} ${(said as Error).stack}`).not.toContain('sesame');
});

test.each([
  ['redis://reenact:sesame@127.0.0.1:1', 'store-failed'],
  ['postgres://reenact:sesame@127.0.0.1:1/games', 'store-failed'],
  ['mysql://reenact:sesame@127.0.0.1/games', 'bad-store'],
])('the password in the address of a store is not shown when %s cannot be used', async (store, code) => {
  const secretFile = join(folder.path, 'secret');
  writeFileSync(secretFile, secret, { mode: 0o600 });
  const started = await serve(folder.path, { store, tokenSecretFile: secretFile }).catch((error: unknown) => error);
  if (started instanceof Error) {
    expect([started, String(started)]).toMatchObject([{ code }, expect.not.stringContaining('sesame')]);
    return;
  }
  serving = started as Serving;
  // Said at the start, before an account joins.
  await expect.poll(() => serving!.log.some((line) => line['code'] === code)).toBe(true);
  expect(JSON.stringify(serving.log)).not.toContain('sesame');
});

describe.skipIf(process.platform === 'win32')('a file that all users of the machine may', () => {
  test.each([
    ['read', 0o644],
    ['change', 0o602],
  ])('%s is refused as a secret: the server does not start', async (_, rights) => {
    const exposed = (name: string, text: string) => {
      const path = join(folder.path, name);
      writeFileSync(path, text);
      chmodSync(path, rights);
      return path;
    };
    const starting = (options: ServingOptions) =>
      expect(serve(folder.path, options)).rejects.toMatchObject({ code: 'secret-exposed' });
    await starting({ tokenSecretFile: exposed('secret', secret) });
    await starting({ platform: exposed('platform.json', '{}') });
    const data = join(folder.path, 'data');
    mkdirSync(data);
    exposed('data/secret', secret);
    await starting({ data });
    const file = exposed('token', adminToken);
    await expect(readSecretFile(nodeDisk, file)).rejects.toThrow(`${file} is accessible to all users`);
  });

  test('not read may be readable by the group, as secrets of containers are', async () => {
    const path = join(folder.path, 'secret');
    writeFileSync(path, secret);
    chmodSync(path, 0o440);
    serving = await serve(folder.path, { tokenSecretFile: path });
  });

  test('not enter is a folder that the server creates', async () => {
    const data = join(folder.path, 'made', 'data');
    serving = await serve(folder.path, { data });
    for (const path of [data, join(data, 'journal'), join(folder.path, 'made')]) {
      expect(statSync(path).mode & 0o777).toBe(0o700);
    }
  });
});

test('servers that start at the same moment in an empty folder have one secret', async () => {
  for (let round = 0; round < 20; round++) {
    const path = join(folder.path, `data${round}`, 'secret');
    const machine = { disk: nodeDisk, random: (count: number) => new Uint8Array(randomBytes(count)) };
    const secrets = await Promise.all([1, 2, 3].map(() => readSecret(path, true, machine)));
    const kept = readFileSync(path, 'utf8').trimEnd();
    expect(secrets.map((each) => Buffer.from(each).toString())).toEqual([kept, kept, kept]);
    expect(readdirSync(join(folder.path, `data${round}`))).toEqual(['secret']);
  }
});

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
}
