import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as Engine from '../engine/index.ts';
import type * as Inside from '../engine/tools.ts';
import { ratioOf } from '../src/statistics/index.ts';
import { spread } from './measure.ts';
import { definition, nestedActions } from './nested-script.ts';

/**
 * The cost of counting actions against the budget of a tick: `npm run build && node dist/bench/counting.js
 * [processes]`. Runs the same scripts on two copies of the built engine, one of which does not count. Each process uses
 * one copy, because the way V8 compiles a script varies between processes by more than the cost of counting. The
 * processes are interleaved. If valgrind is installed, it also counts instructions per call, which do not depend on the
 * load of the machine. The copies are deleted afterwards.
 */

const built = fileURLToPath(new URL('../', import.meta.url));
/** The code in an action list that spends the budget of the tick. */
const spending = /if \(--runtime\.budget < 0\)\s*runtime\.outOfActions\(\);/g;
const units = 100;
const warmups = 200;
/** Calls of the script in a timed process. */
const timedCalls = 400;
/**
 * Calls of the script under valgrind: the difference between a shorter and a longer process is calls of compiled code.
 */
const countedCalls = [500, 1500] as const;

async function worker(folder: string): Promise<() => void> {
  const { loadDefinition, Simulation } = (await import(`${folder}/index.js`)) as typeof Engine;
  const { internalsOf, noEntity } = (await import(`${folder}/internal.js`)) as typeof Inside;
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
  const { runtime, world } = internalsOf(sim);
  return () => {
    runtime.startTick();
    runtime.runScript('work', noEntity, {});
    world.triggers.queue.clear();
  };
}

/** Runs one copy in its own process, with `calls` calls of the script. Prints the median time in ms. */
async function play(folder: string, calls: number): Promise<void> {
  const call = await worker(folder);
  const times: number[] = [];
  for (let i = 0; i < calls; i++) {
    const start = performance.now();
    call();
    times.push(performance.now() - start);
  }
  console.log(spread(times.slice(warmups)).median);
}

/** A copy of the engine with different code for the budget. */
function copyWith(name: string, counting: string): string {
  const folder = `${built}${name}`;
  cpSync(`${built}engine`, folder, { recursive: true });
  const sequence = `${folder}/script/sequence.js`;
  const source = readFileSync(sequence, 'utf8');
  if (source.match(spending)?.length !== 1) throw new Error(`${sequence} spends its budget in another way.`);
  writeFileSync(sequence, source.replace(spending, counting));
  return folder;
}

function run(command: readonly string[]): { readonly out: string; readonly log: string } {
  const { status, stdout, stderr } = spawnSync(command[0]!, command.slice(1), { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`);
  return { out: stdout, log: stderr };
}

const program = (folder: string, calls: number): string[] => [
  fileURLToPath(import.meta.url),
  '--play',
  folder,
  `${calls}`,
];

function millisecondsOf(folder: string): number {
  return Number(run([process.execPath, ...program(folder, warmups + timedCalls)]).out);
}

/**
 * Instructions per call, counted by valgrind in a single thread, so that both copies are compiled at the same moment.
 */
function instructionsOf(folder: string): number {
  const [shorter, longer] = countedCalls.map((calls) => {
    const options = [
      '--tool=cachegrind',
      '--cache-sim=no',
      '--cachegrind-out-file=/dev/null',
      '--smc-check=all-non-file',
    ];
    const { log } = run(['valgrind', ...options, process.execPath, '--single-threaded', ...program(folder, calls)]);
    return Number(/I\s+refs:\s+([\d,]+)/.exec(log)![1]!.replaceAll(',', ''));
  });
  return (longer! - shorter!) / (countedCalls[1] - countedCalls[0]);
}

function percent(ratio: number): string {
  return `${((ratio - 1) * 100).toFixed(1)} %`;
}

function measure(processes: number): void {
  const counted = copyWith('counting', '$&');
  const uncounted = copyWith('not-counting', '');
  try {
    const times: [counted: number[], uncounted: number[]] = [[], []];
    for (let i = 0; i < processes; i++) {
      // The two alternate in going first.
      for (const which of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
        times[which].push(millisecondsOf([counted, uncounted][which]!));
    }
    const { value, low, high } = ratioOf(...times);
    console.log(
      `Counting costs ${percent(value)} of script time (95 %: ${percent(low!)} to ${percent(high!)}), ${processes} processes of each.`,
    );
    if (spawnSync('valgrind', ['--version']).status !== 0) return;
    const [ours, theirs] = [instructionsOf(counted), instructionsOf(uncounted)];
    console.log(
      `It is ${percent(ours / theirs)} of the instructions: ${Math.round(ours)} a call in place of ${Math.round(theirs)}.`,
    );
  } finally {
    for (const folder of [counted, uncounted]) rmSync(folder, { recursive: true, force: true });
  }
}

const [first = '40', folder, calls] = process.argv.slice(2);
if (first === '--play') await play(folder!, Number(calls));
else measure(Number(first));
