import { toPoint } from '../../../engine/internal.ts';
import { playFactsOf } from '../play.ts';
import type { Rule } from '../rule.ts';

/** Only start positions: games later move entities off the map on purpose, to hide them. */
export const outsideMap: Rule = {
  because: 'Nobody sees it, and nothing is there. Positions are in pixels from the top left corner of the map.',
  wrong: `{
  "unitTypes": { "wolf": {} },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "computerPlayer", "number": 1 }, "unitType": "wolf", "position": { "x": -5000, "y": 9 }, "angle": 0 }] } }
}`,
  right: `{
  "unitTypes": { "wolf": {} },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "computerPlayer", "number": 1 }, "unitType": "wolf", "position": { "x": 50, "y": 9 }, "angle": 0 }] } }
}`,
  check({ definition: { map, cellSize }, once, report }) {
    if (map === undefined || map.width === 0 || map.height === 0) return;
    const [width, height] = [map.width * cellSize.width, map.height * cellSize.height];
    for (const position of once(playFactsOf).places) {
      const point = position.kind === 'data' ? toPoint(position.json) : undefined;
      if (point === undefined) continue;
      const { x, y } = point;
      if (!(x < 0 || y < 0 || x > width || y > height)) continue;
      const details = { expected: `0, 0 to ${width}, ${height}`, found: `${x}, ${y}` };
      report(position, 'The unit is created outside the map.', details);
    }
  },
};
