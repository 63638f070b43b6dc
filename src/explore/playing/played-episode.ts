import { RandomStream } from '../../../engine/core/index.ts';
import { type Input, type LoadedGame, type OutputEvent, Simulation } from '../../../engine/index.ts';
import { Bots, type Interests } from '../../bots/index.ts';
import { SavedAccounts, type SavedJoinData } from '../../store/index.ts';
import type { Episode, ExplorePlan } from '../searching/plan.ts';
import { stepWithin } from './tick-budget.ts';

const answerSeconds = 0.5;

interface Answer {
  readonly tick: number;
  readonly input: Input;
}

interface PlayedFrom {
  /** The things that the bots look for. */
  readonly interests?: Interests | undefined;
  /** A play to continue from its current state, with other random choices. */
  readonly from?: { readonly of: PlayedEpisode; readonly seed: string };
}

/** The simulation of an episode, with the bots that play it. */
export class PlayedEpisode {
  readonly sim: Simulation;
  private readonly bots: Bots;
  private readonly answers: Answer[];
  private readonly random: RandomStream;
  private readonly accounts: SavedAccounts;

  constructor(
    game: LoadedGame,
    { dialect }: ExplorePlan,
    { seed, players, traits, isCurious }: Episode,
    { interests, from }: PlayedFrom = {},
  ) {
    const sim = from === undefined ? new Simulation(game, { seed, dialect }) : from.of.sim.fork();
    this.sim = sim;
    this.random = new RandomStream(`${from?.seed ?? seed}/explore`);
    this.accounts = new SavedAccounts(sim, from?.of.accounts);
    this.answers = [...(from?.of.answers ?? [])];
    const savedData = (userId: string): SavedJoinData => this.accounts.joinData(userId);
    this.bots =
      from?.of.bots.copyIn(sim, from.seed, savedData) ??
      new Bots(sim, {
        count: players,
        seed,
        savedData,
        traits,
        isCurious,
        interests,
      });
    sim.on('output', (event) => this.receive(event));
  }

  /** Plays a tick. Returns how long it takes in ms if that is more than the budget, otherwise undefined. */
  step(budgetMs?: number): number | undefined {
    const { sim, answers } = this;
    while (answers.length > 0 && answers[0]!.tick <= sim.tick) sim.input(answers.shift()!.input);
    this.bots.beforeStep();
    return stepWithin(sim, budgetMs);
  }

  /** Answers a web request of the game. Half of the requests fail, and the others get an empty answer. */
  private receive(event: OutputEvent): void {
    if (event.kind !== 'http' || event.requestId === undefined) return;
    const { requestId } = event;
    const tick = this.sim.tick + Math.round(answerSeconds * this.sim.rate);
    const isAnswered = this.random.chance(0.5);
    this.answers.push({ tick, input: { kind: 'httpAnswer', requestId, ...(isAnswered && { body: {} }) } });
  }
}
