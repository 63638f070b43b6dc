import type { AnyHandle, DialectName, Journal, LoadedGame, RegionHandle, Simulation } from '../../engine/index.ts';
import { programsOfGame } from '../../engine/tools.ts';
import { Lexicon } from './lexicon.ts';

/** Names of entities that only the caller knows. */
export interface EntityNames {
  /** The name that the caller uses for an entity; undefined if it has none. */
  nameOf(entity: AnyHandle): string | undefined;
  /** The name of the type that a destroyed entity had; undefined if unknown. */
  formerType(entity: AnyHandle): string | undefined;
}

/**
 * The game on which expressions are evaluated, and the names that the caller uses for entities, such as those of a
 * scenario.
 */
export interface ExpressionSource extends EntityNames {
  /**
   * The simulation to evaluate on. May change between evaluations: a debugger that steps back has a different
   * simulation.
   */
  readonly sim: Simulation;
  readonly lexicon: Lexicon;
  /**
   * The entity that has this name now: one of the caller's names, or an id such as `u1` or `computer1`. Undefined if
   * there is none.
   */
  entityNamed(name: string): AnyHandle | undefined;
  /** Whether the name can refer to an entity, now or later. */
  isKnown(name: string): boolean;
  /** The caller's names, for suggestions. */
  names(): readonly string[];
  /** Explains why the name refers to no entity now. */
  whyAbsent(name: string): string;
  /** Explains why `fired`, `runs` and `outputs` cannot be counted from the start of the game; undefined if they can. */
  whyUncounted(): string | undefined;
}

interface GameSourceOptions {
  /** Returns the simulation to evaluate on; called at each evaluation. Not needed if expressions are only checked. */
  readonly playing?: (() => Simulation) | undefined;
  /** Ids of players that may join. */
  readonly players?: readonly string[];
  /** A recording whose players can be named by their ids and names. */
  readonly journal?: Journal;
  readonly whyUncounted?: () => string | undefined;
}

/** The source for games whose entities are named only by their ids, and players of a recording also by their names. */
export class GameSource implements ExpressionSource {
  readonly lexicon: Lexicon;
  /** The ids of recorded players, by id and by name. */
  private readonly recorded: ReadonlyMap<string, string>;

  constructor(
    game: LoadedGame,
    dialect: DialectName,
    private readonly options: GameSourceOptions,
  ) {
    this.recorded = options.journal === undefined ? new Map() : playersOf(options.journal);
    this.lexicon = new Lexicon(game.definition, programsOfGame(game).program(dialect));
  }

  get sim(): Simulation {
    const { playing } = this.options;
    if (playing === undefined) throw new Error('Nothing is running yet.');
    return playing();
  }

  entityNamed(name: string): AnyHandle | undefined {
    return entityById(this.sim, this.recorded.get(name) ?? name);
  }

  isKnown(name: string): boolean {
    return isEntityId(name) || this.names().includes(name);
  }

  names(): readonly string[] {
    return [...(this.options.players ?? []), ...this.recorded.keys()];
  }

  whyAbsent(name: string): string {
    return this.names().includes(name) ? `${name} is not in the game` : `there is no ${name}`;
  }

  formerType(): undefined {
    return undefined;
  }

  nameOf(_entity: AnyHandle): string | undefined {
    return undefined;
  }

  whyUncounted(): string | undefined {
    return this.options.whyUncounted?.();
  }
}

/** The ids of the players in a recording, by id and by name. A name that several players have is left out. */
function playersOf({ inputs }: Journal) {
  const joins = [...inputs.values()].flat().filter((input) => input.kind === 'join');
  const ids = new Map(joins.flatMap(({ clientId }) => (clientId === undefined ? [] : [[clientId, clientId] as const])));
  const named = new Map<string, string>();
  const shared = new Set<string>();
  for (const { name, clientId } of joins) {
    if (name === undefined || clientId === undefined || ids.has(name) || isEntityId(name)) continue;
    if ((named.get(name) ?? clientId) !== clientId) shared.add(name);
    named.set(name, clientId);
  }
  for (const name of shared) named.delete(name);
  return new Map([...ids, ...named]);
}

/**
 * Whether a name has the form of an id: `u1` for a unit, `i1` an item, `b1` a projectile, `p1` a player, `c1` or
 * `computer1` a computer player, `r:<name>` a region.
 */
export function isEntityId(name: string): boolean {
  return /^([uibpc]\d+|computer\d+|r:.+)$/.test(name);
}

/**
 * The name that people and expressions use for an entity: its id. Only computer players have the name that scripts use,
 * such as `computer2`, although the id is `c2` and the display name is `AI 2`.
 */
export function idOf(entity: AnyHandle): string {
  const isComputer = entity.kind === 'player' && entity.exists && entity.controlledBy === 'computer';
  return isComputer ? `computer${entity.id.slice(1)}` : entity.id;
}

/** The existing entity with an id; undefined if there is none. */
export function entityById(sim: Simulation, name: string): AnyHandle | undefined {
  const computer = /^computer(\d+)$/.exec(name);
  return sim.find(computer === null ? name : `c${computer[1]}`);
}

/** The region entity that belongs to a region variable; undefined if a script has removed it. */
export function regionOf(sim: Simulation, name: string): RegionHandle | undefined {
  return sim.regions().find((region) => region.name === name);
}
