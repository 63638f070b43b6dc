import type { Dictionary } from '../../../engine/core/index.ts';
import type { Action, Call } from '../../../engine/index.ts';
import { pixelsPerMetre, projectileTypesOf } from '../../../engine/tools.ts';
import { isMovedByScripts } from '../controls.ts';
import { mapAreasOf, mapSizeOf, placingsOf, statedPoint } from '../map-positions.ts';
import { titleOf } from '../nodes.ts';
import { topSpeedOf } from '../play.ts';
import type { Context, Rule } from '../rule.ts';

/**
 * Angles from this number on are assumed to be in degrees: in radians, they exceed a full turn, and authors do not
 * write such angles as literals.
 */
const radiansMax = 7;

/** A unit that crosses the map more often than this per second is too fast for anybody to control. */
const crossingsMax = 4;

/**
 * Times below this (ms), other than 0, were probably meant in seconds: they are over in the tick in which they begin.
 */
const secondsMax = 10;
/** The same limit for times in scripts. It is higher, because no script needs an exact delay of a few ms. */
const timerMax = 16;

export const wrongUnit: Rule = {
  about:
    'A number that is probably in another unit than the field: seconds for milliseconds, degrees for radians, tiles for pixels.',
  because: 'Times are in milliseconds, angles in radians, positions and sizes in pixels.',
  wrong: `[{ "type": "setTimeOut", "duration": 5, "actions": [{ "type": "endGame" }] }]`,
  right: `[{ "type": "setTimeOut", "duration": 5000, "actions": [{ "type": "endGame" }] }]`,
  check(context) {
    speeds(context);
    regions(context);
    times(context);
  },
  visit({ numbers, report }) {
    return { action: units, call: units };

    function units(node: Action | Call) {
      for (const [key, { unit }] of Object.entries(node.rule?.params ?? {})) {
        if (unit !== 'ms' && unit !== 'radians' && unit !== 'share') continue;
        const operand = node.operand(key);
        const number = numbers.fixed(operand);
        if (number === undefined) continue;
        if (unit === 'ms' && number < 0) report(operand, `\`${key}\` is less than 0 ms.`, '0 or more', number);
        else if (unit === 'ms' && isSeconds(number, timerMax)) report(operand, ...notSeconds(key, number));
        else if (unit === 'share' && (number < 0 || number > 1))
          report(operand, `\`${key}\` goes from 0 to 1.`, '0 to 1', number, number > 1 ? number / 100 : undefined);
        else if (unit === 'radians' && Math.abs(number) >= radiansMax)
          report(
            operand,
            `\`${key}\` is in radians: ${number} is more than a full turn.`,
            '`toRadians` of degrees',
            number,
            Number(((number * Math.PI) / 180).toFixed(3)),
          );
      }
    }
  },
};

/** Reports units that cross the whole map within a moment. */
function speeds({ definition, play, report }: Context) {
  const { width = 0, height = 0 } = mapSizeOf(definition) ?? {};
  const across = Math.max(width, height);
  for (const type of across === 0 ? [] : play.played) {
    const speed = type.attributes.get('speed');
    const { movementControlScheme, movementMethod } = type.controls ?? {};
    if (speed === undefined || movementControlScheme === undefined || movementMethod !== 'velocity') continue;
    const most = topSpeedOf(speed);
    const pixels = most * pixelsPerMetre;
    if (pixels < across * crossingsMax || isMovedByScripts(type)) continue;
    const suggestion = Number((most / pixelsPerMetre).toFixed(1));
    report(
      `${speed.pointer}/value`,
      `\`speed\` is in units of ${pixelsPerMetre} px per second: at ${most}, ${titleOf(type)} crosses the map ${Math.floor(pixels / across)} times a second.`,
      { found: most, suggestion },
    );
  }
}

/**
 * Reports a region that is smaller than half a tile in both directions and would fit into the map if its numbers were
 * tiles, and a position in the corner of the first tile.
 */
function regions({ definition, once, report }: Context) {
  const { map, cellSize } = definition;
  for (const { key, dataType, at, x, y, width, height } of mapAreasOf(definition)) {
    if (map === undefined || dataType !== 'region' || width <= 0 || height <= 0) continue;
    if (width >= cellSize.width / 2 || height >= cellSize.height / 2) continue;
    if (x + width > map.width || y + height > map.height) continue;
    report(
      at,
      `The region "${key}" is smaller than a tile: its size is in pixels, and a tile is ${cellSize.width} pixels wide.`,
      'pixels',
      `${width} x ${height} at ${x}, ${y}`,
    );
  }
  for (const { at } of map === undefined ? [] : once(placingsOf)) {
    const { x, y } = statedPoint(at) ?? { x: 0, y: 0 };
    if (x <= 0 || y <= 0 || x >= map!.width || y >= map!.height) continue;
    if (x >= cellSize.width / 2 || y >= cellSize.height / 2) continue;
    report(
      at,
      `Positions are in pixels, and a tile is ${cellSize.width} pixels wide, so this position is in the first tile.`,
      'pixels',
      `${x}, ${y}`,
      `${(x + 0.5) * cellSize.width}, ${(y + 0.5) * cellSize.height}`,
    );
  }
}

function times({ definition, report }: Context) {
  for (const { controls } of definition.unitTypes.values())
    for (const { cooldown, castDuration, pointer } of controls?.unitAbilities.values() ?? [])
      seconds(pointer, { cooldown, castDuration });
  for (const { fireRate, reloadRate, lifeSpan, delayBeforeUse, pointer } of definition.itemTypes.values()) {
    // Whole numbers are not checked: a gun that fires every tick has a `fireRate` of 0 or of a few ms.
    const rate = Number.isInteger(fireRate) ? undefined : fireRate;
    seconds(pointer, { fireRate: rate, reloadRate, delayBeforeUse, lifeSpan });
  }
  // A projectile that ends in its first tick has not moved. Elsewhere 1 ms means "immediately".
  for (const { lifeSpan, pointer } of projectileTypesOf(definition).values()) seconds(pointer, { lifeSpan }, false);

  function seconds(pointer: string, fields: Dictionary<number | undefined>, mayBeOne = true) {
    for (const [field, ms] of Object.entries(fields))
      if (ms !== undefined && isSeconds(ms) && !(mayBeOne && ms === 1))
        report(`${pointer}/${field}`, ...notSeconds(field, ms));
  }
}

function isSeconds(ms: number, max = secondsMax) {
  return ms > 0 && ms < max;
}

function notSeconds(field: string, ms: number) {
  const details = { expected: 'milliseconds', found: ms, suggestion: ms * 1000 };
  return [`\`${field}\` is in milliseconds: a time of ${ms} ms ends almost immediately.`, details] as const;
}
