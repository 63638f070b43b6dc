import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { protocolVersion } from '../../src/protocol/messages.ts';
import { type Serving, serve, TestClient, temporaryFolder } from './support.ts';

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

test('no token and no secret stands in the log or in the journal', async () => {
  const secretFile = join(folder.path, 'secret');
  writeFileSync(secretFile, secret);
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
  // What is refused is told to operators, and may not be quoted to them.
  const stranger = await TestClient.connect(serving.wsUrl);
  stranger.send({ kind: 'join', protocol: protocolVersion, name: 'bob', token: `${token}x` });
  await stranger.end();
  const kept = filesIn(data).map((path) => readFileSync(path, 'latin1'));
  expect(kept.length).toBeGreaterThan(0);
  const written = [...kept, JSON.stringify(serving.log)].join('\n');
  expect(written).toContain('hello');
  for (const hidden of [secret, adminToken, token, resume]) expect(written.includes(hidden)).toBe(false);
});

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
}
