import { type Issue, Issues } from '../core/issue.ts';
import type { Definition } from '../definition/definition.ts';
import type { Dialect } from '../definition/dialect.ts';
import { projectileTypesOf } from '../definition/projectile-types.ts';
import { queuedBits, type TriggerTable, triggerAliases, triggersOf } from '../world/triggers.ts';
import type { ScriptNode, ScriptOwner } from './ast.ts';
import type { Evaluate, Step } from './running/context.ts';
import type { ScriptEntry, ScriptTree } from './script-tree.ts';

/** A script compiled for one dialect. It has no state, so all simulations of a program share it. */
export interface ScriptCode {
  /**
   * The script's condition. Undefined if the dialect ignores the conditions of scripts, or if the script has none or
   * only the `true == true` that editors write by default.
   */
  readonly condition: Evaluate<boolean> | undefined;
  readonly body: Step;
  /** Operations of the script that are unknown, with the number of nodes that use them. */
  readonly unknown: ReadonlyMap<string, number>;
}

/** An executable script. Compiled when it first runs or is first checked. */
export class CompiledScript {
  readonly index: number;
  readonly key: string;
  /** A readable path: `scripts/<key>` or `unitTypes/<type>/scripts/<key>`. */
  readonly place: string;
  /** Trigger numbers, in the order listed. A trigger that is listed twice runs the script twice. */
  readonly triggers: readonly number[];
  readonly triggerTable: TriggerTable;
  private compiled: ScriptCode | undefined;

  constructor(
    private readonly entry: ScriptEntry,
    private readonly compile: ScriptCompiler['compile'],
    triggers: TriggerTable,
  ) {
    this.index = entry.index;
    this.key = entry.head.key;
    this.place = entry.place;
    this.triggerTable = triggers;
    this.triggers = numbersOf(entry.head.triggers, triggers);
  }

  get node(): ScriptNode {
    return this.entry.node;
  }

  get owner(): ScriptOwner {
    return this.entry.owner;
  }

  /** The script's name; its key if it has none. */
  get name(): string {
    return this.node.name;
  }

  /** JSON Pointer to the script in the document. */
  get pointer(): string {
    return this.node.pointer;
  }

  get code(): ScriptCode {
    // Compiles for running, which needs no issues: `Issues(0)` stores none.
    this.compiled ??= this.compile(this.node, new Issues(0));
    return this.compiled;
  }

  /**
   * Adds the issues of the script. If the script has already run, this method compiles the script a second time,
   * because compiling for running collects no issues.
   */
  check(issues: Issues): void {
    const code = this.compile(this.node, issues);
    this.compiled ??= code;
  }
}

/**
 * The numbers of the listed triggers. A script that lists a trigger under both its current and its older name runs
 * once; a script that lists one name twice runs twice.
 */
function numbersOf(listed: readonly string[], triggers: TriggerTable): number[] {
  const numbers: number[] = [];
  for (const type of listed) {
    const index = triggers.index(type);
    const alias = triggerAliases[type];
    if (index >= 0 && (alias === undefined || !listed.includes(alias))) numbers.push(index);
  }
  return numbers;
}

/** The scripts of the game or of one type, by key and by trigger. */
export interface ScriptSet {
  readonly byKey: ReadonlyMap<string, CompiledScript>;
  /** The scripts that listen to each trigger, by trigger number; undefined if no script listens. */
  readonly byTrigger: readonly (readonly CompiledScript[] | undefined)[];
  /** The bits (`queuedBits`) of the queued triggers that scripts of the set listen to. */
  readonly queued: number;
}

/** A source location: one action of one script. Faults, profiles and coverage refer to it. */
export interface SourceLocation {
  readonly script: ScriptNode;
  /** The path below the script's actions, such as `2/then/0`. */
  readonly path: string;
  /** The name of the action's operation. */
  readonly type: string;
}

/**
 * What a program needs of the compiler. `jobs` contains the lists of actions that compiled scripts defer, by job
 * number.
 */
export interface ScriptCompiler {
  readonly dialect: Dialect;
  readonly jobs: readonly (Step | undefined)[];
  /** Compiles a script and adds its issues to `issues`. */
  compile(script: ScriptNode, issues: Issues): ScriptCode;
}

/**
 * The executable scripts of a definition for one dialect, shared by all simulations, forks and rooms of the game.
 * Locations and jobs are numbered by the syntax tree, so the order in which scripts are compiled affects neither games
 * nor snapshots.
 */
export class Program {
  readonly dialect: Dialect;
  readonly scripts: readonly CompiledScript[];
  readonly global: ScriptSet;
  /** The scripts of each type, by type index. */
  readonly unit: readonly ScriptSet[];
  readonly item: readonly ScriptSet[];
  readonly projectile: readonly ScriptSet[];
  /** The bits (`queuedBits`) of the queued triggers that scripts of any type listen to. */
  readonly queuedForAny: number;
  /** For each trigger number: 1 if any script listens to the trigger, otherwise 0. */
  readonly subscribed: Uint8Array;
  readonly triggers: TriggerTable;
  private checked: readonly Issue[] | undefined;

  constructor(
    definition: Definition,
    private readonly tree: ScriptTree,
    private readonly compiler: ScriptCompiler,
  ) {
    this.dialect = compiler.dialect;
    const compile: ScriptCompiler['compile'] = (script, issues) => compiler.compile(script, issues);
    const triggers = triggersOf(definition);
    this.triggers = triggers;
    this.scripts = tree.entries.map((entry) => new CompiledScript(entry, compile, triggers));
    const owned = (kind: ScriptNode['owner']['kind'], count: number): ScriptSet[] => {
      const ofType: CompiledScript[][] = Array.from({ length: count }, () => []);
      for (const script of this.scripts) if (script.owner.kind === kind) ofType[script.owner.type]!.push(script);
      return ofType.map(scriptSet);
    };
    this.global = scriptSet(this.scripts.filter(({ owner }) => owner.kind === 'game'));
    this.unit = owned('unit', definition.unitTypes.size);
    this.item = owned('item', definition.itemTypes.size);
    this.projectile = owned('projectile', projectileTypesOf(definition).size);
    this.queuedForAny = [...this.unit, ...this.item, ...this.projectile].reduce((bits, set) => bits | set.queued, 0);
    this.subscribed = new Uint8Array(triggers.types.length);
    for (const { triggers: numbers } of this.scripts) for (const trigger of numbers) this.subscribed[trigger] = 1;
  }

  /** Number of source locations in all scripts. */
  get locationCount(): number {
    return this.tree.locationCount;
  }

  /** The source location with this number; undefined if there is none. */
  location(number: number): SourceLocation | undefined {
    return this.tree.location(number);
  }

  /** All locations, by number. Parses all scripts. */
  get locations(): readonly SourceLocation[] {
    return this.tree.locations;
  }

  /** Number of jobs in all scripts. */
  get jobCount(): number {
    return this.tree.jobCount;
  }

  /**
   * The compiled step of a job, which is the deferred list that a timer or an answer runs; undefined if there is no job
   * with that number.
   */
  job(number: number): Step | undefined {
    const step = this.compiler.jobs[number];
    if (step !== undefined) return step;
    const block = this.tree.job(number);
    if (block === undefined) return undefined;
    // After a restore, a timer can refer to a script that has not run in this process, so the script is compiled now.
    void this.scripts[block.script.index]!.code;
    return this.compiler.jobs[number];
  }

  /** Compiles the remaining scripts, so that a benchmark does not measure compilation. */
  compileAll(): void {
    for (const script of this.scripts) void script.code;
  }

  /** The issues of all scripts, in script order. Compiles all scripts on first use. */
  get issues(): readonly Issue[] {
    if (this.checked === undefined) {
      const issues = new Issues();
      for (const script of this.scripts) script.check(issues);
      this.checked = issues.list;
    }
    return this.checked;
  }

  /** Operations that are unknown, with the number of nodes that use them. Compiles all scripts. */
  get unknown(): ReadonlyMap<string, number> {
    const unknown = new Map<string, number>();
    for (const { code } of this.scripts)
      for (const [name, count] of code.unknown) unknown.set(name, (unknown.get(name) ?? 0) + count);
    return unknown;
  }
}

function scriptSet(scripts: readonly CompiledScript[]): ScriptSet {
  const byTrigger: CompiledScript[][] = [];
  let queued = 0;
  for (const script of scripts) {
    for (const trigger of script.triggers) {
      queued |= queuedBits[trigger] ?? 0;
      const list = byTrigger[trigger];
      if (list) list.push(script);
      else byTrigger[trigger] = [script];
    }
  }
  return { byKey: new Map(scripts.map((script) => [script.key, script])), byTrigger, queued };
}
