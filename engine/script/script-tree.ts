import { cached } from '../core/cached.ts';
import { isSameJson } from '../core/plain-object.ts';
import type { Script } from '../definition/script.ts';
import {
  type Action,
  type Block,
  type Grammar,
  isAction,
  isOn,
  type OperationSyntax,
  ScriptNode,
  type ScriptOwner,
} from './ast.ts';

/** The numbers of source locations (actions) and jobs (delayed action lists) in a script. */
interface Extent {
  readonly locations: number;
  readonly jobs: number;
}

interface Numbered {
  readonly locations: readonly Action[];
  readonly jobs: readonly Block[];
}

/** A script that is parsed on first use. */
export class ScriptEntry {
  private made: ScriptNode | undefined;

  constructor(
    /** Index among all scripts of the definition. */
    readonly index: number,
    readonly head: Script,
    readonly owner: ScriptOwner,
    /** A readable path: `scripts/<key>` or `unitTypes/<type>/scripts/<key>`. */
    readonly place: string,
    private readonly read: () => ScriptNode,
  ) {}

  get node(): ScriptNode {
    this.made ??= this.read();
    return this.made;
  }
}

/**
 * All scripts of a definition, with their source locations and jobs by number. At first, the locations and jobs of each
 * script are only counted, without building nodes. This fixes the first number of each script, so that a script can be
 * parsed on demand and always gets the same numbers.
 */
export class ScriptTree {
  readonly entries: ScriptEntry[] = [];
  /** The numbers of each script's first location and first job, by script index. */
  private readonly firstLocations: number[] = [];
  private readonly firstJobs: number[] = [];
  private readonly numbered: (Numbered | undefined)[] = [];
  private locationTotal = 0;
  private jobTotal = 0;

  constructor(private readonly grammar: Grammar) {}

  /**
   * Adds a script. `earlier`: the tree of another version of the definition, whose node is reused if the script is
   * unchanged.
   */
  add(script: Script, owner: ScriptOwner, place: string, earlier?: ScriptTree): void {
    const index = this.entries.length;
    const firsts = { locations: this.locationTotal, jobs: this.jobTotal };
    const extent = extentOf(script.actions, this.grammar);
    // Nodes outlive their tree if a later tree reuses them, so they must not refer to the tree.
    const number = (actions: Block) => void numberAll(actions, firsts);
    const same = earlier?.nodeLike(script, place, index, firsts);
    const nodeOf = (): ScriptNode => same ?? new ScriptNode(index, script, owner, place, this.grammar, number);
    this.entries.push(new ScriptEntry(index, script, owner, place, nodeOf));
    this.firstLocations.push(firsts.locations);
    this.firstJobs.push(firsts.jobs);
    this.locationTotal += extent.locations;
    this.jobTotal += extent.jobs;
  }

  /** The node of an unchanged script whose locations and jobs have the same numbers; undefined if there is none. */
  private nodeLike(script: Script, place: string, index: number, { locations, jobs }: Extent): ScriptNode | undefined {
    const entry = this.entries[index];
    const isThere =
      entry?.place === place && this.firstLocations[index] === locations && this.firstJobs[index] === jobs;
    return isThere && isSameJson(entry.node.source, script) ? entry.node : undefined;
  }

  /** All scripts. Reading this property parses all of them. */
  get scripts(): readonly ScriptNode[] {
    return this.entries.map(({ node }) => node);
  }

  get locationCount(): number {
    return this.locationTotal;
  }

  get jobCount(): number {
    return this.jobTotal;
  }

  /** The action at a location; undefined if there is none with that number. */
  location(number: number): Action | undefined {
    const script = lastAtMost(this.firstLocations, number);
    return this.read(script)?.locations[number - this.firstLocations[script]!];
  }

  /** The deferred list of a job; undefined if there is none with that number. */
  job(number: number): Block | undefined {
    const script = lastAtMost(this.firstJobs, number);
    return this.read(script)?.jobs[number - this.firstJobs[script]!];
  }

  /** Actions that can run, by location number. Parses all scripts. */
  get locations(): readonly Action[] {
    return this.entries.flatMap((_, script) => this.read(script)!.locations);
  }

  /** Deferred lists that can run, by job number. Parses all scripts. */
  get jobs(): readonly Block[] {
    return this.entries.flatMap((_, script) => this.read(script)!.jobs);
  }

  private read(script: number): Numbered | undefined {
    const entry = this.entries[script];
    if (entry === undefined) return undefined;
    const firsts = { locations: this.firstLocations[script]!, jobs: this.firstJobs[script]! };
    this.numbered[script] ??= numberAll(entry.node.actions, firsts);
    return this.numbered[script];
  }
}

/**
 * The index of the last element of an ascending list that is at most `number`; -1 if there is none. Of equal elements,
 * the last one is returned, because the others belong to scripts without locations or jobs.
 */
function lastAtMost(ascending: readonly number[], number: number) {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending[middle]! <= number) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Counts the locations and jobs that `numberAll` will number, without building nodes. */
function extentOf(actions: readonly unknown[], { actions: rules }: Grammar): Extent {
  let locations = 0;
  let jobs = 0;
  const waiting: unknown[] = [actions];
  while (waiting.length > 0) {
    const list = waiting.pop();
    if (!Array.isArray(list)) continue;
    for (const element of list) {
      if (!isAction(element) || !isOn(element)) continue;
      locations++;
      const rule = rules.get(element.type);
      if (rule === undefined) continue;
      for (const { isDeferred, keys } of blocksOf(rule)) {
        if (isDeferred) jobs++;
        const key = keys.find((each) => element[each] !== undefined);
        if (key !== undefined) waiting.push(element[key]);
      }
    }
  }
  return { locations, jobs };
}

/** Numbers the locations and jobs that can run. Not recursive, because lists nest as deep as documents may. */
function numberAll(body: Block, firsts: Extent): Numbered {
  const locations: Action[] = [];
  const jobs: Block[] = [];
  const waiting: (Action | Block)[] = [];
  const enter = ({ actions }: Block) => {
    for (let i = actions.length - 1; i >= 0; i--) waiting.push(actions[i]!);
  };
  enter(body);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === 'block') {
      next.job = firsts.jobs + jobs.push(next) - 1;
      continue;
    }
    next.location = firsts.locations + locations.push(next) - 1;
    if (next.rule === undefined || blocksOf(next.rule).length === 0) continue;
    const { operands } = next;
    for (let i = operands.length - 1; i >= 0; i--) {
      const operand = operands[i]!;
      if (operand.kind !== 'block') continue;
      if (operand.isDeferred) waiting.push(operand);
      enter(operand);
    }
  }
  return { locations, jobs };
}

interface BlockParameter {
  readonly isDeferred: boolean;
  /** The keys under which a document can store the list; the first one that is present counts. */
  readonly keys: readonly string[];
}

/** Cached by the syntax of the operation, because there are thousands of actions and few operations. */
const blocks = new WeakMap<OperationSyntax, readonly BlockParameter[]>();

function blocksOf(rule: OperationSyntax): readonly BlockParameter[] {
  return cached(blocks, rule, ({ params }) =>
    Object.entries(params)
      .filter(([, { syntax }]) => syntax === 'actions' || syntax === 'deferred')
      .map(([name, { syntax, aliases }]) => ({ isDeferred: syntax === 'deferred', keys: [name, ...aliases] })),
  );
}
