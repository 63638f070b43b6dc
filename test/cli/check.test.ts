import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { script } from '../support/play.ts';
import { countingGame, file, reenact } from './support.ts';

/** The counting game without issues, except for those that a test adds. */
function game(more: Record<string, unknown> = {}): Record<string, unknown> {
  const counting = countingGame(more) as { data: Record<'scripts' | 'variables', Record<string, unknown>> };
  delete counting.data.variables['last word'];
  counting.data.scripts['begin'] = script('gameStart', [{ type: 'sendChatMessage', message: 'Go' }]);
  return counting;
}

/** Games with no issue, an info, a warning and an error. */
const clean = file('clean.json', game());
const noted = file('noted.json', game({ sound: { ring: { name: 'Ring', file: '' } } }));
const warned = file('warned.json', game({ shops: { shop: { itemTypes: { sword: {} } } } }));
const wrong = file('wrong.json', game({ title: ['no', 'text'] }));

describe('exit code', () => {
  test.each<[what: string, args: string[], code: number]>([
    ['nothing to say', [clean], 0],
    ['information', [noted], 0],
    ['information, strictly', [noted, '--strict'], 0],
    ['a warning', [warned], 0],
    ['a warning, strictly', [warned, '--strict'], 1],
    ['an error', [wrong], 1],
    ['an error among others', [clean, wrong, noted], 1],
    ['no file', [clean, 'nowhere.json'], 2],
    ['no file and an error', ['nowhere.json', wrong], 2],
    ['an error and no file', [wrong, 'nowhere.json'], 2],
    ['no JSON', [file('broken.json', '{"data": ')], 1],
    ['no definition', [file('other.json', { a: 1 })], 1],
  ])('%s', async (_what, args, code) => {
    expect((await reenact(['check', ...args])).code).toBe(code);
  });
});

describe('report', () => {
  test('names files, codes and places', async () => {
    const { stdout, stderr } = await reenact(['check', wrong, warned]);
    expect(stderr).toBe('');
    expect(stdout).toContain(wrong);
    expect(stdout).toMatch(/1:\d+ +error +wrong-type/);
    expect(stdout).toMatch(/1:\d+ +warning +dangling-item-type/);
    expect(stdout).toContain('/data/title');
    expect(stdout).toMatch(/1 error, .* in 2 files\.\n$/);
  });

  test('scripts are checked, too', async () => {
    const slips = game();
    const { data } = slips as { data: { scripts: Record<string, { actions: unknown[] }> } };
    data.scripts['second']!.actions.push({ type: 'setVaribale', variableName: 'seconds', value: 1 });
    const { stdout } = await reenact(['check', file('slip.json', slips)]);
    expect(stdout).toMatch(/error +unknown-action/);
    expect(stdout).toContain('setVariable');
  });

  test('--format json has every issue of every file', async () => {
    const { stdout } = await reenact(['check', clean, wrong, 'nowhere.json', '--format', 'json']);
    const { files, counts } = JSON.parse(stdout);
    expect(files.map(({ file }: { file: string }) => file)).toEqual([clean, wrong, 'nowhere.json']);
    expect(files[0].issues).toEqual([]);
    expect(files[1].issues).toMatchObject([{ code: 'wrong-type', pointer: '/data/title', line: 1 }]);
    expect(files[2].issues).toMatchObject([{ code: 'unreadable-file', line: null }]);
    expect(counts.error).toBe(2);
  });

  test('--json is short for --format json', async () => {
    const { code, stdout } = await reenact(['check', wrong, '--json']);
    expect(code).toBe(1);
    expect(stdout).toBe((await reenact(['check', wrong, '--format', 'json'])).stdout);
    expect((await reenact(['check', wrong, '--json', '--format', 'sarif'])).code).toBe(2);
  });

  test.each([
    ['action', { type: 'doWhatNobodyKnows' }],
    ['function', { type: 'setVariable', variableName: 'seconds', value: { function: 'getWhatNobodyKnows' } }],
  ])('an unknown %s is an error, which a run mentions, too', async (_what, action) => {
    const slips = game();
    const { data } = slips as { data: { scripts: Record<string, { actions: unknown[] }> } };
    data.scripts['second']!.actions.push(action);
    const path = file('unknown.json', slips);
    expect(await reenact(['check', path])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/1 error in 1 file/),
    });
    const { stderr } = await reenact(['run', path, '--seconds', '1']);
    expect(stderr).toContain('notice: the definition has 1 error; see: reenact check');
  });

  test('--format unix has a line per issue', async () => {
    const { stdout } = await reenact(['check', wrong, '--format', 'unix']);
    const { issues } = JSON.parse((await reenact(['check', wrong, '--format', 'json'])).stdout).files[0];
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(issues.length);
    for (const line of lines) expect(line).toMatch(/^.*wrong.*:\d+:\d+: (?:error|warning|info): .* \[[\w-]+\]$/);
  });

  test('--format sarif is one log', async () => {
    const { runs } = JSON.parse((await reenact(['check', wrong, '--format', 'sarif'])).stdout);
    expect(runs[0].results).toMatchObject([{ ruleId: 'wrong-type', level: 'error' }]);
  });

  test('issues with the same code are abbreviated after some, unless --all is given', async () => {
    const data = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`unheardOf${i}`, 1]));
    const many = file('many.json', game(data));
    expect((await reenact(['check', many])).stdout).toContain('and 10 more unknown-field');
    const { stdout } = await reenact(['check', many, '--all']);
    expect(stdout).not.toContain('more unknown-field');
    expect(stdout).toContain('unheardOf29');
  });
});

test('every format lists at most 10,000 issues of one severity and says how many more there are', async () => {
  const unknown = { type: 'doWhatNobodyKnows' };
  const wrongs = game();
  const { data } = wrongs as { data: { scripts: Record<string, unknown> } };
  data.scripts['many'] = script('secondTick', new Array(10_007).fill(unknown));
  const many = file('many-issues.json', wrongs);
  const pretty = await reenact(['check', many, '--strict']);
  expect(pretty.code).toBe(1);
  expect(pretty.stdout).toMatch(/- +error +more-issues +7 more issues of this severity were found/);
  expect(pretty.stdout).toMatch(/10007 errors/);
  const { files, counts } = JSON.parse((await reenact(['check', many, '--format', 'json'])).stdout);
  expect(files[0].issues.at(-1)).toMatchObject({ code: 'more-issues', severity: 'error', count: 7, line: null });
  expect(counts.error).toBe(10_007);
  const { runs } = JSON.parse((await reenact(['check', many, '--format', 'sarif'])).stdout);
  expect(runs[0].results.at(-1)).toMatchObject({ ruleId: 'more-issues', level: 'error', occurrenceCount: 7 });
  const { issues } = JSON.parse((await reenact(['run', many, '--seconds', '1', '--json'])).stdout);
  expect(issues.error).toBe(10_007);
});

describe('sources', () => {
  test('the standard input', async () => {
    const { code, stdout } = await reenact(['check', '-'], { stdin: JSON.stringify(game({ title: 5 })) });
    expect(code).toBe(1);
    expect(stdout).toContain('<stdin>');
  });

  test('gzip', async () => {
    const packed = file('packed.json.gz', gzipSync(JSON.stringify(game())));
    expect(await reenact(['check', packed])).toMatchObject({ code: 0, stdout: 'No issues in 1 file.\n' });
  });
});
