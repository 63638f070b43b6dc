import type { ScriptNode } from '../../../engine/index.ts';
import { scriptsOf } from '../../../engine/tools.ts';
import { gameText, scriptText } from '../../review/index.ts';
import { closestWord, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { readParts } from '../read-parts.ts';

/** Prints a game, or only the scripts called `script`, as text for people and for `git diff`. */
export async function print(
  path: string,
  script: string | undefined,
  _options: object,
  terminal: Terminal,
): Promise<number> {
  const { game, parts } = await readParts(path, terminal);
  const text =
    script === undefined
      ? gameText(parts)
      : scriptsNamed(scriptsOf(game.definition).scripts, script).map(scriptText).join('\n');
  terminal.stdout.write(text);
  return exitCodes.ok;
}

/** Several scripts of a game may share a key or a name. */
function scriptsNamed(scripts: readonly ScriptNode[], word: string): readonly ScriptNode[] {
  const words = [(s: ScriptNode) => s.place, (s: ScriptNode) => s.source.key, (s: ScriptNode) => s.name];
  for (const wordOf of words) {
    const found = scripts.filter((script) => wordOf(script) === word);
    if (found.length > 0) return found;
  }
  const meant = closestWord(word, new Set(words.toReversed().flatMap((wordOf) => scripts.map(wordOf))));
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  throw new Failure('unknown-script', `The game has no script "${word}".${hint}`);
}
