import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { canBrowse, desktop, launch, newPage, outbreak } from './browser.ts';

/** `@reenact/engine/browser` as packaged. */
const bundle = fileURLToPath(new URL('../../engine/dist/browser.js', import.meta.url));

const play = `
  import { loadDefinition, Simulation } from '/browser.js';
  export function play(document) {
    const sim = new Simulation(loadDefinition(document).game, { seed: 'browser' });
    sim.join({ name: 'Ann' }).press('w');
    sim.run({ seconds: 20 });
    return sim.hash();
  }
`;
const worker = `
  import { play } from '/play.js';
  onmessage = ({ data }) => postMessage(play(data));
`;

test.skipIf(!canBrowse || !existsSync(bundle))(
  'the browser bundle of the engine plays in a page and a worker as in Node',
  async () => {
    const document = JSON.parse(readFileSync(outbreak, 'utf8'));
    const sim = new Simulation(loadDefinition(document).game!, { seed: 'browser' });
    sim.join({ name: 'Ann' }).press('w');
    sim.run({ seconds: 20 });

    const scripts = { '/browser.js': readFileSync(bundle, 'utf8'), '/play.js': play, '/worker.js': worker };
    const browser = await launch();
    try {
      const page = await newPage(browser, { viewport: desktop });
      await page.route('http://engine.test/**', (route) => {
        const body = scripts[new URL(route.request().url()).pathname as keyof typeof scripts];
        return route.fulfill({ contentType: body === undefined ? 'text/html' : 'text/javascript', body: body ?? '' });
      });
      await page.goto('http://engine.test/');
      const hashes = await page.evaluate(`(async (document) => {
      const { play } = await import('/play.js');
      const worker = new Worker('/worker.js', { type: 'module' });
      const answer = new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = () => reject(new Error('The worker failed.'));
      });
      worker.postMessage(document);
      return [play(document), await answer];
    })(${JSON.stringify(document)})`);
      expect(hashes).toEqual([sim.hash(), sim.hash()]);
    } finally {
      await browser.close();
    }
  },
);
