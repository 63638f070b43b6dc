import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as Engine from '../engine/index.ts';
import type * as Inside from '../engine/internal.ts';
import { compare } from './measure.ts';
import { definition, nestedActions } from './nested-script.ts';

/**
 * The cost of counting actions: `npm run build && node dist/bench/counting.js [rounds]`. The same scripts run on the engine and on a copy of it
 * without counts against a budget, by turns in one process. The copy is made of the built files, and goes afterwards.
 */

const built = fileURLToPath(new URL('../', import.meta.url));
const copy = `${built}uncounted`;
/** How the budget of a tick is spent in an action list. */
const spending = /if \(--runtime\.budget < 0\)\s*runtime\.outOfActions\(\);/g;
const places = 2;
const units = 100;
const warmups = 100;

async function worker(folder: string): Promise<() => void> {
  const { loadDefinition, Simulation } = (await import(`${folder}/index.js`)) as typeof Engine;
  const { insideOf, noEntity } = (await import(`${folder}/internal.js`)) as typeof Inside;
  const work = { name: 'work', triggers: [], conditions: [], actions: nestedActions };
  const create = {
    name: 'create',
    triggers: [{ type: 'gameStart' }],
    actions: Array.from({ length: units }, () => ({
      type: 'createUnitAtPosition',
      unitType: 'walker',
      entity: { function: 'computerPlayer', number: 1 },
      position: { x: 100, y: 100 },
      angle: 0,
    })),
  };
  const { game } = loadDefinition({ data: { ...definition.data, scripts: { work, create } } });
  const sim = new Simulation(game!);
  const { runtime, world } = insideOf(sim);
  return () => {
    runtime.startTick();
    runtime.runScript('work', noEntity, {});
    world.triggers.queue.clear();
  };
}

const sequence = `${copy}/script/sequence.js`;
cpSync(`${built}engine`, copy, { recursive: true });
try {
  const source = readFileSync(sequence, 'utf8');
  if (source.match(spending)?.length !== places) throw new Error(`${sequence} spends its budget in another way.`);
  writeFileSync(sequence, source.replace(spending, ''));
  const [counted, uncounted] = [await worker(`${built}engine`), await worker(copy)];
  for (let i = 0; i < warmups; i++) {
    counted();
    uncounted();
  }
  const { ratios } = compare(counted, uncounted, { rounds: Number(process.argv[2] ?? 2001), callsPerRound: 1 });
  // The median of many short rounds, and its interval by ranks: other programs of the machine disturb some of them by much.
  const sorted = [...ratios].sort((a, b) => a - b);
  const reach = Math.ceil(0.98 * Math.sqrt(sorted.length));
  const middle = sorted.length >> 1;
  const [value, low, high] = [middle, middle - reach, middle + reach].map((at) => {
    return `${((sorted[at]! - 1) * 100).toFixed(2)} %`;
  });
  console.log(`Counting costs ${value} of script time (95 %: ${low} to ${high}), ${sorted.length} rounds.`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
