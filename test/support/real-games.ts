import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Real games are not of the project. `REENACT_GAMES` names their folder; without it, it lies beside the project. Where it is absent their tests are skipped. */
export const realGamesFolder =
  process.env['REENACT_GAMES'] ?? fileURLToPath(new URL('../../../shared/games/', import.meta.url));

/** The names of their files; none where the folder is absent. */
export const realGames: readonly string[] = existsSync(realGamesFolder)
  ? readdirSync(realGamesFolder).filter((name) => name.endsWith('.json'))
  : [];

export function realGamePath(name: string): string {
  return join(realGamesFolder, name);
}

export function readRealGame(name: string): unknown {
  return JSON.parse(readFileSync(realGamePath(name), 'utf8'));
}
