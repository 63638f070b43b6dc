import { describe, expect, test } from 'vitest';
import { RandomStream } from '../../engine/core/random.ts';
import { type Journal, type LoadedGame, loadDefinition, Replay, Simulation } from '../../engine/index.ts';
import { attributeRow } from '../../engine/rules/entities/attribute.ts';
import { globalValue, inputUnchecked, internalsOf, programsOfGame, trace } from '../../engine/tools.ts';
import { bindExpression } from '../../src/expression/bound-expression.ts';
import { GameSource } from '../../src/expression/source.ts';
import { keyOf } from '../../src/why/reading.ts';
import { RecordedPlay } from '../../src/why/recorded-play.ts';
import { TickTrace } from '../../src/why/tick-trace.ts';
import { runsFactor } from '../support/property.ts';
import { readRealGame, realGames, someRealGames } from '../support/real-games.ts';
import { sampleGame } from '../support/samples.ts';
import { recorded } from './support.ts';

const isLong = runsFactor >= 1;
const ticks = isLong ? 600 : 160;
const valuesOfGame = isLong ? 40 : 8;

/** Values of a game as it stands at a tick: global variables, attributes, variables, positions, states, owners. */
function valuesOf(sim: Simulation): string[] {
  const found = [...sim.definition.variables.keys()]
    .filter((name) => /^[a-z@]\w*$/i.test(name))
    .map((name) => `\`${name}\``);
  for (const each of [...sim.units(), ...sim.items(), ...sim.players()]) {
    for (const member of [...Object.keys(each.attributes), ...Object.keys(each.variables)])
      if (/^[a-z@]\w*$/i.test(member)) found.push(`${each.id}.\`${member}\``);
    if (each.kind === 'unit') found.push(`${each.id}.x`, `${each.id}.state`, `${each.id}.holding`, each.id);
    if (each.kind === 'item') found.push(`${each.id}.owner`, `${each.id}.quantity`);
  }
  return found;
}

interface Asked {
  readonly question: string;
  readonly tick: number;
}

/** For each question, the last tick whose value differs from the tick before, found by playing all ticks. */
function lastChangesByPlaying(game: LoadedGame, journal: Journal, asked: readonly Asked[]): (number | undefined)[] {
  const replay = new Replay(game, journal);
  const source = new GameSource(game, journal.head.dialect, { playing: () => replay.sim, journal });
  const all = asked.map(({ question, tick }) => {
    const now = bindExpression(question, source);
    return { now, tick, key: keyOf(now.value()), last: undefined as number | undefined };
  });
  while (!replay.isAtEnd) {
    replay.step();
    for (const each of all) {
      if (replay.tick > each.tick) continue;
      const key = keyOf(each.now.value());
      if (key !== each.key) each.last = replay.tick;
      each.key = key;
    }
  }
  return all.map(({ last }) => last);
}

/** Questions about values that exist at random ticks. */
function randomQuestions(game: LoadedGame, journal: Journal, random: RandomStream): Asked[] {
  const replay = new Replay(game, journal);
  return Array.from({ length: valuesOfGame }, () => {
    const tick = random.integer(40, journal.lastTick);
    replay.seek(tick);
    const values = valuesOf(replay.sim);
    return { tick, question: values[random.integer(0, values.length - 1)]! };
  });
}

/** Replays a tick, resets the value right after a step, and returns the value after the tick. */
function undone(game: LoadedGame, journal: Journal, question: string, tick: number, step: number) {
  const replay = new Replay(game, journal);
  replay.seek(tick - 1);
  const sim = Simulation.restore(programsOfGame(game).watched('everything'), replay.sim.snapshot());
  const asked = bindExpression(question, new GameSource(game, journal.head.dialect, { playing: () => sim, journal }));
  const before = rawOf(sim, question);
  if (before === undefined) return undefined;
  const keyBefore = keyOf(asked.value());
  let reads = 0;
  const tracer = new TickTrace(() => {
    // The first reading is that before the first step.
    if (reads++ === step) before.set();
    return asked.value();
  }, undefined);
  tracer.begin(sim);
  trace(sim, tracer);
  for (const input of journal.inputs.get(tick) ?? []) inputUnchecked(sim, input);
  sim.step();
  return { keyBefore, keyAfter: keyOf(asked.value()) };
}

/** A way to set a global variable or an attribute back to what it is now; undefined for other values. */
function rawOf(sim: Simulation, question: string): { set(): void } | undefined {
  const { world } = internalsOf(sim);
  const name = /^`(.+)`$/.exec(question)?.[1];
  if (name !== undefined) {
    const value = globalValue(sim, name);
    const slot = world.globals.layout.slots.get(name)!;
    return typeof value === 'number' || typeof value === 'string'
      ? {
          set() {
            world.globals.values[slot] = value;
          },
        }
      : undefined;
  }
  const [, id, key] = /^(\w+)\.`(.+)`$/.exec(question) ?? [];
  const entity = id === undefined ? undefined : sim.find(id);
  const row = entity?.exists === true ? attributeRow(world, entity.entity, key!) : -1;
  if (row < 0) return undefined;
  const value = world.attributes.value[row]!;
  return {
    set() {
      world.attributes.value[row] = value;
    },
  };
}

const games: [name: string, load: () => LoadedGame][] = [
  ...['outbreak.json', ...(isLong ? ['infection.json', 'ray-casting.json', 'team-elimination.json'] : [])].map(
    (file): [string, () => LoadedGame] => [file, () => sampleGame(file)],
  ),
  ...(isLong ? realGames : someRealGames(1).slice(0, 1)).map((file): [string, () => LoadedGame] => [
    file,
    () => loadDefinition(readRealGame(file)).game!,
  ]),
];

describe('the write that is found is the last one', () => {
  test.each(games)('%s', (name, load) => {
    const game = load();
    const journal = recorded(game, ticks);
    const cold = new RecordedPlay(game, journal);
    // Knows in which ticks variables and attributes may have changed.
    const warm = new RecordedPlay(game, journal);
    warm.changes('tick');
    const questions = randomQuestions(game, journal, new RandomStream(name));
    if (name === 'outbreak.json') questions.push({ tick: 150, question: '`timeLeft`' });
    const last = lastChangesByPlaying(game, journal, questions);
    let undoneCount = 0;
    for (const [i, { question, tick }] of questions.entries()) {
      const { write, value } = (i % 2 === 0 ? cold : warm).why(question, tick);
      expect(write !== undefined && write.tick > 0 ? write.tick : undefined, `${question} at ${tick}`).toBe(last[i]);
      if (write === undefined || write.tick === 0) continue;
      expect(write.after, question).toEqual(value);
      expect(write.causes.length, question).toBeGreaterThan(0);
      // Each ray writes the same variables, often with the same value, so undoing one write makes no difference.
      if (name === 'ray-casting.json') continue;
      const without = undone(game, journal, question, write.tick, write.step);
      if (without === undefined) continue;
      undoneCount++;
      expect(without.keyAfter, `${question} of tick ${write.tick} with its write undone`).toBe(without.keyBefore);
    }
    if (name === 'outbreak.json') expect(undoneCount).toBeGreaterThan(0);
  });
});
