import type { OutputEvent } from '../../../engine/index.ts';
import type { Destination } from '../../net/index.ts';
import type { PlatformRequest } from './room-messages.ts';

/**
 * The requests to the platform that an event makes, one per player. `players` are the client ids of all players in the
 * game.
 */
export function platformRequests(
  event: OutputEvent,
  destination: Destination,
  players: readonly string[],
): PlatformRequest[] {
  const asked = destination === 'everyone' ? players : destination === 'host' ? [] : destination;
  if (event.kind === 'ad') return event.op === 'play' ? asked.map((player) => ({ kind: 'ad', player })) : [];
  if (event.kind !== 'coins') return [];
  const { amount, feePaidBy } = event as OutputEvent<'coins'> & { readonly amount: number; readonly feePaidBy: string };
  return asked.map((player) => ({ kind: 'coins', player, amount, feePaidBy }));
}

/** The id of the entity that an event concerns; undefined if it concerns none. */
export function entityOf(event: OutputEvent): string | undefined {
  return 'entityId' in event ? event.entityId : 'unitId' in event ? event.unitId : undefined;
}
