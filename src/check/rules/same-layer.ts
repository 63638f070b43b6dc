import type { Rule } from '../rule.ts';

export const sameLayer: Rule = {
  about: 'The map has several layers called `walls`; only the last one counts.',
  because: 'Bodies pass through the walls of the other layers. Draw all walls in one layer.',
  wrong: `{ "map": { "width": 1, "height": 1, "layers": [{ "name": "walls", "type": "tilelayer", "data": [0] }, { "name": "walls", "type": "tilelayer", "data": [0] }] } }`,
  right: `{ "map": { "width": 1, "height": 1, "layers": [{ "name": "floor", "type": "tilelayer", "data": [0] }, { "name": "walls", "type": "tilelayer", "data": [0] }] } }`,
  check({ definition: { map }, report }) {
    const walls = map?.layers.filter(({ name }) => name === 'walls') ?? [];
    if (walls.length < 2) return;
    report(
      `${walls[0]!.pointer}/name`,
      `The map has ${walls.length} layers "walls", but only the last one counts.`,
      '1',
      walls.length,
    );
  },
};
