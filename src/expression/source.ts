import type { AnyHandle, DialectName, LoadedGame, RegionHandle, Simulation } from '../../engine/index.ts';
import { insideOfGame } from '../../engine/internal.ts';
import { Lexicon } from './lexicon.ts';

/** The names of entities that only the asker knows. */
export interface EntityNames {
  /** The asker's own name of an entity; undefined where it has none. */
  nameOf(entity: AnyHandle): string | undefined;
  /** The name of the type that an entity had when it went; undefined where that is not known. */
  formerType(entity: AnyHandle): string | undefined;
}

/** A game being played, as expressions see it, with the names that the asker has given to entities. */
export interface ExpressionSource extends EntityNames {
  /** Read anew at each answer: a debugger that goes back has another simulation then. */
  readonly sim: Simulation;
  readonly lexicon: Lexicon;
  /** The entity that a name stands for now: one of the asker's own names, or an id (`u1`, `computer1`). */
  named(name: string): AnyHandle | undefined;
  /** Whether a name can stand for something, now or later. */
  isKnown(name: string): boolean;
  /** The asker's own names, for "did you mean". */
  names(): readonly string[];
  /** Why a name stands for nothing now. */
  absence(name: string): string;
  /** Why `fired`, `runs` and `outputs` cannot be counted from the beginning of the game; undefined where they can. */
  uncounted(): string | undefined;
}

interface GameSourceOptions {
  /** Called when a question is answered, not before. */
  readonly playing: () => Simulation;
  /** Ids of players that may join. */
  readonly players?: readonly string[];
  readonly uncounted?: () => string | undefined;
}

/** A game without names for its entities: they go by their ids. */
export class GameSource implements ExpressionSource {
  readonly lexicon: Lexicon;
  private readonly options: GameSourceOptions;

  constructor(game: LoadedGame, dialect: DialectName, options: GameSourceOptions) {
    this.lexicon = new Lexicon(game.definition, insideOfGame(game).program(dialect));
    this.options = options;
  }

  get sim(): Simulation {
    return this.options.playing();
  }

  named(name: string): AnyHandle | undefined {
    return entityById(this.sim, name);
  }

  isKnown(name: string): boolean {
    return isEntityId(name) || this.names().includes(name);
  }

  names(): readonly string[] {
    return this.options.players ?? [];
  }

  absence(name: string): string {
    return this.names().includes(name) ? `${name} is not in the game` : `there is no ${name}`;
  }

  formerType(): undefined {
    return undefined;
  }

  nameOf(): undefined {
    return undefined;
  }

  uncounted(): string | undefined {
    return this.options.uncounted?.();
  }
}

/** `u1` a unit, `i1` an item, `b1` a projectile, `p1` a player, `c1` or `computer1` a computer player, `r:<name>` a region. */
export function isEntityId(name: string): boolean {
  return /^([uibpc]\d+|computer\d+|r:.+)$/.test(name);
}

/** The living entity of an id; undefined for none. */
export function entityById(sim: Simulation, name: string): AnyHandle | undefined {
  const computer = /^computer(\d+)$/.exec(name);
  return sim.find(computer === null ? name : `c${computer[1]}`);
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function isInside({ x: left, y: top, width, height }: Rectangle, x: number, y: number): boolean {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/** The region of a variable as it is now; undefined once scripts have taken it away. */
export function regionOf(sim: Simulation, name: string): RegionHandle | undefined {
  return sim.regions().find((region) => region.name === name);
}
