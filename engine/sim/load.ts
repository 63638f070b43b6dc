import { cached } from '../core/cached.ts';
import { type Issue, Issues } from '../core/issue.ts';
import { formatValue, UsageError } from '../core/usage-error.ts';
import { applyDialect } from '../definition/apply-dialect.ts';
import type { Definition } from '../definition/definition.ts';
import { type Dialect, type DialectName, dialectNamed } from '../definition/dialect.ts';
import type { HostWords } from '../definition/host.ts';
import { readDefinition } from '../definition/read-definition.ts';
import type { Json } from '../definition/schema.ts';
import { Compiler } from '../script/compiling/compiler.ts';
import { readHost, vocabularyOf } from '../script/language/host.ts';
import { scriptsOf } from '../script/language/scripts.ts';
import { Program } from '../script/program.ts';
import type { ObservedSteps } from '../script/running/context.ts';
import { typeTables } from '../world/type-tables.ts';
import type { TypeTables } from '../world/types.ts';
import { type VariableLayout, variableLayout } from '../world/variable.ts';

/** Type tables and layouts made from a definition. Every world needs them. */
interface LookedUp {
  readonly types: TypeTables;
  /** The layout of the global variables. */
  readonly layout: VariableLayout;
}

/**
 * The definition and compiled scripts of a game in each dialect, made on demand. Simulations and tools get this object
 * from `programsOfGame`.
 */
class GamePrograms {
  private readonly programs = new Map<Dialect, Program>();
  private readonly applied = new Map<Dialect, Definition>();
  private readonly looked = new Map<Dialect, LookedUp>();

  constructor(
    private readonly definition: Definition,
    private readonly observedSteps: ObservedSteps | undefined,
  ) {}

  /**
   * The same game, compiled so that actions or conditions call the observer of the runtime. The game behaves
   * identically, but runs slower.
   */
  watched(steps: ObservedSteps): LoadedGame {
    return new LoadedGame(this.definition, steps);
  }

  /** The definition with a dialect applied; the original object if the dialect changes nothing. */
  definitionFor(name: DialectName): Definition {
    return cached(this.applied, dialectNamed(name), (dialect) => applyDialect(this.definition, dialect));
  }

  /** The prepared parts of the definition, shared by all worlds of a dialect. */
  lookedUp(name: DialectName): LookedUp {
    return cached(this.looked, dialectNamed(name), (dialect) => {
      const definition = this.definitionFor(name);
      return { types: typeTables(definition, dialect), layout: variableLayout(definition.variables) };
    });
  }

  /** The scripts in a dialect. All simulations of this game share them and their compiled code. */
  program(name: DialectName = 'standard'): Program {
    return cached(this.programs, dialectNamed(name), (dialect) => {
      const definition = this.definitionFor(name);
      const compiler = new Compiler(definition, dialect, vocabularyOf(definition), this.observedSteps);
      return new Program(definition, scriptsOf(this.definition), compiler);
    });
  }
}

let readPrograms: (game: LoadedGame) => GamePrograms;

/** The internals of a loaded game. Not a stable API. */
export function programsOfGame(game: LoadedGame): GamePrograms {
  return readPrograms(game);
}

/** A loaded definition. Each script is compiled once per dialect, when it first runs or is checked. */
export class LoadedGame {
  readonly #programs: GamePrograms;
  static {
    readPrograms = (game) => game.#programs;
  }

  /** Use `loadDefinition` instead. */
  constructor(
    readonly definition: Definition,
    observedSteps?: ObservedSteps,
  ) {
    this.#programs = new GamePrograms(definition, observedSteps);
  }
}

export interface LoadResult {
  /** The loaded game; undefined if the document contains no definition, in which case `issues` say why. */
  readonly game: LoadedGame | undefined;
  /**
   * All problems of the definition's data (for its scripts see `checkGame`), at most 10,000 of each severity. To keep
   * loading fast, dangling references are searched for when this member is first read: do not change the document
   * before then.
   */
  readonly issues: readonly Issue[];
}

/**
 * Reads a parsed document in any of the three supported forms: an export of the service, an export of the editor, or
 * only the data object. No JSON value makes this function throw. `words`: actions, functions and triggers of the
 * program that runs the game; a mistake in these throws `UsageError`.
 */
export function loadDefinition(document: unknown, words?: HostWords): LoadResult {
  const host = readHost(words);
  const issues = new Issues();
  const definition = readDefinition(document as Json, issues, undefined, host);
  return {
    game: definition === undefined ? undefined : new LoadedGame(definition),
    get issues() {
      return issues.list;
    },
  };
}

/** Throws `UsageError` unless the value is a loaded game. */
export function requireLoaded(value: unknown): asserts value is LoadedGame {
  if (value instanceof LoadedGame) return;
  const isResult = typeof value === 'object' && value !== null && 'game' in value && 'issues' in value;
  if (isResult) {
    throw new UsageError('not-loaded', 'This is the whole result of loadDefinition. Pass its member `game` instead.');
  }
  if (value === undefined || value === null) {
    const hint = 'for a document without a definition, loadDefinition returns no game, and its `issues` say why.';
    throw new UsageError('not-loaded', `Expected a loaded game, not ${formatValue(value)}: ${hint}`);
  }
  const message = `Expected a loaded game, not ${formatValue(value)}. Load a document first: loadDefinition(document).game.`;
  throw new UsageError('not-loaded', message);
}
