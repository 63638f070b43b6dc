import { describe, expect, test } from 'vitest';
import { Issues } from '../../../engine/core/issue.ts';
import type { IssueCode } from '../../../engine/core/issue-codes.ts';

import { issueCodes } from '../../../src/check/check-game.ts';
import { type FileIssues, formatIssues } from '../../../src/cli/issues/format.ts';
import { wantsColor } from '../../../src/cli/issues/pretty.ts';
import { parseDocument } from '../../../src/load/parse-document.ts';

const text = `{
  "unitTypes": {
    "zombie": {
      "name": 5,
      "speeed": 3,
      "defaultItem": "swrod"
    }
  }
}`;

function gameFile(file = 'games/outbreak.json'): FileIssues {
  const issues = new Issues();
  issues.add('unknown-field', '/unitTypes/zombie/speeed', 'No field is called "speeed".', { suggestion: 'speed' });
  issues.add(
    'dangling-item-type',
    '/unitTypes/zombie/defaultItem',
    'No item type is called "swrod". Did you mean "sword"?',
    {
      suggestion: 'sword',
    },
  );
  issues.add('wrong-type', '/unitTypes/zombie/name', 'A name is a text.', { expected: 'string', found: 'number 5' });
  issues.add('missing-field', '/unitTypes/zombie/body/width', 'A body needs a width.');
  issues.add('unknown-action', '', 'Some actions are not in the vocabulary.', { count: 12 });
  return { file, text, issues: issues.list };
}

describe('pretty', () => {
  test('is grouped by file and severity, in the order of lines, with positions and excerpts', () => {
    expect(formatIssues([gameFile()], 'pretty')).toBe(`games/outbreak.json
   1:1  error    unknown-action  Some actions are not in the vocabulary. (12 times)
  3:15  error    missing-field  A body needs a width.
        /unitTypes/zombie/body/width
    3 |     "zombie": {
      |               ^
  4:15  error    wrong-type  A name is a text.
        expected string, found number 5
        /unitTypes/zombie/name
    4 |       "name": 5,
      |               ^
   5:7  warning  unknown-field  No field is called "speeed".
        did you mean "speed"?
        /unitTypes/zombie/speeed
    5 |       "speeed": 3,
      |       ^
  6:22  warning  dangling-item-type  No item type is called "swrod". Did you mean "sword"?
        /unitTypes/zombie/defaultItem
    6 |       "defaultItem": "swrod"
      |                      ^

3 errors, 2 warnings in 1 file.
`);
  });

  test('a syntax error shows its line and a caret', () => {
    const broken = '{\n\t"name": \'x\'\n}';
    const files = [{ file: 'a.json', text: broken, issues: parseDocument(broken).issues.list }];
    expect(formatIssues(files, 'pretty')).toBe(`a.json
  2:10  error    syntax-error  Strings must be in double quotes, not in single quotes.
    2 |  "name": 'x'
      |          ^

1 error in 1 file.
`);
  });

  test('an error at the end of the text has its caret after the last line', () => {
    const files = [{ file: 'a.json', text: '{"a": [', issues: parseDocument('{"a": [').issues.list }];
    expect(formatIssues(files, 'pretty')).toContain('    1 | {"a": [\n      |        ^\n');
  });

  test('of a long line, only the part around the error is shown', () => {
    const long = `{"list": [${'"😀", '.repeat(300)}oops${', 1'.repeat(300)}]}`;
    const out = formatIssues([{ file: 'a.json', text: long, issues: parseDocument(long).issues.list }], 'pretty');
    const [, , line, caret] = out.split('\n');
    expect(line!.length).toBeLessThan(120);
    expect(line).toMatch(/^ {4}1 \| ….*, oops, 1.*…$/u);
    // The emoji before it take two columns each, which is also their length in UTF-16.
    expect(caret!.indexOf('^')).toBe(line!.indexOf('oops'));
  });

  test.each([
    ['narrow', '{"äöü": x}', 8],
    ['wide', '{"日本": x}', 9],
    ['pictograph', '{"😀": x}', 7],
    ['combining', '{"e\u0301": x}', 6],
    ['tab', '{\t"a": x}', 7],
    ['invisible, shown as its escape', '{"\u202e": x}', 11],
  ])('the caret is under its character after %s', (_what, source, column) => {
    const out = formatIssues([{ file: 'a.json', text: source, issues: parseDocument(source).issues.list }], 'pretty');
    expect(out.split('\n')[3]!.indexOf('^')).toBe('    1 | '.length + column);
  });

  test('control characters in a game cannot control the terminal', () => {
    const issues = new Issues();
    const evil = '\x1b[2J\u009b31m\r\nrm\u202e';
    issues.add('wrong-type', `/${evil}`, `Named ${evil}.`, { expected: evil, found: evil, suggestion: evil });
    const out = formatIssues([{ file: evil, text: `{"${evil}": 1}`, issues: issues.list }], 'pretty');
    expect([...out].filter((c) => /[\p{Cc}\u202e]/u.test(c) && c !== '\n')).toEqual([]);
    expect(out).toContain('Named \\u001b[2J\\u009b31m\\u000d\\u000arm\\u202e.');
    expect(out).not.toMatch(/^rm/m);
  });

  const many = (count: number): FileIssues => {
    const issues = new Issues();
    for (let i = 0; i < count; i++) issues.add('unknown-field', `/f${i}`, `Field ${i}.`);
    issues.add('wrong-type', '/f0', 'Wrong.');
    return {
      file: 'a.json',
      text: JSON.stringify(Object.fromEntries([...Array(count).keys()].map((i) => [`f${i}`, i]))),
      issues: issues.list,
    };
  };

  test('after twenty issues of one code in a file, the rest are only counted', () => {
    const out = formatIssues([many(57), many(20)], 'pretty');
    expect(out.match(/Field \d+\./g)).toHaveLength(40);
    expect(out).toContain('Field 19.');
    expect(out).not.toContain('Field 20.');
    expect(out.match(/… and .*/g)).toEqual(['… and 37 more unknown-field (use --all)']);
    expect(out).toMatch(/\n2 errors, 77 warnings in 2 files\.\n$/);
  });

  test('all issues are listed on request', () => {
    const out = formatIssues([many(57)], 'pretty', false, true);
    expect(out.match(/Field \d+\./g)).toHaveLength(57);
    expect(out).not.toContain('more');
  });

  test('can print hundreds of thousands of issues', () => {
    const issues = new Issues();
    for (let i = 0; i < 300_000; i++) issues.add('unknown-field', '/a', 'Field.');
    const out = formatIssues([{ file: 'a.json', text: '{"a": 1}', issues: issues.list }], 'pretty', false, true);
    expect(out).toMatch(/300000 warnings in 1 file\.\n$/);
  });

  test('a file without issues is only counted', () => {
    const clean = { file: 'clean.json', text: '{}', issues: [] };
    expect(formatIssues([clean], 'pretty')).toBe('No issues in 1 file.\n');
    expect(formatIssues([clean, clean], 'pretty')).toBe('No issues in 2 files.\n');
    expect(formatIssues([], 'pretty')).toBe('No issues in 0 files.\n');
    expect(formatIssues([clean, gameFile('b.json')], 'pretty')).not.toContain('clean.json');
  });

  test('a file that was not read has no positions', () => {
    const issues = new Issues();
    issues.add('unreadable-file', '', 'File "a.json" not found.');
    expect(formatIssues([{ file: 'a.json', text: '', issues: issues.list }], 'pretty')).toBe(
      'a.json\n  -  error    unreadable-file  File "a.json" not found.\n\n1 error in 1 file.\n',
    );
  });

  test('colour does not change the text', () => {
    const plain = formatIssues([gameFile()], 'pretty');
    const coloured = formatIssues([gameFile()], 'pretty', true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences are what is looked for.
    const style = /\x1b\[\d+m/g;
    expect(coloured).toContain('\x1b[31merror  \x1b[0m');
    expect(coloured.replace(style, '')).toBe(plain);
    expect(plain).not.toMatch(style);
  });
});

test.each([
  [true, {}, true],
  [true, { NO_COLOR: '' }, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '0' }, false],
  [false, {}, false],
  [undefined, {}, false],
])('terminal %s with %j: colour %s', (isTTY, env, wanted) => {
  expect(wantsColor({ stdout: { write() {}, isTTY }, env })).toBe(wanted);
});

describe('positions', () => {
  const at = (code: IssueCode, pointer: string, source: string): string => {
    const issues = new Issues();
    issues.add(code, pointer, 'Text.');
    const report = JSON.parse(formatIssues([{ file: 'a', text: source, issues: issues.list }], 'json'));
    const { line, column } = report.files[0].issues[0];
    return `${line}:${column}`;
  };

  test.each([
    ['unknown-field', '/a/b', '{"a": {"b" : 1}}', '1:8'],
    ['unknown-parameter', '/a/b', '{"a": {"b" : 1}}', '1:8'],
    ['wrong-type', '/a/b', '{"a": {"b" : 1}}', '1:14'],
    ['unknown-field', '/a/1', '{"a": [0, 1]}', '1:11'],
    ['missing-field', '/a/x', '{"a": {"b" : 1}}', '1:7'],
    // The parent of a field that does not exist: its value, not its key.
    ['unknown-field', '/a/x/y', '{"a": {"b" : 1}}', '1:7'],
    ['not-a-definition', '', '\n []', '2:2'],
    ['too-large', '', '[]', 'null:null'],
    ['unreadable-file', '', '', 'null:null'],
    ['wrong-type', '/a', '', 'null:null'],
  ] as const)('%s of %s in %j is at %s', (code, pointer, source, position) => {
    expect(at(code, pointer, source)).toBe(position);
  });
});

describe('json', () => {
  test('has every key for every issue', () => {
    const clean = { file: 'clean.json', text: '{}', issues: [] };
    const out = formatIssues([gameFile(), clean], 'json');
    expect(out.endsWith('}\n')).toBe(true);
    // Indented, because people read it, too.
    expect(out).toMatch(/^\{\n {2}"\w/);
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      version: 1,
      files: [
        { file: 'games/outbreak.json', counts: { error: 3, warning: 2, info: 0 } },
        { file: 'clean.json', issues: [], counts: { error: 0, warning: 0, info: 0 } },
      ],
      counts: { error: 3, warning: 2, info: 0 },
    });
    const { issues } = report.files[0];
    expect(issues).toHaveLength(5);
    expect(issues[0]).toEqual({
      code: 'unknown-field',
      severity: 'warning',
      pointer: '/unitTypes/zombie/speeed',
      line: 5,
      column: 7,
      message: 'No field is called "speeed".',
      expected: null,
      found: null,
      suggestion: 'speed',
      count: null,
    });
    expect(issues[2]).toMatchObject({ expected: 'string', found: 'number 5', line: 4, column: 15 });
    expect(issues[4]).toMatchObject({ count: 12, pointer: '', line: 1, column: 1 });
    const keys = Object.keys(issues[0]);
    for (const issue of issues) expect(Object.keys(issue)).toEqual(keys);
  });

  test('is always complete', () => {
    const issues = new Issues();
    for (let i = 0; i < 50; i++) issues.add('unknown-field', '/a', 'Field.');
    const report = JSON.parse(formatIssues([{ file: 'a', text: '{}', issues: issues.list }], 'json', true));
    expect(report.files[0].issues).toHaveLength(50);
  });
});

describe('sarif', () => {
  const log = (files: readonly FileIssues[]) => JSON.parse(formatIssues(files, 'sarif'));

  test('has the required frame', () => {
    const { version, $schema, runs } = log([gameFile()]);
    expect(version).toBe('2.1.0');
    expect($schema).toMatch(/^https:\/\/.*sarif-2\.1\.0\.json$/);
    expect(runs).toHaveLength(1);
    expect(runs[0].columnKind).toBe('utf16CodeUnits');
    expect(runs[0].tool.driver.name).toBe('reenact');
  });

  test('every code is a rule', () => {
    const { rules } = log([]).runs[0].tool.driver;
    expect(rules.map(({ id }: { id: string }) => id)).toEqual(Object.keys(issueCodes));
    for (const { shortDescription, defaultConfiguration, helpUri } of rules) {
      expect(shortDescription.text).not.toBe('');
      expect(['error', 'warning', 'note']).toContain(defaultConfiguration.level);
      expect(helpUri).toBeUndefined();
    }
  });

  test('a result names its rule, its place and its node', () => {
    const { results, tool, artifacts } = log([{ file: 'clean.json', text: '', issues: [] }, gameFile()]).runs[0];
    expect(results).toHaveLength(5);
    for (const result of results) expect(tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(results[2]).toEqual({
      ruleId: 'wrong-type',
      ruleIndex: Object.keys(issueCodes).indexOf('wrong-type'),
      level: 'error',
      message: { text: 'A name is a text. Expected string, found number 5.' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'games/outbreak.json', index: 1 },
            region: { startLine: 4, startColumn: 15 },
          },
          logicalLocations: [{ fullyQualifiedName: '/unitTypes/zombie/name' }],
        },
      ],
      properties: { pointer: '/unitTypes/zombie/name', expected: 'string', found: 'number 5' },
    });
    expect(artifacts[results[2].locations[0].physicalLocation.artifactLocation.index].location.uri).toBe(
      'games/outbreak.json',
    );
    expect(results[0]).toMatchObject({
      level: 'warning',
      message: { text: expect.stringMatching(/Did you mean "speed"\?$/) },
    });
    expect(results[1]).toMatchObject({
      level: 'warning',
      message: { text: 'No item type is called "swrod". Did you mean "sword"?' },
    });
    expect(results[4]).toMatchObject({ occurrenceCount: 12 });
  });

  test('a file that was not read has no region', () => {
    const issues = new Issues();
    issues.add('unreadable-file', '', 'There is no file.');
    const [result] = log([{ file: 'a.json', text: '', issues: issues.list }]).runs[0].results;
    expect(result.locations).toEqual([{ physicalLocation: { artifactLocation: { uri: 'a.json', index: 0 } } }]);
  });

  test.each([
    ['a b/ü#1?.json', 'a%20b/%C3%BC%231%3F.json'],
    ['../x.json', '../x.json'],
    ['c:x.json', 'c%3Ax.json'],
    ['<stdin>', '%3Cstdin%3E'],
    ['/tmp/a b.json', 'file:///tmp/a%20b.json'],
    ['half \ud83d.json', 'half%20%EF%BF%BD.json'],
  ])('the file %s is %s', (file, uri) => {
    expect(log([{ file, text: '', issues: [] }]).runs[0].artifacts[0].location.uri).toBe(uri);
  });

  test('braces and brackets in messages are escaped', () => {
    const issues = new Issues();
    issues.add('wrong-value', '', 'Found {0} in [here](https://example.com) and \\[x\\](1).');
    const [result] = log([{ file: 'a', text: '{}', issues: issues.list }]).runs[0].results;
    expect(result.message.text).toBe('Found {{0}} in [here] (https://example.com) and \\[x\\] (1).');
  });
});
