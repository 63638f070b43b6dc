import type { AnyHandle, Simulation } from '../../engine/index.ts';
import { botIds } from '../bots/index.ts';
import { type ExpressionSource, entityById } from '../expression/index.ts';
import {
  type Case,
  type Games,
  type KeptPlay,
  playCase,
  playsFile,
  type ReachWanted,
  readPlays,
  type Scene,
  stepsOf,
  writePlays,
} from '../scenario/index.ts';
import { goalKey } from './detector.ts';
import { bindIn, type Ground } from './ground.ts';
import { type ExplorePlan, episodeOf } from './plan.ts';
import { searchEpisode } from './search.ts';
import { replay, shrinkRecording } from './shrink.ts';

const playersMax = 4;
const shrinkTicks = 100_000;

interface RenewOptions {
  readonly games: Games;
  /** How long it looks for a play of one step. */
  readonly searchMs: number;
  readonly signal: AbortSignal;
  readonly onSearch: (goal: string) => void;
}

/**
 * Looks for plays of the `reach` steps whose goal the kept play does not reach, and keeps them beside the scenario
 * files. Returns the number of new plays by file, and the goals for which it found none.
 */
export function renewPlays(
  cases: readonly Case[],
  options: RenewOptions,
): { readonly changed: ReadonlyMap<string, number>; readonly missed: readonly string[] } {
  const changed = new Map<string, number>();
  const missed: string[] = [];
  for (const each of cases) {
    const { file, skip, plan } = each;
    if (skip !== undefined || options.signal.aborted || !stepsOf(plan).some((step) => 'reach' in step)) continue;
    playCase(
      each,
      options.games,
      {},
      {
        onTick() {},
        findPlay(scene, wanted, kept) {
          const ground = groundOfScene(scene, wanted);
          if (kept !== undefined && reaches(scene, ground, wanted, kept)) return kept;
          options.onSearch(wanted.goal);
          const found = search(scene, ground, wanted, options);
          if (found === undefined) {
            missed.push(wanted.goal);
            return kept;
          }
          writePlays(file, { ...readPlays(file), [wanted.key]: found });
          const path = playsFile(file);
          changed.set(path, (changed.get(path) ?? 0) + 1);
          return found;
        },
      },
    );
  }
  return { changed, missed };
}

function planOf({ sim }: Scene, { goal, seconds }: ReachWanted): ExplorePlan {
  return {
    game: '',
    dialect: sim.dialect,
    seed: String(sim.seed),
    players: [1, playersMax],
    goal,
    never: [],
    always: [],
    within: [],
    reachable: [],
    secondsMax: seconds,
  };
}

/** Plays begin at the present moment of a scenario. Its players act; without any, others join. */
function groundOfScene(scene: Scene, wanted: ReachWanted): Ground {
  const clients = [...scene.playersByName().values()].filter(({ exists }) => exists).map(({ clientId }) => clientId);
  const begin = scene.sim.fork();
  return {
    begin: () => begin.fork(),
    bind: (playing) => bindIn(new ForkedScene(scene, playing), planOf(scene, wanted)),
    clients: clients.length > 0 ? clients : undefined,
  };
}

function reaches(scene: Scene, ground: Ground, wanted: ReachWanted, { ticks, inputs }: KeptPlay): boolean {
  const { tick: from, seed } = scene.sim;
  const recording = {
    seed: String(seed),
    ticks: from + ticks,
    inputs: inputs.map(([tick, input]) => ({ tick: from + tick, input })),
  };
  return replay(planOf(scene, wanted), ground, recording, goalKey(wanted.goal))?.sighting.tick === from + ticks;
}

function search(
  scene: Scene,
  ground: Ground,
  wanted: ReachWanted,
  { searchMs, signal }: RenewOptions,
): KeptPlay | undefined {
  const { sim, game } = scene;
  const plan = planOf(scene, wanted);
  const endMs = performance.now() + searchMs;
  const isOver = (): boolean => performance.now() > endMs || signal.aborted;
  for (let index = 0; !isOver(); index++) {
    const drawn = episodeOf(plan, sim.rate, index);
    const episode = { ...drawn, players: ground.clients?.length ?? drawn.players };
    const [sighting] = searchEpisode(game, plan, episode, isOver, ground).sightings;
    if (sighting?.recording === undefined) continue;
    const shrunk = shrinkRecording(plan, ground, sighting.recording, sighting, shrinkTicks);
    if (shrunk === undefined) continue;
    const { ticks, inputs } = shrunk.recording;
    return { ticks: ticks - sim.tick, inputs: inputs.map(({ tick, input }) => [tick - sim.tick, input]) };
  }
  return undefined;
}

/** The names of a scenario in a fork of its game. */
class ForkedScene implements ExpressionSource {
  private readonly scene: Scene;
  private readonly playing: () => Simulation;

  constructor(scene: Scene, playing: () => Simulation) {
    this.scene = scene;
    this.playing = playing;
  }

  get sim(): Simulation {
    return this.playing();
  }

  get lexicon(): Scene['lexicon'] {
    return this.scene.lexicon;
  }

  entityNamed(name: string): AnyHandle | undefined {
    const player = this.scene.playersByName().get(name);
    if (player !== undefined || botIds(playersMax).includes(name)) {
      const handle = this.sim.player(player?.clientId ?? name);
      return handle.exists ? handle : undefined;
    }
    const known = this.scene.entityNamed(name);
    return known === undefined ? entityById(this.sim, name) : this.sim.find(known.id);
  }

  isKnown(name: string): boolean {
    return this.scene.isKnown(name) || botIds(playersMax).includes(name);
  }

  names(): readonly string[] {
    return this.scene.names();
  }

  nameOf(entity: AnyHandle): string | undefined {
    return this.scene.nameOf(entity);
  }

  formerType(): undefined {
    return undefined;
  }

  whyAbsent(name: string): string {
    return `${name} does not exist`;
  }

  whyUncounted(): string {
    return 'events are not counted while it looks for a play';
  }
}
