import { RandomStream } from '../../../engine/core/index.ts';
import { type Input, type LoadedGame, type OutputEvent, Simulation } from '../../../engine/index.ts';
import { Bots, type Interests } from '../../bots/index.ts';
import { gainsOf } from '../finding/exploits.ts';
import { leadsTo } from '../searching/leads.ts';
import type { Episode, ExplorePlan } from '../searching/plan.ts';

const answerSeconds = 0.5;
/**
 * How much longer players who look for something stay in the game, because players who leave lose what they have
 * gained.
 */
const stayFactor = 20;

/** The simulation of an episode, with the bots that play it. */
export class PlayedEpisode {
  readonly sim: Simulation;
  private readonly bots: Bots;
  private readonly answers: { readonly tick: number; readonly input: Input }[] = [];
  private readonly random: RandomStream;

  /** `goal`: what the bots look for. Without it, bots of an aimed episode look for one of the gains. */
  constructor(
    game: LoadedGame,
    { dialect }: ExplorePlan,
    { seed, players, traits, isCurious, isAimed }: Episode,
    goal?: Interests,
  ) {
    const sim = new Simulation(game, { seed, dialect });
    this.sim = sim;
    this.random = new RandomStream(`${seed}/explore`);
    const gain = isAimed ? new RandomStream(`${seed}/aim`).pick(gainsOf(game.definition)) : undefined;
    const sought = goal ?? (gain && leadsTo(game.definition, gain.about));
    this.bots = new Bots(sim, {
      count: players,
      seed,
      traits: sought === undefined ? traits : traits.map((each) => ({ ...each, stay: each.stay * stayFactor })),
      isCurious,
      interests: sought,
    });
    sim.on('output', (event) => this.receive(event));
  }

  /** Plays a tick. */
  step() {
    const { sim, answers } = this;
    while (answers.length > 0 && answers[0]!.tick <= sim.tick) sim.input(answers.shift()!.input);
    this.bots.beforeStep();
    sim.step();
  }

  /** Answers a web request of the game. Half of the requests fail, and the others get an empty answer. */
  private receive(event: OutputEvent) {
    if (event.kind !== 'http' || event.requestId === undefined) return;
    const { requestId } = event;
    const tick = this.sim.tick + Math.round(answerSeconds * this.sim.rate);
    const isAnswered = this.random.chance(0.5);
    this.answers.push({ tick, input: { kind: 'httpAnswer', requestId, ...(isAnswered && { body: {} }) } });
  }
}
