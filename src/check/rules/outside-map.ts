import { mapAreasOf, mapSizeOf, placingsOf, statedPoint } from '../map-positions.ts';
import type { Rule } from '../rule.ts';

/** Checks entities only where they are created: games later hide entities by moving them off the map. */
export const outsideMap: Rule = {
  about: 'A region or position is completely outside the map.',
  because: 'Nobody can see or reach it. Positions are in pixels from the top left corner of the map.',
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
      report(at, `The ${dataType} "${key}" lies outside the map.`, {
        expected,
        found: `${x}, ${y} to ${right}, ${bottom}`,
      });
    }
    for (const { at: position, kind, isNew } of once(placingsOf)) {
      const point = isNew ? statedPoint(position) : undefined;
      if (point === undefined) continue;
      const { x, y } = point;
      if (x < 0 || y < 0 || x > width || y > height)
        report(position, `The ${kind} is created outside the map.`, { expected, found: `${x}, ${y}` });
    }
  },
};
