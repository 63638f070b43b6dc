import type { RoomEntry } from '../../lobby/room.ts';
import { networkOf } from '../../session/addresses.ts';
import type { Checked, Handlers } from '../api.ts';
import { found, Refused, roomOf } from '../refusals.ts';
import type { AdminServices } from '../services.ts';
import { addBans } from './bans.ts';
import { actOn, recorded } from './records.ts';

/**
 * How long the IP address of a muted guest may not chat, ms. It is limited, because others may have the address later.
 */
const guestMuteMs = 24 * 3600 * 1000;

/** The actions of administrators on a player of a room. */
export function playerRoutes(services: AdminServices): Handlers {
  const { rooms, community, senders, clock } = services;
  const { bans } = community;

  /** The room of a player. Throws `Refused` if there is none. */
  function find(request: Checked<'kick' | 'mute' | 'unmute' | 'banPlayer'>): RoomEntry {
    const room = roomOf(rooms, request);
    if (room.seats.get(request.params.player)?.isIn !== true) throw new Refused(404, 'no-such-player');
    return room;
  }

  async function personOf(room: RoomEntry, player: string) {
    return (await community.people(room)).find((person) => person.player === player);
  }

  const mute =
    (name: 'mute' | 'unmute'): Handlers['mute'] =>
    async (request) => {
      const { id, player } = request.params;
      const room = find(request);
      const { userId, ip } = (await personOf(room, player)) ?? {};
      // The mute is stored as a ban, too: the game forgets its mutes when the player leaves.
      const network = userId === undefined && ip !== undefined ? networkOf(ip) : undefined;
      senders.audit(request, name, { room: id, player });
      await recorded(services, 'bans-unreadable', async () => {
        const untilMs = userId === undefined ? clock.date() + guestMuteMs : undefined;
        const { name: by } = senders.adminOf(request);
        if (name === 'mute') await bans.add({ userId, network, chat: true, reason: '', by, untilMs });
        else await bans.removeMutes(userId, network);
      });
      const action = name === 'mute' ? 'banFromChat' : 'unbanFromChat';
      return actOn(services, room, { kind: 'hostModerate', player, action });
    };

  return {
    kick(request) {
      const { params, body } = request;
      const room = find(request);
      senders.audit(request, 'kick', { room: params.id, player: params.player, reason: body.reason });
      const message = body.reason ?? '';
      return actOn(services, room, { kind: 'hostModerate', player: params.player, action: 'kick', message });
    },
    mute: mute('mute'),
    unmute: mute('unmute'),
    async banPlayer(request) {
      const { id, player } = request.params;
      const { what = 'both', game = false, ...terms } = request.body;
      const room = find(request);
      const person = found(await personOf(room, player), 'no-such-player');
      const userId = what === 'address' ? undefined : person.userId;
      const network = what === 'account' || person.ip === undefined ? undefined : networkOf(person.ip);
      if (userId === undefined && network === undefined) throw new Refused(400, 'no-account');
      const subject = { userId, network, slug: game ? room.identity.slug : undefined };
      return addBans(services, request, subject, terms, { room: id, player });
    },
  };
}
