import { forwardRequest, forwardTokenOf, type Observer } from '../../cluster/index.ts';
import type { ServerCore } from '../core.ts';
import type { ApiRequest } from './api.ts';
import { Refused } from './refusals.ts';
import type { Senders } from './senders.ts';

/** How long one of several processes may take to answer, ms. */
const askMs = 3000;

/** The other processes that share the journal, as receivers of requests. */
export class OtherProcesses {
  constructor(
    private readonly core: ServerCore,
    private readonly senders: Senders,
    private readonly observer: Pick<Observer, 'problem'>,
  ) {}

  /**
   * Forwards a request to all other processes, or to one of them, unless the request was itself forwarded. Returns
   * their answers. Processes that do not answer are logged.
   */
  async ask(request: ApiRequest, only?: string): Promise<readonly unknown[]> {
    if (forwardTokenOf(request.headers) !== undefined) return [];
    const others = await this.core.rooms.directory.listedProcesses(true);
    const token = await this.senders.signForward(request);
    const meant = others.filter(({ id, inside }) => inside !== undefined && (only === undefined || id === only));
    const asked = meant.map(async ({ id, inside }) => {
      const answer = await forwardRequest(inside!, token, request, askMs);
      const content: unknown = answer?.ok === true ? await answer.json().catch(() => undefined) : undefined;
      if (content !== undefined) return [content];
      const why =
        answer?.ok === false
          ? `The process answered with status ${answer.status}.`
          : `The process did not answer within ${askMs} ms.`;
      this.observer.problem('process-silent', why, { process: id });
      return [];
    });
    return (await Promise.all(asked)).flat();
  }

  /** The answer of another process to a request. Throws `Refused` if that process does not answer. */
  async forward(inside: string, request: ApiRequest): Promise<Response> {
    const answer = await forwardRequest(inside, await this.senders.signForward(request), request);
    // The process may have died; another one then takes over its rooms.
    if (answer === undefined) throw new Refused(503, 'elsewhere');
    return answer;
  }
}
