import { requireKnownOptions } from '../../../engine/core/index.ts';
import { type Observer, ServerError } from '../../cluster/index.ts';
import { defaultPlay, defaultTraffic, type PlayOptions, type TrafficLimits } from '../base/options.ts';
import { ServedDefinition } from '../definitions/served.ts';
import { type HostModule, wordsOf } from '../outside/host-module.ts';
import type { Identify } from '../session/tokens.ts';
import type { OriginRule } from '../web/requests.ts';
import type { Bindings } from './platform.ts';

/**
 * A definition as text or document, or a function that reads the text when a room needs it: large ones from static
 * files. Documents are parsed by each start of the worker, texts where they are played.
 */
export type Game = string | object | ((env: Bindings) => Promise<string>);

export interface ReenactOptions {
  /** The games by the name under which clients join them: lower-case letters, digits and hyphens. */
  readonly games: Readonly<Record<string, Game>>;
  readonly play?: Partial<PlayOptions>;
  /** Limits per connection, and per address in one room. */
  readonly traffic?: Partial<TrafficLimits>;
  /** Authenticates clients. Default: by tokens signed with the secret; clients without a token are guests. */
  readonly identify?: Identify;
  /** The words of the host, which the games may use, and what they do. */
  readonly hostModule?: HostModule;
  /** The seed of every room. By default, each room has its own random seed. */
  readonly seed?: string;
  /** How long a player stays in the game after its connection was lost, seconds. Default 30. */
  readonly graceSeconds?: number;
  /** How long ticks are gathered for a row, which is billed, ms. Inputs are acknowledged with it. Default 250. */
  readonly journalMs?: number;
  /** The maximum number of spectators per room. Default 100. */
  readonly watchersMax?: number;
  /** Origins of pages that may connect, besides that of the worker. */
  readonly origins?: OriginRule;
  /** What is written to the console, as JSON lines: problems, or also events. Default `problems`. */
  readonly log?: 'problems' | 'events';
}

const optionNames = Object.keys({
  games: true,
  play: true,
  traffic: true,
  identify: true,
  hostModule: true,
  seed: true,
  graceSeconds: true,
  journalMs: true,
  watchersMax: true,
  origins: true,
  log: true,
} satisfies Record<keyof ReenactOptions, true>);

/** What the worker serves. */
export class Serving {
  readonly play: PlayOptions;
  readonly traffic: TrafficLimits;
  /** Definitions that were read in this isolate, which rooms may share. */
  private readonly definitions = new Map<string, Promise<ServedDefinition>>();

  constructor(readonly options: ReenactOptions) {
    requireKnownOptions(options, optionNames);
    requireKnownOptions(options.play ?? {}, Object.keys(defaultPlay), 'option of play');
    requireKnownOptions(options.traffic ?? {}, Object.keys(defaultTraffic), 'option of traffic');
    const bad = Object.keys(options.games).find((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name));
    if (bad !== undefined || Object.keys(options.games).length === 0)
      throw new ServerError('no-definition', `"games" needs names of lower-case letters, digits and hyphens: ${bad}.`);
    wordsOf(options.hostModule);
    this.play = { ...defaultPlay, ...options.play };
    this.traffic = { ...defaultTraffic, ...options.traffic };
  }

  get firstGame(): string {
    return Object.keys(this.options.games)[0]!;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.options.games, name);
  }

  /** Rejects with `ServerError` if the text is not a playable definition. */
  definition(name: string, env: Bindings): Promise<ServedDefinition> {
    let definition = this.definitions.get(name);
    if (definition === undefined) {
      definition = this.read(name, env);
      this.definitions.set(name, definition);
      definition.catch(() => this.definitions.delete(name));
    }
    return definition;
  }

  private async read(name: string, env: Bindings): Promise<ServedDefinition> {
    const game = this.options.games[name]!;
    let why = '';
    const given = typeof game === 'function' ? await (game as (env: Bindings) => Promise<string>)(env) : game;
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const definition = ServedDefinition.of(text, name, wordsOf(this.options.hostModule), (reason) => {
      why = reason;
    });
    if (definition === undefined) throw new ServerError('no-definition', `The game "${name}" cannot be played: ${why}`);
    return definition;
  }

  /** Writes to the console, where the platform's logs begin. Without personal data. */
  get observer(): Observer {
    const isEvent = this.options.log === 'events';
    const nothing = (): void => {};
    return {
      problem: (code, message, about = {}) => console.error(JSON.stringify({ code, ...about, msg: message })),
      event: (what, about) => isEvent && console.log(JSON.stringify({ ...about, msg: what })),
      audit: (by, act, about) => console.log(JSON.stringify({ by, act, ...about, msg: 'audit' })),
      tick: nothing,
      overrun: nothing,
      roomGone: nothing,
      sent: nothing,
      received: nothing,
      refused: nothing,
      ended: nothing,
      acknowledged: nothing,
    };
  }
}

/** Set when the module of the worker is loaded, because the platform makes its objects without arguments. */
let serving: Serving | undefined;

export function serve(options: ReenactOptions): Serving {
  serving = new Serving(options);
  return serving;
}

export function served(): Serving {
  if (serving === undefined) throw new ServerError('no-definition', 'The worker must export `reenact({ games })`.');
  return serving;
}
