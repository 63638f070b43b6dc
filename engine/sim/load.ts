import { type Issue, Issues, joinIssues } from '../core/issue.ts';
import { shown, UsageError } from '../core/usage-error.ts';
import { applyDialect } from '../definition/apply-dialect.ts';
import type { Definition } from '../definition/definition.ts';
import { type Dialect, type DialectName, dialectNamed } from '../definition/dialect.ts';
import { readDefinition } from '../definition/read-definition.ts';
import type { Json } from '../definition/schema.ts';
import { checkScripts } from '../script/check.ts';
import { Compiler } from '../script/compiler.ts';
import type { WatchedSteps } from '../script/context.ts';
import { scriptsOf } from '../script/language/scripts.ts';
import { vocabulary } from '../script/language/vocabulary.ts';
import { Program } from '../script/program.ts';
import { typeTables } from '../world/type-tables.ts';
import type { TypeTables } from '../world/types.ts';
import { type VariableLayout, variableLayout } from '../world/variable.ts';

/** The parts of a definition that each world needs, looked up once. */
interface LookedUp {
  readonly types: TypeTables;
  /** Of the global variables. */
  readonly layout: VariableLayout;
}

/** A definition as each dialect plays it, with its compiled scripts, for simulations and tools: see `insideOfGame`. */
export class GamePrograms {
  private readonly definition: Definition;
  private readonly programs = new Map<Dialect, Program>();
  private readonly applied = new Map<Dialect, Definition>();
  private readonly looked = new Map<Dialect, LookedUp>();
  private readonly watchedSteps: WatchedSteps | undefined;

  constructor(definition: Definition, watchedSteps: WatchedSteps | undefined) {
    this.definition = definition;
    this.watchedSteps = watchedSteps;
  }

  /** The same game, whose actions or conditions call the watcher of the simulation's runtime. It plays the same, and slower. */
  watched(steps: WatchedSteps): LoadedGame {
    return new LoadedGame(this.definition, steps);
  }

  /** The definition as a dialect plays it; the document's own where that is the same. */
  definitionFor(name: DialectName): Definition {
    const dialect = dialectNamed(name);
    let definition = this.applied.get(dialect);
    if (definition === undefined) {
      definition = applyDialect(this.definition, dialect);
      this.applied.set(dialect, definition);
    }
    return definition;
  }

  /** Worlds of a dialect share these. */
  lookedUp(name: DialectName): LookedUp {
    const dialect = dialectNamed(name);
    let looked = this.looked.get(dialect);
    if (looked === undefined) {
      const definition = this.definitionFor(name);
      looked = { types: typeTables(definition, dialect), layout: variableLayout(definition.variables) };
      this.looked.set(dialect, looked);
    }
    return looked;
  }

  /** The scripts for a dialect. All simulations of this game share them, with what has been compiled of them. */
  program(name: DialectName = 'standard'): Program {
    const dialect = dialectNamed(name);
    let program = this.programs.get(dialect);
    if (program === undefined) {
      const definition = this.definitionFor(name);
      const compiler = new Compiler(definition, dialect, vocabulary, this.watchedSteps);
      program = new Program(definition, scriptsOf(this.definition), compiler);
      this.programs.set(dialect, program);
    }
    return program;
  }
}

let readPrograms: (game: LoadedGame) => GamePrograms;

/** The scripts of a game and its definition as dialects play it. It changes with the inside. */
export function insideOfGame(game: LoadedGame): GamePrograms {
  return readPrograms(game);
}

/** A definition that has been read. Each of its scripts is compiled when it first runs, or when it is checked, once per dialect. */
export class LoadedGame {
  readonly definition: Definition;
  readonly #programs: GamePrograms;
  static {
    readPrograms = (game) => game.#programs;
  }

  /** Games come from `loadDefinition`. */
  constructor(definition: Definition, watchedSteps?: WatchedSteps) {
    this.definition = definition;
    this.#programs = new GamePrograms(definition, watchedSteps);
  }
}

export interface LoadResult {
  /** Undefined when the document holds no definition; `issues` then say why. */
  readonly game: LoadedGame | undefined;
  /**
   * Everything that is wrong with the definition's data. Faults of its scripts: `checkGame`. Dangling references are looked for at the first read,
   * so a play does not wait for them. The document must not change before. At most 10,000 of each severity, as there.
   */
  readonly issues: readonly Issue[];
}

/** Reads a parsed document of any of the three shapes into a definition. Never throws on any JSON value. */
export function loadDefinition(document: unknown): LoadResult {
  const issues = new Issues();
  const definition = readDefinition(document as Json, issues);
  return {
    game: definition === undefined ? undefined : new LoadedGame(definition),
    get issues() {
      return issues.list;
    },
  };
}

/**
 * Issues of the scripts of a game: those of the compiler, and those that only all scripts together show. At most 10,000 of each severity: the last,
 * `more-issues`, then says how many more there are.
 */
export function checkGame(game: LoadedGame, dialect: DialectName = 'standard'): readonly Issue[] {
  demandLoaded(game);
  const program = insideOfGame(game).program(dialect);
  return joinIssues(program.issues, checkScripts(game.definition, program, vocabulary));
}

/** Throws `UsageError` for what is no loaded game. */
export function demandLoaded(value: unknown): asserts value is LoadedGame {
  if (value instanceof LoadedGame) return;
  const isResult = typeof value === 'object' && value !== null && 'game' in value && 'issues' in value;
  if (isResult) {
    throw new UsageError('not-loaded', 'This is what loadDefinition returns. A simulation takes its member `game`.');
  }
  if (value === undefined || value === null) {
    const hint = 'loadDefinition gives none for a document that holds no definition; its `issues` say why.';
    throw new UsageError('not-loaded', `A simulation takes a loaded game, and this is ${shown(value)}: ${hint}`);
  }
  const message = `A simulation takes a loaded game, and this is ${shown(value)}. Load a document first: loadDefinition(document).game.`;
  throw new UsageError('not-loaded', message);
}
