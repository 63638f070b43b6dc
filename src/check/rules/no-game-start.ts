import { suggest } from '../../../engine/core/index.ts';
import { playFactsOf } from '../play.ts';
import type { Rule } from '../rule.ts';

/** A game without variables whose scripts all react to players has nothing to set up. */
export const noGameStart: Rule = {
  severity: 'info',
  about: 'No script has the trigger `gameStart`, so nothing is set up before the first player joins.',
  because: 'That may be the game. Most games create their world and set their variables there.',
  wrong: `{
  "unitTypes": { "hero": { "controls": { "movementControlScheme": "wasd" } } },
  "scripts": { "clock": { "triggers": [{ "type": "secondTick" }], "actions": [{ "type": "endGame" }] } }
}`,
  right: `{
  "unitTypes": { "hero": { "controls": { "movementControlScheme": "wasd" } } },
  "scripts": { "clock": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "endGame" }] } }
}`,
  check({ definition, scripts, once, report }) {
    if (scripts.length === 0 || !once(playFactsOf).isSteered) return;
    const triggers = scripts.flatMap(({ script: { owner, source } }) => (owner.kind === 'game' ? source.triggers : []));
    // Misspellings are a separate issue.
    if (triggers.some((trigger) => suggest(trigger, ['gameStart']) !== undefined)) return;
    if (definition.variables.size === 0 && triggers.every((trigger) => trigger.startsWith('player'))) return;
    report(
      `${definition.pointer}/scripts`,
      'No global script has the trigger `gameStart`, so nothing is set up before the first player joins.',
      { expected: 'a script with the trigger `gameStart`', found: 'none' },
    );
  },
};
