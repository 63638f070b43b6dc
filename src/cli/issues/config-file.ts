import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../../engine/core/index.ts';
import { Failure } from '../failure.ts';

/** The file with the configuration of a game, and its JSON, which is not yet checked. */
interface ConfigFile {
  readonly file: string;
  readonly value: unknown;
}

/**
 * The configuration for a game: `reenact.config.json` in its folder or the nearest one above, or the key `reenact` of a
 * `package.json` there. Throws `Failure` if it is not JSON.
 */
export function nearestConfig(game: string): ConfigFile | undefined {
  for (let folder = dirname(resolve(game)); ; folder = dirname(folder)) {
    const own = join(folder, 'reenact.config.json');
    if (existsSync(own)) return { file: own, value: parse(own) };
    const manifest = join(folder, 'package.json');
    const inside = existsSync(manifest) ? (parse(manifest) as { reenact?: unknown } | null)?.reenact : undefined;
    if (inside !== undefined) return { file: manifest, value: inside };
    if (dirname(folder) === folder) return undefined;
  }
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure('bad-config', `${file}: ${messageOf(error)}`);
  }
}
