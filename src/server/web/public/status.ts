import type { Handlers } from '../api.ts';
import { refusal } from '../refusals.ts';
import type { Services } from '../services.ts';

/** The state of the process, for programs that supervise it. */
export function statusRoutes({ isReady, metrics }: Services): Handlers {
  return {
    healthz: () => ({ status: 'ok' }),
    readyz: (_request, reply) =>
      isReady() ? { status: 'ready' } : reply.code(503).send({ status: 'not-ready', ...refusal('not-accepting') }),
    async metrics(_request, reply) {
      const { type, text } = await metrics();
      return reply.type(type).send(text);
    },
  };
}
