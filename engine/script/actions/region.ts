import { changes, tells } from '../../rules/effects.ts';
import { changeLook } from '../../rules/entities/appearance.ts';
import { resizeRegion } from '../../rules/world/region.ts';
import { type Entity, EntityRef, noEntity, rowOf } from '../../world/entity.ts';
import { compiledAction, family } from '../op.ts';
import * as P from '../params.ts';

/** A region entity. Plain rectangles are not accepted. */
const region: P.ParamKind<Entity> = {
  ...P.named(P.entityRef, 'region'),
  compile(compiler, node, place) {
    const value = P.entityRef.compile(compiler, node, place);
    return (context) => {
      const ref = value(context);
      if (ref instanceof EntityRef && ref.kind === 'region' && context.world.exists(ref.entity)) return ref.entity;
      const message = `${place.operation}: \`${place.key}\` is not a region entity.`;
      if (place.faultIfMissing) context.world.fault('no-such-entity', message);
      else context.world.skip('nothing-to-act-on', message);
      return noEntity;
    };
  },
};

export const regionActions = family('region', {
  transformRegionDimensions: compiledAction(
    'Moves and resizes a region, given by its top-left corner and its size.',
    { region: P.faultIfMissing(region), x: P.px, y: P.px, width: P.px, height: P.px },
    ({ region: operand, x, y, width, height }, { dialect }) => {
      const rebuildsAlways = !dialect.regionsRebuildOnChange;
      return (context) => {
        const of = operand(context);
        const left = x(context);
        const top = y(context);
        const wide = width(context);
        const high = height(context);
        if (of === noEntity || left === undefined || top === undefined || wide === undefined || high === undefined)
          return;
        for (const number of [left, top, wide, high]) {
          if (Number.isFinite(number)) continue;
          context.world.fault('not-finite', 'The position or size of a region is not a finite number.');
          return;
        }
        const present = context.world.components.region[rowOf(of)]!;
        const isSame = present.x === left && present.y === top && present.width === wide && present.height === high;
        if (!isSame || rebuildsAlways) resizeRegion(context.game, of, { x: left, y: top, width: wide, height: high });
      };
    },
    changes('position', 'region'),
    changes('size', 'region'),
  ),
  /**
   * Changes how clients draw the region. In some dialects, the action also rebuilds the region's body, so that entities
   * inside leave and enter it.
   */
  changeRegionColor: compiledAction(
    'Sets the colour and opacity of a region.',
    { region, inside: P.text, alpha: P.number },
    ({ region: operand, inside, alpha }, { dialect }) => {
      const rebuilds = !dialect.regionsRebuildOnChange;
      return (context) => {
        const of = operand(context);
        const colour = inside(context);
        const opacity = alpha(context);
        if (of === noEntity) return;
        const { world } = context;
        if (colour !== undefined && opacity !== undefined)
          changeLook(context.game, of, { inside: colour, alpha: opacity });
        if (rebuilds) resizeRegion(context.game, of, world.components.region[rowOf(of)]!);
      };
    },
    changes('look', 'region'),
    tells('entity.style'),
  ),
});
