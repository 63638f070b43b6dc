import type { OutputEvent, OutputKind, Simulation } from '../../../engine/index.ts';
import type { PlatformRequest } from './messages.ts';

/** Effects that the host performs and no client gets. */
const hostKinds: ReadonlySet<OutputKind> = new Set(['persistence', 'http', 'server']);

/** For whom an output event is: the host, every client, or those of some players, by client id. */
export type Destination = 'host' | 'everyone' | readonly string[];

/** An event that names no audience and some players is theirs; one that names neither is everyone's. */
export function destinationOf(sim: Simulation, event: OutputEvent): Destination {
  if (hostKinds.has(event.kind)) return 'host';
  // Words that the operator's filter looks for are not for players.
  if (event.kind === 'chat' && event['op'] === 'addFilter') return 'host';
  const { to, playerId, playerIds } = event as OutputEvent & { readonly [name: string]: unknown };
  if (to === 'everyone') return 'everyone';
  if (to !== undefined) return clientIdsOf(sim.handle(to.player));
  const named = Array.isArray(playerIds) ? playerIds : [playerId];
  const ids = named.flatMap((id: unknown) => {
    if (typeof id !== 'string') return [];
    const found = clientIdsOf(sim.find(id));
    // Of a player that has left in this tick only the name is known.
    return found.length > 0 ? found : [id];
  });
  return ids.length > 0 || Array.isArray(playerIds) ? ids : 'everyone';
}

/** The requests of an event to the platform, player by player. `players`: those who are in the game, by client id. */
export function platformRequests(
  event: OutputEvent,
  destination: Destination,
  players: readonly string[],
): PlatformRequest[] {
  const asked = destination === 'everyone' ? players : destination === 'host' ? [] : destination;
  if (event.kind === 'ad') return event['op'] === 'play' ? asked.map((player) => ({ kind: 'ad', player })) : [];
  if (event.kind !== 'coins') return [];
  const { amount, feePaidBy } = event as OutputEvent & { readonly amount: number; readonly feePaidBy: string };
  return asked.map((player) => ({ kind: 'coins', player, amount, feePaidBy }));
}

/** The entity that an event is about; undefined for one that is about none. */
export function entityOf(event: OutputEvent): string | undefined {
  const id = event['entityId'] ?? event['unitId'];
  return typeof id === 'string' ? id : undefined;
}

function clientIdsOf(handle: ReturnType<Simulation['handle']>): string[] {
  return handle?.kind === 'player' ? [handle.clientId] : [];
}
