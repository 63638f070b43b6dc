import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { temporaryFolder } from '../server/support.ts';

type Labels = Readonly<Record<string, string>>;
type Selector = Labels | LabelSelector;

/** What the tests read of a manifest. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector?: Selector;
    readonly podSelector?: Selector;
    readonly template?: { readonly metadata: { readonly labels: Labels } };
    readonly scaleTargetRef?: { readonly kind: string; readonly name: string };
  };
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string): string => readFileSync(join(root, 'deploy/kubernetes', name), 'utf8');
/** The manifests of a folder. */
function manifestsOf(folder: string): readonly Manifest[] {
  const { resources } = parse(read(`${folder}kustomization.yaml`)) as { resources: string[] };
  return resources.flatMap((name) =>
    // As in Kubernetes, 0440 is octal.
    parseAllDocuments(read(folder + name), { version: '1.1' }).map((document) => document.toJS() as Manifest),
  );
}

const manifests = manifestsOf('');
const replicas = manifestsOf('replicas/');

/** Whether the types that are generated from the OpenAPI of Kubernetes accept a manifest, without unknown fields. */
function checked(all: readonly Manifest[]): string {
  const folder = temporaryFolder();
  const file = join(folder.path, 'manifests.ts');
  const types = join(root, 'node_modules/kubernetes-types');
  const lines = all.map((manifest, i) => {
    const [version, group = 'core'] = manifest.apiVersion.split('/').reverse();
    const module = `${types}/${group.split('.')[0]}/${version}`;
    return `export const m${i} = ${JSON.stringify(manifest)} satisfies import(${JSON.stringify(module)}).${manifest.kind};`;
  });
  writeFileSync(file, lines.join('\n'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'esnext'];
  const args = [compiler, ...options, '--moduleResolution', 'bundler', file];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  folder.remove();
  return stdout;
}

test('the manifests have the fields and types that Kubernetes publishes', () => {
  expect(manifests.length).toBeGreaterThan(5);
  expect(checked([...manifests, ...replicas])).toBe('');
  const { spec, ...others } = manifests.find(({ kind }) => kind === 'Deployment')!;
  expect(checked([{ ...others, spec: { ...spec, replica: 2 } } as Manifest])).toContain(`'"replica"' does not exist`);
});

test.each([
  ['with Redis', manifests],
  ['without', replicas],
])('services, budgets, policies and the autoscaler %s name pods that are there', (_, manifests) => {
  const workloads = manifests.filter(({ spec }) => spec.template !== undefined);
  const pods = workloads.map(({ spec }) => spec.template!.metadata.labels);
  for (const { kind, spec } of manifests) {
    const selector = spec.selector ?? spec.podSelector;
    if (selector !== undefined) {
      const labels = 'matchLabels' in selector ? (selector.matchLabels as Labels) : (selector as Labels);
      expect(pods, kind).toContainEqual(expect.objectContaining(labels));
    }
    const target = spec.scaleTargetRef;
    if (target !== undefined)
      expect(workloads.map((each) => [each.kind, each.metadata.name])).toContainEqual([target.kind, target.name]);
  }
});

test('each replica without Redis has a volume, where it is told to keep its rooms, and a name', () => {
  const settings = parse(read('replicas/serve.yaml')) as { readonly data: string };
  const { spec } = replicas.find(({ kind }) => kind === 'StatefulSet')! as StatefulSet;
  const [claim] = spec!.volumeClaimTemplates!;
  const mounts = spec!.template.spec!.containers[0]!.volumeMounts!;
  expect(mounts).toContainEqual({ name: claim!.metadata!.name, mountPath: settings.data });
  expect(replicas).toContainEqual(expect.objectContaining({ kind: 'Service', metadata: { name: spec!.serviceName } }));
});

test('the address in the secrets is that of the Redis', () => {
  // The secrets that the head of the file creates.
  const [, redis] = /redis-url=redis:\/\/:\$PASSWORD@([\w-]+):6379/.exec(read('kustomization.yaml')) ?? [];
  const services = manifests.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
  expect(services).toContain(redis);
});
