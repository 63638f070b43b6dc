import { mapAreasOf } from '../map-positions.ts';
import type { Rule } from '../rule.ts';

const sides = ['width', 'height', 'radius', 'halfWidth', 'halfHeight'] as const;
type Sized = { readonly [K in (typeof sides)[number]]?: number | undefined };

export const negativeSize: Rule = {
  about: 'A width, height or radius is below 0.',
  because: 'Bodies and regions reach right and down from their position. Write the size as a positive number.',
  wrong: `{ "variables": { "camp": { "dataType": "region", "default": { "x": 99, "y": 99, "width": 64, "height": -64 } } } }`,
  right: `{ "variables": { "camp": { "dataType": "region", "default": { "x": 99, "y": 35, "width": 64, "height": 64 } } } }`,
  check({ definition, entityTypes, report }) {
    for (const bodies of [definition.bodyTypes, ...entityTypes.map((type) => type.bodies)]) {
      for (const body of bodies.values()) {
        sized(body, body.pointer);
        body.fixtures.forEach(({ size, shape: { data } }, i) => {
          const at = `${body.pointer}/fixtures/${i}`;
          sized(size, `${at}/size`);
          sized(data, `${at}/shape/data`);
        });
      }
    }
    for (const place of mapAreasOf(definition)) sized(place, place.at);

    function sized(of: Sized | undefined, at: string): void {
      for (const side of sides) {
        const length = of?.[side] ?? 0;
        if (length >= 0) continue;
        report(`${at}/${side}`, `The ${side} is negative: ${length} pixels.`, {
          expected: '0 or more',
          found: length,
          suggestion: -length,
        });
      }
    }
  },
};
