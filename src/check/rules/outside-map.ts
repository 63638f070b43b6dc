import type { Action, Call } from '../../../engine/index.ts';
import { mapAreasOf, mapSizeOf, placingsOf, statedPoint } from '../map-positions.ts';
import { numbersOf } from '../ranges.ts';
import type { Rule } from '../rule.ts';

/** Checks entities only where they are created: games later hide entities by moving them off the map. */
export const outsideMap: Rule = {
  about:
    'A region or position is completely outside the map, or an operation names a layer, cell or tile that the map does not have.',
  because:
    'Nobody can see or reach it. Positions are in pixels from the top left corner of the map; layers, columns and rows are counted from 0.',
  wrong: `{
  "unitTypes": { "wolf": {} },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "computerPlayer", "number": 1 }, "unitType": "wolf", "position": { "x": -5000, "y": 9 }, "angle": 0 }] } }
}`,
  right: `{
  "unitTypes": { "wolf": {} },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "computerPlayer", "number": 1 }, "unitType": "wolf", "position": { "x": 50, "y": 9 }, "angle": 0 }] } }
}`,
  check({ definition, once, report }) {
    const size = mapSizeOf(definition);
    if (size === undefined) return;
    const { width, height } = size;
    const expected = `0, 0 to ${width}, ${height}`;
    for (const place of mapAreasOf(definition)) {
      const { key, dataType, at, x, y } = place;
      const [right, bottom] = [x + place.width, y + place.height];
      if (place.width < 0 || place.height < 0 || (x < width && y < height && right >= 0 && bottom >= 0)) continue;
      report(at, `The ${dataType} "${key}" lies outside the map.`, expected, `${x}, ${y} to ${right}, ${bottom}`);
    }
    for (const { at: position, kind, isNew } of once(placingsOf)) {
      const point = isNew ? statedPoint(position) : undefined;
      if (point === undefined) continue;
      const { x, y } = point;
      if (x < 0 || y < 0 || x > width || y > height)
        report(position, `The ${kind} is created outside the map.`, expected, `${x}, ${y}`);
    }
  },
  visit({ definition: { map }, uses, once, report }) {
    // A map that a script loads can have any size.
    if (map === undefined || uses('output', 'map.replace').length > 0) return {};
    const { layers, width, height, tilesets } = map;
    return { action: numbered, call: numbered };

    function numbered(node: Action | Call) {
      if (node.rule?.params['layer'] === undefined) return;
      const ends = {
        layer: ['layer', layers.length],
        x: ['column', width],
        y: ['row', height],
        gid: ['tile', (tilesets[0]?.tilecount ?? 0) + 1],
      } as const;
      for (const [key, [noun, end]] of Object.entries(ends)) {
        const operand = node.rule.params[key] && node.operand(key);
        const found = operand && once(numbersOf).fixed(operand);
        if (found === undefined || (Number.isInteger(found) && found >= 0 && found < end)) continue;
        report(operand!, `The map has no ${noun} ${found}.`, `0 to ${end - 1}`, found);
      }
    }
  },
};
