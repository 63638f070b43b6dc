import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DialectName, type Input, loadDefinition, Simulation } from '../../engine/index.ts';
import { inputKinds } from '../../engine/sim/input.ts';
import { type Effect, rules, vocabulary } from '../../engine/tools.ts';
import { ActionGame } from '../script/actions/action-game.ts';
import { scriptsOfGame } from '../script/actions/harness.ts';
import { effectsIn, impliedBy, signsOf, withImplied } from '../script/effects/declared.ts';
import { changesBetween, leavesOfWorld } from '../script/effects/world-changes.ts';
import { samplesFolder } from '../support/samples.ts';
import { caseScripts, effectCases, type RuleCase } from './effect-cases.ts';

/**
 * Proves the effects that built-in rules declare. Each rule acts in its own cases, in both dialects; what changes in the world, which triggers fire and what
 * clients are told must be declared, and what is declared must happen.
 */

const dialects: readonly DialectName[] = ['standard', 'moddio'];

/** How a change is called here: with the kind of the entity. */
const named = (aspect: string, kind: string): string => `${aspect} of ${kind}`;

const byNobody: ReadonlySet<string> = new Set(['join', 'shutDown', 'announce', 'httpAnswer']);

function observe(row: RuleCase, dialect: DialectName): ReadonlySet<string> {
  const game = new ActionGame({ ...scriptsOfGame, ...caseScripts }, row.data, { dialect });
  row.arrange?.(game);
  game.fired.length = 0;
  game.outputs.length = 0;
  const before = leavesOfWorld(game.sim);
  for (const input of row.inputs ?? [])
    game.sim.input({ ...(byNobody.has(input.kind) ? {} : { player: 'p1' }), ...input } as Input);
  game.sim.run({ ticks: row.ticks ?? 1 });
  expect([...game.world.faults.list(), ...game.world.skips.list()].map(({ message }) => message)).toEqual([]);
  return new Set([
    ...changesBetween(before, leavesOfWorld(game.sim), named),
    ...game.fired.map((trigger) => `fires ${trigger}`),
    ...game.outputs.map((output) => `tells ${String(output['kind'])}`),
  ]);
}

/** The signs of an effect of a rule, with the kind of the entity. */
function exactSigns(effect: Effect): readonly string[] {
  if (effect.does === 'destroys') return [`destroys ${effect.of}`];
  const signs = signsOf(effect);
  return effect.does === 'changes' && effect.of !== undefined ? signs.map((sign) => named(sign, effect.of!)) : signs;
}

/**
 * What may change: exactly what rules declare; of what follows by itself, which is not bound to kinds of entities, only that entities come and go, triggers
 * that fire, and what comes and goes with an entity.
 */
function isDeclared(change: string, effects: readonly Effect[]): boolean {
  return effects.some((effect) => {
    const own = signsOf(effect);
    if (exactSigns(effect).includes(change)) return true;
    const following = withImplied(own);
    if (following.has(change) && !own.includes(change) && change.includes(' ') && !change.includes(' of ')) return true;
    const isOfAny = effect.does === 'changes' && effect.of === undefined;
    const comesAndGoes = effect.does === 'creates' || effect.does === 'destroys' ? own.flatMap(impliedBy) : [];
    return [...(isOfAny ? own : []), ...comesAndGoes].includes(change.split(' of ')[0]!);
  });
}

const effectsOf = (names: readonly string[], dialect: DialectName): readonly Effect[] =>
  rules.flatMap(({ name, effects }) => (names.includes(name) ? effectsIn(effects, dialect) : []));

/** What scripts of the cases do. */
const byScripts = ['variable of game', 'timer'];

describe.each(rules.map(({ name }) => [name] as const))('%s', (name) => {
  const cases = effectCases[name] ?? [];
  for (const dialect of dialects) {
    test(`does in ${dialect} what it declares, and nothing else`, () => {
      expect(cases.length).toBeGreaterThan(0);
      const seen = new Set<string>();
      for (const row of cases) {
        if ((row.dialect ?? dialect) !== dialect) continue;
        const declared = effectsOf([name, 'the clock of the game', ...(row.beside ?? [])], dialect);
        const changes = observe(row, dialect);
        for (const change of changes) seen.add(change);
        const scripts = row.beside?.includes('scripts') ? byScripts : [];
        const undeclared = [...changes].filter((each) => !scripts.includes(each) && !isDeclared(each, declared));
        expect(undeclared, 'not declared').toEqual([]);
      }
      const never = effectsOf([name], dialect).filter((effect) => {
        // Those of contacts are collected from the steps that fire them.
        if (name === 'contacts' && effect.does === 'fires') return false;
        const signs = exactSigns(effect);
        return signs.length > 0 && !signs.some((sign) => seen.has(sign));
      });
      expect(never, 'declared, but never happens').toEqual([]);
    });
  }
});

/** A sample without any scripts, with a unit and an item of each type. */
function unscripted(sample: string, dialect: DialectName): Simulation {
  const document = JSON.parse(readFileSync(join(samplesFolder, sample), 'utf8'), (key, value: unknown) =>
    key === 'scripts' ? {} : value,
  );
  const sim = new Simulation(loadDefinition(document).game!, { seed: 'still', dialect });
  const { width, height, tilewidth, tileheight } = document.gameJson.data.map;
  const at = (i: number) => ({ x: (width * tilewidth) / 2 + (i % 5) * 30, y: (height * tileheight) / 2 + i * 7 });
  const { unitTypes, itemTypes } = sim.definition;
  for (const [i, type] of [...unitTypes.keys()].entries()) {
    const unit = sim.edit.createUnit({ type, ...at(i) }, sim.players()[i % 3]);
    for (const item of itemTypes.keys()) if (unit.exists) sim.edit.giveItem(unit, item);
  }
  for (const [i, type] of [...itemTypes.keys()].entries()) sim.edit.createItem({ type, ...at(i) });
  return sim;
}

test.each(readdirSync(samplesFolder).filter((file) => file.endsWith('.json')))(
  'without scripts and inputs, %s changes only by declared rules',
  (sample) => {
    for (const dialect of dialects) {
      const sim = unscripted(sample, dialect);
      const byThemselves = rules.filter(({ when }) => when.includes('tick') || when.includes('contact'));
      const declared = byThemselves.flatMap(({ effects }) => effectsIn(effects, dialect));
      const fired = new Set<string>();
      sim.observe((trigger) => fired.add(`fires ${trigger}`));
      for (let i = 0; i < 8; i++) {
        const before = leavesOfWorld(sim);
        sim.run({ ticks: 10 });
        const changes = [...changesBetween(before, leavesOfWorld(sim), named), ...fired];
        expect(changes.filter((change) => !isDeclared(change, declared))).toEqual([]);
      }
    }
  },
);

test('each input has a rule, and inputs that actions enable are inputs', () => {
  const inputs = rules.flatMap(({ when }) => when.filter((each) => each !== 'tick' && each !== 'contact'));
  expect([...inputs].sort()).toEqual([...inputKinds].sort());
  for (const [type, { effects }] of vocabulary.actions)
    for (const effect of effects) if (effect.does === 'enables') expect(inputKinds, type).toContain(effect.input);
});

test('names of rules are unique', () => {
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
});
