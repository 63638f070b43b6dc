import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeClientMessage } from '../../src/net/protocol/messages/messages.ts';
import { createUnitAt, setVariable } from '../support/actions.ts';
import { body, script, unitType } from '../support/play.ts';
import { smallGame, type TestClient, TestHost } from './support.ts';
import { type Threat, threats } from './threats.ts';

/**
 * Tries the `threats` that need a running server, as a client and as the author of a game. After each attempt, another
 * player still gets answers.
 */

const secret = 'a secret of this test, of more than thirty-two characters';
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
const game = smallGame({
  unitTypes: {
    walker: unitType(),
    ghost: unitType({ bodies: { default: body({ type: 'static', collidesWith: {} }) } }),
  },
  scripts: {
    ...(smallGame()['data'] as { scripts: object }).scripts,
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
      when('loop', [forever]),
      when('pile', [{ type: 'repeat', count: 1200, actions: [createUnitAt('ghost', said.player, { x: 96, y: 96 })] }]),
      when('call', [{ type: 'runScript', scriptName: 'ring' }]),
      when('save', [{ type: 'savePlayerData', player: { function: 'getTriggeringPlayer' } }]),
    ]),
  },
});

const host = new TestHost();
let ann: TestClient;
const client = (wishes = {}) => host.joined({ name: 'mallory', ...wishes });
const say = async (by: TestClient, text: string) => by.result(by.input({ kind: 'customInput', text }));
const get = (path: string, options?: RequestInit) => fetch(`${host.serving.url}${path}`, options);
const tokenOf = (sub: string) =>
  new SignJWT({ sub })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('reenact')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));

beforeAll(async () => {
  host.begin();
  const tokenSecretFile = join(host.folder, 'secret');
  writeFileSync(tokenSecretFile, secret, { mode: 0o600 });
  await host.start({
    game,
    data: join(host.folder, 'data'),
    tokenSecretFile,
    // In this dialect, games supply regular expressions.
    play: { dialect: 'moddio' },
  });
  ann = await host.joined({ name: 'ann the honest' });
});
afterAll(() => host.end());

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
  'Prototype pollution by scripts': async () => {
    await say(await client(), 'prototype');
  },
  'Slow regular expressions (ReDoS)': () => stoppedBy('pattern'),
  'Path traversal by names of accounts or games': async () => {
    const mallory = await client({ token: await tokenOf('../../../mallory') });
    await say(mallory, 'save');
    expect(filesIn(host.folder).filter((path) => path.includes('mallory'))).toEqual([]);
  },
  'Scripts that never end': async () => {
    await stoppedBy('loop');
    await stoppedBy('call');
  },
  // Last, because the bodies stay.
  'Thousands of bodies on one spot': () => stoppedBy('pile'),
};

/** Threats that need a file of the operator, or only concern the sanitizer. */
const needNoServer: readonly string[] = [
  'Styles of a game load from elsewhere',
  "Player input becomes markup in a game's text",
  'A dialogue template inserts a value into a sanitised attribute',
  'A file in the store belongs to somebody else',
  'A gzip bomb as document',
  "Sanitising a game's HTML takes too long",
];

describe('against a server with a player', () => {
  test('every other threat has a test of a server or a page', () => {
    const untried = Object.entries(threats).flatMap(([threat, [, ...files]]) =>
      threat in attempts || files.some((file) => /^(?:server|cluster|net|modd-client|viewer)\//.test(file))
        ? []
        : [threat],
    );
    expect(untried.sort()).toEqual(needNoServer.toSorted());
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
    expect(problems.map(({ code }) => code)).toEqual([]);
  });
});
