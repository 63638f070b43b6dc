import { lazy, RandomStream, RandomStreams } from '../../engine/core/index.ts';
import { type Definition, listensTo, type OutputEvent, type Simulation, type TriggerType } from '../../engine/index.ts';
import { noEntity } from '../../engine/tools.ts';
import type { Measure } from '../expression/index.ts';
import { SavedAccounts, type SavedJoinData } from '../store/index.ts';
import { accountOf, Bot, type BotTraits, type SharedByBots } from './bot.ts';
import { triesDefault } from './groups.ts';
import { Habits, type Interests } from './habits.ts';
import { PathFinder } from './path-finder.ts';
import { phrasesOf } from './phrases.ts';
import { promptKinds } from './prompt-responder.ts';
import { repertoires } from './repertoire.ts';
import { SimulationSurroundings } from './surroundings.ts';
import { Winner } from './winner.ts';

export interface BotsOptions {
  readonly count: number;
  /** The seed of the bots: the same seed and game give the same inputs. */
  readonly seed: string;
  /**
   * Returns the saved data of an account. By default, this is the data that the game has saved since the bots were
   * created.
   */
  readonly savedData?: ((userId: string) => SavedJoinData) | undefined;
  /** The traits of each bot. Default: all factors are 1. */
  readonly traits?: readonly BotTraits[] | undefined;
  /** The objective of each bot; undefined for a bot that wanders. */
  readonly objectives?: readonly (Measure | undefined)[] | undefined;
  /** The number of options that a winner compares per decision. */
  readonly tries?: number | undefined;
  /**
   * Whether bots also use words that scripts compare with what players typed, join as guests, and find out by trial how
   * to walk with units that only scripts move.
   */
  readonly isCurious?: boolean;
  /** The client id of each bot. If that client is in the game already, the bot plays in its place. */
  readonly clients?: readonly string[];
  /** Things that the bots look for in particular. */
  readonly interests?: Interests | undefined;
}

/**
 * Simulated players that exercise the scripts of a game: they join in the first seconds, walk, use keys and items, buy,
 * answer, chat, leave and come back. Everything they do is an input of the simulation. They have their own random
 * numbers, so that those of the game are the same with and without bots.
 */
export class Bots {
  /** The number of decisions of winners, and the total time that they took, in ms. */
  readonly decisions = { count: 0, ms: 0 };
  private readonly winners: readonly Winner[];

  constructor(
    private readonly sim: Simulation,
    options: BotsOptions,
    private readonly bots: readonly Bot[] = newBots(sim, options),
  ) {
    const { objectives = [], tries = triesDefault, seed } = options;
    this.winners = objectives.flatMap((objective, index) => {
      const bot = bots[index];
      if (objective === undefined || bot === undefined) return [];
      const { clientId } = bot;
      return new Winner({ sim, bots: this, index, clientId, objective, tries, seed: `${seed}/winner ${index}` });
    });
    if (bots.length === 0) return;
    sim.on('output', (event) => this.receive(event));
    sim.on('refused', ({ input }) => {
      if (input.kind === 'join') this.bots.find((bot) => bot.clientId === input.clientId)?.refused();
    });
  }

  /**
   * Copies the bots into a fork of their game. The copies continue their current actions; after that, their choices
   * depend on the seed. Copies of winners do not plan ahead.
   */
  copyIn(fork: Simulation, seed: string): Bots {
    const game = new SimulationSurroundings(fork);
    const copies = this.bots.map((bot, i) => bot.copyIn(game, new RandomStream(`${seed}/${i}`)));
    return new Bots(fork, { count: copies.length, seed }, copies);
  }

  isPlaying(index: number): boolean {
    return this.bots[index]!.isPlaying;
  }

  /** Makes a bot drop its goal. Its further choices depend on the seed. */
  reconsider(index: number, seed: string) {
    this.bots[index]!.reconsider(seed);
  }

  /** The accounts that the bots of a game use. */
  static accounts(definition: Definition, count: number): string[] {
    return Array.from({ length: count }, (_, i) => accountOf(definition, i));
  }

  /** Lets the winners decide and all bots act. Must be called before each step. */
  beforeStep() {
    const { tick } = this.sim;
    for (const winner of this.winners) {
      const startMs = performance.now();
      if (!winner.beforeStep()) continue;
      this.decisions.count++;
      this.decisions.ms += performance.now() - startMs;
    }
    for (const bot of this.bots) bot.beforeStep(tick);
  }

  /** Lets a person play in place of a bot. Returns false if there is no such bot. */
  hold(clientId: string): boolean {
    return this.withBot(clientId, (bot) => bot.hold());
  }

  /** Gives a player back to its bot. Returns false if there is no such bot. */
  free(clientId: string): boolean {
    return this.withBot(clientId, (bot) => bot.free());
  }

  private withBot(clientId: string, act: (bot: Bot) => void) {
    const bot = this.bots.find((each) => each.clientId === clientId);
    if (bot !== undefined) act(bot);
    return bot !== undefined;
  }

  private receive(event: OutputEvent) {
    if (!promptKinds.has(event.kind)) return;
    const { to } = event;
    const player = typeof to === 'object' ? this.sim.handle(to.player) : undefined;
    const audience = player?.kind === 'player' ? player.clientId : to;
    const ids = 'playerIds' in event ? event.playerIds : 'playerId' in event ? [event.playerId] : undefined;
    for (const bot of this.bots) {
      const { clientId } = bot;
      if (audience === clientId || ids?.includes(clientId) === true || audience === 'everyone') bot.receive(event);
    }
  }
}

function newBots(
  sim: Simulation,
  { count, seed, savedData = accountsOf(sim), traits = [], isCurious = false, interests, clients = [] }: BotsOptions,
): Bot[] {
  const streams = new RandomStreams(`${seed}/bots`);
  const game = new SimulationSurroundings(sim);
  const common: SharedByBots = {
    // The repertoires are computed on demand, because they need all types of the game, which a run without bots need
    // not read.
    repertoires: lazy(() => repertoires(sim.definition)),
    subscribed: subscribedIn(sim),
    savedData,
    pathFinder: new PathFinder(game),
    habits: new Habits(isCurious, interests),
    phrases: lazy(() => phrasesOf(sim.definition, isCurious)),
  };
  return Array.from({ length: count }, (_, i) => {
    const bot = new Bot(game, i, streams.stream(String(i)), common, traits[i], clients[i]);
    if (game.playerOf(bot.clientId) !== noEntity && clients[i] !== undefined) bot.begin(sim.tick);
    return bot;
  });
}

function accountsOf(sim: Simulation): SharedByBots['savedData'] {
  const accounts = new SavedAccounts(sim);
  return (userId) => accounts.joinData(userId);
}

/** For each kind of input that does nothing but fire a trigger: whether a global script listens to that trigger. */
export function subscribedIn(sim: Simulation): SharedByBots['subscribed'] {
  const isSubscribed = (trigger: TriggerType) => listensTo(sim, trigger);
  return {
    trade: isSubscribed('whenPlayerClickTradeOption'),
    canvas: isSubscribed('whenPlayerDropsItemToCanvas'),
    click: isSubscribed('htmlUiClick'),
    data: isSubscribed('whenDataReceivedFromClient'),
  };
}
