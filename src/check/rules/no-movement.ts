import { suggest } from '../../../engine/core/index.ts';
import type { UnitType } from '../../../engine/tools.ts';
import { aiScriptsOf } from '../ai.ts';
import { isMovedByScripts } from '../controls.ts';
import { titleOf } from '../nodes.ts';
import { isStill, playFactsOf } from '../play.ts';
import type { Rule } from '../rule.ts';

/** Types of bodies that player controls do not move. */
const unmoved: ReadonlySet<string> = new Set(['static', 'spriteOnly']);

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
  check({ definition, once, report }) {
    const { played, isTracked, changesSpeed, changesStates } = once(playFactsOf);
    for (const type of played) movement(type);

    function movement(type: UnitType): void {
      const { controls, attributes, ai, pointer } = type;
      // The unit's AI moves it, or scripts give it orders.
      if (ai !== undefined && (ai.enabled || once(aiScriptsOf).enable)) return;
      const title = titleOf(type);
      if (controls === undefined && isTracked) {
        report(pointer, `${title} has no \`controls\`, so its player cannot move it.`, {
          expected: '`controls`',
          found: 'nothing',
        });
      }
      if (controls === undefined || (controls.movementControlScheme === undefined && controls.abilities.size === 0))
        return;
      if (isMovedByScripts(type)) return;
      const { movementControlScheme: scheme } = controls;
      if (scheme === undefined) {
        report(
          `${pointer}/controls`,
          `${title} has key bindings but no movement scheme, so its player cannot move it.`,
          { expected: 'wasd, ad, wasdRelativeToUnit or followCursor', found: 'nothing' },
        );
        return;
      }
      const speed = attributes.get('speed');
      if (speed !== undefined && isStill(type) && !(changesSpeed || givesSpeed())) {
        report(`${speed.pointer}/value`, `${title} cannot move: its \`speed\` stays at 0.`, {
          expected: 'more than 0',
          found: speed.value ?? 'nothing',
        });
      }
      fixedBody(type, title);
      if (speed !== undefined || !isStill(type)) return;
      const found = suggest('speed', attributes.keys());
      report(pointer, `${title} has a movement scheme (${scheme}) but no attribute \`speed\`, so it cannot move.`, {
        expected: 'an attribute `speed`',
        found,
        suggestion: found && 'speed',
      });
    }

    /** Whether an item can raise the speed of the unit that carries or uses it. */
    function givesSpeed(): boolean {
      return [...definition.itemTypes.values()].some(
        ({ bonus }) => bonus?.passive?.unitAttribute.has('speed') || bonus?.consume?.unitAttribute.has('speed'),
      );
    }

    /** Reports a unit type that players control but whose body cannot move in any state that its units can be in. */
    function fixedBody({ states, bodies }: UnitType, title: string): void {
      const used = changesStates ? [...states.values()] : [...states.values()].slice(0, 1);
      const found = used.map(({ body }) => bodies.get(body ?? ''));
      const [first] = found;
      if (first === undefined || found.some((body) => !unmoved.has(body?.type ?? ''))) return;
      report(
        `${first.pointer}/type`,
        `${title} cannot move: its body is ${first.type === 'static' ? 'static' : 'only a sprite'}.`,
        { expected: 'dynamic or kinematic', found: first.type },
      );
    }
  },
};
