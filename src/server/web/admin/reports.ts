import type { Checked, Handlers } from '../api.ts';
import { found, Refused } from '../refusals.ts';
import type { AdminServices } from '../services.ts';
import { journalFile, pageOf } from './plays.ts';
import { recorded } from './records.ts';

type ReportServices = Pick<AdminServices, 'senders' | 'viewer' | 'observer'> & {
  readonly community: Pick<AdminServices['community'], 'reports'>;
};

/** The reports of players, each with the play of the seconds before it. */
export function reportRoutes(services: ReportServices): Handlers {
  const { community, senders, viewer } = services;
  const { reports } = community;
  const kept = <T>(act: () => Promise<T>): Promise<T> => recorded(services, 'report-failed', act);

  /** Reads a report with its journal, and logs the access. Throws `Refused` if there is none. */
  async function read(request: Checked<'reportJournal' | 'reportPage'>) {
    const { report: id } = request.params;
    const report = found(await kept(() => reports.get(id)), 'no-such-report');
    const journal = found(await kept(() => reports.play(id)), 'no-such-report');
    senders.audit(request, 'read-report', { report: id });
    return { report, journal };
  }

  return {
    reports: async () => ({ reports: await kept(() => reports.all()) }),
    async reportJournal(request) {
      const { report, journal } = await read(request);
      return journalFile(journal, { 'content-disposition': `attachment; filename="report-${report.id}.rj"` });
    },
    reportPage:
      viewer &&
      (async (request) => {
        const { report, journal } = await read(request);
        const definition = await kept(() => reports.definition(report));
        const { title, tick } = report;
        return pageOf(viewer, { title, definition: found(definition, 'no-such-report'), journal, tick });
      }),
    async removeReport(request) {
      const { report: id } = request.params;
      const isRemoved = await kept(() => reports.remove(id));
      if (!isRemoved) throw new Refused(404, 'no-such-report');
      senders.audit(request, 'remove-report', { report: id });
    },
  };
}
