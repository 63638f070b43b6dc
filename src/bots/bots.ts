import { RandomStreams } from '../../engine/core/random.ts';
import { type Definition, listensTo, type OutputEvent, type Simulation, type TriggerType } from '../../engine/index.ts';
import type { SavedJoinData } from '../store/account-persistence.ts';
import { accountOf, Bot, type Common } from './bot.ts';
import { PathFinder } from './path-finder.ts';
import { type Phrases, phrasesOf } from './phrases.ts';
import { questionKinds } from './prompt-responder.ts';
import { type Repertoire, repertoires } from './repertoire.ts';
import { SimulationSurroundings } from './surroundings.ts';

interface BotsOptions {
  readonly count: number;
  /** Same seed, same game: same inputs. */
  readonly seed: string;
  /** The data that an account brings along from earlier games; nothing where left out. */
  readonly belongings?: ((userId: string) => SavedJoinData) | undefined;
}

/**
 * Players that make a game's scripts run: they join over the first seconds, walk, use keys and items, buy, answer, chat, leave and come
 * back. Everything they do is an input of the simulation; their chance is their own, so that a game rolls the same dice with and without.
 */
export class Bots {
  private readonly sim: Simulation;
  private readonly bots: readonly Bot[];

  constructor(sim: Simulation, { count, seed, belongings = () => ({}) }: BotsOptions) {
    this.sim = sim;
    const streams = new RandomStreams(`${seed}/bots`);
    const game = new SimulationSurroundings(sim);
    let phrases: Phrases | undefined;
    let known: readonly Repertoire[] | undefined;
    const common: Common = {
      // Both read all types of the game, which a play without bots does not.
      repertoires: () => {
        known ??= repertoires(sim.definition);
        return known;
      },
      subscribed: subscribedIn(sim),
      belongings,
      way: new PathFinder(game),
      phrases: () => {
        phrases ??= phrasesOf(sim.definition);
        return phrases;
      },
    };
    this.bots = Array.from({ length: count }, (_, i) => new Bot(game, i, streams.stream(String(i)), common));
    if (count === 0) return;
    sim.on('output', (event) => this.receive(event));
    sim.on('refused', ({ input }) => {
      if (input.kind === 'join') this.bots.find((bot) => bot.clientId === input.clientId)?.refused();
    });
  }

  /** The accounts that a game's bots come with. */
  static accounts(definition: Definition, count: number): string[] {
    return Array.from({ length: count }, (_, i) => accountOf(definition, i));
  }

  /** To be called before each step. */
  beforeStep(): void {
    const { tick } = this.sim;
    for (const bot of this.bots) bot.beforeStep(tick);
  }

  private receive(event: OutputEvent): void {
    if (!questionKinds.has(event.kind)) return;
    const { to } = event;
    const player = typeof to === 'object' ? this.sim.handle(to.player) : undefined;
    const audience = player?.kind === 'player' ? player.clientId : to;
    const ids: readonly unknown[] = Array.isArray(event['playerIds']) ? event['playerIds'] : [event['playerId']];
    for (const bot of this.bots) {
      const { clientId } = bot;
      if (audience === clientId || ids.includes(clientId) || audience === 'everyone') bot.receive(event);
    }
  }
}

/** The inputs without an effect of their own that a global script listens to. */
export function subscribedIn(sim: Simulation): Common['subscribed'] {
  const isSubscribed = (trigger: TriggerType): boolean => listensTo(sim, trigger);
  return {
    trade: isSubscribed('whenPlayerClickTradeOption'),
    canvas: isSubscribed('whenPlayerDropsItemToCanvas'),
    click: isSubscribed('htmlUiClick'),
    data: isSubscribed('whenDataReceivedFromClient'),
  };
}
