import type { FastifyRequest } from 'fastify';
import { messageOf } from '../../../../engine/core/index.ts';
import { forwardHeader, forwardTokenOf } from '../../../cluster/index.ts';
import type { AdminServices } from '../services.ts';

/** How long another process may take to answer, ms. */
const answerMs = 3000;

/**
 * Forwards a request to the other processes, or to one of them, unless the request was itself forwarded. Returns their
 * answers. Processes that do not answer are logged.
 */
export async function askOthers(
  { core, senders, observer }: AdminServices,
  request: FastifyRequest,
  only?: string,
): Promise<readonly unknown[]> {
  if (forwardTokenOf(request.headers) !== undefined) return [];
  const fleet = await core.fleet();
  const token = await senders.signForward(request);
  const meant = (fleet?.others ?? []).filter(
    ({ id, inside }) => inside !== undefined && (only === undefined || id === only),
  );
  const asked = meant.map(async ({ inside }) => {
    const { method, url, body } = request;
    const answer = await fetch(inside!.replace(/^ws/, 'http') + url, {
      method,
      headers: {
        [forwardHeader]: token,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(answerMs),
    });
    if (!answer.ok) throw new Error(`It answered with ${answer.status}.`);
    return (await answer.json()) as unknown;
  });
  const settled = await Promise.allSettled(asked);
  return settled.flatMap((each, i) => {
    if (each.status === 'fulfilled') return [each.value];
    observer.problem('process-silent', messageOf(each.reason), { process: meant[i]!.id });
    return [];
  });
}
