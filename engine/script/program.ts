import { type Issue, Issues } from '../core/issue.ts';
import type { Definition } from '../definition/definition.ts';
import type { Dialect } from '../definition/dialect.ts';
import { projectileTypesOf } from '../definition/projectile-types.ts';
import { type PayloadKey, queuedBits, triggerAliases, triggerIndex, triggerTypes } from '../world/triggers.ts';
import type { ScriptNode, ScriptOwner } from './ast.ts';
import type { Evaluate, Step } from './context.ts';
import type { ScriptEntry, ScriptTree } from './script-tree.ts';

/** A script, compiled for one dialect. It holds no state: all simulations of a program share it. */
export interface Code {
  /** The gate of the standard dialect; undefined where there is none or it is always true. */
  readonly condition: Evaluate<boolean> | undefined;
  readonly body: Step;
  /** Operations without a row, or not performed by this version: name -> number of nodes. */
  readonly unknown: ReadonlyMap<string, number>;
  readonly uses: ScriptUses;
}

/** Payload members that a script uses and scripts that it calls; the reachability and trigger checks read it. */
export interface ScriptUses {
  readonly payloadKeys: { readonly key: PayloadKey; readonly pointer: string; readonly operation: string }[];
  /** Scripts it runs by name: its own or the game's, or with `onEntity` those of an entity of whatever type. */
  readonly calls: { readonly key: string; readonly onEntity: boolean; readonly pointer: string }[];
}

/** A script in executable form: compiled when it first runs, or when somebody wants to know what is wrong with it. */
export class CompiledScript {
  readonly index: number;
  readonly key: string;
  /** For people: `scripts/<key>` or `unitTypes/<type>/scripts/<key>`. */
  readonly place: string;
  /** Trigger numbers, as listed; a trigger listed twice runs twice. */
  readonly triggers: readonly number[];
  private readonly entry: ScriptEntry;
  private readonly compile: ScriptCompiler['compile'];
  private compiled: Code | undefined;

  constructor(entry: ScriptEntry, compile: ScriptCompiler['compile']) {
    this.entry = entry;
    this.index = entry.index;
    this.key = entry.head.key;
    this.place = entry.place;
    this.triggers = numbersOf(entry.head.triggers);
    this.compile = compile;
  }

  get node(): ScriptNode {
    return this.entry.node;
  }

  get owner(): ScriptOwner {
    return this.entry.owner;
  }

  /** The key where it has none. */
  get name(): string {
    return this.node.name;
  }

  /** Where it stands in the document. */
  get pointer(): string {
    return this.node.pointer;
  }

  get code(): Code {
    // A play asks for no issues: they are neither described nor kept.
    this.compiled ??= this.compile(this.node, new Issues(0));
    return this.compiled;
  }

  /** Adds what is wrong with it. A script that has run is compiled once more for that. */
  check(issues: Issues): void {
    const code = this.compile(this.node, issues);
    this.compiled ??= code;
  }
}

/** A script that lists a trigger also under its older name runs once; listed twice under one name it runs twice. */
function numbersOf(listed: readonly string[]): number[] {
  const numbers: number[] = [];
  for (const type of listed) {
    const index = triggerIndex(type);
    const alias = triggerAliases[type];
    if (index >= 0 && (alias === undefined || !listed.includes(alias))) numbers.push(index);
  }
  return numbers;
}

/** The scripts of the game or of one type, by key and by trigger. */
export interface ScriptSet {
  readonly byKey: ReadonlyMap<string, CompiledScript>;
  /** By trigger number; undefined where nothing listens. */
  readonly byTrigger: readonly (readonly CompiledScript[] | undefined)[];
  /** The bits (`queuedBits`) of the queued triggers that scripts of the set listen to. */
  readonly queued: number;
}

/** A place in a script: one action. Faults, profiles and coverage name it. */
export interface SourceLocation {
  readonly script: ScriptNode;
  /** `2/then/0`: the path below the script's actions. */
  readonly path: string;
  /** Action type. */
  readonly type: string;
}

/** The compiler of scripts: `job` makes deferred lists run by their numbers once their script is compiled. */
export interface ScriptCompiler {
  readonly dialect: Dialect;
  readonly jobs: readonly (Step | undefined)[];
  /** Faults of the script are added to `issues`. */
  compile(script: ScriptNode, issues: Issues): Code;
}

/**
 * A definition's scripts in executable form, for one dialect; simulations, forks and rooms of a game share it. Locations and jobs have the numbers of
 * the tree. So the order of compilation changes nothing that a game or a snapshot sees.
 */
export class Program {
  readonly dialect: Dialect;
  readonly scripts: readonly CompiledScript[];
  readonly global: ScriptSet;
  /** By type index. */
  readonly unit: readonly ScriptSet[];
  readonly item: readonly ScriptSet[];
  readonly projectile: readonly ScriptSet[];
  /** The bits (`queuedBits`) of the queued triggers that scripts of any type listen to. */
  readonly queuedForAny: number;
  /** 1 per trigger number that any script listens to. */
  readonly subscribed: Uint8Array;
  private readonly tree: ScriptTree;
  private readonly compiler: ScriptCompiler;
  private checked: readonly Issue[] | undefined;

  constructor(definition: Definition, tree: ScriptTree, compiler: ScriptCompiler) {
    this.dialect = compiler.dialect;
    this.tree = tree;
    this.compiler = compiler;
    const compile: ScriptCompiler['compile'] = (script, issues) => compiler.compile(script, issues);
    this.scripts = tree.entries.map((entry) => new CompiledScript(entry, compile));
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
    this.subscribed = new Uint8Array(triggerTypes.length);
    for (const { triggers: numbers } of this.scripts) for (const trigger of numbers) this.subscribed[trigger] = 1;
  }

  /** Numbers that locations can have. */
  get locationCount(): number {
    return this.tree.locationCount;
  }

  /** Undefined for a number that no action has. */
  location(number: number): SourceLocation | undefined {
    return this.tree.location(number);
  }

  /** All of them, by number. Reads all scripts. */
  get locations(): readonly SourceLocation[] {
    return this.tree.locations;
  }

  /** Numbers that jobs can have. */
  get jobCount(): number {
    return this.tree.jobCount;
  }

  /** The list that a timer or an answer comes back to; undefined for a number that no list has. */
  job(number: number): Step | undefined {
    const step = this.compiler.jobs[number];
    if (step !== undefined) return step;
    const block = this.tree.job(number);
    if (block === undefined) return undefined;
    // A snapshot of another process can wait for a script that has not run in this one.
    void this.scripts[block.script.index]!.code;
    return this.compiler.jobs[number];
  }

  /** Compiles what has not run yet: for who measures how long scripts take. */
  compileAll(): void {
    for (const script of this.scripts) void script.code;
  }

  /** The issues of the scripts, in their order. Compiles all of them when it is first read. */
  get issues(): readonly Issue[] {
    if (this.checked === undefined) {
      const issues = new Issues();
      for (const script of this.scripts) script.check(issues);
      this.checked = issues.list;
    }
    return this.checked;
  }

  /** Operations without a row, or not performed by this version: name -> number of nodes. Compiles all scripts. */
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
      queued |= queuedBits[trigger]!;
      const list = byTrigger[trigger];
      if (list) list.push(script);
      else byTrigger[trigger] = [script];
    }
  }
  return { byKey: new Map(scripts.map((script) => [script.key, script])), byTrigger, queued };
}
