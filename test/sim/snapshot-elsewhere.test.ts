import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type JournalRecord, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import { sampleGame, samplesFolder } from '../support/samples.ts';

const samples = readdirSync(samplesFolder).filter((file) => file.endsWith('.json'));

test.for(samples)('a simulation restored in another process behaves the same: %s', (file, { skip }) => {
  const built = fileURLToPath(new URL('../../dist/engine/index.js', import.meta.url));
  if (!existsSync(built)) skip('dist/ is missing: npm run build');
  const sim = new Simulation(sampleGame(file), { seed: 's' });
  const bots = new Bots(sim, { count: 6, seed: 's' });
  const play = (ticks: number, each: () => void = () => {}): void => {
    for (let i = 0; i < ticks; i++) {
      bots.beforeStep();
      sim.step();
      each();
    }
  };
  play(400);
  const folder = mkdtempSync(join(tmpdir(), 'reenact-snapshot-'));
  writeFileSync(join(folder, 'state'), sim.snapshot());
  const inputs: Record<number, unknown> = {};
  const hashes = [sim.hash()];
  const note = (record: JournalRecord): void => {
    if (record.kind === 'inputs') inputs[record.tick] = record.inputs;
  };
  sim.journal(note, { snapshotTicks: 0 });
  play(300, () => hashes.push(sim.hash()));
  writeFileSync(join(folder, 'inputs'), JSON.stringify(inputs));
  writeFileSync(
    join(folder, 'on.mjs'),
    `import { readFileSync } from 'node:fs';
    import { loadDefinition, Simulation, SnapshotError } from ${JSON.stringify(new URL(`file://${built}`).href)};
    const [, , document, state, given] = process.argv;
    const { game } = loadDefinition(JSON.parse(readFileSync(document, 'utf8')));
    const inputs = JSON.parse(readFileSync(given, 'utf8'));
    try {
      const sim = Simulation.restore(game, readFileSync(state));
      const hashes = [sim.hash()];
      for (let i = 0; i < 300; i++) {
        for (const input of inputs[sim.tick + 1] ?? []) sim.input(input);
        sim.step();
        hashes.push(sim.hash());
      }
      console.log(JSON.stringify(hashes));
    } catch (error) {
      console.log(JSON.stringify(error instanceof SnapshotError ? error.code : String(error)));
    }`,
  );
  const args = ['on.mjs', 'state', 'inputs'].map((name) => join(folder, name));
  const answer: string[] | string = JSON.parse(
    execFileSync(process.execPath, [args[0]!, `${samplesFolder}${file}`, ...args.slice(1)], {
      encoding: 'utf8',
      maxBuffer: 1 << 24,
    }),
  );
  const stale = typeof answer === 'string' || answer[0] !== hashes[0];
  if (stale) skip('dist/ is not of these sources: npm run build');
  expect(answer).toEqual(hashes);
  expect(Object.keys(inputs).length).toBeGreaterThan(100);
});
