import type { OutputEvent, OutputKind, Simulation } from '../../../engine/index.ts';

/** Effects that the host performs and no client hears of. */
const hostKinds: ReadonlySet<OutputKind> = new Set(['persistence', 'http', 'server']);

/** For whom an output event is: the host, every client, or the one of a player, by client id. */
export type Destination = 'host' | 'everyone' | { readonly player: string | undefined };

/** An event that names no audience and one player is that player's; one that names neither is everyone's. */
export function destinationOf(sim: Simulation, event: OutputEvent): Destination {
  if (hostKinds.has(event.kind)) return 'host';
  const { to, playerId } = event as OutputEvent & { readonly playerId?: unknown };
  if (to === 'everyone') return 'everyone';
  if (to !== undefined) return { player: clientIdOf(sim.handle(to.player)) };
  if (typeof playerId === 'string') return { player: clientIdOf(sim.find(playerId)) ?? playerId };
  return 'everyone';
}

function clientIdOf(handle: ReturnType<Simulation['handle']>): string | undefined {
  return handle?.kind === 'player' ? handle.clientId : undefined;
}
