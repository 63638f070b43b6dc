import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { Metrics } from '../../src/server/metrics.ts';
import { serve, temporaryFolder } from './support.ts';

const folder = new URL('../../docs/monitoring/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

const { panels } = JSON.parse(read('grafana-dashboard.json')) as { readonly panels: readonly Panel[] };
const { groups } = parse(read('alerts.yml')) as {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
};
const queries = [
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
];

test('the dashboard and the alerts use metrics that a server has, and nearly all of ours', async () => {
  const data = temporaryFolder();
  const { server, url } = await serve(data.path);
  const text = await (await fetch(`${url}/metrics`)).text();
  await server.stop();
  data.remove();
  // Prometheus itself adds `up`.
  const known = new Set(['up', ...Array.from(text.matchAll(/^# TYPE (\w+) /gm), ([, name]) => name!)]);
  const asked = new Set<string>();
  for (const [title, expr] of queries) {
    const names = Array.from(expr.matchAll(/\b(?:up\b|(?:reenact|process|nodejs)_\w+)/g), ([name]) =>
      name.replace(/_bucket$/, ''),
    );
    expect(names, title).not.toEqual([]);
    for (const name of names) {
      expect(known, title).toContain(name);
      asked.add(name);
    }
  }
  const ours = [...known].filter((name) => name.startsWith('reenact_'));
  expect(ours.filter((name) => !asked.has(name)).sort()).toEqual([
    'reenact_received_messages_total',
    'reenact_sent_messages_total',
  ]);
});

const noSizes = { rooms: () => [], connections: () => 0, playersWithoutData: () => 0, isStoreFailing: () => false };

test('the alert of a server that is down names the job of deploy/prometheus.yml', () => {
  const { scrape_configs } = parse(readFileSync(new URL('../../deploy/prometheus.yml', import.meta.url), 'utf8')) as {
    scrape_configs: { job_name: string }[];
  };
  const expr = queries.find(([title]) => title === 'ReenactDown')![1];
  expect(/job="(\w+)"/.exec(expr)![1]).toBe(scrape_configs[0]!.job_name);
});

test('problems that alerts name are counted from 0, so that the first one is an increase', async () => {
  const codes = queries.flatMap(([, expr]) => /code=~"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? []);
  expect(codes.length).toBeGreaterThan(3);
  const { text } = await new Metrics(noSizes).text();
  for (const code of codes) expect(text).toContain(`reenact_problems_total{code="${code}"} 0\n`);
});
