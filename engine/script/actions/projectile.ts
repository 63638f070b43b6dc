import { aheadX, aheadY, PI } from '../../core/dmath.ts';
import { createProjectileByScript, setSourceItem, setSourceUnit } from '../../rules/combat/projectile.ts';
import { changes, creates } from '../../rules/effects.ts';
import { announceCreated } from '../../rules/entities/announce.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

/**
 * The direction in which a projectile faces and flies, radians clockwise from up. If the operand is itself a call to
 * `angleBetweenPositions`, its result is turned by a quarter turn, as if that function still measured angles from the
 * right. A call within a larger expression is not turned (reference: operations#createprojectileatposition).
 */
const facing: P.ParamKind<number | undefined> = {
  ...P.radians,
  name: 'angle',
  compile: (compiler, node, place) => {
    const angle = P.number.compile(compiler, node, place);
    if (!node.calls('angleBetweenPositions')) return angle;
    return (context) => {
      const between = angle(context);
      return between === undefined ? undefined : between + PI / 2;
    };
  },
};

export const projectileActions = family('projectile', {
  /** Despite its name, `force` is a speed in physics units per second. The projectile does no damage by itself. */
  createProjectileAtPosition: action(
    'Creates a projectile at a position, and makes it fly in a direction at the speed `force`.',
    {
      projectileType: P.projectileType,
      position: P.creationPosition,
      force: P.number,
      angle: facing,
      unit: P.optional(P.unit),
    },
    ({ game, helpers }, { projectileType: type, position: { x, y }, force, angle, unit }) => {
      if (helpers !== undefined) helpers.sourceUnit = unit;
      const projectile = createProjectileByScript(game, {
        type,
        x,
        y,
        angle,
        sourceUnit: unit,
        launch: { how: 'setVelocity', x: aheadX(angle) * force, y: aheadY(angle) * force },
      });
      if (game.world.exists(projectile)) announceCreated(game, projectile);
    },
    creates('projectile', { type: 'projectileType', at: 'position', of: 'unit' }),
  ),
  /** The damage of the projectile does not change. */
  setOwnerUnitOfProjectile: action(
    'Sets the unit that owns a projectile.',
    { projectile: P.projectile, unit: P.unit },
    ({ world }, { projectile, unit }) => setSourceUnit(world, projectile, unit),
    changes('owner', 'projectile', { to: 'unit' }),
  ),
  setSourceItemOfProjectile: action(
    'Sets the item that counts as having fired a projectile.',
    { projectile: P.projectile, item: P.item },
    ({ world }, { projectile, item }) => setSourceItem(world, projectile, item),
    changes('source', 'projectile', { to: 'item' }),
  ),
});
