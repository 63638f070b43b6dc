import { changes, tells } from '../../rules/effects.ts';
import { changeLook } from '../../rules/entities/appearance.ts';
import { resizeRegion } from '../../rules/world/region.ts';
import { type Entity, EntityRef, noEntity, rowOf } from '../../world/entity.ts';
import { action, compiledAction, family } from '../op.ts';
import * as P from '../params.ts';

/** A region entity. Plain rectangles are not accepted. */
const region: P.ParamKind<Entity> = {
  ...P.named(P.entityRef, 'region'),
  none: noEntity,
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
  transformRegionDimensions: action(
    'Moves and resizes a region. `x` and `y` are its new top-left corner.',
    { region: P.faultIfMissing(region), x: P.px, y: P.px, width: P.px, height: P.px },
    ({ game, world }, { region: of, ...to }) => {
      if (!Object.values(to).every(Number.isFinite)) {
        world.fault('not-finite', 'A region was not changed: its new position and size must be finite numbers.');
        return;
      }
      const { x, y, width, height } = world.components.region[rowOf(of)]!;
      const isSame = x === to.x && y === to.y && width === to.width && height === to.height;
      if (!isSame || !game.rules.regionsRebuildOnChange) resizeRegion(game, of, to);
    },
    changes('position', 'region'),
    changes('size', 'region'),
  ),
  /**
   * Changes how clients draw the region. In dialects without `regionsRebuildOnChange`, the action also rebuilds the
   * region's body, so that entities inside leave the region and enter it again.
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
        if (colour !== undefined && opacity !== undefined)
          changeLook(context.game, of, { inside: colour, alpha: opacity });
        if (rebuilds) resizeRegion(context.game, of, context.world.components.region[rowOf(of)]!);
      };
    },
    changes('look', 'region'),
    tells('entity.style'),
  ),
});
