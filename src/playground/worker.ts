import { messageOf } from '../../engine/core/index.ts';
import { readDocument } from './document.ts';
import { type Progress, Session } from './session.ts';
import { StateTooLarge } from './state-limit.ts';
import type { Answer, Request, RequestKind, Requests } from './worker-messages.ts';

/**
 * The entry of the worker. It starts handling the requests of the page in order. While a request waits, the next one is
 * handled.
 */
const session = new Session();

type Handlers = {
  readonly [K in RequestKind]: (
    params: Requests[K]['params'],
    progress: Progress,
  ) => Requests[K]['answer'] | Promise<Requests[K]['answer']>;
};

const nothing = (_: unknown): null => null;

const handlers: Handlers = {
  open: (params, progress) => session.open(params, progress),
  frame: (params) => session.frame(params),
  seek: ({ tick }) => nothing(session.seek(tick)),
  stepAction: ({ direction }) => session.stepAction(direction),
  branch: () => nothing(session.branch()),
  take: ({ selected }) => nothing(session.take(selected)),
  give: () => nothing(session.give()),
  input: (params) => nothing(session.input(params)),
  search: (query, progress) => session.search(query, progress),
  state: () => session.state(),
  journal: () => session.journal(),
  scenario: (params) => session.scenario(params),
  async checkScenarios({ text, game }) {
    const { scenarioProblems } = await import('./scenarios.ts');
    return scenarioProblems(text, game);
  },
  async runScenarios({ text, game }, progress) {
    const { playScenarios } = await import('./scenarios.ts');
    return playScenarios(text, game, progress);
  },
  async complete({ text, offset, dialect }) {
    const { complete } = await import('./language.ts');
    return complete(text, offset, dialect);
  },
  async hover({ text, offset, dialect }) {
    const { hover } = await import('./language.ts');
    return hover(text, offset, dialect);
  },
  async completeScenario({ text, offset, game }) {
    const { completeScenario } = await import('./language.ts');
    return completeScenario(text, offset, game);
  },
  async hoverScenario({ text, offset }) {
    const { hoverScenario } = await import('./language.ts');
    return hoverScenario(text, offset);
  },
  check: ({ text, dialect }) => readDocument(text, dialect).then(({ problems, counts }) => ({ problems, counts })),
};

addEventListener('message', ({ data }: MessageEvent<Request>) => void answer(data));

async function answer({ id, kind, params }: Request): Promise<void> {
  const handle = handlers[kind] as (params: unknown, progress: Progress) => unknown;
  try {
    post({ id, answer: await handle(params, (progress, doing) => post({ id, progress, doing })) });
  } catch (error) {
    const isEnd = error instanceof StateTooLarge;
    post({ id, error: messageOf(error), isEnd });
  }
}

function post(message: Answer): void {
  postMessage(message);
}
