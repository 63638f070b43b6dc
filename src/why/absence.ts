import {
  type Action,
  type Block,
  type Condition,
  type Definition,
  everyNode,
  type Fault,
  type Node,
  type Operand,
  type ScriptNode,
  type TriggerType,
  triggerTypes,
} from '../../engine/index.ts';
import {
  type Aspect,
  type CompiledScript,
  type Consequence,
  type Program,
  triggerIndex,
  triggers,
} from '../../engine/tools.ts';
import {
  type GameModel,
  isAbsentIn,
  mayCause,
  modelOf,
  nameIn,
  readOf,
  rulesCausing,
  rulesWithAmounts,
  type Use,
} from '../model/index.ts';
import { actionText, conditionText, type FalseComparison, operandText } from '../run/index.ts';
import { amount } from '../text/index.ts';
import type { Tally } from './tally.ts';

/** Prints a value that a script compared. */
type Print = (value: unknown) => string;

/** What kept something from happening. */
type Barrier =
  /** The comparisons that decided that a condition was false: several if none of an `or` was true. */
  | { readonly kind: 'comparison'; readonly found: readonly FalseComparison[] }
  | { readonly kind: 'text'; readonly text: string };

const writersShown = 4;
const linesMax = 12;
const backShown = 2;
const backLinesMax = 4;
/** A condition that held less often than once in so many times is rarely true. */
const rareRatio = 20;
const depthMax = 6;

/** Explains what did not happen in a play: which script would have done it, and what kept it from that. */
export class Absence {
  private readonly definition: Definition;
  private readonly program: Program;
  private readonly counted: () => Tally;
  private readonly print: Print;
  private readonly faults: readonly Fault[];
  private readonly actions: readonly Action[];
  private readonly model: GameModel;
  private readonly listeners = new Set<TriggerType>();
  private readonly scriptsWaiting = new Set<ScriptNode>();
  /** Variables that nothing set, which are told once: a script may wait for the variable that it sets. */
  private readonly unsetTold = new Set<string>();
  private readonly comparisonsTold = new Set<Condition>();

  /** `counted` replays the whole play, so it is called only when a script could have caused the event. */
  constructor(definition: Definition, program: Program, counted: () => Tally, print: Print, faults: readonly Fault[]) {
    this.faults = faults;
    this.definition = definition;
    this.program = program;
    this.counted = counted;
    this.print = print;
    this.actions = actionsOf(program);
    this.model = modelOf(definition);
  }

  private get tally(): Tally {
    return this.counted();
  }

  /**
   * The triggers of the scripts that were told of, those scripts whose triggers never fired, and the comparisons that
   * were false.
   */
  get told(): {
    readonly triggers: ReadonlySet<TriggerType>;
    readonly waiting: ReadonlySet<ScriptNode>;
    readonly comparisons: ReadonlySet<Condition>;
  } {
    return { triggers: this.listeners, waiting: this.scriptsWaiting, comparisons: this.comparisonsTold };
  }

  /** Why scripts did not run. */
  script(scripts: readonly CompiledScript[]): string[] {
    return scripts.flatMap((script) => this.ofScript(script, 0));
  }

  /** Conditions of scripts that ran, but that were never or rarely true. */
  rarelyTrue(scripts: readonly CompiledScript[]): string[] {
    const indices = new Set(scripts.map(({ index }) => index));
    const lines = this.actions.flatMap((action) => {
      const condition = action.operands.find((each): each is Condition => each.kind === 'condition');
      const [first] = action.blocks.find(({ key }) => key !== 'else')?.actions ?? [];
      if (condition === undefined || first === undefined || !indices.has(action.script.index)) return [];
      const [reached, held] = [this.ran(action), this.ran(first)];
      if (reached === 0 || held > reached / rareRatio) return [];
      const how = held === 0 ? 'never true' : `true ${times(held)}`;
      return [
        `"${action.script.name}" reached this condition ${times(reached)}, and it was ${how}: ${conditionText(condition)}`,
        ...this.comparisons(condition).map((line) => `  ${line}`),
      ];
    });
    return lines.slice(0, linesMax);
  }

  /** The actions of some uses: in document order those that can run, then the others. */
  private actionsOf(uses: readonly Use[]): readonly Action[] {
    const actions = new Set(uses.flatMap((use) => this.model.action(use.place, use) ?? []));
    const order = ({ location }: Action): number => (location < 0 ? Number.POSITIVE_INFINITY : location);
    return [...actions].sort((a, b) => order(a) - order(b) || 0);
  }

  /** Why no script created an entity of a type. */
  creation(type: string): string[] {
    const kinds = (['unit', 'item', 'projectile', 'entity'] as const).flatMap((kind) => this.model.uses(kind, type));
    const naming = this.actionsOf([
      ...kinds.filter(({ role }) => role === 'creates'),
      ...this.typeGivers(new Set([type])),
    ]);
    return this.ofActions(naming, this.unless(['creates unit', 'creates item'], `No action names the type ${type}.`));
  }

  /**
   * The actions that change one of some attributes, of any entity, or give a unit a type, which has values of its own.
   */
  attributeWriters(keys: ReadonlySet<string>): readonly Action[] {
    const types = this.model.changes('type').filter(({ of }) => of === 'unit');
    return this.actionsOf([...[...keys].flatMap((key) => this.model.changes('attribute', key)), ...types]);
  }

  /** The actions that set a variable of any entity or player. */
  memberWriters(name: string): readonly Action[] {
    return this.actionsOf([
      ...this.model.changes('entityVariable', name),
      ...this.model.changes('playerVariable', name),
    ]);
  }

  /** The actions that change an aspect of an entity. */
  changersOf(aspect: Aspect): readonly Action[] {
    return this.actionsOf(this.model.changes(aspect).filter(({ scope }) => scope !== 'game'));
  }

  /** The actions that move items in and out of inventories, also by offering one for sale. */
  itemMovers(): readonly Action[] {
    const { model } = this;
    return this.actionsOf([...model.changes('items'), ...model.changes('carrier'), ...model.uses('input', 'buyItem')]);
  }

  unitCreators(): readonly Action[] {
    const all = [...this.model.uses('unit'), ...this.model.uses('entity')];
    return this.actionsOf(all.filter(({ role }) => role === 'creates'));
  }

  /** The actions that give an entity or player one of some types. */
  typeChangers(types: ReadonlySet<string>): readonly Action[] {
    return this.actionsOf(this.typeGivers(types));
  }

  private typeGivers(types: ReadonlySet<string>): readonly Use[] {
    return this.model.changes('type').filter(({ value }) => types.has(String(value)));
  }

  /**
   * A sentence that says that no script does something, and which rules can; empty if some action may do it by what
   * follows from its effects. `attributes`: those that it is about.
   */
  unless(consequences: readonly Consequence[], none: string, attributes?: Iterable<string>): string {
    const { dialect } = this.program;
    if (this.actions.some((action) => consequences.some((each) => mayCause(action, each, dialect)))) return '';
    const causing = consequences.flatMap((each) => rulesCausing(each, dialect)).map(({ name }) => name);
    const changing = [...(attributes ?? [])].flatMap((each) => this.model.rulesChanging(each));
    const isAble = (name: string): boolean => attributes === undefined || !rulesWithAmounts.has(name);
    const able = new Set([...changing, ...causing.filter(isAble)]);
    return able.size === 0 ? none : `${none} Rules that can: ${[...able].join('; ')}.`;
  }

  /**
   * Says why an action does nothing here: it is switched off, runs only in clients, or the dialect does not have it.
   */
  offText(action: Action): string | undefined {
    const { dialect } = this.program;
    const why =
      action.location < 0 ? offWords : isAbsentIn(action, dialect) ? `but ${dialect.name} ${absentWords}` : '';
    return why === '' ? undefined : `"${action.script.name}" would: ${actionText(action, 90)}, ${why}`;
  }

  /** Why a trigger did not fire, or how often it fired for other entities. */
  trigger(trigger: TriggerType): string[] {
    const { about, delivery } = triggers[trigger];
    if (delivery === 'never') return [`${trigger} fires only in clients: ${about}`];
    const fired = this.tally.triggers.get(trigger) ?? 0;
    return [`${trigger} fires when: ${about}`, `It ${fired === 0 ? 'never fired' : `fired ${times(fired)}`}.`];
  }

  /** Why no output of a kind was posted. */
  output(kind: string): string[] {
    return this.ofActions(this.actionsOf(this.model.uses('output', kind)), `No action of the game posts ${kind}.`);
  }

  /** Why no script set a global variable (to `wanted`, if given). */
  variable(name: string, wanted?: unknown): string[] {
    const writers = this.writers(name, wanted);
    const to = wanted === undefined ? '' : ` to ${JSON.stringify(wanted)}`;
    if (writers.length === 0 && wanted !== undefined) {
      const others = this.writers(name);
      if (others.length === 0) return [`No script sets ${name}.`];
      return [`No script sets ${name}${to} literally.`, ...this.ofActions(others, '')];
    }
    return this.ofActions(writers, `No script sets ${name}${to}.`);
  }

  /** The actions that set a global variable. */
  writers(name: string, wanted?: unknown): readonly Action[] {
    const all = this.model.changes('variable', name);
    const isWanted = ({ value, by }: Use): boolean =>
      by === undefined && value !== undefined && String(value) === String(wanted);
    return this.actionsOf(wanted === undefined ? all : all.filter(isWanted));
  }

  printed(value: unknown): string {
    return this.print(value);
  }

  /** What kept an action from running, preferably a comparison; undefined if it ran or nothing was found. */
  barrier(action: Action, depth = 0): Barrier | undefined {
    const script = this.scriptOf(action.script);
    if (script === undefined || depth > depthMax) return undefined;
    const off = this.offText(action);
    if (off !== undefined) return { kind: 'text', text: off };
    this.listen(script);
    if ((this.tally.runs[script.index] ?? 0) === 0) return this.barrierOf(script, depth + 1);
    const blocking = this.blockingOf(action);
    const condition = blocking?.action.operands.find((each): each is Condition => each.kind === 'condition');
    if (blocking === undefined || condition === undefined || blocking.branch === 'else')
      return { kind: 'text', text: this.blocked(action, depth).join(' ') };
    return this.comparisonIn(condition);
  }

  private barrierOf(script: CompiledScript, depth: number): Barrier | undefined {
    const { conditions } = script.node;
    const own = conditions.isEmpty ? undefined : this.comparisonIn(conditions);
    if (own !== undefined) return own;
    for (const call of this.callsOf(script)) {
      const found = this.ran(call) === 0 ? this.barrier(call, depth) : undefined;
      if (found !== undefined) return found;
    }
    const [line] = this.ofScript(script, depth);
    return line === undefined ? undefined : { kind: 'text', text: line };
  }

  /** The actions that run a script, those of the scripts that ran most first. */
  private callsOf({ place }: CompiledScript): readonly Action[] {
    const runs = ({ script }: Action): number => this.tally.runs[script.index] ?? 0;
    const calls = this.model.starts(place).flatMap(({ use }) => use ?? []);
    return [...this.actionsOf(calls)].sort((a, b) => runs(b) - runs(a));
  }

  private listen(script: CompiledScript): void {
    const types = listenedBy(script);
    for (const type of types) this.listeners.add(type);
    if (types.every((type) => (this.tally.triggers.get(type) ?? 0) === 0)) this.scriptsWaiting.add(script.node);
  }

  private comparisonIn(condition: Condition): Barrier | undefined {
    const found = this.decidingIn(condition);
    for (const { node } of found) this.comparisonsTold.add(node);
    return found.length === 0 ? undefined : { kind: 'comparison', found };
  }

  /**
   * The comparisons that decided last that a condition was false. Of an `and`, that is the operand that was false last.
   */
  private decidingIn(condition: Condition): readonly FalseComparison[] {
    if (condition.isEmpty || !condition.isList) return [];
    if (!condition.isJunction) return [this.tally.falseCount(condition)].filter((each) => each !== undefined);
    const [left, right] = condition.conditions.map((each) => this.decidingIn(each)) as [
      readonly FalseComparison[],
      readonly FalseComparison[],
    ];
    if (condition.operator === 'OR') return [...left, ...right];
    return lastTick(right) >= lastTick(left) ? right : left;
  }

  /** How often an action ran. */
  ran({ location }: Action): number {
    return this.tally.locations[location] ?? 0;
  }

  /** What some actions did, or what kept them from running. */
  ofActions(actions: readonly Action[], none: string): string[] {
    if (actions.length === 0) return none === '' ? [] : [none];
    const lines = actions.slice(0, writersShown).flatMap((action) => {
      const off = this.offText(action);
      if (off !== undefined) return [off];
      const ran = this.ran(action);
      const head = `"${action.script.name}" ${ran === 0 ? 'would' : 'does'}: ${actionText(action, 90)}`;
      const why = ran > 0 ? this.faultsOf([action]) : this.blocked(action, 0);
      return [`${head}; it ${ranText(ran)}.`, ...why.map((line) => `  ${line}`)];
    });
    const more = actions.length - writersShown;
    return more > 0 ? [...lines, `and ${amount(more, 'other action')}`] : lines;
  }

  /** The faults of actions: a fault ends its action, which then changes nothing more. */
  faultsOf(actions: readonly Action[]): string[] {
    return actions.flatMap((action) => {
      const place = `${action.script.place}/actions/${action.path}`;
      const own = this.faults.filter(({ at }) => at === place);
      return own.map(
        ({ code, message, count, firstTick }) =>
          `${action.operation} of "${action.script.name}" failed ${times(count)}, first at tick ${firstTick}: ${message} (${code})`,
      );
    });
  }

  /**
   * What would have changed a number back to what it was before, and why that never ran. `actions`: all that change it.
   * Those that change it the same way again are left out.
   */
  changingBack(actions: readonly Action[], before: unknown, now: unknown): string[] {
    const same = typeof before === 'number' && typeof now === 'number' ? Math.sign(now - before) : 0;
    const others = actions.filter((action) => {
      if (this.ran(action) > 0) return false;
      const direction = this.directionOf(action, now);
      return direction === undefined || direction === -same;
    });
    const lines = others.slice(0, backShown).flatMap((action) => this.ofActions([action], '').slice(0, backLinesMax));
    return lines.length === 0 ? [] : ['What would have changed it back:', ...lines.map((line) => `  ${line}`)];
  }

  /** Whether an action makes a number larger (1), smaller (-1) or leaves it (0); undefined if its text does not say. */
  private directionOf({ script, path }: Action, now: unknown): number | undefined {
    const uses = this.model.usesIn(script.place).filter((use) => use.path === path && use.role === 'changes');
    const { by, value } = uses.find((use) => (use.by ?? use.value) !== undefined) ?? {};
    if (by !== undefined) return by === 'adding' ? 1 : by === 'subtracting' ? -1 : undefined;
    return typeof value === 'number' && typeof now === 'number' ? Math.sign(value - now) : undefined;
  }

  /** Why an action never ran. */
  blocked(action: Action, depth: number): string[] {
    if (depth > depthMax) return [];
    const script = this.scriptOf(action.script);
    if (script === undefined) return [];
    this.listen(script);
    if ((this.tally.runs[script.index] ?? 0) === 0) return this.ofScript(script, depth + 1);
    const blocking = this.blockingOf(action);
    if (blocking === undefined)
      return [`"${script.name}" ran ${times(this.tally.runs[script.index]!)}, and ended before it.`];
    const condition = blocking.action.operands.find((each): each is Condition => each.kind === 'condition');
    if (condition === undefined) {
      const waits = blocking.action.effects.some(
        (each) => each.does === 'runs' && each.block === blocking.branch && !['now', 'again'].includes(each.when),
      );
      const why = waits ? 'runs it later, and had not yet' : 'had nothing to run it for';
      return [`It is inside ${actionText(blocking.action, 90)}, which ${why}.`];
    }
    if (blocking.branch === 'else')
      return [`It is in the else of a condition that was always true: ${conditionText(condition)}`];
    return [
      ...this.faultsOf([blocking.action]),
      `"${script.name}" reached this condition ${times(this.ran(blocking.action))}, and it was never true: ${conditionText(condition)}`,
      ...this.comparisons(condition).map((line) => `  ${line}`),
    ];
  }

  /** The innermost enclosing action that ran, and the branch of it that contains the action. */
  private blockingOf(
    action: Action,
    ran = (each: Action): boolean => this.ran(each) > 0,
  ): { readonly action: Action; readonly branch: string } | undefined {
    for (let at: Node = action; at.parent !== undefined; at = at.parent as Node) {
      const parent = at.parent as Node;
      if (parent.kind === 'action' && ran(parent)) return { action: parent, branch: String((at as Block).key) };
    }
    return undefined;
  }

  /** The innermost enclosing condition that has `ran`, and whether it has to be true for the action to run. */
  conditionAround(
    action: Action,
    ran: (each: Action) => boolean,
  ): { readonly action: Action; readonly condition: Condition; readonly wanted: boolean } | undefined {
    const blocking = this.blockingOf(action, ran);
    const condition = blocking?.action.operands.find((each): each is Condition => each.kind === 'condition');
    if (blocking === undefined || condition === undefined) return undefined;
    return { action: blocking.action, condition, wanted: blocking.branch !== 'else' };
  }

  /** The comparisons of a condition that were false. */
  comparisons(condition: Condition, falseOf = (node: Condition) => this.tally.falseCount(node)): string[] {
    const lines: string[] = [];
    for (const node of everyNode(condition)) {
      const found = node.kind === 'condition' ? falseOf(node) : undefined;
      if (found === undefined) continue;
      this.comparisonsTold.add(found.node);
      const sides = found.node.sides.map((side, i) => this.sideText(side, found, i)).filter((text) => text !== '');
      lines.unshift(
        `${conditionText(found.node)} was false ${times(found.count)}${sides.length === 0 ? '' : `: ${sides.join(', ')}`}`,
        ...this.unsetIn(found.node).map((line) => `  ${line}`),
      );
    }
    return lines;
  }

  private sideText(side: Operand, { first, last, nearest, count }: FalseComparison, i: number): string {
    if (side.kind === 'literal' || side.kind === 'nothing') return '';
    const [from, to, near] = [first, last, nearest].map(
      (sides) => sides && this.print(i === 0 ? sides.left : sides.right),
    );
    const name = operandText(side);
    if (from === to || count === 1) return `${name} was ${to}`;
    const nearestText = near === undefined || near === to || near === from ? '' : `, nearest ${near}`;
    return `${name} was ${from} first, ${to} last${nearestText}`;
  }

  /** For the variables of entities and players in a comparison that no script has set: the actions that would. */
  unsetIn(comparison: Condition): string[] {
    const names = new Set<string>();
    for (const node of everyNode(comparison))
      if (node.kind === 'call') {
        const read = readOf(node, 'variable');
        if (read?.of !== undefined) names.add(nameIn(node.operand(read.key!)) ?? '');
      }
    return [...names].flatMap((name) => {
      const writers = this.memberWriters(name);
      const [writer] = writers;
      if (writer === undefined || this.unsetTold.has(name) || writers.some((each) => this.ran(each) > 0)) return [];
      this.unsetTold.add(name);
      const off = this.offText(writer);
      if (off !== undefined) return [off];
      const [why = ''] = this.blocked(writer, depthMax - 1);
      return [`Nothing set ${name}. "${writer.script.name}" would: ${actionText(writer, 90)}. ${why}`.trim()];
    });
  }

  private ofScript(script: CompiledScript, depth: number): string[] {
    if (depth > depthMax) return [];
    const runs = this.tally.runs[script.index] ?? 0;
    const { name, node } = script;
    this.listen(script);
    if (runs > 0) return [`"${name}" ran ${times(runs)}.`];
    const lines: string[] = [];
    const own = !node.conditions.isEmpty ? this.comparisons(node.conditions) : [];
    for (const type of listenedBy(script)) {
      const fired = this.tally.triggers.get(type) ?? 0;
      lines.push(
        `"${name}" listens to ${type}, which ${fired === 0 ? `never fired: ${triggers[type].about}` : `fired ${times(fired)}.`}`,
      );
    }
    if (own.length > 0) lines.push(`"${name}" never passed its own condition:`, ...own.map((line) => `  ${line}`));
    for (const call of this.callsOf(script).slice(0, writersShown)) {
      const ran = this.ran(call);
      const off = this.offText(call);
      if (off !== undefined) {
        lines.push(off);
        continue;
      }
      lines.push(
        `"${name}" is called by "${call.script.name}"${ran > 0 ? ` ${times(ran)}.` : ', which never reached that call:'}`,
      );
      if (ran === 0) lines.push(...this.blocked(call, depth + 1).map((line) => `  ${line}`));
    }
    for (const { by, name: key, type } of this.model.starts(script.place)) {
      const unitType = by === 'key' ? this.definition.unitTypes.get(type!)!.name : undefined;
      if (unitType !== undefined)
        lines.push(`"${name}" runs when the player of a unit of type ${unitType} presses or releases "${key}".`);
    }
    if (lines.length === 0) lines.push(`Nothing ran "${name}": it has no trigger and no key, and no script calls it.`);
    return lines;
  }

  private scriptOf(node: ScriptNode): CompiledScript | undefined {
    return this.program.scripts[node.index];
  }
}

function actionsOf(program: Program): readonly Action[] {
  return program.locations as readonly Action[];
}

/** The triggers that start a script, which may name them by older names. */
function listenedBy({ node }: CompiledScript): TriggerType[] {
  return node.source.triggers.flatMap((type) => triggerTypes[triggerIndex(type)] ?? []);
}

const offWords = 'but that action is switched off or runs only in clients.';
const absentWords = 'does not have that action.';

/** Whether a line tells of an action that does nothing. */
export function isOff(line: string): boolean {
  return line.includes(offWords) || line.includes(absentWords);
}

function ranText(count: number): string {
  return count === 0 ? 'never ran' : `ran ${times(count)}`;
}

function lastTick(found: readonly FalseComparison[]): number {
  return Math.max(-1, ...found.map(({ last }) => last.tick));
}

/** `never`, `once`, `14 times`. */
export function times(count: number): string {
  return count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`;
}
