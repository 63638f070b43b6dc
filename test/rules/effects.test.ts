import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DialectName, loadDefinition, Simulation } from '../../engine/index.ts';
import { inputKinds } from '../../engine/sim/input.ts';
import { type Effect, implied, rules, vocabulary } from '../../engine/tools.ts';
import { triggers } from '../../engine/world/triggers.ts';
import { ActionGame } from '../script/actions/action-game.ts';
import { scriptsOfGame } from '../script/actions/harness.ts';
import { effectsIn, impliedBy, signsOf, withImplied } from '../script/effects/declared.ts';
import { changesBetween, leavesOfWorld } from '../script/effects/world-changes.ts';
import { samplesFolder } from '../support/samples.ts';
import { caseScripts, effectCases, inputsOf, type RuleCase } from './effect-cases.ts';

/**
 * Proves the effects that built-in rules declare. Each rule acts in its own cases, in both dialects; what changes in
 * the world, which triggers fire and what clients are told must be declared, and what is declared must happen.
 */

const dialects: readonly DialectName[] = ['standard', 'moddio'];

/** How a change is called here: with the kind of the entity. */
const named = (aspect: string, kind: string): string => `${aspect} of ${kind}`;

function observe(row: RuleCase, dialect: DialectName): ReadonlySet<string> {
  const game = new ActionGame({ ...scriptsOfGame, ...caseScripts }, row.data, { dialect });
  row.arrange?.(game);
  game.fired.length = 0;
  game.outputs.length = 0;
  const before = leavesOfWorld(game.sim);
  for (const input of inputsOf(row)) game.sim.input(input);
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
 * What may change: exactly what rules declare; of what follows by itself, which is not bound to kinds of entities, only
 * that entities come and go, triggers that fire, and what comes and goes with an entity.
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

/** What scripts of the cases do. */
const byScripts = ['variable of game', 'timer'];

/** The cases of a rule, played. */
const acted = new Map<string, readonly { readonly row: RuleCase; readonly changes: ReadonlySet<string> }[]>();
function actsOf(name: string, dialect: DialectName): NonNullable<ReturnType<typeof acted.get>> {
  const key = `${name} in ${dialect}`;
  const known =
    acted.get(key) ??
    (effectCases[name] ?? []).flatMap((row) =>
      (row.dialect ?? dialect) === dialect ? [{ row, changes: observe(row, dialect) }] : [],
    );
  acted.set(key, known);
  return known;
}

/** What is wrong with the effects that a rule declares. */
function faultsOf(name: string, own: readonly Effect[], dialect: DialectName): readonly string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { row, changes } of actsOf(name, dialect)) {
    const others = rules.filter((rule) => ['the clock of the game', ...(row.beside ?? [])].includes(rule.name));
    const declared = effectsIn([...own, ...others.flatMap(({ effects }) => effects)], dialect);
    const scripts = row.beside?.includes('scripts') ? byScripts : [];
    for (const change of changes) {
      seen.add(change);
      if (!scripts.includes(change) && !isDeclared(change, declared)) faults.push(`${change} is not declared`);
    }
  }
  for (const effect of effectsIn(own, dialect)) {
    // Those of contacts are collected from the steps that fire them.
    if (name === 'contacts' && effect.does === 'fires') continue;
    const signs = exactSigns(effect);
    if (signs.length > 0 && !signs.some((sign) => seen.has(sign))) faults.push(`${signs[0]} never happens`);
  }
  return faults;
}

/**
 * Effects that other rules of its cases have, too, or that follow from another one, so that leaving them out is not
 * found.
 */
const shadowed: Readonly<Record<string, readonly string[]>> = {
  timers: ['timer'],
  'the clock of the game': ['fires secondTick', 'fires frameTick'],
  'the end of life spans': ['destroys item'],
  abilities: ['abilities of unit'],
  'built-in abilities': ['use of item', 'state of item', 'size of item'],
  'keys, mouse and AI move units': [
    ...['velocity of unit', 'angle of unit', 'fires unitStartsMoving', 'fires unitStopsMoving', 'tells effect'],
  ],
  AI: ['ai of unit', 'angle of unit', 'use of item', 'last'],
  'items in hands follow their units': ['position of item', 'angle of item'],
  'uses of items': [
    ...['velocity of item', 'attribute of unit', 'velocity of unit', 'attribute of player', 'last'],
    ...['creates projectile', 'destroys item', 'fires ThisItemsQuantityBecomesZero', 'tells effect'],
  ],
  regeneration: ['ai of unit'],
  'bodies move': ['angle of unit', 'velocity of unit', 'position of item', 'angle of item'],
  contacts: ['last'],
  'AI notices units': ['ai of unit'],
  damage: ['ai of unit', 'velocity of unit', 'last', 'tells effect'],
  'the end of the game': ['fires serverShuttingDown'],
  'players leave': ['tells trade'],
  keys: ['abilities of unit', 'slot of unit', 'use of item'],
  'purchases of items': ['destroys item', 'last'],
  'purchases of units': ['destroys item'],
  chat: ['chat of player'],
  trades: [
    ...['items of unit', 'slot of unit', 'carrier of item', 'state of item', 'visibility of item', 'size of item'],
  ],
};

describe.each(rules.map(({ name, effects }) => [name, effects] as const))('%s', (name, effects) => {
  test.each(dialects)('does in %s what it declares, and nothing else', (dialect) => {
    expect(effectCases[name]?.length).toBeGreaterThan(0);
    expect(faultsOf(name, effects, dialect)).toEqual([]);
  });

  test('would be found to do what it does not declare', () => {
    const unneeded = effects.filter(
      (effect) =>
        exactSigns(effect).length > 0 &&
        !(name === 'contacts' && effect.does === 'fires') &&
        dialects.every(
          (dialect) =>
            faultsOf(
              name,
              effects.filter((each) => each !== effect),
              dialect,
            ).length === 0,
        ),
    );
    expect(unneeded.map((effect) => exactSigns(effect)[0])).toEqual(shadowed[name] ?? []);
  });
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
  // What a host says goes to the scripts that its own words name, past all rules.
  const ofGames = inputKinds.filter((kind) => kind !== 'host' && kind !== 'hostValue');
  expect([...inputs].sort()).toEqual(ofGames.toSorted());
  for (const [type, { effects }] of vocabulary.actions)
    for (const effect of effects) if (effect.does === 'enables') expect(inputKinds, type).toContain(effect.input);
});

test('names of rules are unique', () => {
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
});

test('each trigger that the engine fires has a declared cause', () => {
  const effects = [...rules, ...vocabulary.actions.values()].flatMap((row) => row.effects ?? []);
  const caused = new Set([...effects.flatMap(signsOf), ...Object.values(implied).flat()]);
  const withoutCause = Object.entries(triggers).flatMap(([name, { delivery }]) =>
    delivery === 'never' || caused.has(`fires ${name}`) ? [] : [name],
  );
  // The first tick fires `gameStart`, whatever happens in it.
  expect(withoutCause, 'declare `fires` in the effects of a rule or an action, or in `implied`').toEqual(['gameStart']);
});
