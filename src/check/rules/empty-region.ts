import { mapAreasOf } from '../map-positions.ts';
import type { Rule } from '../rule.ts';

export const emptyRegion: Rule = {
  about: 'A region of width or height 0: nothing enters it.',
  because: 'Scripts that wait for something to enter the region never run. Set its width and height in pixels.',
  wrong: `{ "variables": { "camp": { "dataType": "region", "default": { "x": 99, "y": 99, "width": 0, "height": 64 } } } }`,
  right: `{ "variables": { "camp": { "dataType": "region", "default": { "x": 99, "y": 99, "width": 64, "height": 64 } } } }`,
  check({ definition, report }) {
    for (const { key, dataType, width, height, at } of mapAreasOf(definition)) {
      if (dataType !== 'region' || (width !== 0 && height !== 0)) continue;
      report(
        at,
        `The region "${key}" has no size, so nothing enters it.`,
        'a width and a height above 0',
        `${width} x ${height}`,
      );
    }
  },
};
