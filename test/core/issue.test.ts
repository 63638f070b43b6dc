import { expect, test } from 'vitest';
import { Issues, issuesMax, joinIssues, severityCounts } from '../../engine/core/issue.ts';

test('a deferred check runs once, when the list is read, after everything that was added', () => {
  const issues = new Issues();
  let made = 0;
  issues.later(() => {
    made++;
    issues.add('dangling-variable', '/b', 'found later');
  });
  issues.add('dangling-variable', '/a', 'found at once');
  expect(made).toBe(0);
  expect(issues.list.map(({ pointer }) => pointer)).toEqual(['/a', '/b']);
  expect(issues.count('warning')).toBe(2);
  expect(made).toBe(1);
});

test('at most 10,000 issues of one severity are kept, and the last says how many more there are', () => {
  const issues = new Issues();
  let described = 0;
  const pointer = () => `/${++described}`;
  for (let i = 0; i < issuesMax + 5; i++) issues.add('unknown-parameter', pointer, 'no such parameter');
  expect(issues.isFull('unknown-parameter')).toBe(true);
  issues.add('wrong-type', '/late', 'an error that comes late');
  const { list } = issues;
  expect(described).toBe(issuesMax);
  expect(list).toHaveLength(issuesMax + 2);
  expect(list.at(-2)).toMatchObject({ code: 'wrong-type', pointer: '/late' });
  expect(list.at(-1)).toEqual({
    code: 'more-issues',
    severity: 'info',
    pointer: '',
    message: '5 more issues of this severity were found, but only the first 10000 are listed.',
    count: 5,
  });
  expect(severityCounts(list)).toEqual({ error: 1, warning: 0, info: issuesMax + 5 });
  expect(issues.count('info')).toBe(issuesMax + 5);
});

test('joined lists have one final issue, which counts what all of them left out', () => {
  const listOf = (code: 'unknown-parameter' | 'wrong-type', count: number) => {
    const issues = new Issues();
    for (let i = 0; i < count; i++) issues.add(code, `/${i}`, 'wrong');
    return issues.list;
  };
  const infos = listOf('unknown-parameter', issuesMax + 3);
  const list = joinIssues(
    infos,
    listOf('wrong-type', 2),
    listOf('unknown-parameter', 4),
    listOf('wrong-type', issuesMax),
  );
  expect(list).toHaveLength(2 * issuesMax + 2);
  expect(list.slice(-2)).toMatchObject([
    { code: 'more-issues', severity: 'error', count: 2 },
    { code: 'more-issues', severity: 'info', count: 7 },
  ]);
  expect(severityCounts(list)).toEqual({ error: issuesMax + 2, warning: 0, info: issuesMax + 7 });
});

test('no messages are built if issues are only counted', () => {
  const issues = new Issues(0);
  issues.add(
    'wrong-type',
    () => {
      throw new Error('Nobody asked.');
    },
    'wrong',
  );
  expect(issues.list).toMatchObject([{ code: 'more-issues', severity: 'error', count: 1 }]);
});
