import { RandomStream } from '../../../engine/core/index.ts';
import { type Input, type LoadedGame, type OutputEvent, Simulation } from '../../../engine/index.ts';
import { globalValue } from '../../../engine/tools.ts';
import { Bots, type Interests } from '../../bots/index.ts';
import { modelOf } from '../../model/index.ts';
import { AimedPlay } from '../searching/aims.ts';
import type { Episode, ExplorePlan } from '../searching/plan.ts';

const answerSeconds = 0.5;
/**
 * How much longer players who look for something stay in the game, because players who leave lose what they have
 * gained.
 */
const stayFactor = 20;

interface Answer {
  readonly tick: number;
  readonly input: Input;
}

/** The simulation of an episode, with the bots that play it. */
export class PlayedEpisode {
  readonly sim: Simulation;
  private readonly bots: Bots;
  private readonly answers: Answer[] = [];
  private readonly random: RandomStream;
  private readonly secondTicks: number;
  private readonly aimed: AimedPlay | undefined;
  /** The values that switches had, after their names. */
  private readonly had = new Set<string>();
  /** The number of the bot that comes and goes when switches change; undefined if there are too few bots. */
  private readonly restless: number | undefined;

  /** `goal`: what the bots look for. Without it, bots of an aimed episode look for its aims. */
  constructor(
    game: LoadedGame,
    { dialect }: ExplorePlan,
    { seed, players, traits, isCurious, aim }: Episode,
    goal?: Interests,
  ) {
    const sim = new Simulation(game, { seed, dialect });
    this.sim = sim;
    this.random = new RandomStream(`${seed}/explore`);
    const isSeeking = goal !== undefined || aim !== undefined;
    this.bots = new Bots(sim, {
      count: players,
      seed,
      traits: isSeeking ? traits.map((each) => ({ ...each, stay: each.stay * stayFactor })) : traits,
      isCurious,
      interests: goal,
    });
    this.secondTicks = Math.max(1, Math.round(sim.rate));
    this.aimed = aim === undefined ? undefined : new AimedPlay(sim, this.bots, aim);
    this.restless = isCurious && goal === undefined && players > 1 ? players - 1 : undefined;
    sim.on('output', (event) => this.receive(event));
  }

  /** Plays a tick. */
  step() {
    const { sim, answers } = this;
    while (answers.length > 0 && answers[0]!.tick <= sim.tick) sim.input(answers.shift()!.input);
    if (sim.tick % this.secondTicks === 0) this.lookEachSecond();
    this.bots.beforeStep();
    sim.step();
  }

  /** When a switch has a value for the first time, a player joins or leaves. */
  private lookEachSecond() {
    this.aimed?.look();
    if (this.restless === undefined) return;
    const { size } = this.had;
    for (const name of modelOf(this.sim.definition).switches) this.had.add(`${name} ${globalValue(this.sim, name)}`);
    if (this.had.size > size) this.bots.comeOrGo(this.restless);
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
