import type { IncomingHttpHeaders } from 'node:http';

/** The header of a request that another process of the cluster makes for a client. */
export const forwardHeader = 'reenact-forward';

export function forwardTokenOf(headers: IncomingHttpHeaders): string | undefined {
  const token = headers[forwardHeader];
  return typeof token === 'string' ? token : undefined;
}
