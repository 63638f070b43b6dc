import type { OutputEvent, OutputKind, Simulation } from '../../../engine/index.ts';
import type { PlatformRequest } from './messages.ts';

/** Events that the host performs and clients never receive. */
const hostKinds: ReadonlySet<OutputKind> = new Set(['persistence', 'http', 'server']);

/** The recipients of an output event: the host, every client, or the clients of some players, by client id. */
export type Destination = 'host' | 'everyone' | readonly string[];

/** An event without `to` goes to the players that it names; if it names none, to everyone. */
export function destinationOf(sim: Simulation, event: OutputEvent): Destination {
  if (hostKinds.has(event.kind)) return 'host';
  // Players must not see the words of the chat filter.
  if (event.kind === 'chat' && event['op'] === 'addFilter') return 'host';
  const { to, playerId, playerIds } = event as OutputEvent & { readonly [name: string]: unknown };
  if (to === 'everyone') return 'everyone';
  if (to !== undefined) return clientIdsOf(sim.handle(to.player));
  const named = Array.isArray(playerIds) ? playerIds : [playerId];
  const ids = named.flatMap((id: unknown) => {
    if (typeof id !== 'string') return [];
    const found = clientIdsOf(sim.find(id));
    // A player that has left in this tick is no longer found; its id may be its client id.
    return found.length > 0 ? found : [id];
  });
  return ids.length > 0 || Array.isArray(playerIds) ? ids : 'everyone';
}

/** The requests to the platform that an event asks for, one per player. `players`: client ids of all players in the game. */
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

/** The id of the entity that an event is about, if it is about one. */
export function entityOf(event: OutputEvent): string | undefined {
  const id = event['entityId'] ?? event['unitId'];
  return typeof id === 'string' ? id : undefined;
}

function clientIdsOf(handle: ReturnType<Simulation['handle']>): string[] {
  return handle?.kind === 'player' ? [handle.clientId] : [];
}
