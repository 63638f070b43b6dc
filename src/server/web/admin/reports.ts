import type { FastifyRequest } from 'fastify';
import type { Handlers } from '../api.ts';
import { found, Refused } from '../refusals.ts';
import type { AdminServices } from '../services.ts';
import { sendJournal, sendPage } from './plays.ts';
import { recorded } from './records.ts';

type OfReport = FastifyRequest<{ Params: { report: string } }>;

/** The reports of players, each with the play of the seconds before it. */
export function reportRoutes(services: AdminServices): Handlers {
  const { community, senders, viewer } = services;
  const { reports } = community;

  /** Reads a report with its journal, and logs the access. Throws `Refused` if there is none. */
  async function read(request: OfReport) {
    const { report: id } = request.params;
    const report = found(await recorded(services, 'report-failed', () => reports.get(id)), 'no-such-report');
    const journal = found(await recorded(services, 'report-failed', () => reports.play(id)), 'no-such-report');
    senders.audit(request, 'read-report', { report: id });
    return { report, journal };
  }

  return {
    reports: async () => ({ reports: await recorded(services, 'report-failed', () => reports.all()) }),
    async reportJournal(request, reply) {
      const { report, journal } = await read(request);
      reply.header('content-disposition', `attachment; filename="report-${report.id}.rj"`);
      return sendJournal(reply, journal);
    },
    reportPage:
      viewer &&
      (async (request, reply) => {
        const { report, journal } = await read(request);
        const definition = await recorded(services, 'report-failed', () => reports.definition(report));
        const { title, tick } = report;
        return sendPage(reply, viewer, { title, definition: found(definition, 'no-such-report'), journal, tick });
      }),
    async removeReport(request) {
      const { report: id } = request.params;
      const isRemoved = await recorded(services, 'report-failed', () => reports.remove(id));
      if (!isRemoved) throw new Refused(404, 'no-such-report');
      senders.audit(request, 'remove-report', { report: id });
    },
  };
}
