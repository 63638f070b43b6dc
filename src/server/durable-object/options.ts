import { cached, type Dictionary, defined, requireKnownOptions } from '../../../engine/core/index.ts';
import { type Observer, ServerError } from '../../cluster/index.ts';
import { defaultPlay, defaultTraffic, type PlayOptions, type TrafficLimits } from '../base/options.ts';
import { type ProtocolName, protocols } from '../client-protocols/index.ts';
import { ServedDefinition } from '../definitions/served.ts';
import { type HostModule, wordsOf } from '../outside/host-module.ts';
import { type Codec, codecFor } from '../session/codec.ts';
import type { Identify } from '../session/tokens.ts';
import type { OriginRule } from '../web/requests.ts';
import type { Bindings } from './platform.ts';

/**
 * A definition as text or as a document; or a function that reads the text when a room needs it, for large definitions
 * in static files. Documents are parsed at each start of the worker, texts only where they are played.
 */
export type Game = string | object | ((env: Bindings) => Promise<string>);

export interface ReenactOptions {
  /** The games, by the names under which clients join them: lower-case letters, digits and hyphens. */
  readonly games: Dictionary<Game>;
  readonly play?: Partial<PlayOptions>;
  /** Limits per connection, and per IP address within one room. */
  readonly traffic?: Partial<TrafficLimits>;
  /**
   * The protocols that clients may speak; the first is for clients that request none. Default: only `reenact`. With
   * `moddio`, clients of modd.io may play, and the default of `play.dialect` is `moddio`.
   */
  readonly protocols?: readonly ProtocolName[];
  /** Authenticates clients. Default: by tokens signed with the secret; clients without a token are guests. */
  readonly identify?: Identify;
  /** The operations and triggers that the host adds for the games, and the code that performs them. */
  readonly hostModule?: HostModule;
  /** The seed of every room. By default, each room has its own random seed. */
  readonly seed?: string;
  /** How long a player stays in the game after its connection was lost, seconds. Default 30. */
  readonly graceSeconds?: number;
  /**
   * How long ticks are collected into one row of the journal, ms. The platform charges for each row that is written,
   * but inputs are acknowledged only when their row is written. Default 250.
   */
  readonly journalMs?: number;
  /** The maximum number of spectators per room. Default 100. */
  readonly watchersMax?: number;
  /** The origins of pages that may connect, besides the worker's own. */
  readonly origins?: OriginRule;
  /** The entries that are written to the console as JSON lines: only problems, or events, too. Default `problems`. */
  readonly log?: 'problems' | 'events';
}

const defaults = {
  play: {},
  traffic: {},
  protocols: ['reenact'],
  graceSeconds: 30,
  journalMs: 250,
  watchersMax: 100,
  origins: [],
  log: 'problems',
} satisfies Partial<ReenactOptions>;

/** The settings and the games of a worker. */
export class Serving {
  readonly play: PlayOptions;
  readonly traffic: TrafficLimits;
  private readonly codecs: readonly Codec[];
  /** The definitions that were read in this isolate. Its rooms share them. */
  private readonly definitions = new Map<string, Promise<ServedDefinition>>();

  /** The options of the worker, with their defaults. */
  readonly options;

  constructor(given: ReenactOptions) {
    this.options = { games: given.games, ...defaults, ...defined(given) };
    const { play, traffic, protocols: spoken, hostModule } = this.options;
    requireKnownOptions(given, [...Object.keys(defaults), 'games', 'identify', 'hostModule', 'seed']);
    requireKnownOptions(play, Object.keys(defaultPlay), 'option of play');
    requireKnownOptions(traffic, Object.keys(defaultTraffic), 'option of traffic');
    const bad = this.games.find((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name));
    if (bad !== undefined || this.games.length === 0)
      throw new ServerError(
        'no-definition',
        `"games" must be a list of names of lower-case letters, digits and hyphens, but contains ${bad ?? 'no names'}.`,
      );
    wordsOf(hostModule);
    this.codecs = spoken.map((name) => protocols[name].codec);
    const isForExisting = spoken.includes('moddio');
    this.play = { ...defaultPlay, ...(isForExisting && { dialect: 'moddio' }), ...play };
    this.traffic = { ...defaultTraffic, ...traffic };
  }

  /** The protocol of a client that offers these WebSocket subprotocols; undefined if none of them is supported. */
  codecFor(offered: readonly string[]): Codec | undefined {
    return codecFor(this.codecs, offered);
  }

  /** Whether everybody may see the positions of players: watchers see the whole map. */
  get showsPlayers(): boolean {
    return this.options.watchersMax > 0 && this.play.sight === Infinity;
  }

  /** The dialect of definitions for clients of modd.io; undefined if they cannot play. */
  get moddio(): PlayOptions['dialect'] | undefined {
    return this.options.protocols.includes('moddio') ? this.play.dialect : undefined;
  }

  /** The names of the games. */
  get games(): readonly string[] {
    return Object.keys(this.options.games);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.options.games, name);
  }

  /** A definition by name. Rejects with `ServerError` if the text is not a playable definition. */
  definition(name: string, env: Bindings): Promise<ServedDefinition> {
    return cached(this.definitions, name, () => {
      const definition = this.read(name, env);
      definition.catch(() => this.definitions.delete(name));
      return definition;
    });
  }

  private async read(name: string, env: Bindings): Promise<ServedDefinition> {
    const game = this.options.games[name]!;
    let why = '';
    const given = typeof game === 'function' ? await (game as (env: Bindings) => Promise<string>)(env) : game;
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const definition = ServedDefinition.of(
      text,
      name,
      wordsOf(this.options.hostModule),
      (reason) => (why = reason),
      name,
    );
    if (definition === undefined) throw new ServerError('no-definition', `The game "${name}" cannot be played: ${why}`);
    return definition;
  }

  /** Writes to the console, from which the platform's logs are collected. It writes no personal data. */
  get observer(): Observer {
    const isEvent = this.options.log === 'events';
    const nothing = () => {};
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

/**
 * The settings of the worker. They are set when its module is loaded, because the platform creates its objects without
 * arguments.
 */
let serving: Serving | undefined;

export function serve(options: ReenactOptions): Serving {
  serving = new Serving(options);
  return serving;
}

export function served(): Serving {
  if (serving === undefined) throw new ServerError('no-definition', 'The worker must export `reenact({ games })`.');
  return serving;
}
