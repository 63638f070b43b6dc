import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const filesOf = (folder: string): string[] => readdirSync(new URL(folder, root)).map((name) => folder + name);
const yamlFiles = [
  'action.yml',
  '.github/dependabot.yml',
  ...filesOf('.github/workflows/'),
  ...filesOf('.github/ISSUE_TEMPLATE/'),
].filter((path) => path.endsWith('.yml'));

test.each(yamlFiles)('%s is YAML without errors and warnings', (path) => {
  const { errors, warnings } = parseDocument(read(path), { uniqueKeys: true });
  expect([...errors, ...warnings]).toEqual([]);
});

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe.each(filesOf('.github/workflows/'))('%s', (path) => {
  const workflow = parseDocument(read(path)).toJS() as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

  test('runs scripts that exist', () => {
    const named = commands.flatMap((command) =>
      [...command.matchAll(/\bnpm (?:run (?:-s )?([\w:]+)|(start|test)\b)/g)].map((match) => match[1] ?? match[2]!),
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('pins the major version of each action that it uses', () => {
    const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(used.filter((name) => !/^[\w-]+\/[\w-]+@v\d+$/.test(name))).toEqual([]);
  });

  test('may only read, unless a job says otherwise, and ends by itself', () => {
    expect(workflow.permissions).toHaveProperty('contents', 'read');
    expect(jobs.filter((job) => job['timeout-minutes'] === undefined)).toEqual([]);
  });
});

test('changes are checked on three systems by what README and .ci/run say', () => {
  const { jobs } = parseDocument(read('.github/workflows/ci.yml')).toJS() as Workflow;
  const commandsOf = (job: Job | undefined): (string | undefined)[] => job?.steps.map(({ run }) => run) ?? [];
  expect(commandsOf(jobs['linux'])).toContain('.ci/run');
  expect(commandsOf(jobs['systems'])).toEqual(expect.arrayContaining(['npm ci', 'npm start', 'npm test']));
});

test('nothing is published but by a tag or by hand', () => {
  const publishing = filesOf('.github/workflows/').filter((path) => /npm publish|deploy-pages/.test(read(path)));
  const triggers = publishing.map((path) => (parseDocument(read(path)).toJS() as Workflow).on);
  expect(triggers).toEqual([{ push: { tags: ['v*'] } }, { workflow_dispatch: null }]);
});
