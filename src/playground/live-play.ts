import { type DialectName, type Input, type LoadedGame, type OutputEvent, Simulation } from '../../engine/index.ts';
import { persistentTexts, programsOfGame } from '../../engine/tools.ts';
import { Bots } from '../bots/index.ts';
import { destinationOf, ShownTexts } from '../net/index.ts';
import { lengthOfValue } from '../run/index.ts';
import { Watch } from '../viewer/index.ts';
import { GrowingJournal } from './growing-journal.ts';
import { StateLimit } from './state-limit.ts';

/**
 * An action of the user, performed after the given tick. Game, seed and orders reproduce a play exactly, because bots
 * depend on the seed alone. They take far less space than a recording of all inputs.
 */
export type Order =
  | {
      readonly tick: number;
      readonly kind: 'bots';
      readonly count: number;
      readonly seed: string;
    }
  /** A person takes over this player, or gives it back to the bot. */
  | { readonly tick: number; readonly kind: 'take' | 'give'; readonly player: string }
  | { readonly tick: number; readonly kind: 'input'; readonly input: Input };

export interface Beginning {
  readonly seed: string;
  readonly dialect: DialectName;
  /** The state to begin with; by default the start of the game. */
  readonly snapshot?: Uint8Array | undefined;
}

/** The number of ticks between the snapshots that are used to go back. */
const snapshotTicks = 600;
const eventsMax = 500;
const eventsLengthMax = 2_000_000;

/** A game that is played by bots, one of which a person may replace. */
export class LivePlay {
  readonly sim: Simulation;
  readonly watch: Watch;
  readonly journal = new GrowingJournal();
  readonly orders: Order[] = [];
  readonly texts = new ShownTexts();
  /** The player that a person controls. */
  taken: string | undefined;
  private bots: Bots | undefined;
  /** The number of orders that have been carried out. */
  private done = 0;
  /** The output events for everyone and for the person's player that have not been sent to the page yet. */
  private told: OutputEvent[] = [];
  private toldLength = 0;
  readonly limit = new StateLimit();

  /** `orders`: the orders of an earlier play, which this play repeats. */
  constructor(
    loaded: LoadedGame,
    readonly beginning: Beginning,
    orders: readonly Order[],
  ) {
    this.orders.push(...orders);
    // The game is compiled so that it also reports false conditions.
    const game = programsOfGame(loaded).watched('conditions');
    const early: OutputEvent[] = [];
    let take = (event: OutputEvent): void => void early.push(event);
    this.watch = new Watch(() => this.sim);
    const { observer, onOutput: watched } = this.watch.listeners;
    const onOutput = (event: OutputEvent) => {
      watched(event);
      take(event);
    };
    const { seed, dialect, snapshot } = beginning;
    this.sim =
      snapshot === undefined
        ? new Simulation(game, { seed, dialect, observer, onOutput })
        : Simulation.restore(game, snapshot, { observer, onOutput });
    take = (event) => this.hear(event);
    for (const [target, value] of persistentTexts(this.sim)) {
      this.texts.take({ kind: 'ui.text', op: 'update', target, value }, this.sim.nowMs);
    }
    for (const event of early) this.hear(event);
    this.sim.journal(this.journal.put, { snapshotTicks });
  }

  /** Adds an order, which is carried out before the next tick. */
  order(order: WithoutTick<Order>) {
    this.orders.push({ tick: this.sim.tick, ...order } as Order);
  }

  /** Plays one tick. Throws `StateTooLarge`. */
  step() {
    const { sim } = this;
    if (sim.ended) return;
    this.obey();
    this.bots?.beforeStep();
    this.watch.step(sim, () => {
      sim.step();
      return sim;
    });
    this.journal.lastTick = sim.tick;
    this.limit.afterTick(sim);
  }

  /** The events since the last call. Each event is returned once. */
  takeTold(): readonly OutputEvent[] {
    this.toldLength = 0;
    return this.told.splice(0);
  }

  private obey() {
    for (; this.done < this.orders.length; this.done++) {
      const order = this.orders[this.done]!;
      if (order.tick > this.sim.tick) return;
      switch (order.kind) {
        case 'bots':
          this.bots = new Bots(this.sim, order);
          break;
        case 'take':
          this.taken = order.player;
          // If a bot plays for the player, the person takes over from it; otherwise the player joins.
          if (this.bots?.hold(order.player) !== true)
            this.sim.input({ kind: 'join', clientId: order.player, name: order.player });
          break;
        case 'give':
          this.taken = undefined;
          if (this.bots?.free(order.player) !== true) this.sim.input({ kind: 'leave', player: order.player });
          break;
        case 'input':
          this.sim.input(order.input);
          break;
      }
    }
  }

  private hear(event: OutputEvent) {
    const destination = destinationOf(this.sim, event);
    if (destination === 'host') return;
    if (destination !== 'everyone' && (this.taken === undefined || !destination.includes(this.taken))) return;
    this.texts.take(event, this.sim.nowMs);
    // Further events are dropped, because a person cannot read more between two frames.
    if (this.told.length >= eventsMax || this.toldLength > eventsLengthMax) return;
    this.told.push(event);
    this.toldLength += lengthOfValue({ ...event, to: undefined });
  }
}

type WithoutTick<O> = O extends unknown ? Omit<O, 'tick'> : never;
