import type { OutputEvent, Simulation } from '../../../../engine/index.ts';
import { isClientEvent } from '../messages/event-kinds.ts';

/** The recipients of an output event: the host, every client, or the clients of some players, by client id. */
export type Destination = 'host' | 'everyone' | readonly string[];

/**
 * The recipients of an event. An event without `to` goes to the players that it names; if it names none, to everyone.
 */
export function destinationOf(sim: Simulation, event: OutputEvent): Destination {
  if (!isClientEvent(event.kind)) return 'host';
  // Players must not receive the words of the chat filter.
  if (event.kind === 'chat' && event.op === 'addFilter') return 'host';
  const { to } = event;
  if (to === 'everyone') return 'everyone';
  if (to !== undefined) return clientIdsOf(sim.handle(to.player));
  const named = 'playerIds' in event ? event.playerIds : 'playerId' in event ? [event.playerId] : undefined;
  const ids = (named ?? []).flatMap((id) => {
    if (id === undefined) return [];
    const found = clientIdsOf(sim.find(id));
    // A player that has left in this tick can no longer be found. In that case, the id itself is returned, because it
    // may already be a client id.
    return found.length > 0 ? found : [id];
  });
  return ids.length > 0 || 'playerIds' in event ? ids : 'everyone';
}

function clientIdsOf(handle: ReturnType<Simulation['handle']>) {
  return handle?.kind === 'player' ? [handle.clientId] : [];
}
