import { isIP } from 'node:net';
import type { About } from '../../../cluster/index.ts';
import type { Ban } from '../../community/bans.ts';
import { networkOf } from '../../session/addresses.ts';
import type { ApiRequest, Handlers } from '../api.ts';
import { Refused } from '../refusals.ts';
import type { AdminServices } from '../services.ts';
import { recorded } from './records.ts';

type BanServices = Pick<AdminServices, 'senders' | 'clock' | 'observer'> & {
  readonly community: Pick<AdminServices['community'], 'bans'>;
};

/** The bans in force: lists, adds and lifts them. */
export function banRoutes(services: BanServices): Handlers {
  const { community, senders } = services;
  const { bans } = community;
  return {
    bans: (request) => ({ bans: bans.all.map((each) => shown(each, senders.seesAddresses(request))) }),
    ban(request) {
      const { userId, address, slug } = request.body;
      const isNothing = userId === undefined && address === undefined;
      if (isNothing || (address !== undefined && isIP(address) === 0)) {
        const message = isNothing
          ? 'The body must contain "userId" or "address".'
          : 'The address is not an IP address.';
        throw new Refused(400, 'bad-request', message);
      }
      const network = address && networkOf(address);
      return addBans(services, request, { userId, network, slug }, request.body, {});
    },
    async unban(request) {
      const { ban: id } = request.params;
      const isRemoved = await recorded(services, 'bans-unreadable', () => bans.remove(id));
      if (!isRemoved) throw new Refused(404, 'no-such-ban');
      senders.audit(request, 'unban', { ban: id });
    },
  };
}

/** Bans an account, an IP address or both. Returns a separate ban for each, so that they can be lifted separately. */
export async function addBans(
  services: BanServices,
  request: ApiRequest,
  { userId, network, slug }: Pick<Ban, 'userId' | 'network' | 'slug'>,
  { seconds, reason = '' }: { readonly seconds?: number; readonly reason?: string },
  about: About,
) {
  const { community, senders, clock } = services;
  const { name: by } = senders.adminOf(request);
  const untilMs = seconds === undefined ? undefined : clock.date() + seconds * 1000;
  const subjects = [{ userId }, { network }].filter((subject) => Object.values(subject)[0] !== undefined);
  const made: Ban[] = [];
  await recorded(services, 'bans-unreadable', async () => {
    for (const subject of subjects) made.push(await community.bans.add({ ...subject, slug, reason, by, untilMs }));
  });
  for (const { id } of made) senders.audit(request, 'ban', { ...about, ban: id, seconds, slug, reason });
  return { bans: made.map((each) => shown(each, senders.seesAddresses(request))) };
}

export type ShownBan = ReturnType<typeof shown>;

/** A ban as shown to an administrator. The IP address is hidden from those who may not see it. */
function shown({ network, ...ban }: Ban, seesAddresses: boolean) {
  return { ...ban, ...(network !== undefined && { address: seesAddresses ? network : 'hidden' }) };
}
