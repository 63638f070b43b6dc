import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { file, reenact } from '../support.ts';

/** A hand-written document with unusual white space. */
const game = (actions: string, more = ''): string => `{
   "title": "Slips",   "unitTypes": { "walker": { "name": "Walker", "inventorySize": 4 } },
   "variables": { "score": { "dataType": "number", "default": 0 }${more} },
   "scripts": { "go": { "name": "go", "triggers": [ { "type": "secondTick" } ],
      "conditions": [{ "operandType": "boolean", "operator": "==" }, true, true], "actions": [${actions}] } }
}
`;

async function fixed(text: string): Promise<{ after: string; stderr: string; stdout: string }> {
  const path = file('slips.json', text);
  const { stdout, stderr } = await reenact(['check', path, '--fix']);
  return { after: readFileSync(path, 'utf8'), stderr, stdout };
}

describe('reenact check --fix', () => {
  test.each([
    [
      'the name of an action',
      '{"type": "setVariabel", "variableName": "score", "value": 1}',
      'setVariabel',
      'setVariable',
    ],
    ['a variable', '{"type":"setVariable","variableName":"scoer","value":1}', 'scoer', 'score'],
    [
      'a type',
      '{"type":"setVariable","variableName":"score","value":{"function":"getNumberOfUnitsOfUnitType","unitType":"wlaker"}}',
      'wlaker',
      'walker',
    ],
    [
      'a function',
      '{"type":"setVariable","variableName":"score","value":{"function":"getUnitConut"}}',
      'getUnitConut',
      'getUnitCount',
    ],
    ['a number as text', '{"type":"setVariable","variableName":"score","value":"5"}', '"5"', '5'],
  ])('repairs %s, and changes nothing else', async (_what, action, wrong, right) => {
    const text = game(action);
    const { after, stderr } = await fixed(text);
    expect(after).toBe(text.replace(wrong, right));
    expect(stderr).toMatch(/^\S+slips\.json:5:\d+: .* → .*\nfixed: 1 issue in \S+slips\.json\n$/);
  });

  test('repairs names of fields', async () => {
    const text = game('').replace('inventorySize', 'inventorySzie');
    expect((await fixed(text)).after).toBe(text.replace('inventorySzie', 'inventorySize'));
  });

  test.each([
    [
      'a number in a field',
      '"inventorySize": 4',
      '"inventorySize": "4"',
      '"inventorySize": 4',
      '1 number written as text',
    ],
    [
      'a number with a sign and a space',
      '"inventorySize": 4',
      '"baseSpeed": " +4.50"',
      '"baseSpeed": 4.5',
      '1 number written as text',
    ],
    ['an older name', '"inventorySize": 4', '"defaultItem": []', '"defaultItems": []', '1 old field name'],
    [
      'older names and numbers below them',
      '"inventorySize": 4',
      '"bodies": { "default": { "width": "32", "collidesWith": { "unit": true, "walls": true } } }',
      '"bodies": { "default": { "width": 32, "collidesWith": { "units": true, "walls": true } } }',
      '1 number written as text, 1 old field name',
    ],
  ])('rewrites %s', async (_what, from, older, newer, said) => {
    const { after, stderr } = await fixed(game('').replace(from, older));
    expect(after).toBe(game('').replace(from, newer));
    expect(stderr).toContain(`fixed: ${said} in `);
  });

  test.each([
    [
      'two words could be meant',
      game('{"type":"setVariable","variableName":"scora","value":1}', ', "scoro": {"dataType":"number"}'),
    ],
    ['it is an id', game('{"type":"setVariable","variableName":"u8","value":1}', ', "u7": {"dataType":"number"}')],
    [
      'a number in it differs',
      game('{"type":"setVariable","variableName":"round2","value":1}', ', "round1": {"dataType":"number"}'),
    ],
    ['it is more than a slip', game('{"type":"setVariable","variableName":"scrrre","value":1}')],
    [
      'two members would have the same name',
      game('').replace('"inventorySize": 4', '"inventorySzie": 4, "inventorySiez": 9'),
    ],
    ['a member stands twice', game('').replace('"inventorySize": 4', '"inventorySzie": 4, "inventorySzie": 9')],
    ['the number is none in JSON', game('{"type":"setVariable","variableName":"score","value":"Infinity"}')],
    ['it is no JSON', '{ "title": '],
    ['both names are there', game('').replace('"inventorySize": 4', '"defaultItem": [], "defaultItems": []')],
    [
      'the newer name has another form',
      game('').replace('"inventorySize": 4', '"body": { "width": 32, "height": 32 }'),
    ],
    ['a variable starts with a text', game('', ', "lives": {"dataType":"number","default":"3"}')],
    ['a number in a script is a text', game('{"type":"increaseVariableByNumber","variable":"score","number":"5"}')],
    // Scripts refer to states by their key in the document.
    [
      'a state has an older name',
      game('').replace('"inventorySize": 4', '"states": { "unSelected": { "body": "none" } }'),
    ],
    ['a text is no number', game('').replace('"Walker"', '"7"')],
  ])('does not apply unsafe fixes: %s', async (_why, text) => {
    const { after, stderr } = await fixed(text);
    expect({ after, stderr }).toEqual({ after: text, stderr: '' });
  });

  test('of duplicate keys, the one that takes effect is fixed', async () => {
    const text = game('{"type":"setVariabel","type":"setVariabel","variableName":"score","value":1}');
    const at = text.lastIndexOf('setVariabel');
    expect((await fixed(text)).after).toBe(`${text.slice(0, at)}setVariable${text.slice(at + 'setVariable'.length)}`);
  });

  test('keeps a byte order mark and line endings', async () => {
    const text = `\ufeff${game('{"type":"setVariabel"}').replaceAll('\n', '\r\n')}`;
    expect((await fixed(text)).after).toBe(text.replace('setVariabel', 'setVariable'));
  });

  test('a compressed file stays compressed, whatever its name', async () => {
    const bytes = gzipSync(game('{"type":"setVariabel"}'));
    const path = file('packed.json', bytes);
    expect((await reenact(['check', path, '--fix'])).stderr).toMatch(/^cannot-write: .* is compressed/);
    expect(readFileSync(path, 'hex')).toBe(bytes.toString('hex'));
  });

  test('reports files that cannot be written', async () => {
    expect((await reenact(['check', '-', '--fix'])).stderr).toMatch(/^nothing-to-fix: /);
    const path = file('slips.json.gz', gzipSync(game('{"type":"setVariabel"}')));
    expect((await reenact(['check', path, '--fix'])).stderr).toMatch(/^cannot-write: .* is compressed/);
  });

  test('a file keeps its mode, a symbolic link stays a link, and no temporary file remains', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'reenact-fix-'));
    const path = join(folder, 'game.json');
    writeFileSync(path, game('{"type":"setVariabel"}'));
    chmodSync(path, 0o640);
    const link = join(folder, 'link.json');
    symlinkSync('game.json', link);
    const { ino } = statSync(path);
    expect((await reenact(['check', link, '--fix'])).stderr).toContain('fixed: 1 issue in ');
    expect(readFileSync(path, 'utf8')).toBe(game('{"type":"setVariable"}'));
    expect(statSync(path).mode & 0o777).toBe(0o640);
    // The content was never half written: the file was replaced by a new one.
    expect(statSync(path).ino).not.toBe(ino);
    expect(readdirSync(folder, { withFileTypes: true }).map((each) => [each.name, each.isSymbolicLink()])).toEqual([
      ['game.json', false],
      ['link.json', true],
    ]);
    rmSync(folder, { recursive: true });
  });

  test('fixing a fixed file changes nothing', async () => {
    const text = game('{"type":"setVariabel"}').replace(
      '"inventorySize": 4',
      '"inventorySize": "4", "defaultItem": []',
    );
    const { after } = await fixed(text);
    expect(await fixed(after)).toMatchObject({ after, stderr: '' });
  });

  test('a report says what --fix could repair, and what it would leave to a person', async () => {
    const [slip, guess] = ['{"type":"setVariabel"}', '{"type":"setVariable","variableName":"scrrre","value":1}'];
    const path = file('slips.json', game(`${slip}, ${guess}`).replace('"inventorySize": 4', '"inventorySize": "4"'));
    expect((await reenact(['check', path])).stdout).toMatch(
      /slips\.json: --fix can repair 1 issue, 1 number written as text \(--dry-run shows the repairs\); --fix does not apply 1 uncertain suggestion\n$/,
    );
    const { stderr, stdout } = await reenact(['check', path, '--fix']);
    expect(stderr).toMatch(
      /slips\.json:2:\d+: "4" → 4\n\S+slips\.json:5:\d+: "setVariabel" → "setVariable"\nfixed: 1 issue, 1 number written as text in /,
    );
    expect(stdout).toMatch(/\n\S+slips\.json: --fix does not apply 1 uncertain suggestion\n$/);
    expect((await reenact(['check', file('fine.json', game(''))])).stdout).not.toContain('--fix');
  });

  test('--dry-run shows the repairs and writes nothing', async () => {
    const text = game('{"type":"setVariabel","variableName":"score","value":1}');
    const path = file('slips.json', text);
    const { stdout, stderr } = await reenact(['check', path, '--dry-run']);
    expect(stderr).toMatch(/slips\.json:5:103: "setVariabel" → "setVariable"\nwould fix: 1 issue in \S+\n$/);
    expect(stdout).toContain('unknown-action');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('a long list of repairs is cut, unless all are wanted', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `"unit${i}": { "name": "U", "inventorySize": "4" }`).join(', ');
    const path = file('many.json', game('').replace('"unitTypes": {', `"unitTypes": { ${names},`));
    const repairs = async (...args: string[]) => (await reenact(['check', path, '--dry-run', ...args])).stderr;
    expect(await repairs()).toMatch(
      /"4" → 4\n… and 10 more \(--all lists all of them\)\nwould fix: 30 numbers written as text/,
    );
    expect((await repairs('--all')).split('\n')).toHaveLength(32);
  });

  test('errors are listed first, then the rest in the order of lines, each with names beside ids and an excerpt', async () => {
    const text = game('{"type":"setVariable","variableName":"x","value":1}, {"type":"setVariabel"}').replace(
      'inventorySize',
      'inventorySzie',
    );
    const { stdout } = await reenact(['check', file('order.json', text)]);
    const found = ['unknown-action', 'inventorySzie', 'dangling-variable'].map((each) => stdout.indexOf(each));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found).not.toContain(-1);
    expect(stdout).toContain('/unitTypes/walker (Walker)/inventorySzie\n');
    expect(stdout.match(/^ +\d+ \| /gm)).toHaveLength(stdout.match(/^ +\d+:\d+ {2}(?:error|warning|info)/gm)!.length);
  });
});
