import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CatalogueOperation, catalogue, issueCodes, loadDefinition, Simulation } from '../../engine/index.ts';
import { isBuilt } from '../support/program.ts';
import { sampleDocument } from '../support/samples.ts';
import { root } from './outside.ts';

type Engine = Record<'catalogue', typeof catalogue> &
  Record<'loadDefinition', typeof loadDefinition> &
  Record<'Simulation', typeof Simulation>;

const load = (path: string): Promise<Engine> => import(join(root, 'engine/dist', path));
const { actions, functions, triggers } = catalogue();
const isLong = ({ about }: { readonly about: string }): boolean => about.length > 24;

test.skipIf(!isBuilt).each([
  ['the page of players', 'src/server/dist/viewer/live.js', [...actions, ...functions, ...triggers]],
  // `why` says what a trigger that never fired waits for.
  ['the page that shows a journal', 'dist/viewer/page.js', [...actions, ...functions]],
])('%s does not carry the manual of the script language', (_, file, described) => {
  const script = readFileSync(join(root, file), 'utf8');
  expect(described.filter(isLong).length).toBeGreaterThan(500);
  const carried = described.filter((each) => isLong(each) && script.includes(JSON.stringify(each.about).slice(1, -1)));
  expect(carried.map(({ type, about }) => [type, about])).toEqual([]);
});

test
  .skipIf(!isBuilt)
  .each(['src/server/dist/viewer/live.js', 'dist/viewer/page.js', 'engine/dist/page/core/issue-codes.js'])(
  '%s carries no reasons and examples of issues',
  (file) => {
    const script = readFileSync(join(root, file), 'utf8');
    const told = Object.values(issueCodes).flatMap(({ because, right }) => [because, right]);
    expect(told.filter((text) => text.length > 24 && script.includes(text))).toEqual([]);
  },
);

test.skipIf(!isBuilt)('the engine of pages lacks the descriptions of operations, and nothing else', async () => {
  const [whole, ofPages] = await Promise.all([load('index.js'), load('page/index.js')]);
  expect(whole.catalogue()).toEqual(catalogue());
  const blank = (operations: readonly CatalogueOperation[]) =>
    operations.map(({ params, why, ...rest }) => ({
      ...rest,
      about: '',
      params: params.map(({ about: _, ...param }) => param),
      isInert: why !== undefined,
    }));
  const found = ofPages.catalogue();
  expect([...found.actions, ...found.functions].filter(({ about }) => about !== '')).toEqual([]);
  expect(found.triggers).toEqual(triggers);
  expect([blank(found.actions), blank(found.functions)]).toEqual([blank(actions), blank(functions)]);

  for (const document of damaged(sampleDocument('outbreak.json'), 300)) {
    expect(ofPages.loadDefinition(document).issues).toEqual(loadDefinition(document).issues);
  }
  const [here, there] = [{ loadDefinition, Simulation }, ofPages].map((engine) => {
    const sim = new engine.Simulation(engine.loadDefinition(sampleDocument('infection.json')).game!, { seed: 'page' });
    sim.join({ name: 'Ann' }).press('w');
    sim.run({ seconds: 20 });
    return sim.hash();
  });
  expect(there).toBe(here);
});

/** The document with a value of another type in one place at a time: in `count` places, evenly spread. */
function* damaged(document: unknown, count: number): Generator<unknown> {
  const text = JSON.stringify(document);
  const places: number[] = [];
  JSON.stringify(document, (_, value) => places.push(places.length) && value);
  const step = Math.max(1, Math.floor(places.length / count));
  for (let wanted = 1; wanted < places.length; wanted += step) {
    let at = 0;
    yield JSON.parse(text, (_, value) => (at++ === wanted ? (typeof value === 'string' ? [] : 'broken') : value));
  }
}
