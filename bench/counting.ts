import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as Engine from '../engine/index.ts';
import type * as Inside from '../engine/internal.ts';
import { compare } from './measure.ts';
import { definition, nestedActions } from './nested-script.ts';

/**
 * The cost of counting actions: `npm run build && node dist/bench/counting.js [rounds]`. The same scripts run on the engine as it is and on copies
 * of it, by turns in one process. In one copy nothing is counted against a budget. The other counts as the engine does, and says how much two copies of
 * the same code differ. The copies are made of the built files, and go afterwards.
 */

const built = fileURLToPath(new URL('../', import.meta.url));
/** How the budget of a tick is spent in an action list. */
const spending = /if \(--runtime\.budget < 0\)\s*runtime\.outOfActions\(\);/g;
const copies = [
  ['Counting costs', ''],
  ['The same code in another copy costs', '$&'],
] as const;
const places = 1;
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

/** A copy of the engine that counts in another way; under a name of its own, because modules are read once. */
function copyWith(name: string, counting: string): string {
  const folder = `${built}${name}`;
  cpSync(`${built}engine`, folder, { recursive: true });
  const sequence = `${folder}/script/sequence.js`;
  const source = readFileSync(sequence, 'utf8');
  if (source.match(spending)?.length !== places) throw new Error(`${sequence} spends its budget in another way.`);
  writeFileSync(sequence, source.replace(spending, counting));
  // There is one planck in a process, and it computes with the trigonometry of one engine.
  writeFileSync(`${folder}/physics/planck/planck.js`, `export * from '${built}engine/physics/planck/planck.js';\n`);
  return folder;
}

const folders: string[] = [];
try {
  for (const [i, [, counting]] of copies.entries()) folders.push(copyWith(`counting-${i}`, counting));
  const counted = await worker(`${built}engine`);
  const others = await Promise.all(folders.map(worker));
  for (let i = 0; i < warmups; i++) for (const each of [counted, ...others]) each();
  for (const [i, [title]] of copies.entries()) {
    const { ratios } = compare(counted, others[i]!, { rounds: Number(process.argv[2] ?? 2001), callsPerRound: 1 });
    // The median of many short rounds, and its interval by ranks: other programs of the machine disturb some of them by much.
    const sorted = [...ratios].sort((a, b) => a - b);
    const reach = Math.ceil(0.98 * Math.sqrt(sorted.length));
    const middle = sorted.length >> 1;
    const [value, low, high] = [middle, middle - reach, middle + reach].map((at) => {
      return `${((sorted[at]! - 1) * 100).toFixed(2)} %`;
    });
    console.log(`${title} ${value} of script time (95 %: ${low} to ${high}), ${sorted.length} rounds.`);
  }
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
