import { beforeAll, describe, expect, test } from 'vitest';
import { type Catalogue, loadDefinition } from '../../engine/index.ts';
import { insideOfGame } from '../../engine/internal.ts';
import { reenact } from '../cli/support.ts';
import { readRealGame, realGames } from '../support/real-games.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** How much of the language there is here: of what the reference lists, and of what real games say. */

type Json = Record<string, unknown>;

let ours: Catalogue;
const statuses = new Map<string, string>();
beforeAll(async () => {
  ours = JSON.parse((await reenact(['ops', '--json'])).stdout) as Catalogue;
  for (const kind of ['actions', 'functions'] as const) {
    for (const { type, aliases, status } of ours[kind]) {
      for (const name of [type, ...aliases]) statuses.set(`${kind} ${name}`, status);
    }
  }
  for (const { type, aliases } of ours.triggers)
    for (const name of [type, ...aliases]) statuses.set(`triggers ${name}`, 'known');
});

describe('what the reference lists', () => {
  test.each([
    ['actions', Object.keys(vocabulary.actions), { world: 184, output: 88, inert: 7 }],
    ['functions', Object.keys(vocabulary.functions), { world: 279, inert: 23 }],
    ['triggers', vocabulary.triggers, { known: 111 }],
  ] as const)('of its %s none is missing', (kind, names, counts) => {
    const found: Record<string, number> = {};
    for (const name of names) {
      const status = statuses.get(`${kind} ${name}`) ?? 'missing';
      found[status] = (found[status] ?? 0) + 1;
    }
    expect(found).toEqual(counts);
  });
});

/** Keys of an action that hold further actions. */
const nested = new Set(['actions', 'then', 'else', 'onSuccess', 'onFailure']);

/** Every action, function and trigger that the scripts of a game name, each time, read without any of our readers. */
function* words(document: unknown): Generator<string> {
  const data = ((document as { data?: Json }).data ?? document) as Json;
  const owners = [data, ...['unitTypes', 'itemTypes', 'projectileTypes'].flatMap((key) => members(data[key]))];
  for (const owner of owners) {
    for (const script of members((owner as Json | null)?.['scripts']) as Json[]) {
      if (script === null || typeof script !== 'object' || script['actions'] === undefined) continue;
      yield* actionsIn(script['actions']);
      yield* functionsIn(script['conditions']);
      for (const { type } of members(script['triggers']) as { type?: unknown }[]) yield `triggers ${String(type)}`;
    }
  }
}
function* actionsIn(list: unknown): Generator<string> {
  for (const action of members(list) as Json[]) {
    yield `actions ${String(action['type'])}`;
    for (const [key, value] of Object.entries(action)) yield* nested.has(key) ? actionsIn(value) : functionsIn(value);
  }
}
function* functionsIn(node: unknown): Generator<string> {
  if (node === null || typeof node !== 'object') return;
  const name = (node as Json)['function'];
  if (typeof name === 'string') yield `functions ${name}`;
  for (const member of members(node)) yield* functionsIn(member);
}
function members(node: unknown): unknown[] {
  return node !== null && typeof node === 'object' ? Object.values(node) : [];
}

describe.skipIf(realGames.length === 0)('what real games say (skipped where the folder is absent)', () => {
  test.each(realGames)('%s names nothing that has no row', (name) => {
    const document = readRealGame(name);
    const said = [...words(document)];
    expect(said.length).toBeGreaterThan(0);
    expect([...new Set(said)].filter((word) => !statuses.has(word))).toEqual([]);
    const { game } = loadDefinition(document);
    for (const dialect of ['standard', 'moddio'] as const)
      expect([...insideOfGame(game!).program(dialect).unknown]).toEqual([]);
  });

  test('together: 7014 actions, 21730 functions and 459 triggers, 0 without a row', () => {
    const counts: Record<string, number> = {};
    for (const name of realGames) {
      for (const word of words(readRealGame(name))) {
        const kind = statuses.has(word) ? word.slice(0, word.indexOf(' ')) : 'without a row';
        counts[kind] = (counts[kind] ?? 0) + 1;
      }
    }
    expect(counts).toEqual({ actions: 7014, functions: 21730, triggers: 459 });
  });
});
