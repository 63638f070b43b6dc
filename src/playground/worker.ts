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

// These modules are loaded on demand, because most visitors only play.
const scenarios = () => import('./scenarios.ts');
const language = () => import('./language.ts');

const handlers: Handlers = {
  open: (params, progress) => session.open(params, progress),
  frame: (params) => session.frame(params),
  seek: ({ tick }) => session.seek(tick),
  stepAction: ({ direction }) => session.stepAction(direction),
  branch: () => session.branch(),
  take: ({ selected }) => session.take(selected),
  give: () => session.give(),
  input: (params) => session.input(params),
  search: (query, progress) => session.search(query, progress),
  state: () => session.state(),
  journal: () => session.journal(),
  scenario: (params) => session.scenario(params),
  checkScenarios: async (params) => (await scenarios()).checkScenarios(params),
  runScenarios: async (params, progress) => (await scenarios()).runScenarios(params, progress),
  complete: async (params) => (await language()).complete(params),
  hover: async (params) => (await language()).hover(params),
  completeScenario: async (params) => (await language()).completeScenario(params),
  hoverScenario: async (params) => (await language()).hoverScenario(params),
  check: ({ text }) => readDocument(text, true).then(({ problems, counts }) => ({ problems, counts })),
};

addEventListener('message', ({ data }: MessageEvent<Request>) => void answer(data));

async function answer({ id, kind, params }: Request) {
  const handle = handlers[kind] as (params: unknown, progress: Progress) => unknown;
  try {
    post({ id, answer: await handle(params, (progress, doing) => post({ id, progress, doing })) });
  } catch (error) {
    const isEnd = error instanceof StateTooLarge;
    post({ id, error: messageOf(error), isEnd });
  }
}

function post(message: Answer) {
  postMessage(message);
}
