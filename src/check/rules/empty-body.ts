import type { BodyType } from '../../../engine/tools.ts';
import { bodyOf, isPhysical, passesWalls } from '../items.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const emptyBody: Rule = {
  about: 'A physical body without fixtures, with sensors only, or of width or height 0: it collides with nothing.',
  because:
    'Other bodies pass through this body. Give the body a size and a fixture, or the type `none` if it should not collide.',
  wrong: `{ "unitTypes": { "hero": { "states": { "default": { "body": "b" } }, "bodies": { "b": { "type": "dynamic", "width": 40, "height": 40 } } } } }`,
  right: `{ "unitTypes": { "hero": { "states": { "default": { "body": "b" } }, "bodies": { "b": { "type": "dynamic", "width": 40, "height": 40, "fixtures": [{ "density": 1, "shape": { "type": "circle" } }] } } } } }`,
  check({ definition, entityTypes, report }) {
    for (const type of entityTypes) {
      // The body of an item in the hand of a unit is meant to touch nothing.
      const used = 'carriedBy' in type ? [bodyOf(type, 'dropped')] : [...type.bodies.values()];
      for (const body of used) if (body !== undefined && isPhysical(body)) substance(body);
    }
    const walkers = [...definition.unitTypes.values()].filter(({ controls }) => controls?.movementControlScheme);
    for (const type of walkers) {
      const body = bodyOf(type);
      if (!passesWalls(body)) continue;
      report(
        `${body.pointer}/fixtures/0/isSensor`,
        `All fixtures of ${titleOf(type)} are sensors, so the body goes through walls, although \`collidesWith\` names them.`,
        '`isSensor`: false',
        'true',
      );
    }

    function substance(body: BodyType) {
      const { fixtures, collidesWith, pointer } = body;
      const { units, items, projectiles, walls } = collidesWith;
      const which = `The body ${titleOf(body)}`;
      if (fixtures.length === 0) {
        report(pointer, `${which} has no fixtures, so it collides with nothing.`, 'a fixture', 'none');
      }
      // Only the first fixture counts. A circle has no height.
      const [{ shape, size } = {}] = fixtures;
      const isCircle = shape?.type === 'circle';
      const own = isCircle ? { width: shape.data?.radius, height: 1 } : size;
      const empty = (['width', 'height'] as const).find((side) => body[side] === 0 && !own?.[side]);
      if (shape === undefined || empty === undefined || !(units || items || projectiles || walls)) return;
      report(`${pointer}/${empty}`, `${which} has a ${empty} of 0, so it collides with nothing.`, 'more than 0', '0');
    }
  },
};
