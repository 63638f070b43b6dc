import type { Issue } from '../core/issue.ts';
import { Issues } from '../core/issue.ts';
import { applyDialect } from '../definition/apply-dialect.ts';
import type { Definition } from '../definition/definition.ts';
import { type DialectName, dialects } from '../definition/dialect.ts';
import { readDefinition } from '../definition/read-definition.ts';
import type { Json } from '../definition/schema.ts';
import { checkScripts } from '../script/check.ts';
import { Compiler } from '../script/compiler.ts';
import { scriptsOf } from '../script/language/scripts.ts';
import { vocabulary } from '../script/language/vocabulary.ts';
import { Program } from '../script/program.ts';

/** A definition that has been read. Each of its scripts is compiled when it first runs, or when it is checked, once per dialect. */
export class LoadedGame {
  readonly definition: Definition;
  private readonly programs = new Map<DialectName, Program>();
  private readonly applied = new Map<DialectName, Definition>();

  private readonly isWatched: boolean;

  constructor(definition: Definition, isWatched = false) {
    this.definition = definition;
    this.isWatched = isWatched;
  }

  /** The same game, whose actions tell the watcher of the simulation's runtime: for profiles. It plays the same, and slower. */
  watched(): LoadedGame {
    return new LoadedGame(this.definition, true);
  }

  /** The definition as a dialect plays it; the document's own where that is the same. */
  definitionFor(dialect: DialectName): Definition {
    let definition = this.applied.get(dialect);
    if (definition === undefined) {
      definition = applyDialect(this.definition, dialects[dialect]);
      this.applied.set(dialect, definition);
    }
    return definition;
  }

  /** The scripts for a dialect. All simulations of this game share them, with what has been compiled of them. */
  program(dialect: DialectName = 'standard'): Program {
    let program = this.programs.get(dialect);
    if (program === undefined) {
      const definition = this.definitionFor(dialect);
      const compiler = new Compiler(definition, dialects[dialect], vocabulary, this.isWatched);
      program = new Program(definition, scriptsOf(this.definition), compiler);
      this.programs.set(dialect, program);
    }
    return program;
  }
}

export interface LoadResult {
  /** Undefined when the document holds no definition; `issues` then say why. */
  readonly game: LoadedGame | undefined;
  /** Everything that is wrong with the definition's data. What is wrong with its scripts: `checkGame`. */
  readonly issues: readonly Issue[];
}

/** Reads a parsed document of any of the three shapes into a definition. Never throws on any JSON value. */
export function loadDefinition(document: unknown): LoadResult {
  const issues = new Issues();
  const definition = readDefinition(document as Json, issues);
  return { game: definition === undefined ? undefined : new LoadedGame(definition), issues: issues.list };
}

/** What is wrong with the scripts of a game: what the compiler met, and what only the whole of them shows. */
export function checkGame(game: LoadedGame, dialect: DialectName = 'standard'): readonly Issue[] {
  const program = game.program(dialect);
  return [...program.issues, ...checkScripts(game.definition, program)];
}
