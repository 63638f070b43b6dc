import { loadDefinition, Simulation } from '../engine/index.ts';
import { attributeRow, attributeValue, updateAttribute } from '../engine/rules/entities/attribute.ts';
import { readGlobal, readVariable, writeGlobal, writeVariable } from '../engine/rules/entities/variable.ts';
import { createUnit } from '../engine/rules/lifecycle/create-unit.ts';
import { internalsOf, noEntity } from '../engine/tools.ts';
import { Kind } from '../engine/world/entity.ts';
import { compare } from './measure.ts';
import { definition, HandWritten, nestedActions, type Outcome } from './nested-script.ts';
import { type Report, rounded } from './report.ts';
import { TreeWalker } from './tree-walker.ts';

/**
 * The script of `nested-script.ts` over 100 units: compiled, compared with a tree walker and with TypeScript on the
 * same world, and with TypeScript on plain objects.
 */

function simulation(units: number): Simulation {
  const { game } = loadDefinition(definition);
  if (game === undefined) throw new Error('The bench definition does not load.');
  const sim = new Simulation(game, { seed: 1 });
  const owner = sim.entities('player')[0]!;
  const type = internalsOf(sim).world.types.unit.get('walker')!;
  for (let i = 0; i < units; i++) createUnit(internalsOf(sim).game, { type, owner, x: 320, y: 320, angle: 0 });
  sim.step();
  return sim;
}

function outcomeOf(sim: Simulation): Outcome {
  const { world } = internalsOf(sim);
  const units = world.lists[Kind.unit]!.entries;
  const variable = (name: string) => readGlobal(world, name) as number;
  return {
    sum: variable('sum'),
    mode: variable('mode'),
    count: variable('count'),
    rounds: variable('rounds'),
    hp: units.reduce((all, unit) => all + attributeValue(world, unit, 'hp')!, 0),
    steps: units.reduce((all, unit) => all + (readVariable(world, unit, 'steps') as number), 0),
  };
}

/** TypeScript that uses the rules of the game, with lookup by name, clamping and triggers. */
function withRules(sim: Simulation): () => void {
  const { game, world } = internalsOf(sim);
  const set = (name: string, value: number) => writeGlobal(world, name, value);
  const get = (name: string) => readGlobal(world, name) as number;
  return () => {
    for (const unit of world.lists[Kind.unit]!.entries) {
      if (!world.exists(unit) || attributeRow(world, unit, 'hp') < 0) continue;
      const hp = () => attributeValue(world, unit, 'hp')!;
      const steps = () => readVariable(world, unit, 'steps') as number;
      for (let k = 0; k < 18; k++) {
        set('sum', get('sum') + hp() * (k + 1));
        if (hp() < 500 && get('mode') !== k) {
          updateAttribute(game, unit, 'hp', hp() + 1);
          set('count', get('count') + 1);
        } else {
          updateAttribute(game, unit, 'hp', hp() - 400);
          if (get('count') > 1_000_000) set('count', 0);
          else writeVariable(world, unit, 'steps', steps() + 1);
        }
        set('mode', (get('mode') + 1) % 20);
        if (steps() === k + 2 || steps() > 1000) writeVariable(world, unit, 'steps', 0);
      }
    }
    set('rounds', get('rounds') + 1);
  };
}

interface Contestant {
  readonly name: string;
  readonly run: () => void;
  readonly outcome: () => Outcome;
}

function contestants(units: number): Contestant[] {
  const walked = simulation(units);
  const walker = new TreeWalker(internalsOf(walked).game);
  const rules = simulation(units);
  const plain = new HandWritten(units);
  return [
    { name: 'tree walker', run: () => walker.run(nestedActions), outcome: () => outcomeOf(walked) },
    { name: 'TypeScript, verbs', run: withRules(rules), outcome: () => outcomeOf(rules) },
    { name: 'TypeScript, plain', run: () => plain.run(), outcome: () => plain.outcome() },
  ];
}

/** Ratios are of speeds, compiled relative to the other: 10 means ten times as fast. */
export function nestedScripts({ units = 100, rounds = 31, callsPerRound = 10 } = {}): Report {
  const rows: (string | number)[][] = [];
  const notes: string[] = [];
  const samples: Record<string, readonly number[]> = {};
  for (const other of contestants(units)) {
    const sim = simulation(units);
    const compiled = (): void => {
      internalsOf(sim).runtime.startTick();
      internalsOf(sim).runtime.runScript('work', noEntity, {});
      internalsOf(sim).world.triggers.queue.clear();
    };
    const { a, b, ratio, ratios } = compare(compiled, other.run, { rounds, callsPerRound });
    samples[`time by ${other.name}`] = ratios;
    const mine = outcomeOf(sim);
    const theirs = other.outcome();
    const actions = internalsOf(sim).runtime.counts.reduce((all, count) => all + count, 0) / mine.rounds;
    rows.push([
      other.name,
      rounded(actions / a.median / 1000, 2),
      rounded(actions / b.median / 1000, 2),
      rounded(1 / ratio.median),
    ]);
    const [found, expected] = [JSON.stringify(theirs), JSON.stringify(mine)];
    if (found !== expected) notes.push(`INVALID: ${other.name} got ${found}, not ${expected}`);
  }
  return { head: ['against', 'compiled M actions/s', 'other M actions/s', 'compiled / other'], rows, notes, samples };
}
