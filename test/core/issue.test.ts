import { expect, test } from 'vitest';
import { Issues } from '../../engine/core/issue.ts';

test('a check that waits is made when the list is asked for, once, after all that was added', () => {
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
