import { suggest } from '../../../engine/core/index.ts';
import type { UnitType } from '../../../engine/tools.ts';
import { isMovedByScripts } from '../controls.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const noMovement: Rule = {
  about:
    'Players get a unit that has key bindings but cannot move: it has no movement scheme, no `speed`, or a static body.',
  because: 'Players press keys and nothing happens.',
  wrong: `{
  "unitTypes": { "hero": { "controls": { "movementControlScheme": "wasd" } } },
  "scripts": { "join": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "getTriggeringPlayer" }, "unitType": "hero", "position": { "x": 9, "y": 9 }, "angle": 0 }] } }
}`,
  right: `{
  "unitTypes": { "hero": { "controls": { "movementControlScheme": "wasd" }, "attributes": { "speed": { "min": 0, "max": 20, "value": 10 } } } },
  "scripts": { "join": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "getTriggeringPlayer" }, "unitType": "hero", "position": { "x": 9, "y": 9 }, "angle": 0 }] } }
}`,
  check({ aiScripts, play, report }) {
    const { played, isTracked, whyStill } = play;
    for (const type of played) movement(type);

    function movement(type: UnitType) {
      const { controls, attributes, ai, pointer } = type;
      // The unit's AI moves it, or scripts give it orders.
      if (ai !== undefined && (ai.enabled || aiScripts.enable)) return;
      const title = titleOf(type);
      if (controls === undefined && isTracked) {
        report(pointer, `${title} has no \`controls\`, so its player cannot move it.`, '`controls`', 'nothing');
      }
      if (controls === undefined || (controls.movementControlScheme === undefined && controls.abilities.size === 0))
        return;
      if (isMovedByScripts(type)) return;
      if (controls.movementControlScheme === undefined) {
        report(
          `${pointer}/controls`,
          `${title} has key bindings but no movement scheme, so its player cannot move it.`,
          'wasd, ad, wasdRelativeToUnit or followCursor',
          'nothing',
        );
        return;
      }
      const still = whyStill(type);
      if (still === undefined) return;
      const { why, at = pointer, ...details } = still;
      const suggestion = at === pointer ? suggest('speed', attributes.keys()) : undefined;
      report(at, `${title} cannot move: ${why}.`, {
        ...details,
        ...(suggestion && { found: suggestion, suggestion: 'speed' }),
      });
    }
  },
};
