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
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
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

/** `jumps`: clients put it there, and a camera that follows it, instead of letting them glide. */
function move(jumps: boolean) {
  return action({
    params: { entity: P.movable, position: P.position },
    compile:
      ({ entity, position }) =>
      (frame) => {
        const moved = entity(frame);
        const to = position(frame);
        if (moved === 0 || to === undefined) return;
        frame.game.physics.moveTo(moved, to.x, to.y);
        if (!jumps) return;
        const { world } = frame.game;
        const entityId = world.ref(moved)?.id;
        world.post('entity.style', { entityId, teleport: true, camera: true, to: 'everyone' });
      },
  });
}

/** Makes an entity of a type in one of the definition's sections. 0, with a fault, where that cannot be. */
function makeAny(
  frame: Frame,
  section: string | undefined,
  key: string,
  x: number,
  y: number,
  owner: Entity,
  angle: number,
): Entity {
  const { game } = frame;
  const { types, last } = game.world;
  switch (section) {
    case 'unitTypes': {
      const type = types.unit.get(key);
      if (type === undefined) frame.fault('no-such-type', `No unit type is called "${key}".`);
      else if (owner === noEntity) frame.fault('missing-value', 'A unit needs a player that owns it.');
      if (type === undefined || owner === noEntity) return noEntity;
      const unit = createUnit(game, { type, owner, x, y, angle });
      if (unit !== noEntity) last.createdUnit = unit;
      return unit;
    }
    case 'itemTypes':
      return createItem(game, { type: key, x, y, angle });
    case 'projectileTypes': {
      const projectile = createProjectile(game, { type: key, x, y, angle });
      if (projectile !== noEntity) last.createdProjectile = projectile;
      return projectile;
    }
    default:
      frame.fault('wrong-value', `"${section}" is none of ${sections.join(', ')}.`);
      return noEntity;
  }
}

export const entityActions = family('entity', {
  /** Units fire their created triggers twice, once from their own creation and once from this action (reference: creation#units). */
  createEntityAtPositionWithDimensions: action({
    params: {
      entityType: P.rawText,
      entity: P.named(P.text, 'type id'),
      position: P.position,
      player: P.optional(P.player),
      /** px, both as drawn: the body keeps the size of the type (reference: physics#scaling). */
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
      ({ entityType, entity, position, player, width: wide, height: high, angle, rotation }) =>
      (frame) => {
        const key = entity(frame);
        const at = position(frame);
        const owner = player(frame);
        if (key === undefined || at === undefined) return;
        const turn = rotation(frame);
        const yaw = isRecord(turn) ? toNumber(turn['y']) : undefined;
        const degrees = yaw === undefined ? (angle(frame) ?? 0) : 360 - (yaw % 360);
        const { x, y } = at;
        const width = wide(frame);
        const height = high(frame);
        const made = makeAny(frame, entityType(frame), key, x, y, owner, (degrees * PI) / 180);
        const { world } = frame.game;
        if (!world.exists(made)) return;
        if (width !== undefined || height !== undefined) {
          const size = { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
          world.post('entity.style', { entityId: world.ref(made)?.id, ...size, to: 'everyone' });
        }
        announceCreated(frame.game, made);
      },
  }),
  destroyEntity: simple(destroyEntity, P.loud(P.entity)),
  moveEntity: move(false),
  teleportEntity: move(true),
  hideEntity: simple(hideEntity, P.movable),
  showEntity: simple(showEntity, P.movable),
  resetEntity: simple(resetEntity, P.loud(P.typed)),
  setEntityState: action({
    params: { entity: P.typed, state: P.state },
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
  /** Presentation, except for items, whose body follows (reference: operations#changescaleofentitysprite). */
  changeScaleOfEntitySprite: action({
    params: { entity: P.entity, scale: P.number },
    compile:
      ({ entity, scale: operand }) =>
      (frame) => {
        const target = entity(frame);
        const factor = operand(frame);
        if (target === 0 || factor === undefined) return;
        const { world } = frame.game;
        const scale = Math.round(factor * 100) / 100;
        world.post('entity.style', { entityId: world.ref(target)?.id, scale, to: 'everyone' });
        if (world.columns.kind[rowOf(target)] !== Kind.item || !(scale > 0 && scale < Number.POSITIVE_INFINITY)) return;
        world.columns.bodyScale[rowOf(target)] = scale;
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
        const code = codes[flip(frame) ?? ''] ?? 0;
        const { world } = frame.game;
        world.columns.flip[rowOf(target)] = code;
        world.post('entity.style', { entityId: world.ref(target)?.id, flip: code, to: 'everyone' });
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
