import type { Action, Call } from '../../../engine/index.ts';
import { isSeconds, pixelsPerMetre } from '../../../engine/internal.ts';
import { numberOf } from '../nodes.ts';
import { isMovedByScripts, playFactsOf, topSpeedOf } from '../play.ts';
import type { Rule } from '../rule.ts';

/** Angles above this are taken for degrees: more than one turn in radians, and what nobody writes as a literal. */
const radiansMax = 7;

/** Units that cross the map more often than this in a second are faster than anybody can steer. */
const crossingsMax = 4;

export const wrongUnit: Rule = {
  because: 'Times are in milliseconds, angles in radians, places and sizes in pixels.',
  wrong: `[{ "type": "setTimeOut", "duration": 5, "actions": [{ "type": "endGame" }] }]`,
  right: `[{ "type": "setTimeOut", "duration": 5000, "actions": [{ "type": "endGame" }] }]`,
  /** Reports a speed that crosses the whole map in a moment. */
  check({ definition: { map, cellSize }, once, report }) {
    for (const type of map === undefined ? [] : once(playFactsOf).played) {
      const speed = type.attributes.get('speed');
      const { movementControlScheme, movementMethod } = type.controls ?? {};
      if (speed === undefined || movementControlScheme === undefined || movementMethod !== 'velocity') continue;
      const most = topSpeedOf(speed);
      const pixels = most * pixelsPerMetre;
      const across = Math.max(map!.width * cellSize.width, map!.height * cellSize.height);
      if (across === 0 || pixels < across * crossingsMax || isMovedByScripts(type)) continue;
      const message = `\`speed\` is in units of ${pixelsPerMetre} px per second: at ${most}, "${type.name}" crosses the map ${Math.floor(pixels / across)} times a second.`;
      const suggestion = String(Number((most / pixelsPerMetre).toFixed(1)));
      report(`${speed.pointer}/value`, message, { found: String(most), suggestion });
    }
  },
  visit({ report }) {
    return { action: units, call: units };

    function units(node: Action | Call): void {
      for (const [key, { unit }] of Object.entries(node.rule?.params ?? {})) {
        if (unit !== 'ms' && unit !== 'radians') continue;
        const operand = node.operand(key);
        const number = numberOf(operand);
        if (number === undefined) continue;
        if (unit === 'ms' && isSeconds(number))
          report(operand, `\`${key}\` is in milliseconds: ${number} ms ends at once.`, {
            expected: 'milliseconds',
            found: String(number),
            suggestion: String(number * 1000),
          });
        else if (unit === 'radians' && Math.abs(number) >= radiansMax)
          report(operand, `\`${key}\` is in radians: ${number} is more than a turn.`, {
            expected: '`toRadians` of degrees',
            found: String(number),
            suggestion: String(Number(((number * Math.PI) / 180).toFixed(3))),
          });
      }
    }
  },
};
