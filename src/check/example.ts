import type { Explained } from '../../engine/core/index.ts';
import { loadDefinition } from '../../engine/index.ts';
import { checkGame, type Rules } from './check-game.ts';

/**
 * Checks the examples of a code: `wrong` must be reported, and `right` must not. Returns a description of what is
 * wrong; undefined if nothing is. Throws if an example is not JSON.
 */
export function exampleFault(code: string, { wrong, right }: Explained, own: Rules = {}): string | undefined {
  if (!codesIn(wrong, own).has(code)) return 'the rule does not report its example `wrong`';
  return codesIn(right, own).has(code) ? 'the rule also reports its example `right`' : undefined;
}

/** The codes of all issues that an example has. */
function codesIn(text: string, own: Rules): ReadonlySet<string> {
  const given: unknown = JSON.parse(text);
  const sections = Array.isArray(given)
    ? { scripts: { example: { triggers: [{ type: 'gameStart' }], actions: given } } }
    : given;
  const map = { width: 20, height: 20, tilewidth: 64, tileheight: 64, layers: [] };
  const { game, issues } = loadDefinition({ data: { map, ...(sections as object) } });
  return new Set([...issues, ...(game === undefined ? [] : checkGame(game, 'standard', own))].map(({ code }) => code));
}
