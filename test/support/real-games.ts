import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLong, sampleOf } from './property.ts';

/** Real games are not of the project. `REENACT_GAMES` names their folder; without it, it lies beside the project. Where it is absent their tests are skipped. */
export const realGamesFolder =
  process.env['REENACT_GAMES'] ?? fileURLToPath(new URL('../../../shared/games/', import.meta.url));

/** The names of their files; none where the folder is absent. */
export const realGames: readonly string[] = existsSync(realGamesFolder)
  ? readdirSync(realGamesFolder).filter((name) => name.endsWith('.json'))
  : [];

/** Some of them that are not large, for tests that play them; all in `npm run test:all`. */
export function someRealGames(count: number): readonly string[] {
  if (isLong) return realGames;
  const small = realGames.filter((name) => statSync(realGamePath(name)).size < 150_000);
  return sampleOf(small, count);
}

export function realGamePath(name: string): string {
  return join(realGamesFolder, name);
}

export function readRealGame(name: string): unknown {
  return JSON.parse(readFileSync(realGamePath(name), 'utf8'));
}
