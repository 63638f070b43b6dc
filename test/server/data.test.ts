import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Observer } from '../../src/cluster/operator/observer.ts';
import { openStore } from '../../src/cluster/stores/stores.ts';
import { thisMachine } from '../../src/machine/machine.ts';
import { Bans } from '../../src/server/community/bans.ts';
import { openRecordStore } from '../../src/server/community/open-record-store.ts';
import { Reports } from '../../src/server/community/reports.ts';
import { FileRecordStore } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { reenact } from '../cli/support.ts';
import { type Database, postgres, postgresBin, redis, redisServer } from '../cluster/databases.ts';
import { temporaryFolder } from './support.ts';

const dayMs = 24 * 3600 * 1000;
const now = Date.now();

describe.each([
  ['files', true],
  ['redis', redisServer !== undefined],
  ['postgres', postgresBin !== undefined],
] as const)('saved data in %s', (kind, isHere) => {
  const folder = temporaryFolder();
  let database: Database | undefined;
  let url = '';

  beforeAll(async () => {
    if (!isHere) return;
    if (kind === 'redis') database = await redis(join(folder.path, 'database'));
    if (kind === 'postgres') database = await postgres(join(folder.path, 'database'));
    await database?.start();
    url = database?.url ?? `file:${join(folder.path, 'saved')}`;
  });
  afterAll(async () => {
    await database?.kill();
    folder.remove();
  });

  /** Opened for each call, because connections to PostgreSQL in one process share a pool, which the command closes. */
  async function opened<T>(use: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore(url, undefined);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  }
  const store: Store = {
    load: (gameId, userId) => opened((open) => open.load(gameId, userId)),
    save: (gameId, userId, kept) => opened((open) => open.save(gameId, userId, kept)),
  };

  const run = (...args: string[]) => reenact(['data', ...args, '--store', url, '--data', join(folder.path, 'data')]);

  test.skipIf(!isHere)('is backed up, listed, pruned, exported, deleted and restored', async () => {
    await store.save('arena', 'ann', { highscore: 3, savedAtMs: now });
    await store.save('arena', 'bob/../x', { player: { gold: 5 }, savedAtMs: now - 400 * dayMs });
    await store.save('other "game"', 'ann', { highscore: 4, savedAtMs: now });
    expect((await run('list')).stdout).toBe(
      `"arena": 2 accounts, last saved ${new Date(now).toISOString()}\n` +
        `"other \\"game\\"": 1 account, last saved ${new Date(now).toISOString()}\n`,
    );
    const file = join(folder.path, 'backup.jsonl');
    expect(await run('backup', file)).toMatchObject({ code: 0, stdout: `3 accounts, 0 bans, 0 reports in ${file}\n` });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(await run('backup', file)).toMatchObject({ code: 2, stderr: expect.stringContaining('--overwrite') });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await run('backup', file, '--overwrite')).toMatchObject({ code: 0 });
    expect((await run('prune', '--days', '365')).stdout).toBe('1 account removed\n');
    expect(await store.load('arena', 'bob/../x')).toBeUndefined();
    const exported = JSON.parse((await run('export-player', 'ann')).stdout) as { saved: { gameId: string }[] };
    expect(exported.saved.map(({ gameId }) => gameId).sort()).toEqual(['arena', 'other "game"']);
    expect((await run('delete-player', 'ann')).stdout).toBe('removed: data of 2 games, 0 reports, 0 chat messages\n');
    expect((await run('list')).stdout).toBe('Nothing is saved.\n');
    // Saved since the backup: kept unless --overwrite is given.
    await store.save('arena', 'ann', { highscore: 9, savedAtMs: now + 1 });
    expect((await run('restore', file)).stdout).toContain('2 accounts, 0 bans, 0 reports restored; 1 not restored');
    expect(await store.load('arena', 'ann')).toEqual({ highscore: 9, savedAtMs: now + 1 });
    expect(await store.load('arena', 'bob/../x')).toEqual({ player: { gold: 5 }, savedAtMs: now - 400 * dayMs });
    expect((await run('restore', file, '--overwrite', '--json')).stdout).toBe(
      '{"restored":3,"bans":0,"reports":0,"newer":0,"damaged":0}\n',
    );
    expect(await store.load('arena', 'ann')).toEqual({ highscore: 3, savedAtMs: now });
  });
});

describe('reenact data', () => {
  const folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const run = (...args: string[]) => reenact(['data', ...args, '--data', data]);
  beforeAll(() => mkdirSync(data));
  afterAll(() => folder.remove());

  test('writes nothing of a backup that is not whole', async () => {
    const file = join(folder.path, 'bad');
    const head = '{"kind":"reenact-backup","form":2,"version":"0","atMs":0}';
    const end = '{"accounts":1,"bans":0,"reports":0}';
    const account = '{"gameId":"g","userId":"u","kept":{}}';
    for (const [lines, why] of [
      [['{"other":1}'], ':1: The file is not a backup'],
      [[head.replace('"form":2', '"form":9')], ':1: The backup has format 9'],
      [[head, account], 'is truncated'],
      [[head, account, '{"accounts":2}'], `:3: Expected an account, a ban or a report, or the last line ${end}`],
      [[head, '{"accounts":0,"bans":1}'], ':2: Expected an account, a ban'],
      [[head, '{"ban":{"id":"../x","userId":"u","reason":"","by":"","atMs":0}}'], ':2: Expected an account, a ban'],
      [[head, '{"ban":{"id":"ab","reason":"","by":"","atMs":0}}'], ':2: Expected an account, a ban'],
      [[head, '{"report":{"id":"ab"}}'], ':2: Expected an account, a ban'],
      [[head, account, '{"gameId":5}'], ':3: Expected an account'],
      [[head, account.replace('{}', '[]'), '{"accounts":1}'], ':2: Expected an account'],
      [[head, account.replace('{}', `{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`)], ':2: Expected an account'],
      [[head, account, end, account], ':4: Unexpected line'],
      [[''], ':1: The file is not a backup'],
      // Times and scores that would stop `list`, or be taken for old.
      [[head, account.replace('{}', '{"savedAtMs":1e300}'), '{"accounts":1}'], ':2: Expected an account'],
      [[head, account.replace('{}', '{"savedAtMs":"yesterday"}'), '{"accounts":1}'], ':2: Expected an account'],
      [[head, account.replace('{}', '{"highscore":[]}'), '{"accounts":1}'], ':2: Expected an account'],
      [[head, `"${'x'.repeat(9 * 1024 * 1024)}`], ':2: The line is longer than 8 MB'],
    ] as const) {
      writeFileSync(file, `${lines.join('\n')}\n`);
      const { code, stderr } = await run('restore', file);
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    }
    writeFileSync(file, `${head}\n${account}\n\xff`, 'latin1');
    expect((await run('restore', file)).stderr).toContain('The file is not UTF-8 text');
    // A file that is no backup, and has no line that ends.
    writeFileSync(file, '');
    truncateSync(file, 3e9);
    expect((await run('restore', file)).stderr).toContain(':1: The line is longer than 8 MB');
    expect((await run('list')).stdout).toBe('Nothing is saved.\n');
    expect((await run('restore', join(folder.path, 'missing'))).stderr).toContain('ENOENT');
  });

  test('backs up the rest if a file is damaged, and says which', async () => {
    const players = join(data, 'players');
    mkdirSync(players, { recursive: true });
    const store = await openStore(undefined, data);
    await store.save('g', 'u', { highscore: 1 });
    const [name = ''] = readdirSync(players);
    writeFileSync(join(players, `${'0'.repeat(64)}`), readFileSync(join(players, name), 'utf8'));
    const { code, stdout, stderr } = await run('backup', join(folder.path, 'rest'));
    expect([code, stdout]).toEqual([1, expect.stringContaining('1 account, 0 bans, 0 reports in')]);
    expect(stderr).toContain(`${'0'.repeat(64)} is damaged`);
    rmSync(join(players, `${'0'.repeat(64)}`));
  });

  test('keeps a ban whose file has lost its first line, and says that it is damaged', async () => {
    const machine = join(folder.path, 'truncated');
    const bans = join(machine, 'community', 'bans');
    mkdirSync(machine);
    const records = new FileRecordStore(join(machine, 'community'), thisMachine);
    const { id } = await new Bans(records, thisMachine, {} as Observer).add({ userId: 'bob', reason: '', by: 'mo' });
    truncateSync(join(bans, id), 3);
    const { code, stderr } = await reenact(['data', 'backup', join(folder.path, 'short'), '--data', machine]);
    expect([code, stderr]).toEqual([1, 'warning: 1 of 1 bans are damaged.\n']);
    expect(readdirSync(bans)).toEqual([id]);
  });

  test('says which plays of reports a backup lacks', async () => {
    const machine = join(folder.path, 'playless');
    mkdirSync(machine);
    const records = new FileRecordStore(join(machine, 'community'), thisMachine);
    const player = { player: 'p1', name: 'Ann' };
    const id = await new Reports(records, thisMachine).add(
      { room: 'r', slug: 'arena', tick: 1, version: 'ab', title: 'T', text: '', by: player, about: player },
      { bytes: new Uint8Array(9), definition: '{}', source: '' },
    );
    await records.remove('report-plays', id);
    const { code, stderr } = await reenact(['data', 'backup', join(folder.path, 'lacking'), '--data', machine]);
    expect([code, stderr]).toEqual([1, `warning: The play of report ${id} is missing.\n`]);
  });

  test('replaces a damaged file of an account with --overwrite', async () => {
    const machine = join(folder.path, 'replaced');
    mkdirSync(machine);
    const store = await openStore(undefined, machine);
    await store.save('g', 'u', { highscore: 1 });
    const file = join(folder.path, 'good');
    await reenact(['data', 'backup', file, '--data', machine]);
    const players = join(machine, 'players');
    truncateSync(join(players, readdirSync(players)[0]!), 3);
    expect(await reenact(['data', 'restore', file, '--overwrite', '--data', machine])).toMatchObject({ code: 0 });
    expect(await store.load('g', 'u')).toEqual({ highscore: 1 });
  });

  test('refuses a folder that is missing, which looks like one where nothing is saved', async () => {
    const elsewhere = join(folder.path, 'elsewhere');
    const why = `The folder ${elsewhere} does not exist. Give the data folder of the server`;
    for (const args of [['backup', join(folder.path, 'empty')], ['list'], ['delete-player', 'ann']]) {
      const { code, stderr } = await reenact(['data', ...args, '--data', elsewhere]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    }
    const { code, stderr } = await run('backup', join(elsewhere, 'backup'));
    expect([code, stderr]).toEqual([2, `data-failed: The folder ${elsewhere} of the backup does not exist.\n`]);
    const other = await reenact(['data', 'export-player', 'ann', '--data', elsewhere, '--store', `file:${data}`]);
    expect([other.code, other.stderr]).toEqual([
      0,
      expect.stringContaining('which does not exist; if the servers share a journal in Redis'),
    ]);
  });

  const places = ['in the data folder', ...(redisServer === undefined ? [] : ['in the Redis of the journal'])];
  test.each(places)('keeps bans and reports %s over a backup and a restore to another machine', async (place) => {
    const database = place.includes('Redis') ? await redis(join(folder.path, 'journal')) : undefined;
    await database?.start();
    const old = join(folder.path, `old ${place}`);
    const fresh = join(folder.path, `fresh ${place}`);
    const where = (machine: string) => (database ? ['--journal', database.url] : []).concat('--data', machine);
    const recordsOf = (machine: string) => openRecordStore(database?.url, machine, thisMachine);
    mkdirSync(old);
    const records = await recordsOf(old);
    const bans = new Bans(records, thisMachine, {} as Observer);
    const reports = new Reports(records, thisMachine);
    const forever = await bans.add({ userId: 'bob', reason: 'Cheats.', by: 'mo', slug: 'arena' });
    const brief = await bans.add({ network: '10.0.0.9', reason: '', by: 'mo', untilMs: now + dayMs, chat: true });
    await bans.add({ userId: 'eve', reason: '', by: 'mo', untilMs: Date.now() + 1 });
    // Larger than a line of a backup, also when compressed.
    const play = new Uint8Array(randomBytes(7_000_000));
    const about = { room: 'r', slug: 'arena', tick: 1, version: 'ab', title: 'T', text: 'rude' };
    const people = { by: { player: 'p1', name: 'Ann', userId: 'ann' }, about: { player: 'p2', name: 'Bob' } };
    const id = await reports.add({ ...about, ...people }, { bytes: play, definition: '{"a":1}', source: '10.0.0.1' });
    const kept = await reports.get(id);

    const file = join(folder.path, 'community.jsonl');
    expect((await reenact(['data', 'backup', file, '--overwrite', ...where(old)])).stdout).toMatch(
      /^0 accounts, 2 bans, 1 report in /,
    );
    expect(JSON.parse((await reenact(['data', 'export-player', 'bob', ...where(old)])).stdout).bans).toEqual([forever]);
    expect((await reenact(['data', 'delete-player', 'bob', ...where(old)])).stdout).toContain('; 1 ban kept\n');
    records.close();
    database?.command('FLUSHALL');

    expect(await reenact(['data', 'restore', file, ...where(fresh)])).toMatchObject({
      code: 0,
      stdout: '0 accounts, 2 bans, 1 report restored\n',
      stderr: '',
    });
    const restored = await recordsOf(fresh);
    mkdirSync(fresh, { recursive: true });
    try {
      const [there, told] = [new Bans(restored, thisMachine, {} as Observer), new Reports(restored, thisMachine)];
      await there.begin();
      there.end();
      expect(there.of('arena', 'bob', '10.0.0.1')).toEqual(forever);
      expect(there.of('arena', undefined, '10.0.0.9', true)).toEqual(brief);
      expect(there.all).toHaveLength(2);
      expect(await told.all()).toEqual([kept]);
      expect(Buffer.compare((await told.play(id))!, play)).toBe(0);
      expect(await told.definition(kept!)).toBe('{"a":1}');
      // A newer ban of the same account is not replaced, nor joined by a second one.
      const longer = await there.add({ userId: 'bob', reason: 'Again.', by: 'mo', slug: 'arena' });
      expect((await reenact(['data', 'restore', file, ...where(fresh)])).stdout).toContain(
        '1 ban, 1 report restored; 1 not restored',
      );
      expect((await reenact(['data', 'list', ...where(fresh)])).stdout).toBe('2 bans, 1 report\n');
      expect(JSON.parse(new TextDecoder().decode(await restored.get('bans', longer.id)))).toEqual(longer);
      await reenact(['data', 'restore', file, '--overwrite', ...where(fresh)]);
      expect(JSON.parse(new TextDecoder().decode(await restored.get('bans', longer.id)))).toEqual(forever);
    } finally {
      restored.close();
      await database?.kill();
    }
  });

  test('has nowhere to restore bans to without a folder and a journal', async () => {
    const file = join(folder.path, 'none');
    await run('backup', file);
    const { code, stderr } = await reenact(['data', 'restore', file, '--data', '', '--store', 'memory:']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('restore needs --data or --journal')]);
  });

  test('exports and deletes reports by and about a player', async () => {
    const reports = new Reports(new FileRecordStore(join(data, 'community'), thisMachine), thisMachine);
    const about = { room: 'r', slug: 'g', tick: 1, version: 'ab', title: 'T', text: 'rude' };
    const [ann, bob] = [
      { player: 'p1', name: 'Ann', userId: 'ann' },
      { player: 'p2', name: 'Bob', userId: 'bob' },
    ];
    const evidence = { bytes: new Uint8Array([1]), definition: '{}', source: '' };
    await reports.add({ ...about, by: ann, about: bob }, evidence);
    const { reports: found } = JSON.parse((await run('export-player', 'bob')).stdout) as { reports: object[] };
    expect(found).toEqual([expect.objectContaining({ text: 'rude' })]);
    expect((await run('delete-player', 'bob')).stdout).toBe('removed: data of 0 games, 1 report, 0 chat messages\n');
    expect(await reports.all()).toEqual([]);
  });

  test('reads the settings of the server: a file, and its variables', async () => {
    const config = join(folder.path, 'serve.yaml');
    writeFileSync(config, 'data: data\nport: 9000\n');
    const store = await openStore(undefined, data);
    await store.save('from file', 'u', {});
    expect((await reenact(['data', 'list', '--config', config])).stdout).toContain('"from file": 1 account');
    const env = { REENACT_SERVE_CONFIG: config };
    expect((await reenact(['data', 'list'], { env })).stdout).toContain('"from file": 1 account');
    const elsewhere = ['data', 'list', '--config', config, '--store', 'memory:'];
    expect((await reenact(elsewhere)).stdout).toBe('Nothing is saved.\n');
    writeFileSync(config, 'dataa: data\n');
    const { code, stderr } = await reenact(['data', 'list', '--config', config]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean data?')]);
    await store.remove('from file', 'u');
  });

  test.each([
    [['backup'], 'backup needs a file.'],
    [['delete-player'], 'delete-player needs an account.'],
    [['prune'], 'prune needs --days.'],
    [['list', 'x'], 'list takes no name, but "x" was given.'],
    [['list', '--days', '3'], '--days applies to prune only.'],
    [['list', '--overwrite'], '--overwrite applies to backup and restore only.'],
    [['list', '--store', 'mysql://x'], 'The store must be'],
    [['list', '--store', 'redis://127.0.0.1:1'], 'data-failed'],
    [['burn'], 'Allowed choices are'],
  ])('%j is refused', async (args, why) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });
});
