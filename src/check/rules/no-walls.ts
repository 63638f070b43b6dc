import { mapSizeOf } from '../map-positions.ts';
import type { Rule } from '../rule.ts';

export const noWalls: Rule = {
  about: 'The map has no layer called `walls`, so nothing stops bodies.',
  because:
    'Units walk through everything that is drawn, and leave the map. Give the name `walls` to the layer that contains the walls.',
  wrong: `{ "map": { "width": 2, "height": 1, "layers": [{ "name": "Walls", "type": "tilelayer", "width": 2, "height": 1, "data": [0, 0] }] } }`,
  right: `{ "map": { "width": 2, "height": 1, "layers": [{ "name": "walls", "type": "tilelayer", "width": 2, "height": 1, "data": [0, 0] }] } }`,
  check({ definition, report, near }) {
    const { map, pointer } = definition;
    if (map === undefined || mapSizeOf(definition) === undefined || map.layerByName.has('walls')) return;
    const names = [...map.layerByName.keys()];
    const found = names.find((name) => name.toLowerCase() === 'walls') ?? near('walls', names);
    report(
      `${pointer}/map/layers`,
      'The map has no layer "walls", so nothing stops bodies, even at the edges.',
      'walls',
      found,
      found && 'walls',
    );
  },
};
