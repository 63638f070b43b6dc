import { DEGREE } from '../../core/dmath.ts';
import { defined } from '../../core/plain-object.ts';
import { createProjectileByScript } from '../../rules/combat/projectile.ts';
import { changes, creates, destroys, may, tells } from '../../rules/effects.ts';
import { announceCreated } from '../../rules/entities/announce.ts';
import { changeLook, flipSprite, flips, scaleSprite, setOpacity } from '../../rules/entities/appearance.ts';
import { destroyAgain, destroyEntity } from '../../rules/entities/destroy.ts';
import { setState } from '../../rules/entities/state.ts';
import { hideEntity, showEntity } from '../../rules/entities/visibility.ts';
import { createItem } from '../../rules/items/item.ts';
import { createUnitByScript } from '../../rules/lifecycle/create-unit.ts';
import { resetEntity } from '../../rules/lifecycle/reset.ts';
import { setLifeSpan } from '../../rules/types/life-span.ts';
import { resetDebrisPosition } from '../../rules/world/debris.ts';
import { type Entity, noEntity } from '../../world/entity.ts';
import { type About, action, acts, compiledAction, family, inertAction, publishes } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';
import { isObjectValue, toNumber } from '../running/value.ts';

const noJoint = 'Editors offer this action, but no engine implements it.';

/** The sections of the definition whose types `createEntity…` actions can name. */
const sections = ['unitTypes', 'itemTypes', 'projectileTypes'] as const;

/**
 * Moves an entity. If `jumps`, clients do not interpolate this movement, neither of the entity nor of a camera that
 * follows it.
 */
function move(about: About, jumps: boolean) {
  return action(
    about,
    { entity: P.movable, position: P.position },
    (context, { entity, position }) => {
      context.game.physics.teleportTo(entity, position.x, position.y);
      if (!jumps) return;
      const entityId = context.world.ref(entity)?.id;
      context.world.post('entity.style', { entityId, teleport: true, camera: true, to: 'everyone' });
    },
    changes('position', 'entity', { to: 'position' }),
    ...(jumps ? [tells('entity.style')] : []),
  );
}

/** Creates an entity of a type in one of the definition's sections. Returns 0, with a fault, if that is impossible. */
function makeAny(
  context: ScriptContext,
  section: string | undefined,
  key: string,
  x: number,
  y: number,
  owner: Entity,
  angle: number,
): Entity {
  const { game } = context;
  const { types } = game.world;
  switch (section) {
    case 'unitTypes': {
      const type = types.unit.get(key);
      if (type === undefined) context.world.fault('no-such-type', `There is no unit type "${key}".`);
      else if (owner === noEntity) context.world.fault('missing-value', 'A unit needs a player as its owner.');
      if (type === undefined || owner === noEntity) return noEntity;
      return createUnitByScript(game, { type, owner, x, y, angle, isSized: true });
    }
    case 'itemTypes':
      return createItem(game, { type: key, x, y, angle, isSized: true, liesInWorld: true });
    case 'projectileTypes':
      // In the reference, the source unit is a helper variable that an earlier action of the list has set (reference:
      // control-flow#action-lists).
      return createProjectileByScript(game, {
        type: key,
        x,
        y,
        angle,
        sourceUnit: context.helpers?.sourceUnit,
        isSized: true,
      });
    default:
      context.world.fault('wrong-value', `"${section}" is not one of ${sections.join(', ')}.`);
      return noEntity;
  }
}

export const entityActions = family('entity', {
  /**
   * The triggers for the creation of a unit, such as `entityCreated`, fire twice: once when the unit is created, and
   * once more for this action (reference: creation#units).
   */
  createEntityAtPositionWithDimensions: {
    ...compiledAction(
      {
        sentence: 'Creates a unit, item or projectile of a type at a position; `angle` is in degrees.',
        example: { entity: 'apple', entityType: 'itemTypes' },
        operands: {
          entity: 'The type of the new entity.',
          entityType: 'The collection of the type: `unitTypes`, `itemTypes` or `projectileTypes`.',
        },
      },
      {
        entityType: P.rawText,
        entity: P.named(P.text, 'type id'),
        position: P.creationPosition,
        player: P.optional(P.player),
        /**
         * Width and height are in px. Only the drawn size changes; the body keeps the size that the type gives it
         * (reference: physics#scaling).
         */
        height: P.optional(P.px),
        width: P.optional(P.px),
        angle: P.optional(P.degrees),
        depth: P.optional(P.raw),
        scale: P.optional(P.raw),
        rotation: P.optional(P.any),
      },
      ({ entityType, entity, position, player, width: wide, height: high, angle, rotation }) =>
        (context) => {
          const key = entity(context);
          const at = position(context);
          const owner = player(context);
          if (key === undefined || at === undefined) return;
          const turn = rotation(context);
          const yaw = isObjectValue(turn) ? toNumber(turn['y']) : undefined;
          const degrees = yaw === undefined ? (angle(context) ?? 0) : 360 - (yaw % 360);
          const { x, y } = at;
          const width = wide(context);
          const height = high(context);
          const made = makeAny(context, entityType(context), key, x, y, owner, degrees * DEGREE);
          if (!context.world.exists(made)) return;
          if (width !== undefined || height !== undefined) changeLook(context.game, made, defined({ width, height }));
          announceCreated(context.game, made);
        },
      creates(undefined, { section: 'entityType', type: 'entity', at: 'position', of: 'player' }),
      may(tells('entity.style')),
    ),
    aliases: ['createEntityForPlayerAtPositionWithDimensions'],
  },
  destroyEntity: acts(
    'Destroys a unit, item, projectile or piece of debris, after its scripts for `initEntityDestroy` have run.',
    { entity: P.faultIfMissing(P.destroyed) },
    (game, entity) => {
      if (game.world.exists(entity)) destroyEntity(game, entity);
      else destroyAgain(game, entity);
    },
    destroys('entity'),
  ),
  moveEntity: move('Moves an entity to a position. Clients animate the movement.', false),
  teleportEntity: move('Moves an entity to a position. Clients do not animate the movement.', true),
  hideEntity: acts(
    'Hides an entity from clients. The entity stays in the game.',
    { entity: P.movable },
    hideEntity,
    changes('visibility', 'entity'),
  ),
  showEntity: acts('Shows a hidden entity again.', { entity: P.movable }, showEntity, changes('visibility', 'entity')),
  resetEntity: acts(
    'Resets a unit, item or projectile to the initial values of its type.',
    { entity: P.faultIfMissing(P.typedEntity) },
    resetEntity,
    may(changes('attribute', 'entity')),
    may(changes('items', 'entity')),
  ),
  setEntityState: action(
    'Changes the state of a unit, item or projectile, which also changes its body and animation.',
    { entity: P.typedEntity, state: P.state },
    ({ game }, { entity, state }) => setState(game, entity, state),
    changes('state', 'entity', { to: 'state' }),
  ),
  setEntityLifeSpan: action(
    'Destroys an entity `lifeSpan` ms from now.',
    { entity: P.entity, lifeSpan: P.measured('ms', P.amount) },
    ({ world }, { entity, lifeSpan }) => setLifeSpan(world, entity, lifeSpan),
    changes('lifeSpan', 'entity', { to: 'lifeSpan' }),
  ),
  /**
   * Changes only the image, except that the body of an item is scaled, too (reference:
   * operations#changescaleofentitysprite).
   */
  changeScaleOfEntitySprite: action(
    'Scales the sprite of an entity, relative to the size in its type. For items, the body is scaled, too.',
    { entity: P.entity, scale: P.number },
    ({ game }, { entity, scale }) => scaleSprite(game, entity, scale),
    changes('look', 'entity', { to: 'scale' }),
    may(changes('size', 'entity', { to: 'scale' })),
    tells('entity.style'),
  ),
  flipEntitySprite: compiledAction(
    {
      sentence: 'Flips the sprite of an entity: `none`, `horizontal`, `vertical` or `both`.',
      example: { flip: 'horizontal' },
    },
    { entity: P.entity, flip: P.rawText },
    ({ entity, flip }) =>
      (context) => {
        const target = entity(context);
        if (target === 0) return;
        const name = flip(context) ?? 'none';
        flipSprite(context.game, target, Object.hasOwn(flips, name) ? flips[name as keyof typeof flips] : flips.none);
      },
    may(changes('look', 'entity', { to: 'flip' })),
    tells('entity.style'),
  ),
  playEntityAnimation: publishes(
    'Plays an animation of an entity’s type.',
    'animation',
    { entity: P.entity, animation: P.animation },
    ({ entity, animation }, { world }) => ({ entityId: world.ref(entity)?.id, animationId: animation }),
  ),
  setEntityDepth: action(
    'Sets the depth of the sprite of an entity: greater values are in front.',
    { entity: P.entity, depth: P.alias(P.number, 'value') },
    ({ game }, { entity, depth }) => changeLook(game, entity, { depth }),
    changes('look', 'entity', { to: 'depth' }),
    tells('entity.style'),
  ),
  setEntityOpacity: compiledAction(
    'Sets the opacity of an entity: 0 is invisible, 1 is opaque.',
    { entity: P.entity, opacity: P.measured('share', P.number), duration: P.optional(P.ms) },
    ({ entity, opacity }) =>
      (context) => {
        const target = entity(context);
        const value = opacity(context);
        if (target !== 0 && value !== undefined) setOpacity(context.game, target, value);
      },
    changes('look', 'entity', { to: 'opacity' }),
    tells('entity.style'),
  ),
  attachDebrisToUnit: inertAction('Does nothing. The action was meant to attach debris to a unit.', noJoint, {
    entity: P.debris,
    unit: P.unit,
  }),
  moveDebris: action(
    'Moves a piece of debris to a position.',
    { entity: P.debris, position: P.position },
    ({ game }, { entity, position }) => game.physics.teleportTo(entity, position.x, position.y),
    changes('position', 'entity', { to: 'position' }),
  ),
  resetDebrisPosition: acts(
    'Moves a piece of debris back to its position in the map.',
    { entity: P.debris },
    resetDebrisPosition,
    changes('position', 'entity'),
  ),
});
