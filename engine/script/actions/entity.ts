import { PI } from '../../base/dmath.ts';
import { announceCreated } from '../../game/announce.ts';
import { createUnit } from '../../game/create.ts';
import { resetDebrisPosition } from '../../game/debris.ts';
import { destroyEntity } from '../../game/destroy.ts';
import type { Game } from '../../game/game.ts';
import { createItem } from '../../game/item.ts';
import { createProjectile } from '../../game/projectile.ts';
import { resetEntity } from '../../game/reset.ts';
import { rebuildBody, setState } from '../../game/state.ts';
import { hideEntity, showEntity } from '../../game/visibility.ts';
import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import type { Frame } from '../frame.ts';
import { action, family, inertAction } from '../op.ts';
import * as P from '../params.ts';
import { isRecord, toNumber } from '../values.ts';

const noJoint = 'No engine ever made a joint of it; it was a word of the editor only.';

/** Ids of the definition's sections, as this action names them. */
const sections = ['unitTypes', 'itemTypes', 'projectileTypes'] as const;

function simple(verb: (game: Game, entity: Entity) => void, of: typeof P.entity = P.entity) {
  return action({
    params: { entity: of },
    compile:
      ({ entity }) =>
      (frame) => {
        const target = entity(frame);
        if (target !== 0) verb(frame.game, target);
      },
  });
}

function move(camera: boolean) {
  return action({
    params: { entity: P.movable, position: P.position },
    compile:
      ({ entity, position }) =>
      (frame) => {
        const moved = entity(frame);
        const to = position(frame);
        if (moved === 0 || to === undefined) return;
        frame.game.physics.moveTo(moved, to.x, to.y);
        if (camera)
          frame.game.world.post('camera', {
            op: 'position',
            entityId: frame.game.world.ref(moved)?.id,
            position: { x: to.x, y: to.y },
            to: 'everyone',
          });
      },
  });
}

/**
 * Width and height are for clients: the body keeps the size of the type (reference: physics.md §2). Units fire their created triggers
 * twice, once from their own creation and once from this action (reference: creation.md §2).
 */
function createAny(
  frame: Frame,
  section: string | undefined,
  key: string,
  x: number,
  y: number,
  owner: Entity,
  angle: number,
): void {
  const { game } = frame;
  const { world } = game;
  switch (section) {
    case 'unitTypes': {
      const type = world.types.unit.get(key);
      if (type === undefined) break;
      if (owner === 0) {
        frame.fault('missing-value', 'A unit needs a player that owns it.');
        return;
      }
      const unit = createUnit(game, { type, owner, x, y, angle });
      if (unit === 0) return;
      world.last.createdUnit = unit;
      if (world.exists(unit)) announceCreated(game, unit);
      return;
    }
    case 'itemTypes': {
      if (world.types.item.get(key) === undefined) break;
      const item = createItem(game, { type: key, x, y, angle });
      if (item !== 0) announceCreated(game, item);
      return;
    }
    case 'projectileTypes': {
      if (world.types.projectile.get(key) === undefined) break;
      const projectile = createProjectile(game, { type: key, x, y, angle });
      if (projectile === 0) return;
      world.last.createdProjectile = projectile;
      announceCreated(game, projectile);
      return;
    }
    default:
      frame.fault('wrong-value', `"${section}" is none of ${sections.join(', ')}.`);
      return;
  }
  frame.fault('no-such-type', `There is no "${key}" in ${section}.`);
}

export const entityActions = family('entity', {
  createEntityAtPositionWithDimensions: action({
    params: {
      entityType: P.rawText,
      entity: P.named(P.text, 'type id'),
      position: P.position,
      player: P.optional(P.player),
      height: P.optional(P.number),
      width: P.optional(P.number),
      /** Degrees. */
      angle: P.optional(P.number),
      depth: P.optional(P.raw),
      scale: P.optional(P.raw),
      rotation: P.optional(P.any),
    },
    aliases: ['createEntityForPlayerAtPositionWithDimensions'],
    compile:
      ({ entityType, entity, position, player, angle, rotation }) =>
      (frame) => {
        const key = entity(frame);
        const at = position(frame);
        const owner = player(frame);
        if (key === undefined || at === undefined) return;
        const turn = rotation(frame);
        const yaw = isRecord(turn) ? toNumber(turn['y']) : undefined;
        const degrees = yaw === undefined ? (angle(frame) ?? 0) : 360 - (yaw % 360);
        createAny(frame, entityType(frame), key, at.x, at.y, owner, (degrees * PI) / 180);
      },
  }),
  destroyEntity: simple(destroyEntity, P.loud(P.entity)),
  moveEntity: move(false),
  /** As moveEntity; clients jump instead of gliding. */
  teleportEntity: move(true),
  hideEntity: simple(hideEntity, P.movable),
  showEntity: simple(showEntity, P.movable),
  resetEntity: simple(resetEntity, P.loud(P.entity)),
  setEntityState: action({
    params: { entity: P.entity, state: P.state },
    compile:
      ({ entity, state }) =>
      (frame) => {
        const target = entity(frame);
        const key = state(frame);
        if (target !== 0 && key !== undefined) setState(frame.game, target, key);
      },
  }),
  setEntityLifeSpan: action({
    params: { entity: P.entity, lifeSpan: P.number },
    compile:
      ({ entity, lifeSpan }) =>
      (frame) => {
        const target = entity(frame);
        const ms = lifeSpan(frame);
        if (target !== 0 && ms !== undefined)
          frame.game.world.columns.deathTimeMs[rowOf(target)] = frame.game.world.nowMs + ms;
      },
  }),
  /** Presentation, except for items, whose body follows (reference: actions.json). */
  changeScaleOfEntitySprite: action({
    params: { entity: P.entity, scale: P.number },
    compile:
      ({ entity, scale }) =>
      (frame) => {
        const target = entity(frame);
        const factor = scale(frame);
        if (target === 0 || factor === undefined) return;
        const { world } = frame.game;
        world.post('entity.style', { entityId: world.ref(target)?.id, scale: factor, to: 'everyone' });
        if (world.columns.kind[rowOf(target)] !== Kind.item || !(factor > 0 && factor < Number.POSITIVE_INFINITY))
          return;
        world.columns.bodyScale[rowOf(target)] = Math.round(factor * 100) / 100;
        rebuildBody(frame.game, target);
      },
  }),
  /** A horizontal flip also mirrors the anchors of what a unit holds. */
  flipEntitySprite: action({
    params: { entity: P.entity, flip: P.rawText },
    compile:
      ({ entity, flip }) =>
      (frame) => {
        const target = entity(frame);
        if (target === 0) return;
        const codes: Readonly<Record<string, number>> = { horizontal: 1, vertical: 2, both: 3 };
        frame.game.world.columns.flip[rowOf(target)] = codes[flip(frame) ?? ''] ?? 0;
      },
  }),
  playEntityAnimation: action({
    params: { entity: P.entity, animation: P.animation },
    status: 'output',
    compile:
      ({ entity, animation }) =>
      (frame) => {
        const target = entity(frame);
        const animationId = animation(frame);
        const { world } = frame.game;
        if (target !== 0 && animationId !== undefined)
          world.post('animation', { entityId: world.ref(target)?.id, animationId, to: 'everyone' });
      },
  }),
  setEntityDepth: action({
    params: { entity: P.entity, depth: P.alias(P.number, 'value') },
    status: 'output',
    compile:
      ({ entity, depth }) =>
      (frame) => {
        const target = entity(frame);
        const value = depth(frame);
        const { world } = frame.game;
        if (target !== 0 && value !== undefined)
          world.post('entity.style', { entityId: world.ref(target)?.id, depth: value, to: 'everyone' });
      },
  }),
  setEntityOpacity: action({
    params: { entity: P.entity, opacity: P.number, duration: P.optional(P.number) },
    compile:
      ({ entity, opacity }) =>
      (frame) => {
        const target = entity(frame);
        const value = opacity(frame);
        if (target === 0 || value === undefined) return;
        const { world } = frame.game;
        const clamped = Math.max(0, Math.min(1, value));
        world.opacity.set(target, clamped);
        world.post('entity.style', { entityId: world.ref(target)?.id, opacity: clamped, to: 'everyone' });
      },
  }),
  attachDebrisToUnit: inertAction(noJoint, { entity: P.debris, unit: P.unit }),
  moveDebris: action({
    params: { entity: P.debris, position: P.position },
    compile:
      ({ entity, position }) =>
      (frame) => {
        const debris = entity(frame);
        const to = position(frame);
        if (debris !== 0 && to !== undefined) frame.game.physics.moveTo(debris, to.x, to.y);
      },
  }),
  resetDebrisPosition: simple(resetDebrisPosition, P.debris),
});
