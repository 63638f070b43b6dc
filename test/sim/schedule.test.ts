import { describe, expect, test } from 'vitest';
import { components } from '../../engine/components/index.ts';
import type { Access } from '../../engine/ecs/schedule.ts';
import { type LoadedGame, loadDefinition } from '../../engine/index.ts';
import { physics } from '../../engine/rules/game.ts';
import { schedule } from '../../engine/sim/schedule.ts';
import { resources } from '../../engine/world/resources.ts';
import { intricate } from '../support/intricate.ts';
import { readRealGame, realGames } from '../support/real-games.ts';
import { sampleGame } from '../support/samples.ts';
import { playWatched, type Touches } from '../support/touches.ts';

/** The name of a component or a resource in tests. Both can have the same name. */
const names = new Map<unknown, string>([
  ...Object.entries(components.all).map(([name, each]) => [each, `components/${name}`] as const),
  ...Object.entries(resources.all).map(([name, each]) => [each, `resources/${name}`] as const),
  [physics, 'resources/physics'],
]);

/** Everything that is declared, by the name under which it is watched. */
const declared: readonly (readonly [where: string, access: Access])[] = schedule.flatMap((system) => [
  [system.name, system] as const,
  ...(system.stage?.parts ?? []).map((part) => [`${system.name}: ${part.name}`, part] as const),
]);

/** Touched members that are not declared. */
function undeclared({ reads, writes, scripted }: Touches): string[] {
  return declared.flatMap(([where, access]) => {
    const written = new Set(access.writes.map((each) => names.get(each)));
    const read = new Set(access.reads.map((each) => names.get(each)));
    return [
      ...[...(writes.get(where) ?? [])].filter((name) => !written.has(name)).map((name) => `${where} writes ${name}`),
      ...[...(reads.get(where) ?? [])]
        .filter((name) => !written.has(name) && !read.has(name))
        .map((name) => `${where} reads ${name}`),
      ...(scripted.has(where) && access.calls === undefined ? [`${where} runs scripts`] : []),
    ];
  });
}

const samples = ['outbreak', 'team-elimination', 'infection', 'ray-casting'];
const plays: readonly [name: string, game: () => LoadedGame, ticks: number][] = [
  ...samples.map((name) => [name, () => sampleGame(`${name}.json`), 100] as [string, () => LoadedGame, number]),
  ['a game of things that are easy to lose', () => intricate, 100],
  ...realGames.map((file): [string, () => LoadedGame, number] => [
    file,
    () => loadDefinition(readRealGame(file)).game!,
    40,
  ]),
];

describe('systems, and the parts of a turn, touch what they say they touch', () => {
  test.each(plays)('%s', (_name, game, ticks) => {
    const wrong = new Set<string>();
    for (const dialect of ['standard', 'moddio'] as const) {
      const { touches } = playWatched(game(), { dialect, ticks, bots: 6 });
      for (const each of undeclared(touches)) wrong.add(each);
      expect(touches.writes.size).toBeGreaterThan(5);
    }
    expect([...wrong].sort(), 'Declare it with the rule in rules/world/access.ts, or do it elsewhere.').toEqual([]);
  });

  test('to be watched changes nothing of a play', () => {
    const [watched, alone] = [true, false].map((isWatched) =>
      playWatched(sampleGame('outbreak.json'), { dialect: 'standard', ticks: 60, bots: 6, isWatched }).sim.view(),
    );
    expect(watched).toEqual(alone);
  });
});

test('each system and part has a name of its own and names what there is, each once', () => {
  expect(new Set(declared.map(([where]) => where)).size).toBe(declared.length);
  for (const [where, { reads, writes }] of declared) {
    const all = [...reads, ...writes];
    expect(
      all.filter((each) => !names.has(each)),
      where,
    ).toEqual([]);
    expect(
      all.filter((each, at) => all.indexOf(each) !== at).map((each) => names.get(each)),
      where,
    ).toEqual([]);
  }
});

test('no system declares that it touches everything', () => {
  for (const [where, { reads, writes }] of declared) {
    expect(reads.length + writes.length, where).toBeLessThan(names.size);
  }
});
