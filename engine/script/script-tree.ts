import type { Extent, ScriptHead } from '../definition/heads.ts';
import type { Script } from '../definition/script.ts';
import {
  type Action,
  type Block,
  type Grammar,
  isAction,
  isOn,
  type Rule,
  ScriptNode,
  type ScriptOwner,
} from './ast.ts';

interface Numbered {
  readonly locations: readonly Action[];
  readonly jobs: readonly Block[];
}

/** A script before it is read, and its node once it is. */
export class ScriptEntry {
  /** Among all scripts. */
  readonly index: number;
  readonly head: ScriptHead;
  readonly owner: ScriptOwner;
  /** For people: `scripts/<key>` or `unitTypes/<type>/scripts/<key>`. */
  readonly place: string;
  readonly extent: Extent;
  private readonly read: () => ScriptNode;
  private made: ScriptNode | undefined;

  constructor(
    index: number,
    head: ScriptHead,
    owner: ScriptOwner,
    place: string,
    extent: Extent,
    read: () => ScriptNode,
  ) {
    this.index = index;
    this.head = head;
    this.owner = owner;
    this.place = place;
    this.extent = extent;
    this.read = read;
  }

  get node(): ScriptNode {
    this.made ??= this.read();
    return this.made;
  }
}

/**
 * Every script of a definition with what can be named by number. At first scripts are only counted, which needs no nodes and gives each its first
 * numbers. So the tree of a script is read when it is first asked for, and has the same numbers whenever that is.
 */
export class ScriptTree {
  readonly entries: readonly ScriptEntry[];
  private readonly list: ScriptEntry[] = [];
  /** Of each script, the number of its first location and of its first job. */
  private readonly firstLocations: number[] = [];
  private readonly firstJobs: number[] = [];
  private readonly numbered: (Numbered | undefined)[] = [];
  private readonly grammar: Grammar;
  private locationTotal = 0;
  private jobTotal = 0;

  constructor(grammar: Grammar) {
    this.grammar = grammar;
    this.entries = this.list;
  }

  /** `read` gives the script that `head` is of. */
  add(head: ScriptHead, read: () => Script, owner: ScriptOwner, place: string): void {
    const index = this.list.length;
    const firsts = { locations: this.locationTotal, jobs: this.jobTotal };
    const number = (actions: Block): void => {
      this.numbered[index] = numberAll(actions, firsts);
    };
    const extent = head.extent ?? extentOf(read().actions, this.grammar);
    const nodeOf = (): ScriptNode => new ScriptNode(index, read(), owner, place, this.grammar, number);
    this.list.push(new ScriptEntry(index, head, owner, place, extent, nodeOf));
    this.firstLocations.push(firsts.locations);
    this.firstJobs.push(firsts.jobs);
    this.locationTotal += extent.locations;
    this.jobTotal += extent.jobs;
  }

  /** Reads all of them. */
  get scripts(): readonly ScriptNode[] {
    return this.list.map(({ node }) => node);
  }

  get locationCount(): number {
    return this.locationTotal;
  }

  get jobCount(): number {
    return this.jobTotal;
  }

  /** The action at a location; undefined for a number that no action has. */
  location(number: number): Action | undefined {
    const script = lastAtMost(this.firstLocations, number);
    return this.read(script)?.locations[number - this.firstLocations[script]!];
  }

  /** A deferred list that can run; undefined for a number that none has. */
  job(number: number): Block | undefined {
    const script = lastAtMost(this.firstJobs, number);
    return this.read(script)?.jobs[number - this.firstJobs[script]!];
  }

  /** Actions that can run, by the number of their location. Reads all scripts. */
  get locations(): readonly Action[] {
    return this.list.flatMap((_, script) => this.read(script)!.locations);
  }

  /** Deferred lists that can run, by number. Reads all scripts. */
  get jobs(): readonly Block[] {
    return this.list.flatMap((_, script) => this.read(script)!.jobs);
  }

  private read(script: number): Numbered | undefined {
    void this.list[script]?.node.actions;
    return this.numbered[script];
  }
}

/** The index of the last of some ascending numbers that is at most `number`; -1 where there is none. Of equal ones the last: the others are of empty scripts. */
function lastAtMost(ascending: readonly number[], number: number): number {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending[middle]! <= number) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Counts, without nodes, all that `numberAll` gives numbers to. */
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

/** Gives numbers to what can run. Without recursion, because lists nest as deep as documents may. */
function numberAll(body: Block, firsts: Extent): Numbered {
  const locations: Action[] = [];
  const jobs: Block[] = [];
  const waiting: (Action | Block)[] = [];
  const enter = ({ actions }: Block): void => {
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
  /** The first that is there holds the list. */
  readonly keys: readonly string[];
}

/** By rule, because there are thousands of actions and few rules. */
const blocks = new WeakMap<Rule, readonly BlockParameter[]>();

function blocksOf(rule: Rule): readonly BlockParameter[] {
  let found = blocks.get(rule);
  if (found === undefined) {
    found = Object.entries(rule.params)
      .filter(([, { syntax }]) => syntax === 'actions' || syntax === 'deferred')
      .map(([name, { syntax, aliases }]) => ({ isDeferred: syntax === 'deferred', keys: [name, ...aliases] }));
    blocks.set(rule, found);
  }
  return found;
}
