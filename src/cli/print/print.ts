import { type Thing, thingsText } from '../../review/index.ts';
import { closestHint, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { readThings } from '../read-things.ts';

/** Prints a game, or only the scripts named `script`, as text for people and for `git diff`. */
export async function print(
  path: string,
  script: string | undefined,
  _options: object,
  terminal: Terminal,
): Promise<number> {
  const { things } = await readThings(path, terminal);
  terminal.stdout.write(thingsText(script === undefined ? things : scriptsNamed(things, script)));
  return exitCodes.ok;
}

/** The scripts with this path, key or name. Several scripts of a game may share a key or a name. */
function scriptsNamed(things: readonly Thing[], word: string): readonly Thing[] {
  const scripts = things.filter((thing) => thing.script !== undefined);
  const words = [({ section, key }: Thing) => `${section}/${key}`, ({ key }: Thing) => key, ({ name }: Thing) => name];
  for (const wordOf of words) {
    const found = scripts.filter((script) => wordOf(script) === word);
    if (found.length > 0) return found;
  }
  const hint = closestHint(word, new Set(words.toReversed().flatMap((wordOf) => scripts.map(wordOf))));
  throw new Failure('unknown-script', `The game has no script "${word}".${hint}`);
}
