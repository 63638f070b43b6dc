import { describe, expect, test } from 'vitest';
import { catalogue, loadDefinition } from '../../engine/index.ts';
import { programsOfGame } from '../../engine/tools.ts';
import { readRealGame, realGames } from '../support/real-games.ts';

/** How many of the operations that real games use occur here. */

type Json = Record<string, unknown>;

const known = new Set<string>();
const { actions, functions, triggers } = catalogue();
for (const [kind, rows] of Object.entries({ actions, functions, triggers })) {
  for (const { type, aliases } of rows) for (const name of [type, ...aliases]) known.add(`${kind} ${name}`);
}

/** Keys of an action that hold further actions. */
const nested = new Set(['actions', 'then', 'else', 'onSuccess', 'onFailure']);

/**
 * Yields each occurrence of an action, function or trigger in the scripts of a game. Deliberately does not use our own
 * parsers.
 */
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

describe.skipIf(realGames.length === 0)('the vocabulary of real games (skipped where the folder is absent)', () => {
  test.each(realGames)('%s uses known operations and triggers only', (name) => {
    const document = readRealGame(name);
    const said = [...words(document)];
    expect(said.length).toBeGreaterThan(0);
    expect([...new Set(said)].filter((word) => !known.has(word))).toEqual([]);
    const { game } = loadDefinition(document);
    for (const dialect of ['standard', 'moddio'] as const)
      expect([...programsOfGame(game!).program(dialect).unknown]).toEqual([]);
  });
});
