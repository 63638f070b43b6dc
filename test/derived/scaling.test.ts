import { expect, test } from 'vitest';
import { capacityText, lineFor, measuredRedisOf, redisPlayers, redisText } from '../../bench/capacity.ts';
import { readHistory } from '../../bench/history.ts';
import { expectDerived, root, textOf } from './derived.ts';

test('the page on scaling has the tables of the newest results', () => {
  const path = 'docs/scaling.md';
  const newest = (name: string) => readHistory(`${root}bench/results`, name).entries.at(-1)!;
  const load = newest('server-load');
  let tables = 0;
  const fresh = textOf(path)
    .replace(/(<!-- capacity (\w+) (\d+) -->\n)[\s\S]*?(<!-- end -->)/g, (_, head, game, rate, end) => {
      tables++;
      return `${head}${capacityText(lineFor(load, game, Number(rate))!)}${end}`;
    })
    .replace(/(<!-- redis -->\n)[\s\S]*?(<!-- end -->)/, (_, head, end) => {
      tables++;
      return `${head}${redisText(measuredRedisOf(newest('shared-journal')), redisPlayers)}${end}`;
    });
  expect(tables).toBe(3);
  expectDerived(path, fresh);
});
