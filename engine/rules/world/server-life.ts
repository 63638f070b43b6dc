import { defined } from '../../core/plain-object.ts';
import { Kind } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { ends, fires, rule, tells } from '../effects.ts';
import type { Game } from '../game.ts';

/**
 * The end of a game, in simulated time: by the life span in the definition, an idle timeout, a script or the host
 * (specification, Limits; reference: tick#server-lifetime).
 */

export const serverLife = rule(
  'the end of the game',
  ['tick', 'shutDown'],
  ends,
  fires('serverShuttingDown'),
  tells('server'),
  tells('chat'),
);

/** Why a game ended without a script asking for it. */
type EndReason = 'lifeSpan' | 'idle' | 'host';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Players are notified when this many minutes are left. */
const noticesMinutes = [120, 60, 30, 15, 5, 1];
const idleMs = 5 * minuteMs;
/** Games of the private tier use their own idle timeout. Games of the endless tier never time out. */
const privateTier = '0';
const endlessTier = '4';

/**
 * Ends the game when its life span or idle timeout is over; before the end of the life span, notifies the players. Runs
 * once per simulated second, at the end of the tick.
 */
export function updateServerUptime(game: Game): void {
  const { world, definition } = game;
  if (world.server.ended) return;
  const { lifeSpanHours } = definition.defaultData;
  if (lifeSpanHours !== undefined && lifeSpanHours > 0) {
    const leftMs = lifeSpanHours * hourMs - world.clock.nowMs;
    for (const minutes of noticesMinutes) {
      const crossed = leftMs <= minutes * minuteMs && leftMs + 1000 > minutes * minuteMs;
      if (!crossed || leftMs <= 0) continue;
      const text = `The server will shut down in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
      world.post('chat', { op: 'system', text, to: 'everyone' });
    }
    if (leftMs <= 0) {
      shutDown(game, 'lifeSpan');
      return;
    }
  }
  if (world.clock.nowMs - world.server.emptySinceMs >= idleTimeoutMs(game)) shutDown(game, 'idle');
}

function idleTimeoutMs({ definition }: Game) {
  const { tier, privateServerIdleTimeout: hours } = definition.defaultData;
  if (tier === endlessTier) return Infinity;
  return tier === privateTier && hours !== undefined && hours > 0 ? hours * hourMs : idleMs;
}

/**
 * Makes the current tick the last one. `serverShuttingDown` fires once: for units, items and projectiles, newest first,
 * then globally.
 */
export function shutDown({ world }: Game, reason?: EndReason): void {
  if (world.server.ended) return;
  world.server.ended = true;
  const { entries } = world.order;
  for (let i = entries.length - 1; i >= 0; i--) {
    const entity = entries[i]!;
    if (world.is(entity, Kind.unit) || world.is(entity, Kind.item) || world.is(entity, Kind.projectile))
      world.triggers.fireEntity('serverShuttingDown', entity, payloadOf.nothing);
  }
  world.triggers.fireGlobal('serverShuttingDown', payloadOf.nothing);
  world.post('server', { op: 'endGame', ...defined({ reason }) });
}
