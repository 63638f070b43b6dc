import type { Handlers } from '../api.ts';
import { refusal } from '../refusals.ts';
import type { HttpOptions } from '../services.ts';

/** The state of the process, for programs that supervise it. */
export function statusRoutes({ isReady, metrics }: Pick<HttpOptions, 'isReady' | 'metrics'>): Handlers {
  return {
    healthz: () => ({ status: 'ok' }),
    readyz: () =>
      isReady()
        ? { status: 'ready' }
        : Response.json({ status: 'not-ready', ...refusal('not-accepting') }, { status: 503 }),
    async metrics() {
      const { type, text } = await metrics();
      return new Response(text, { headers: { 'content-type': type } });
    },
  };
}
