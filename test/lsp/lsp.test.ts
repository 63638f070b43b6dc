import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompletionItem, type Range, SymbolKind } from 'vscode-languageserver-protocol/node';
import { loadDefinition } from '../../engine/index.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { setVariable, when } from '../support/actions.ts';
import { isBuilt } from '../support/program.ts';
import { realGamePath, realGames } from '../support/real-games.ts';
import { samplesFolder } from '../support/samples.ts';
import { Editor } from './client.ts';

const samples = ['outbreak', 'infection', 'ray-casting', 'team-elimination'];
const largest = 'braains-io-original-2026.json';

const game = {
  unitTypes: {
    hero: {
      name: 'Hero',
      attributes: { health: { name: 'Health', value: 50, min: 0, max: 100 } },
      bodies: { round: { width: 20, height: 20, type: 'dynamic' } },
      states: { idle: { name: 'idle', body: 'round' } },
    },
  },
  itemTypes: {
    potion: { name: 'Potion', bonus: { consume: { unitAttribute: { health: 5 } } } },
  },
  playerTypes: { people: { name: 'People', attributes: {}, variables: {}, relationships: { people: 'friendly' } } },
  variables: { score: { dataType: 'number', default: 3 }, home: { dataType: 'region', default: { x: 0, y: 0 } } },
  scripts: {
    begin: {
      name: 'the beginning',
      triggers: [{ type: 'gameStart' }],
      conditions: [{ operandType: 'boolean', operator: '==' }, true, true],
      actions: [
        setVariable('score', 10),
        { type: 'runScript', scriptName: 'count' },
        { type: 'createUnitAtPosition', unitType: 'hero', entity: 'x' },
      ],
    },
    count: {
      name: 'counts',
      triggers: [],
      actions: [
        when(
          [{ operandType: 'number', operator: '>' }, { function: 'getVariable', variableName: 'score' }, 5],
          [setVariable('score', 0)],
        ),
      ],
    },
  },
};

const text = JSON.stringify(game, null, 2);

// `npm test` builds first; without a build there is no program to run.
describe.skipIf(!isBuilt)('reenact lsp (skipped where the program is not built)', () => {
  let editor: Editor;
  let folder: string;
  let uri: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reenact-lsp-'));
    editor = await Editor.start({ commands: ['reenact.run'] });
    uri = await editor.open(join(folder, 'game.json'), text);
  }, 60_000);

  afterAll(async () => {
    expect(await editor.end()).toBe(0);
    rmSync(folder, { recursive: true });
  }, 60_000);

  /** The offset of the cursor, which is marked by `|` in a part of the text. */
  function cursor(marked: string, of = editor.text(uri)): number {
    const [before = '', after = ''] = marked.split('|');
    const at = of.indexOf(before + after);
    if (at < 0) throw new Error(`There is no ${before}${after}`);
    return at + before.length;
  }

  async function opened(marked: string): Promise<{ readonly other: string; readonly offset: number }> {
    const other = await editor.open(join(folder, 'marked.json'), marked.replace('|', ''));
    return { other, offset: marked.indexOf('|') };
  }

  async function proposals(marked: string): Promise<{ readonly labels: string[]; taken(label: string): string }> {
    const { other, offset } = await opened(marked);
    const items: CompletionItem[] = await editor.complete(other, offset);
    const labels = items.sort((a, b) => (a.sortText! < b.sortText! ? -1 : 1)).map(({ label }) => label);
    const before = editor.text(other);
    const edits = new Map(items.map((item) => [item.label, editor.taken(other, item)]));
    expect(editor.text(other)).toBe(before);
    await editor.close(other);
    return { labels, taken: (label) => edits.get(label)! };
  }

  const action = (inner: string): string =>
    `{"unitTypes": {"hero": {"name": "Hero", "attributes": {"health": {"value": 1}}}}, "variables": {"score": {"dataType": "number"}}, "scripts": {"a": {"triggers": [], "actions": [${inner}]}}}`;

  describe('diagnostics', () => {
    test.each(samples)('of %s are those of check', async (name) => {
      const path = `${samplesFolder}${name}.json`;
      const content = readFileSync(path, 'utf8');
      const sample = await editor.open(path, content);
      const found = await editor.diagnostics(sample);
      const loaded = loadDefinition(JSON.parse(content));
      const wanted = [...loaded.issues, ...checkGame(loaded.game!)];
      expect(found.map(({ code }) => code)).toEqual(wanted.map(({ code }) => code));
      await editor.close(sample);
    });

    test('are updated after a change, each at the word concerned', async () => {
      const { other } = await opened(action('{"type": "setVariable", "variableName": "score", "value": 1}|'));
      expect((await editor.diagnostics(other)).map(({ code }) => code)).not.toContain('dangling-variable');
      const at = editor.text(other).indexOf('"score", "value"');
      await editor.change(other, at + 1, 5, 'skore');
      const found = (await editor.diagnostics(other)).find(({ code }) => code === 'dangling-variable')!;
      expect(editor.at(other, found.range)).toBe('"skore"');
      expect(found.message).toMatch(/Did you mean "score"\?$/);
      await editor.close(other);
    });

    test('are those of the rules of a project where the editor trusts it', async () => {
      const other = join(folder, 'ruled');
      mkdirSync(other);
      writeFileSync(join(other, 'reenact.config.json'), JSON.stringify({ rules: ['./rules.mjs'] }));
      const rule = (
        report: string,
      ): string => `export const rules = { 'a/b': { severity: 'info', about: 'A.', because: 'B.',
        wrong: '{}', right: '{ "shops": { "x": {} } }', check({ definition, report }) { if (definition.shops.size === 0) ${report}; } } };`;
      writeFileSync(join(other, 'rules.mjs'), rule(`report('/unitTypes', 'No shops.')`));
      const at = join(other, 'game.json');
      const untrusted = await editor.open(at, text);
      expect((await editor.diagnostics(untrusted)).map(({ code }) => code)).not.toContain('a/b');
      await editor.close(untrusted);
      const trusting = await Editor.start({ isTrusted: true });
      const trusted = await trusting.open(at, text);
      expect((await trusting.diagnostics(trusted)).map(({ code }) => code)).toContain('a/b');
      writeFileSync(join(other, 'rules.mjs'), rule(`throw new Error('Oh.')`));
      await trusting.change(trusted, 0, 0, ' ');
      const found = await trusting.diagnostics(trusted);
      expect(found.find(({ code }) => code === 'bad-rules')?.message).toContain('rules.mjs: rules["a/b"] failed: Oh.');
      expect(found.length).toBeGreaterThan(1);
      expect(await trusting.end()).toBe(0);
    });

    test('completion and hover know the words of the host of a project where the editor trusts it', async () => {
      const other = join(folder, 'hosted');
      mkdirSync(other);
      writeFileSync(join(other, 'reenact.config.json'), JSON.stringify({ host: './host.mjs' }));
      writeFileSync(
        join(other, 'host.mjs'),
        `export const operations = {
          awardBadge: { about: 'Awards a badge.', params: { player: 'player', badge: 'string' } },
          getSeason: { about: 'The season.', returns: 'number' },
        };
        export const triggers = { giftReceived: { about: 'A gift came.', payload: { player: 'player' } } };`,
      );
      const trusting = await Editor.start({ isTrusted: true });
      const script = (inner: string, trigger = 'giftReceived') =>
        `{"unitTypes": {}, "scripts": {"a": {"name": "a", "triggers": [{"type": "${trigger}"}], "actions": [${inner}]}}}`;
      const at = join(other, 'game.json');
      const known = script('{"type": "awardBadge", "badge": {"function": "getSeason"}}');
      const file = await trusting.open(at, known);
      expect((await trusting.diagnostics(file)).map(({ code }) => code)).not.toContain('unknown-action');
      for (const [word, about] of [
        ['awardBadge', 'Awards a badge.'],
        ['getSeason', 'The season.'],
        ['giftReceived', 'A gift came.'],
      ] as const)
        expect(await trusting.hover(file, known.indexOf(word) + 1)).toContain(about);
      const proposed = async (marked: string): Promise<string[]> => {
        await trusting.change(file, 0, trusting.text(file).length, marked.replace('|', ''));
        return (await trusting.complete(file, marked.indexOf('|'))).map(({ label }) => label);
      };
      expect(await proposed(script('{"type": "award|"}'))).toContain('awardBadge');
      expect(await proposed(script('{"type": "awardBadge", "badge": {"function": "|"}}'))).toContain('getSeason');
      expect(await proposed(script('{"type": "awardBadge", "|"}'))).toEqual(
        expect.arrayContaining(['player', 'badge']),
      );
      expect(await proposed(script('', '|'))).toContain('giftReceived');
      expect(await trusting.end()).toBe(0);
      // Elsewhere, the module does not run.
      const untrusted = await editor.open(at, known);
      await editor.diagnostics(untrusted);
      expect(await editor.hover(untrusted, known.indexOf('awardBadge') + 1)).not.toContain('Awards');
      await editor.close(untrusted);
    });

    test('follow the configuration of the project', async () => {
      const other = join(folder, 'configured');
      mkdirSync(other);
      const at = join(other, 'game.json');
      const config = { check: { severity: { 'dangling-variable': 'info', 'unused-variable': 'off' } } };
      writeFileSync(join(other, 'reenact.config.json'), JSON.stringify(config));
      const file = await editor.open(at, action('{"type": "setVariable", "variableName": "skore", "value": 1}'));
      const found = await editor.diagnostics(file);
      expect(found.find(({ code }) => code === 'dangling-variable')).toMatchObject({ severity: 3 });
      expect(found.map(({ code }) => code)).not.toContain('unused-variable');
      await editor.close(file);
    });

    test('report where a document is malformed', async () => {
      const { other } = await opened('{"unitTypes": {"a": }|');
      expect(await editor.diagnostics(other)).toMatchObject([{ code: 'syntax-error', severity: 1 }]);
      await editor.close(other);
    });

    test('are not given for JSON that is not a game', async () => {
      const other = await editor.open(join(folder, 'package.json'), '{"name": "x", "scripts": {"test": 5}}');
      // Documents opened later are answered later.
      const { other: broken } = await opened('{"unitTypes": 5}|');
      await editor.diagnostics(broken);
      expect(await editor.hover(other, 12)).toBe('');
      expect(await editor.complete(other, 12)).toEqual([]);
      await editor.close(other);
      await editor.close(broken);
    });
  });

  describe('completion', () => {
    test('proposes the missing fields of an object', async () => {
      const { labels, taken } = await proposals('{"unitTypes": {"hero": {"name": "Hero", "|"}}}');
      expect(labels).toEqual(expect.arrayContaining(['attributes', 'states', 'inventorySize']));
      expect(labels).not.toContain('name');
      expect(taken('attributes')).toMatch(/"name": "Hero", "attributes": \{\$1\}\}/);
    });

    test('proposes the operands of an action, and adds a missing comma', async () => {
      const { labels, taken } = await proposals(action('{"type": "setVariable", | "comment": "x"}'));
      expect(labels.slice(0, 2).sort()).toEqual(['value', 'variableName']);
      expect(taken('variableName')).toContain('"variableName": $1, "comment"');
    });

    test('proposes operations', async () => {
      expect((await proposals(action('{"type": "setV|"}'))).labels).toContain('setVariable');
      expect((await proposals(action('{"type": "setVariable", "value": {"function": "|"}}'))).labels).toContain(
        'getVariable',
      );
      expect((await proposals('{"unitTypes": {}, "scripts": {"a": {"triggers": [{"type": "|"}]}}}')).labels).toContain(
        'secondTick',
      );
      const condition = action('{"type": "condition", "conditions": [{"operandType": "|"}, 1, 1]}');
      expect((await proposals(condition)).labels).toContain('number');
    });

    test.each([
      ['a variable', action('{"type": "setVariable", "variableName": "|"}'), ['score']],
      ['a unit type', action('{"type": "createUnitAtPosition", "unitType": "|"}'), ['hero']],
      ['a variable where nothing is written yet', action('{"type": "setVariable", "variableName": |}'), ['score']],
      [
        'a unit type beside the function that gives one',
        action(
          '{"type": "condition", "conditions": [{"operandType": "unitType", "operator": "=="}, {"function": "getUnitTypeOfUnit", "entity": {"function": "getTriggeringUnit"}}, "|"]}',
        ),
        ['hero'],
      ],
      [
        'a unit type as the value of a variable that holds one',
        '{"unitTypes": {"hero": {}}, "variables": {"kind": {"dataType": "unitType"}}, "scripts": {"a": {"triggers": [], "actions": [{"type": "setVariable", "variableName": "kind", "value": "|"}]}}}',
        ['hero'],
      ],
      [
        'a body of the type',
        '{"unitTypes": {"a": {"bodies": {"round": {}}, "states": {"s": {"body": "|"}}}}}',
        ['round'],
      ],
      [
        'the key of an attribute',
        '{"unitTypes": {"a": {"attributes": {"health": {"value": 1}}}}, "itemTypes": {"i": {"damage": {"unitAttributes": {"|"}}}}}',
        ['health'],
      ],
    ])('proposes %s that fit the position', async (_what, marked, names) => {
      const { labels } = await proposals(marked);
      expect(labels.slice(0, names.length)).toEqual(names);
    });
  });

  describe('hover', () => {
    test('counts every action that changes a variable', async () => {
      const { other, offset } = await opened(
        action(
          [
            '{"type": "decreaseVariableByNumber", "variable": "sco|re", "number": 1}',
            '{"type": "for", "variableName": "score", "start": 1, "stop": 3, "actions": []}',
            '{"type": "sendChatMessage", "message": {"function": "getVariable", "variableName": "score"}}',
          ].join(', '),
        ),
      );
      expect(await editor.hover(other, offset)).toContain('3 uses, 2 of them change it.');
      await editor.close(other);
    });

    test('shows the description of a field', async () => {
      const { other, offset } = await opened('{"unitTypes": {"hero": {"inventory|Size": 5}}}');
      expect(await editor.hover(other, offset)).toMatch(/[Ss]lots/);
      await editor.close(other);
    });

    test('shows the documentation of an operation', async () => {
      expect(await editor.hover(uri, cursor('"type": "setVar|iable"'))).toContain('setVariable(variableName');
      expect(await editor.hover(uri, cursor('"type": "gameSt|art"'))).toMatch(/gameStart/);
    });

    test('shows the value and the uses of a variable', async () => {
      const said = await editor.hover(uri, cursor('"variableName": "sco|re"'));
      expect(said).toContain('**variable** `score`');
      expect(said).toContain('number = `3`');
      expect(said).toContain('3 uses, 2 of them change it.');
    });

    test('shows an action and a script as readable text', async () => {
      expect(await editor.hover(uri, cursor('"type": "condi|tion"'))).toContain('if score > 5');
      expect(await editor.hover(uri, cursor('"cou|nt": {'))).toContain('if score > 5\n  then\n    set score = 0');
    });
  });

  describe('names', () => {
    test('have a definition', async () => {
      const found = await editor.definition(uri, cursor('"variableName": "sco|re"'));
      expect(found.map(({ range }) => editor.at(uri, range))).toEqual(['"score"']);
      expect(found[0]!.range.start).toEqual(positionOf('"score": {'));
      const script = await editor.definition(uri, cursor('"scriptName": "cou|nt"'));
      expect(script[0]!.range.start).toEqual(positionOf('"count": {'));
    });

    function positionOf(part: string) {
      const before = text.slice(0, text.indexOf(part)).split('\n');
      return { line: before.length - 1, character: before.at(-1)!.length };
    }

    test.each([
      ['"sco|re": {', '"score"', 4],
      ['"hea|lth": {', '"health"', 2],
      ['"her|o": {', '"hero"', 2],
      ['"body": "rou|nd"', '"round"', 2],
      ['"scriptName": "cou|nt"', '"count"', 2],
    ])('all references of %s are found', async (marked, word, count) => {
      const found = await editor.references(uri, cursor(marked));
      expect(found.map(({ range }) => editor.at(uri, range))).toEqual(Array.from({ length: count }, () => word));
    });

    test('can be renamed across the document', async () => {
      const { range, placeholder } = (await editor.renamable(uri, cursor('"sco|re": {'))) as {
        readonly range: Range;
        readonly placeholder: string;
      };
      expect([editor.at(uri, range), placeholder]).toEqual(['score', 'score']);
      const changed = JSON.parse((await editor.renamed(uri, cursor('"sco|re": {'), 'points'))!);
      expect(JSON.stringify(changed)).toBe(JSON.stringify(game).replaceAll('"score"', '"points"'));
      const type = JSON.parse((await editor.renamed(uri, cursor('"unitType": "her|o"'), 'fighter'))!);
      expect(JSON.stringify(type)).toBe(JSON.stringify(game).replaceAll('"hero"', '"fighter"'));
    });

    test('cannot be renamed to existing names, or if they belong to the language', async () => {
      await expect(editor.renamed(uri, cursor('"sco|re": {'), 'home')).rejects.toThrow(
        'Another variable already has the name "home"',
      );
      expect(await editor.renamable(uri, cursor('"type": "setVar|iable"'))).toBeNull();
      expect(await editor.renamed(uri, cursor('"dataTy|pe"'), 'x')).toBeUndefined();
    });

    test.each(samples)('renamed in %s give no new issues', async (name) => {
      const path = `${samplesFolder}${name}.json`;
      const content = readFileSync(path, 'utf8');
      const sample = await editor.open(path, content);
      const codes = (of: string): string[] => {
        const { game: read, issues } = loadDefinition(JSON.parse(of));
        return [...issues, ...checkGame(read!)].map(({ code }) => code);
      };
      const { data } = JSON.parse(content).gameJson;
      for (const section of ['unitTypes', 'variables', 'scripts'] as const) {
        const [key] = Object.keys(data[section] ?? {});
        if (key === undefined) continue;
        const from = content.indexOf(`"${section}"`, content.indexOf('"data"'));
        const at = content.indexOf(`${JSON.stringify(key)}:`, from);
        const changed = (await editor.renamed(sample, at + 2, 'entirelyNew'))!;
        expect(changed, `${section} ${key}`).toContain('"entirelyNew"');
        expect(codes(changed), `${section} ${key}`).toEqual(codes(content));
      }
      await editor.close(sample);
    });
  });

  describe('repairs', () => {
    test('are offered for suggestions', async () => {
      const { other } = await opened(action('{"type": "setVariabel", "variableName": "score", "value": 1}|'));
      const found = (await editor.diagnostics(other)).find(({ code }) => code === 'unknown-action')!;
      const [fix] = await editor.actions(other, found.range);
      expect(fix).toMatchObject({ title: 'Change to "setVariable"', kind: 'quickfix' });
      expect(editor.edited(other, fix!.edit!)).toContain('"type": "setVariable"');
      const [all] = await editor.actions(other, found.range, 'source.fixAll');
      expect(editor.edited(other, all!.edit!)).toContain('"type": "setVariable"');
      await editor.close(other);
    });
  });

  test('shows a game on one line as text, and what each line of it is in the JSON', async () => {
    const uri = await editor.open('/games/text.json', JSON.stringify(game));
    const { text, shown } = (await editor.printed(uri))!;
    const lines = text.split('\n');
    const of = (line: string) => shown[lines.indexOf(line)];
    expect(of('  set score = 10')).toBe('{"type":"setVariable","variableName":"sc');
    expect(of('script "counts" (count): when called')).toMatch(/^\{"name":"counts","triggers":\[\],"act/);
    expect(of('    then')).toMatch(/^\[\{"type":"setVariable"/);
    expect(of('    health "Health": max 100, min 0, value 50')).toMatch(/^\{"name":"Health"/);
    expect(shown[lines.indexOf('')]).toBe(undefined);
    expect(await editor.printed(await editor.open('/games/other.json', '[1]'))).toBe(null);
  });

  test('writes an edited text back into the JSON, which stays the same otherwise', async () => {
    const json = JSON.stringify(game);
    const uri = await editor.open('/games/written.json', json);
    const { text } = (await editor.printed(uri))!;
    expect(await editor.written(uri, text)).toBe(json);
    expect(await editor.written(uri, text.replace('set score = 10', 'set score = (score + 1)'))).toBe(
      json.replace(
        '"value":10',
        '"value":{"function":"calculate","items":[{"operator":"+"},{"function":"getVariable","variableName":"score"},1]}',
      ),
    );
    const line = text.split('\n').indexOf('  set score = 10');
    expect(await editor.written(uri, text.replace('set score = 10', 'set score = getPlayerCont()'))).toMatchObject([
      {
        code: 'text-unknown-word',
        message: 'There is no function getPlayerCont. Did you mean "getPlayerCount"?',
        range: { start: { line, character: 14 } },
      },
    ]);
    await editor.change(uri, 0, 1, '');
    expect(await editor.written(uri, text)).toBe(null);
  });

  test('outlines scripts by name and trigger', async () => {
    const [scripts] = await editor.symbols(uri);
    expect(scripts!.children!.map(({ name, detail }) => [name, detail])).toEqual([
      ['the beginning', 'gameStart'],
      ['counts', ''],
    ]);
  });

  test('folds what is longer than a line, and colours names by what they are', async () => {
    const line = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length - 1;
    expect(await editor.foldings(uri)).toContainEqual({
      startLine: line('"begin": {'),
      endLine: line('"count": {') - 2,
    });
    const tokens = await editor.tokens(uri);
    expect(tokens).toContain('class "hero"');
    expect(tokens.filter((token) => token === 'function "count"')).toHaveLength(2);
    expect(tokens.filter((token) => token === 'variable "score"')).toHaveLength(4);
  });

  test('finds things of all open games by key or name', async () => {
    const found = await editor.workspaceSymbols('the begin');
    const own = found.filter(({ location }) => location.uri === uri);
    expect(own).toMatchObject([{ name: 'the beginning', kind: SymbolKind.Function, containerName: 'script' }]);
    expect(editor.at(uri, own[0]!.location.range)).toBe('"begin"');
  });

  test('proposes only what has the letters before the cursor', async () => {
    const { labels } = await proposals(text.replace('"createUnitAtPosition"', '"crUnit|"'));
    expect(labels).toContain('createUnitAtPosition');
    expect(labels).not.toContain('setVariable');
  });

  test('has a code lens at each script, with commands that the client supports', async () => {
    const found = await editor.lenses(uri);
    expect(found.map(({ command }) => command!.title)).toEqual([
      'when gameStart: 3 actions',
      'run',
      'when called: 1 action',
      'run',
    ]);
    expect(found[1]!.command).toMatchObject({
      command: 'reenact.run',
      arguments: [uri, 'scripts/begin', ['gameStart']],
    });
  });

  test('has a lens with the runs of each script in the last tests, and the text has the runs of each line', async () => {
    const path = join(folder, 'game.json');
    const coverage = join(folder, '.reenact', 'coverage.json');
    writeFileSync(path, text);
    mkdirSync(join(folder, '.reenact'), { recursive: true });
    const runs = { [path]: { '/scripts/count': 12, '/scripts/count/actions/0': 7 } };
    writeFileSync(coverage, JSON.stringify({ reenactCoverage: 1, runs }));
    const titles = (await editor.lenses(uri)).map(({ command }) => command!.title);
    expect(titles.slice(2)).toEqual(['when called: 1 action', 'coverage 12×', 'run']);
    const printed = (await editor.printed(uri))!;
    const counted = printed.text
      .split('\n')
      .flatMap((line, i) => (printed.runs[i] == null ? [] : [line, printed.runs[i]]));
    expect(counted).toEqual(['script "counts" (count): when called', 12, '  if score > 5', 7]);
    const laterSeconds = Date.now() / 1000 + 9;
    utimesSync(path, laterSeconds, laterSeconds);
    expect(await editor.lenses(uri)).toHaveLength(4);
    writeFileSync(coverage, 'broken');
    utimesSync(coverage, laterSeconds, laterSeconds);
    expect(await editor.lenses(uri)).toHaveLength(4);
    rmSync(join(folder, '.reenact'), { recursive: true });
  });

  describe('scenarios', () => {
    const scenario = (steps: string): string =>
      `game: game.json\nscenarios:\n  - name: counts\n    given:\n      players: [alice]\n    steps:\n${steps}`;
    let at: string;

    beforeAll(() => {
      writeFileSync(join(folder, 'game.json'), text);
      at = join(folder, 'game.scenario.yaml');
    });

    test('have diagnostics of keys and of names of the game', async () => {
      const file = await editor.open(at, scenario('      - wait: 2 s\n      - expect: skore == 10\n'));
      const found = await editor.diagnostics(file);
      expect(found).toHaveLength(1);
      expect(found[0]!.message).toContain('Did you mean "score"?');
      expect(editor.at(file, found[0]!.range)).toBe('- expect: skore == 10');
      await editor.change(file, editor.text(file).indexOf('skore'), 5, 'score');
      expect(await editor.diagnostics(file)).toEqual([]);
      await editor.change(file, editor.text(file).indexOf('wait'), 4, 'wiat');
      expect((await editor.diagnostics(file))[0]!.message).toContain('Did you mean `wait`?');
      await editor.close(file);
    });

    test('follow unsaved changes of the game', async () => {
      const file = await editor.open(at, scenario('      - expect: points == 3\n'));
      expect(await editor.diagnostics(file)).toHaveLength(1);
      await editor.change(uri, text.indexOf('"score"') + 1, 5, 'points');
      for (let tries = 0; tries < 50 && (await editor.diagnostics(file)).length > 0; tries++)
        await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await editor.diagnostics(file)).toEqual([]);
      await editor.change(uri, text.indexOf('"score"') + 1, 6, 'score');
      await editor.close(file);
    });

    test.each([
      ['steps', '      - |\n', ['wait', 'expect', 'join']],
      ['keys of a step', '      - wait: 2 s\n        |\n', []],
      ['variables in an expression', '      - expect: sc|\n', ['score']],
      ['players', '      - leave: |\n', ['alice']],
      ['scripts', '      - ran: |\n', ['counts']],
    ])('complete %s', async (_what, marked, names) => {
      const whole = scenario(marked);
      const file = await editor.open(at, whole.replace('|', ''));
      const labels = (await editor.complete(file, whole.indexOf('|'))).map(({ label }) => label);
      expect(labels).toEqual(expect.arrayContaining(names));
      await editor.close(file);
    });

    test('complete names in quotes where YAML would read something else', async () => {
      const whole = scenario('      - leave: |\n').replace('[alice]', "[alice, 'Bob: the 2nd']");
      const file = await editor.open(at, whole.replace('|', ''));
      const found = await editor.complete(file, whole.indexOf('|'));
      expect(found.map(({ textEdit }) => textEdit?.newText)).toEqual(['alice', '"Bob: the 2nd"']);
      await editor.close(file);
    });

    test('have hovers for keys, and definitions of names of the game', async () => {
      const whole = scenario('      - wa|it: 2 s\n      - expect: score == 10\n');
      const file = await editor.open(at, whole.replace('|', ''));
      expect(await editor.hover(file, whole.indexOf('|'))).toMatch(/\.$/);
      const [found] = await editor.definition(file, editor.text(file).indexOf('score ==') + 2);
      expect(found!.uri).toBe(uri);
      expect(editor.at(uri, found!.range)).toBe('"score"');
      await editor.close(file);
    });

    test('that cannot be read are reported and do no harm', async () => {
      const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, i) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[i]}`).join()}]\n`).join('')}`;
      for (const hostile of [
        bomb,
        `scenarios: ${'['.repeat(5000)}`,
        'x: y: z',
        '- '.repeat(2000),
        '\u0000',
        'x'.repeat(1_100_000),
      ]) {
        const file = await editor.open(at, hostile);
        expect((await editor.diagnostics(file)).length).toBeGreaterThan(0);
        await editor.complete(file, Math.min(5, hostile.length));
        await editor.hover(file, 1);
        await editor.close(file);
      }
    }, 60_000);
  });

  test.each(['blank', 'coins'])('the template %s has no diagnostics', async (name) => {
    const template = readFileSync(join(samplesFolder, '../../templates', name, 'game.json'), 'utf8');
    const file = await editor.open(join(folder, `${name}.json`), template);
    expect(await editor.diagnostics(file)).toEqual([]);
    await editor.close(file);
  });

  test('line ends of Windows and characters of two code units do not move anything', async () => {
    const written = text.replace('"Hero"', '"𝕳𝕰𝕽𝕺 😀"').replaceAll('\n', '\r\n');
    const file = await editor.open(join(folder, 'windows.json'), written);
    const uses = await editor.references(file, written.indexOf('"score"') + 2);
    expect(uses.map(({ range }) => editor.at(file, range))).toEqual(uses.map(() => '"score"'));
    expect(uses.length).toBe(4);
    const wrong = written.indexOf('"hero",\r\n');
    await editor.change(file, wrong + 2, 1, '😀');
    const [found] = (await editor.diagnostics(file)).filter(({ code }) => code === 'dangling-unit-type');
    expect(editor.at(file, found!.range)).toBe('"h😀ro"');
    expect(await editor.renamed(file, editor.text(file).indexOf('"score"') + 2, 'points')).toBe(
      editor.text(file).replaceAll('"score"', '"points"'),
    );
    await editor.close(file);
  });

  test('a key that is there twice is reported, and the last one counts', async () => {
    const twice = text.replace('"scripts": {', '"scripts": {"begin": {"name": 5}, ');
    const file = await editor.open(join(folder, 'twice.json'), twice);
    const [found] = (await editor.diagnostics(file)).filter(({ code }) => code === 'duplicate-key');
    expect(editor.at(file, found!.range)).toContain('begin');
    expect((await editor.symbols(file)).length).toBeGreaterThan(0);
    await editor.close(file);
  });

  test('places outside of a document are answered', async () => {
    const outside = [
      { line: 1e6, character: 0 },
      { line: 0, character: 1e6 },
      { line: 2 ** 31 - 1, character: 2 ** 31 - 1 },
    ];
    const file = await editor.open(join(folder, 'outside.json'), text);
    for (const position of outside) await editor.askAt(file, position);
    const scenarios = await editor.open(join(folder, 'outside.scenario.yaml'), 'game: game.json\nscenarios: []\n');
    for (const position of outside) await editor.askAt(scenarios, position);
    for (const each of [file, scenarios]) await editor.close(each);
    expect(await editor.hover(uri, cursor('"variableName": "sco|re"'))).toContain('score');
  });

  describe('hostile documents', () => {
    const deep = (levels: number): string => `{"unitTypes": ${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    const lists = `{"unitTypes": {}, "scripts": {"a": {"actions": ${'['.repeat(200_000)}`;
    const wide = (length: number): string =>
      `{"unitTypes": {${Array.from({ length }, (_, i) => `"t${i}": {"nmae": "x"}`).join()}}}`;
    const actions = Array.from(
      { length: 900 },
      () => '{"type":"condition","conditions":[{"operator":"AND"},[],[]],"then":[',
    ).join('');
    const nested = `{"unitTypes": {}, "scripts": {"a": {"triggers": [], "actions": [${actions}${']}'.repeat(900)}]}}}`;

    test.each([
      ['nothing', ''],
      ['a broken one', '{"unitTypes": {"a": {"name": "x", }, {,,: "'],
      ['half of a string', '{"unitTypes": {"a'],
      ['one that is nested 100,000 deep', deep(100_000)],
      ['lists that never end', lists],
      ['one nested as deep as may be', deep(990)],
      ['conditions nested as deep as may be', nested],
      [
        'the key __proto__',
        '{"unitTypes": {"__proto__": {"name": 1}}, "scripts": {"constructor": {"actions": [{"type": "toString"}]}}}',
      ],
      [
        'values of the wrong kind',
        '{"unitTypes": [1, null, {"attributes": 5}], "scripts": {"a": null, "b": {"actions": {"0": []}, "triggers": 1}}, "variables": "x"}',
      ],
      ['numbers too large', '{"unitTypes": {"a": {"attributes": {"b": {"value": 1e999, "max": -1e999}}}}}'],
      ['20 MB', wide(400_000).padEnd(20 * 1024 * 1024, ' ')],
      ['twenty thousand mistakes', wide(20_000)],
      ['2 MB in one string', `{"unitTypes": {"a": {"name": "${'x'.repeat(2 * 1024 * 1024)}"}}}`],
      [
        'bytes',
        `{"unitTypes": ${Array.from({ length: 5000 }, (_, i) => String.fromCharCode((i * 7919) % 65536)).join('')}`,
      ],
    ])(
      '%s is answered',
      async (_what, content) => {
        const { other } = await opened(`${content}|`);
        if (content.includes('"unitTypes":')) await editor.diagnostics(other);
        const middle = Math.floor(content.length / 2);
        for (const offset of [0, Math.min(content.length, 20), middle, content.length]) {
          await editor.hover(other, offset);
          await editor.complete(other, offset);
          await editor.references(other, offset);
          await editor.renamable(other, offset);
        }
        await editor.symbols(other);
        await editor.lenses(other);
        const start = { line: 0, character: 0 };
        await editor.actions(other, { start, end: start }, 'source.fixAll');
        await editor.close(other);
        // It still works.
        expect(await editor.hover(uri, cursor('"variableName": "sco|re"'))).toContain('score');
      },
      300_000,
    );
  });

  test.skipIf(!realGames.includes(largest))(
    'the largest real game: all answers (skipped where the folder is absent)',
    async () => {
      const content = readFileSync(realGamePath(largest), 'utf8');
      const big = await editor.open(join(folder, largest), content);
      const loaded = loadDefinition(JSON.parse(content));
      const wanted = [...loaded.issues, ...checkGame(loaded.game!)].map(({ code }) => code);
      expect((await editor.diagnostics(big)).map(({ code }) => code)).toEqual(wanted);
      await editor.change(big, content.indexOf('"actions"') + 9, 0, ' ');
      expect((await editor.diagnostics(big)).map(({ code }) => code)).toEqual(wanted);
      const name = cursor('"variableName":"|', editor.text(big));
      const uses = await editor.references(big, name + 1);
      expect(uses.length).toBeGreaterThan(1);
      expect(new Set(uses.map(({ range }) => editor.at(big, range))).size).toBe(1);
      expect((await editor.complete(big, name)).length).toBeGreaterThan(10);
      expect((await editor.lenses(big)).length).toBeGreaterThan(100);
      await editor.close(big);
    },
    300_000,
  );
});
