import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { countingGame, reenact } from './support.ts';

let folder: string;
let config: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reenact-settings-'));
  mkdirSync(join(folder, 'games'));
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'games', 'counting.json'), JSON.stringify(countingGame()));
  config = join(folder, 'serve.yaml');
});

function secretFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o600);
  return path;
}

/** The checked settings by name, each `value  (source)`. */
async function settings(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Map<string, string>> {
  const { code, stdout, stderr } = await reenact(['serve', ...args, '--check-config'], { env });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return new Map(Array.from(stdout.matchAll(/^(\S+) +(.*)$/gm), ([, name, value]) => [name!, value!] as const));
}

async function problems(text: string, env: Record<string, string> = {}): Promise<readonly string[]> {
  writeFileSync(config, text);
  const { code, stdout, stderr } = await reenact(['serve', '--config', config, '--check-config'], { env });
  expect(code).toBe(2);
  expect(stdout).toBe('');
  return stderr.replaceAll(config, 'serve.yaml').trimEnd().split('\n');
}

describe('settings of reenact serve', () => {
  test('come from the command line, else the environment, else the file, else the default', async () => {
    writeFileSync(config, 'games: [games]\nport: 1\nrooms: 2\ngrace: 3.5\n');
    const found = await settings(['--config', config, '--port', '10'], {
      REENACT_SERVE_PORT: '20',
      REENACT_SERVE_ROOMS: '30',
    });
    expect(found.get('port')).toBe('10  (command line)');
    expect(found.get('rooms')).toBe('30  (environment)');
    expect(found.get('grace')).toBe('3.5  (file)');
    expect(found.get('watchers')).toBe('32  (default)');
  });

  test('files and folders in the configuration are relative to it', async () => {
    secretFile('admin', 'a token of administrators');
    writeFileSync(config, 'games: games/counting.json\ndata: kept\nadmin-token-file: admin\n');
    const found = await settings(['--config', config]);
    expect(found.get('games')).toBe(join(folder, 'games', 'counting.json'));
    expect(found.get('data')).toBe(`${join(folder, 'kept')}  (file)`);
    expect(found.get('admin-token-file')).toBe(`${join(folder, 'admin')}  (file)`);
  });

  test('lists, switches and negated options have their natural form', async () => {
    const games = join(folder, 'games');
    writeFileSync(config, 'origin: [https://a.example, https://b.example]\npage: false\ncompress: true\n');
    const found = await settings(['--config', config], {
      REENACT_SERVE_GAMES: games,
      REENACT_SERVE_PROTOCOL: 'moddio,reenact',
      REENACT_SERVE_HOST_NAME: 'a.example,b.example c.example',
      REENACT_SERVE_WATCH: 'false',
      REENACT_SERVE_EXCEPT: 'scriptConditions',
      REENACT_SERVE_DIALECT: 'moddio',
      REENACT_SERVE_DATA: join(folder, 'saved, by game'),
    });
    expect(Object.fromEntries(found)).toMatchObject({
      games,
      data: `${join(folder, 'saved, by game')}  (environment)`,
      origin: 'https://a.example, https://b.example  (file)',
      page: 'false  (file)',
      compress: 'true  (file)',
      protocol: 'moddio, reenact  (environment)',
      'host-name': 'a.example, b.example, c.example  (environment)',
      watch: 'false  (environment)',
      dialect: expect.stringContaining('moddio except scriptConditions'),
    });
  });

  test('the file itself can be named by the environment', async () => {
    writeFileSync(config, 'games: [games]\nhost: 0.0.0.0\n');
    expect((await settings([], { REENACT_SERVE_CONFIG: config })).get('host')).toBe('0.0.0.0  (file)');
  });

  test('what is no plain settings file is refused, and cannot control the terminal', async () => {
    expect(await problems('seed: !foo bar')).toContainEqual(expect.stringContaining('serve.yaml:1:7: Unresolved tag'));
    expect(await problems('"\\e[2J": 1')).toContain('serve.yaml:1:1: \\u001b[2J: there is no such setting.');
    expect(await problems(`seed: ${'a'.repeat(70_000)}`)).toEqual(['bad-config: serve.yaml is larger than 64 KiB.']);
    writeFileSync(config, new Uint8Array([0xff, 0xfe]));
    const { stderr } = await reenact(['serve', '--config', config, '--check-config']);
    expect(stderr).toBe(`bad-config: ${config} is not UTF-8 text.\n`);
    writeFileSync(config, 'games: [games]\nhost: "\\e[31mred"\n');
    expect((await settings(['--config', config])).get('host')).toBe('\\u001b[31mred  (file)');
  });

  test('every wrong value is listed with its place', async () => {
    const found = await problems(
      [
        'prot: 80',
        'port: 70000',
        'sync: often',
        'compress: 1',
        'data: [a, b]',
        'origin: {}',
        'per-game: rooms=few',
      ].join('\n'),
      { REENACT_SERVE_ROOM: '1', REENACT_SERVE_GRACE: 'long' },
    );
    expect(found).toEqual([
      'bad-config: The configuration is not valid.',
      'REENACT_SERVE_ROOM: there is no such setting. Did you mean REENACT_SERVE_ROOMS?',
      'serve.yaml:1:1: prot: there is no such setting. Did you mean port?',
      'serve.yaml:6:1: origin: Expected a text, a number, or true or false.',
      'REENACT_SERVE_GRACE: grace: Expected a number from 0 to 3600.',
      'serve.yaml:2:1: port: Expected an integer from 0 to 65535.',
      'serve.yaml:3:1: sync: Allowed choices are always, second, never.',
      'serve.yaml:4:1: compress: Expected true or false.',
      'serve.yaml:5:1: data: Expected one value.',
      'serve.yaml:7:1: per-game: Expected a quota such as rooms=20,memory=500,cores=1.5.',
      expect.stringMatching(/^games: missing-argument: /),
    ]);
  });

  test('missing and unusable files are listed together, each with the place of its setting', async () => {
    secretFile('short', 'short');
    const text = [
      'games: [none.json, serve.yaml]',
      'token-secret-file: none',
      'admin-token-file: short',
      'store-url-file: nowhere',
      'journal: kafka://x',
      'port: 70000',
    ];
    const found = await problems(text.join('\n'), { REENACT_SERVE_PLATFORM: join(folder, 'platform.json') });
    expect(found.map((line) => line.replaceAll(folder, ''))).toEqual([
      'bad-config: The configuration is not valid.',
      'serve.yaml:6:1: port: Expected an integer from 0 to 65535.',
      expect.stringMatching(/^serve\.yaml:4:1: store-url-file: unreadable-file: ENOENT/),
      'serve.yaml:3:1: admin-token-file: bad-secret: /short: the token must have at least 16 characters.',
      expect.stringMatching(/^serve\.yaml:1:1: games: bad-definition: \/none\.json: /),
      expect.stringMatching(/^serve\.yaml:1:1: games: bad-definition: serve\.yaml: /),
      expect.stringMatching(/^serve\.yaml:2:1: token-secret-file: bad-secret: \/none does not exist\./),
      expect.stringMatching(/^REENACT_SERVE_PLATFORM: platform: bad-platform: \/platform\.json: ENOENT/),
      expect.stringMatching(/^serve\.yaml:5:1: journal: bad-journal: /),
    ]);
  });

  test('a problem of the command line is listed with its option', async () => {
    const { code, stderr } = await reenact(['serve', join(folder, 'games'), '--store', 'mysql://db', '--check-config']);
    expect(code).toBe(2);
    expect(stderr.split('\n')[1]).toMatch(/^--store: bad-store: /);
  });

  test.each([
    ['syntax', 'port: [1', /^serve\.yaml:1:9: /],
    ['another form', '- port', /^serve\.yaml:1:1: Expected an object of settings\.$/],
    ['a key that occurs twice', 'port: 1\nport: 2', /^serve\.yaml:2:1: Map keys must be unique$/],
  ])('a file with wrong %s is refused', async (_what, text, message) => {
    expect(await problems(text)).toEqual([
      'bad-config: The configuration is not valid.',
      expect.stringMatching(message),
    ]);
  });

  test('a missing file is refused', async () => {
    const { code, stderr } = await reenact(['serve', '--config', join(folder, 'none.yaml'), '--check-config']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^unreadable-file: .*none\.yaml/);
  });

  test.each([
    ['no games', 'port: 1', /^games: missing-argument: /],
    ['games that cannot be played', 'games: [serve.yaml]', /:1:1: games: bad-definition: /],
    ['a folder without games', 'games: [empty]', /:1:1: games: no-definition: /],
    ['an unknown kind of store', 'games: [games]\nstore: mysql://db', /:2:1: store: bad-store: /],
    [
      'a store that is nowhere',
      'games: [games]\nstore: redis://',
      /:2:1: store: bad-store: .* must contain a host: redis:/,
    ],
    [
      'a database that is nowhere',
      'games: [games]\nstore: postgres://',
      /:2:1: store: bad-store: .* must contain a host/,
    ],
    ['sentinels without a name', 'games: [games]\nstore: redis-sentinel://s1', /:2:1: store: bad-store: The URL of/],
    [
      'a journal that is nowhere',
      'games: [games]\njournal: "rediss://:6379"',
      /:2:1: journal: bad-journal: .* must contain a host/,
    ],
    [
      'an address of no page',
      'games: [games]\norigin: ftp://a.example',
      /:2:1: origin: Pages cannot have an origin that starts with ftp/,
    ],
    [
      'an address that is none',
      'games: [games]\njournal: redis://db\npublic-url: ws://0.0.0.0',
      /:3:1: public-url: Others cannot connect to 0\.0\.0\.0/,
    ],
    ['options that contradict each other', 'games: [games]\nlease: 3', /:2:1: lease: bad-option: --lease needs/],
    [
      'two stores',
      'games: [games]\nstore: "memory:"\nstore-url-file: url',
      /:2:1: store: bad-option: Both --store and/,
    ],
  ])('a configuration with %s is refused', async (_what, text, message) => {
    expect((await problems(text)).slice(1)).toEqual([expect.stringMatching(message)]);
  });

  test('the URL of a store can be kept in a file that others cannot read', async () => {
    const url = secretFile('url', 'redis://:hidden@localhost:6379\n');
    writeFileSync(config, 'games: [games]\nstore-url-file: url\n');
    expect((await settings(['--config', config])).get('store-url-file')).toBe(`${url}  (file)`);
    chmodSync(url, 0o644);
    expect((await problems('games: [games]\nstore-url-file: url\n'))[1]).toMatch(
      /:2:1: store-url-file: secret-exposed: /,
    );
  });

  test('passwords in URLs are not printed', async () => {
    const url = 'redis-sentinel://me:hidd@en@s1:26379,s2:26379#games';
    const store = 'postgres://db/saved?user=me&password=hidden';
    const found = await settings([join(folder, 'games'), '--store', store, '--journal', url]);
    expect(found.get('store')).toBe('postgres://db/saved?user=me&password=…  (command line)');
    expect(found.get('journal')).toBe('redis-sentinel://me:…@s1:26379,s2:26379#games  (command line)');
  });

  test('the schema accepts what the command accepts, and nothing else', async () => {
    const { stdout } = await reenact(['schema', '--serve']);
    const accepts = new Ajv({ strict: true }).compile(JSON.parse(stdout));
    expect(accepts(parse('games: [games]\nport: 80\nsync: second\norigin: ["*"]\npage: false\ngrace: 1.5'))).toBe(true);
    for (const wrong of ['port: 70000', 'port: "80"', 'sync: often', 'page: 0', 'unknown: 1', 'grace: -1']) {
      expect(accepts(parse(wrong)), wrong).toBe(false);
    }
  });
});
