import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import { frameOf } from '../../src/journal/frames.ts';
import { journalStart } from '../../src/journal/journal-bytes.ts';
import { isBuilt, program } from '../support/program.ts';
import { countingGame } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: what the tests look at is all that they know of it.
type Data = Record<string, any>;

const scenarios = `
game: game.json
scenarios:
  - name: seconds are counted
    steps: [{ wait: 2 s }, { expect: seconds == 2 }]
  - name: seconds run backwards
    steps: [{ wait: 2 s }, { expect: seconds == -2 }]
`;

// `npm test` builds first. Without a build there is no process to test.
describe.skipIf(!isBuilt)('the tools for assistants (skipped if nothing is built)', () => {
  let above: string;
  let folder: string;
  let client: Client;

  beforeAll(async () => {
    above = mkdtempSync(join(tmpdir(), 'reenact-mcp-'));
    folder = join(above, 'games');
    mkdirSync(folder);
    writeFileSync(join(folder, 'game.json'), JSON.stringify(countingGame()));
    writeFileSync(join(folder, 'broken.json'), '{ "unitTypes": ');
    writeFileSync(join(folder, 'game.scenario.yaml'), scenarios);
    writeFileSync(join(above, 'secret.json'), JSON.stringify(countingGame({ title: 'Secret' })));
    symlinkSync(join(above, 'secret.json'), join(folder, 'link.json'));
    client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], cwd: folder }));
  });

  afterAll(async () => {
    await client.close();
    rmSync(above, { recursive: true });
  });

  async function call(
    name: string,
    values: Record<string, unknown>,
  ): Promise<{ text: string; isError: boolean; data?: Data }> {
    const { content, isError = false, structuredContent } = await client.callTool({ name, arguments: values });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const data = structuredContent === undefined ? {} : { data: structuredContent as Data };
    return { text, isError, ...data };
  }

  test('are listed, each with a description and a schema, and few write', async () => {
    const { tools } = await client.listTools();
    const [reading, writing] = [true, false].map((reads) =>
      tools.filter(({ annotations }) => annotations?.readOnlyHint === reads).map(({ name }) => name),
    );
    expect(reading?.toSorted()).toEqual(['check', 'codes', 'diff', 'graph', 'ops', 'print', 'run', 'test', 'why']);
    expect(writing?.toSorted()).toEqual(['add', 'explore', 'reach']);
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/\.$/);
      expect(inputSchema.type).toBe('object');
    }
  });

  test('check runs no rules and no host of the folder: whoever asks can write files there', async () => {
    writeFileSync(join(folder, 'reenact.config.json'), JSON.stringify({ rules: ['./rules.mjs'], host: './rules.mjs' }));
    writeFileSync(join(folder, 'rules.mjs'), 'throw new Error("ran")');
    const { text, isError } = await call('check', { file: ['game.json'] });
    expect(isError, text).toBe(false);
    for (const name of ['reenact.config.json', 'rules.mjs']) rmSync(join(folder, name));
  });

  test.each<[string, Record<string, unknown>, Data]>([
    ['check', { file: ['game.json'] }, { counts: { error: 0, info: 1 }, files: [{ file: 'game.json' }] }],
    ['ops', { word: 'setVariable' }, { actions: [{ type: 'setVariable' }] }],
    ['run', { file: 'game.json', for: '2s' }, { ticks: 40, variables: { seconds: 2 } }],
    ['test', {}, { passed: 1, failed: 1 }],
    ['run', { file: 'game.json', for: 2, state: 'all' }, { tick: 40, variables: { seconds: 2 } }],
    ['why', { file: 'game.json', value: 'seconds', for: '2s' }, { value: 2 }],
    ['diff', { old: 'game.json', new: 'game.json' }, { isEqual: true }],
    ['graph', { file: 'game.json' }, { switches: [{ variable: 'state' }] }],
    ['codes', { code: 'division-by-zero' }, {}],
  ])('%s also answers with data', async (name, values, expected) => {
    const { data, text } = await call(name, values);
    expect(data).toMatchObject(expected);
    expect(text).not.toBe('');
  });

  test('an error has a text, and no data', async () => {
    const answer = await call('check', { file: ['nowhere.json'] });
    expect(answer).toEqual({ isError: true, text: expect.stringMatching(/^unreadable-file: /) });
  });

  test('check reports what is wrong, and where', async () => {
    const { text, isError } = await call('check', { file: ['game.json'] });
    expect(isError).toBe(false);
    expect(text).toMatch(/^game\.json\n/);
    expect(text).toMatch(/^ +1:\d+ +info +unused-variable/m);
    expect(text).toMatch(/\n1 info in 1 file\.\n$/);
    expect((await call('check', { file: ['broken.json'] })).text).toMatch(/^broken\.json\n +1:\d+ +error/);
  });

  test('ops and run return the text of the commands', async () => {
    expect((await call('ops', { word: 'setVariable' })).text).toContain('setVariable(variableName');
    const { text, isError } = await call('run', { file: 'game.json', for: '2s', bots: 2, until: 'seconds == 1' });
    expect(isError).toBe(false);
    expect(text).toContain('2 joined');
  });

  test('print shows a script, and add what a recipe changes', async () => {
    expect((await call('print', { file: 'game.json', script: 'second' })).text).toContain('every second');
    expect((await call('add', { recipes: [] })).data).toMatchObject({
      recipes: expect.arrayContaining([expect.objectContaining({ name: 'gun' })]),
    });
    const before = readFileSync(join(folder, 'game.json'), 'utf8');
    const { data, text } = await call('add', { recipes: ['timer'] });
    expect(data, text).toMatchObject({ isEqual: false });
    expect(readFileSync(join(folder, 'game.json'), 'utf8')).toContain('timeIsUp');
    await call('add', { recipes: ['timer'], undo: true });
    expect(readFileSync(join(folder, 'game.json'), 'utf8')).toBe(before);
    symlinkSync('/etc/hostname', join(folder, 'game.recipes.json'));
    const refused = await call('add', { recipes: ['timer'] });
    rmSync(join(folder, 'game.recipes.json'));
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^outside-folder: /) });
    expect((await call('test', { coverage: true })).text).toMatch(/scripts/);
  });

  test('test reports for each failure what was expected and what was found', async () => {
    const { text, isError } = await call('test', {});
    expect(isError).toBe(false);
    expect(text).toContain('seconds run backwards');
    expect(text).toContain('seconds == -2');
    expect(text).toContain('1 failed, 1 passed');
    expect(readdirSync(folder).sort()).toEqual(['broken.json', 'game.json', 'game.scenario.yaml', 'link.json']);
  });

  test('run returns the state at the end, or parts of it', async () => {
    const { text } = await call('run', { file: 'game.json', for: '2s', bots: 1, state: 'variables,players' });
    const state = JSON.parse(text);
    expect(state.timeMs).toBe(2000);
    expect(state.variables.seconds).toBe(2);
    expect(state.players).toContainEqual(expect.objectContaining({ name: expect.stringMatching(/bot/i) }));
    expect(Object.keys(state)).toEqual(['tick', 'timeMs', 'players', 'variables']);
  });

  test.each(['../secret.json', 'link.json', '/etc/hostname'])(
    'no file is read outside of the folder: %j',
    async (file) => {
      for (const name of ['check', 'run', 'print']) {
        const { text, isError } = await call(name, { file: name === 'check' ? [file] : file });
        expect(isError).toBe(true);
        expect(text).toMatch(/^(?:outside-folder|unreadable-file): /);
        expect(text).not.toContain('Secret');
      }
    },
  );

  test('a scenario cannot read a game outside the allowed folder', async () => {
    const file = join(folder, 'outside.scenario.yaml');
    writeFileSync(file, scenarios.replace('game.json', '../secret.json'));
    const answer = await call('test', { path: ['outside.scenario.yaml'] });
    rmSync(file);
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/^outside-folder: /) });
  });

  test('the schema rejects arguments of a wrong type, and the server continues', async () => {
    const { isError, text } = await call('run', { file: 'game.json', bots: 'many' });
    expect(isError).toBe(true);
    expect(text).toContain('bots');
    const misspelt = await call('run', { file: 'game.json', sed: 3, until: true });
    expect(misspelt).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /`sed` is not allowed here\. Did you mean `seed`\?.*until: Expected a text or a number; found true\./,
      ),
    });
    const nothing = await call('run', {});
    expect(nothing).toMatchObject({ isError: true, text: expect.stringContaining('`file` is missing.') });
    const dialect = await call('run', { file: 'game.json', dialect: 'modio' });
    expect(dialect).toMatchObject({
      isError: true,
      text: expect.stringContaining('dialect: Expected "standard" or "moddio"; found "modio"'),
    });
    expect((await call('check', { file: ['game.json'] })).isError).toBe(false);
  });

  test('explore finds a mistake, why explains its recording, and test plays its scenario', async () => {
    const broken = countingGame() as { data: { scripts: Record<string, { actions: unknown[] }> } };
    broken.data.scripts['second']!.actions.push({ type: 'destroyEntity' });
    writeFileSync(join(folder, 'faulty.json'), JSON.stringify(broken));
    const { data, text, isError } = await call('explore', { file: 'faulty.json', for: '400ticks' });
    expect(isError, text).toBe(false);
    const [finding] = data!['findings'];
    expect(finding).toMatchObject({ kind: 'fault', message: expect.stringContaining('scripts/second/actions/2') });
    const [recording, scenario] = finding.files as [string, string];
    expect(recording).toMatch(/^\.reenact.explore.faulty.*\.rj$/);
    expect((await call('why', { file: recording, value: 'seconds' })).data).toMatchObject({ value: 1 });
    expect((await call('test', { path: [scenario] })).data).toMatchObject({ failed: 1 });
    expect(await call('explore', { file: 'faulty.json', for: '10ticks', never: ['nobody > 1'] })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^expression-unknown-name: /),
    });
    rmSync(join(folder, 'faulty.json'));
  });

  test('reach finds a play to a goal, or says how near it came', async () => {
    const reached = await call('reach', { file: 'game.json', expression: 'seconds == 2', for: '2000ticks' });
    expect(reached.data).toMatchObject({
      reached: true,
      ticks: 40,
      files: [expect.stringMatching(/\.rj$/), expect.anything()],
    });
    const missed = await call('reach', { file: 'game.json', expression: 'seconds < 0', for: '400ticks' });
    expect(missed).toMatchObject({
      isError: false,
      data: { reached: false },
      text: expect.stringContaining('not reached'),
    });
  });

  test('diff says what changed in the game, and in plays', async () => {
    const longer = JSON.stringify(countingGame()).replace('gameover', 'over');
    writeFileSync(join(folder, 'longer.json'), longer);
    const { text, data } = await call('diff', { old: 'game.json', new: 'longer.json', play: true });
    expect(text).toContain('"gameover"');
    expect(data).toMatchObject({ isEqual: false, play: { seconds: 30 } });
    rmSync(join(folder, 'longer.json'));
  });

  test('why reads no game outside of the folder that a recording names', async () => {
    const sim = new Simulation(loadDefinition(countingGame()).game!);
    const records: JournalRecord[] = [];
    const recorder = sim.journal((record) => records.push(record), { source: '../secret.json' });
    sim.run({ ticks: 20 });
    recorder.end();
    const bytes = [journalStart(), ...records.map(frameOf)].flatMap((part) => [...part]);
    writeFileSync(join(folder, 'play.rj'), Uint8Array.from(bytes));
    expect(await call('why', { file: 'play.rj', value: 'seconds' })).toEqual({
      isError: true,
      text: expect.stringMatching(/^outside-folder: /),
    });
    const here = await call('why', { file: 'play.rj', value: 'seconds', game: 'game.json' });
    expect(here).toMatchObject({ isError: false, data: { value: 1 } });
    rmSync(join(folder, 'play.rj'));
  });

  test('nothing is written outside of the folder, even if .reenact is a link', async () => {
    rmSync(join(folder, '.reenact'), { recursive: true, force: true });
    symlinkSync(above, join(folder, '.reenact'));
    for (const values of [{}, { expression: 'seconds == 1' }]) {
      const name = 'expression' in values ? 'reach' : 'explore';
      expect(await call(name, { file: 'game.json', for: '100ticks', ...values })).toEqual({
        isError: true,
        text: expect.stringMatching(/^outside-folder: /),
      });
    }
    expect(readdirSync(above).sort()).toEqual(['games', 'secret.json']);
    rmSync(join(folder, '.reenact'));
  });

  test('the error for a file that is not a game gives the reason', async () => {
    const { isError, text } = await call('run', { file: 'broken.json' });
    expect(isError).toBe(true);
    expect(text).toContain('broken.json');
  });
});
