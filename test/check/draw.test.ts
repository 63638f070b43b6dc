import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadDefinition } from '../../engine/index.ts';
import { checkGame } from '../../src/check/check-game.ts';

/**
 * 100 mistakes that somebody who did not know the rules drew from a pool of 179, in three games written for them. Those
 * with `missed` are silent for the reason given there: they need a play, or could be meant.
 */
interface Mistake {
  readonly base: string;
  readonly mistake: string;
  readonly patch: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[];
  /** The code of the issue that names it with the right reason. */
  readonly issue?: string;
  readonly missed?: string;
}

type Json = Record<string | number, unknown>;

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`draw/${name}.json`, import.meta.url), 'utf8'));
}

/** The issues of a game after a patch (RFC 6902). */
function codesAfter({ base, patch }: Pick<Mistake, 'base' | 'patch'>): string[] {
  const game = read(base);
  for (const { op, path, value } of patch) {
    const keys = path.split('/').slice(1);
    const last = keys.pop()!;
    const at = keys.reduce((json, key) => json[key.replaceAll('~1', '/')] as Json, game as Json);
    if (Array.isArray(at)) at.splice(Number(last), op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
    else if (op === 'remove') delete at[last];
    else at[last] = value;
  }
  const { game: loaded, issues } = loadDefinition(game);
  return [...issues, ...checkGame(loaded!)].map(({ code }) => code);
}

const all = read('mistakes') as readonly Mistake[];

describe('a mistake of the draw', () => {
  test.each(all.filter(({ issue }) => issue !== undefined))('$mistake', (each) => {
    expect(codesAfter(each)).toContain(each.issue);
  });

  test.each(all.filter(({ missed }) => missed !== undefined))('is not told: $mistake', (each) => {
    expect(codesAfter(each)).toEqual(codesAfter({ base: each.base, patch: [] }));
  });

  test('the games have none', () => {
    const codes = ['pumpkin-range', 'wolf-moor', 'salt-village'].map((base) => codesAfter({ base, patch: [] }));
    expect(codes).toEqual([[], [], []]);
  });
});
