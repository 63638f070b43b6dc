import { coded } from '../run/index.ts';
import type { Answer, Request, RequestKind, Requests } from './worker-messages.ts';

interface Waiting {
  readonly done: (answer: never) => void;
  readonly failed: (error: Error) => void;
  readonly progress: ((share: number, doing: string) => void) | undefined;
}

/** A worker with the engine, seen from the page. The worker may die, for example if a game takes all memory. */
export class EnginePort {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  /** `died` is called once, if the worker ends by itself or had to be ended. */
  constructor(private readonly died: (why: string) => void) {
    this.worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module', name: 'game' });
    this.worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => this.receive(data));
    this.worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.close();
      died(event.message || coded('worker-died'));
    });
  }

  request<K extends RequestKind>(
    kind: K,
    params: Requests[K]['params'],
    progress?: (share: number, doing: string) => void,
  ): Promise<Requests[K]['answer']> {
    const id = ++this.lastId;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done: done as Waiting['done'], failed, progress });
      this.worker.postMessage({ id, kind, params } satisfies Request<K>);
    });
  }

  /** The number of requests without an answer. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Ends the worker. Requests without an answer never get one. */
  close() {
    this.worker.terminate();
    this.waiting.clear();
  }

  private receive(message: Answer) {
    const waiting = this.waiting.get(message.id);
    if (waiting === undefined) return;
    if ('progress' in message) {
      waiting.progress?.(message.progress, message.doing);
      return;
    }
    if ('error' in message && message.isEnd) {
      this.close();
      this.died(message.error);
      return;
    }
    this.waiting.delete(message.id);
    if ('error' in message) waiting.failed(new Error(message.error));
    else waiting.done(message.answer as never);
  }
}
