import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLong, runsFactor, sampleOf } from './property.ts';

/**
 * Real games are not part of the project. `REENACT_GAMES` names their folder; by default it is beside the project. If
 * it does not exist, their tests are skipped.
 */
export const realGamesFolder =
  process.env['REENACT_GAMES'] ?? fileURLToPath(new URL('../../../shared/games/', import.meta.url));

/** The names of their files; empty if the folder does not exist. */
export const realGames: readonly string[] = existsSync(realGamesFolder)
  ? readdirSync(realGamesFolder).filter((name) => name.endsWith('.json'))
  : [];

/**
 * Some of the smaller ones, for tests that play them; every third one in `npm run test:all`, and all of them from
 * `PROPERTY_RUNS=1` on.
 */
export function someRealGames(count: number): readonly string[] {
  if (isLong) return realGames.filter((_, i) => i % 3 === 0 || runsFactor >= 1);
  const small = realGames.filter((name) => statSync(realGamePath(name)).size < 150_000);
  return sampleOf(small, count);
}

export function realGamePath(name: string): string {
  return join(realGamesFolder, name);
}

export function readRealGame(name: string): unknown {
  return JSON.parse(readFileSync(realGamePath(name), 'utf8'));
}
