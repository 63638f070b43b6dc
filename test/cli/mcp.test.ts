import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBuilt, program } from '../support/program.ts';
import { countingGame } from './support.ts';

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
  ): Promise<{ text: string; isError: boolean; svg?: string }> {
    const { content, isError = false } = await client.callTool({ name, arguments: values });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const drawn = content.find((part) => part.type === 'resource')?.resource;
    return { text, isError, ...(drawn && 'text' in drawn && { svg: drawn.text }) };
  }

  test('are listed, each with a description and a schema, and none writes', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['check', 'inspect', 'ops', 'run', 'test', 'state', 'picture']);
    for (const { description, inputSchema, annotations } of tools) {
      expect(description).toMatch(/\.$/);
      expect(inputSchema.type).toBe('object');
      expect(annotations).toMatchObject({ readOnlyHint: true });
    }
  });

  test('check reports what is wrong, and where', async () => {
    const { text, isError } = await call('check', { file: 'game.json' });
    expect(isError).toBe(false);
    expect(text).toMatch(/^game\.json\n/);
    expect(text).toMatch(/^ +1:\d+ +info +no-game-start/m);
    expect(text).toMatch(/\n2 info in 1 file\.\n$/);
    expect((await call('check', { file: 'broken.json' })).text).toMatch(/^broken\.json\n +1:\d+ +error/);
  });

  test('inspect, ops and run return the text of the commands', async () => {
    expect((await call('inspect', { file: 'game.json' })).text).toContain('Counting');
    expect((await call('ops', { word: 'setVariable' })).text).toContain('setVariable(variableName');
    const { text, isError } = await call('run', { file: 'game.json', seconds: 2, bots: 2, until: 'seconds == 1' });
    expect(isError).toBe(false);
    expect(text).toContain('2 joined');
  });

  test('test reports for each failure what was expected and what was found', async () => {
    const { text, isError } = await call('test', {});
    expect(isError).toBe(false);
    expect(text).toContain('seconds run backwards');
    expect(text).toContain('seconds == -2');
    expect(text).toContain('1 failed, 1 passed');
    expect(readdirSync(folder).sort()).toEqual(['broken.json', 'game.json', 'game.scenario.yaml', 'link.json']);
  });

  test('state returns the state at one tick as data', async () => {
    const { text } = await call('state', { file: 'game.json', second: 2, bots: 1, only: ['variables', 'players'] });
    const state = JSON.parse(text);
    expect(state.timeMs).toBe(2000);
    expect(state.variables.seconds).toBe(2);
    expect(state.players).toContainEqual(expect.objectContaining({ name: expect.stringMatching(/bot/i) }));
    expect(Object.keys(state)).toEqual(['tick', 'timeMs', 'players', 'variables']);
  });

  test('picture draws the state at one tick', async () => {
    const { text, svg } = await call('picture', { file: 'game.json', second: 1, bots: 1 });
    expect(text).toContain('at 1 s');
    expect(svg).toMatch(/^<svg .*<\/svg>$/s);
    const flat = { map: { width: 0, height: 0, tilewidth: 64, tileheight: 64, layers: [], tilesets: [] } };
    writeFileSync(join(folder, 'flat.json'), JSON.stringify(countingGame(flat)));
    const drawn = await call('picture', { file: 'flat.json', second: 1 });
    rmSync(join(folder, 'flat.json'));
    expect(drawn).toEqual({ text: expect.stringContaining('no-map: flat.json cannot be drawn'), isError: true });
  });

  test.each(['../secret.json', 'link.json', '/etc/hostname'])(
    'no file is read outside of the folder: %j',
    async (file) => {
      for (const name of ['check', 'inspect', 'run', 'state', 'picture']) {
        const { text, isError } = await call(name, { file, ...(['state', 'picture'].includes(name) && { second: 1 }) });
        expect(isError).toBe(true);
        expect(text).toMatch(/^(?:outside-folder|unreadable-file): /);
        expect(text).not.toContain('Secret');
      }
    },
  );

  test('a scenario cannot read a game outside the allowed folder', async () => {
    const file = join(folder, 'outside.scenario.yaml');
    writeFileSync(file, scenarios.replace('game.json', '../secret.json'));
    const answer = await call('test', { path: 'outside.scenario.yaml' });
    rmSync(file);
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/^outside-folder: /) });
  });

  test('the schema rejects arguments of a wrong type, and the server continues', async () => {
    const { isError, text } = await call('run', { file: 'game.json', bots: 'many' });
    expect(isError).toBe(true);
    expect(text).toContain('bots');
    const misspelt = await call('run', { file: 'game.json', secnds: 3 });
    expect(misspelt).toMatchObject({ isError: true, text: expect.stringContaining('additional properties') });
    const dialect = await call('run', { file: 'game.json', dialect: 'modio' });
    expect(dialect).toEqual({
      isError: true,
      text: 'unknown-dialect: There is no dialect "modio". Did you mean "moddio"?',
    });
    expect((await call('check', { file: 'game.json' })).isError).toBe(false);
  });

  test('the error for a file that is not a game gives the reason', async () => {
    const { isError, text } = await call('state', { file: 'broken.json', second: 1 });
    expect(isError).toBe(true);
    expect(text).toContain('broken.json');
  });
});
