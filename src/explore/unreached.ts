import {
  type Action,
  type Block,
  type Condition,
  type DialectName,
  everyNode,
  type LoadedGame,
  type Operand,
  type ScriptNode,
} from '../../engine/index.ts';
import { scriptsOf, variableReadBy } from '../../engine/internal.ts';
import { checkGame } from '../check/index.ts';
import { modelOf } from '../model/index.ts';
import { constantOf } from '../run/script-lines.ts';
import { actionText, conditionText, operandText } from '../run/script-text.ts';
import type { Counts } from '../scenario/counts.ts';
import type { NearMiss } from './near-misses.ts';

/** Actions that no play ran, and what stands in their way. Plain data. */
export interface Obstacle {
  /** `dead`: nothing starts the script. `impossible`: proven by the definition alone. `blocked`: no play got past it. */
  readonly kind: 'blocked' | 'impossible' | 'dead';
  readonly script: string;
  /** The source location of the first of the actions. */
  readonly at: string;
  readonly actions: number;
  /** What would have to happen. */
  readonly needs: string;
  /** How near a play came, and which scripts write the value. */
  readonly notes: readonly string[];
}

interface Explored {
  readonly counts: Counts;
  /** By pointer of the comparison. */
  readonly nearMisses: ReadonlyMap<string, NearMiss>;
}

const deadCodes: ReadonlySet<string> = new Set(['unreachable-script', 'no-emitted-trigger']);
/** Issues that prove a comparison to be always false. */
const falseCodes: ReadonlySet<string> = new Set(['never-assigned', 'malformed-condition']);
const notesMax = 3;
const writersMax = 3;

/** What no play reached, most actions first. */
export function unreached(game: LoadedGame, dialect: DialectName, explored: Explored): Obstacle[] {
  return new Search(game, dialect, explored).all();
}

class Search {
  private readonly game: LoadedGame;
  private readonly scripts: readonly ScriptNode[];
  private readonly counts: Counts;
  private readonly nearMisses: ReadonlyMap<string, NearMiss>;
  /** Messages of the issues that prove an action unreachable, by pointer. */
  private readonly dead = new Map<string, string>();
  private readonly alwaysFalse = new Map<string, string>();
  private readonly obstacles: Obstacle[] = [];

  constructor(game: LoadedGame, dialect: DialectName, { counts, nearMisses }: Explored) {
    this.game = game;
    this.scripts = scriptsOf(game.definition).scripts;
    this.counts = counts;
    this.nearMisses = nearMisses;
    for (const { code, pointer, message } of checkGame(game, dialect)) {
      if (deadCodes.has(code)) this.dead.set(pointer.replace(/\/triggers$/, ''), message);
      if (falseCodes.has(code)) this.alwaysFalse.set(pointer, message);
    }
  }

  all(): Obstacle[] {
    for (const script of this.scripts) {
      if (script.actions.actions.length === 0) continue;
      if ((this.counts.scripts[script.place] ?? 0) === 0) this.neverStarted(script);
      else this.descend(script.actions);
    }
    return this.obstacles.sort((a, b) => b.actions - a.actions);
  }

  private neverStarted(script: ScriptNode): void {
    const { actions, conditions, pointer, source } = script;
    const { actions: all } = actions;
    const why = this.dead.get(pointer);
    if (why !== undefined) {
      this.add('dead', all, why);
      return;
    }
    if (constantOf(conditions) === false) {
      this.add('impossible', all, `${conditionText(conditions)}, which is constant`);
      return;
    }
    if (constantOf(conditions) === undefined && this.wasFalse(conditions)) {
      this.blockedBy(conditions, all, true);
      return;
    }
    const fired = source.triggers.filter((trigger) => (this.counts.triggers[trigger] ?? 0) > 0);
    if (source.triggers.length === 0) this.add('blocked', all, 'a script or key that starts it');
    else if (fired.length === 0)
      this.add('blocked', all, `the trigger ${source.triggers.join(' or ')}, which never fired`);
    else if (script.owner.kind === 'game')
      this.add('blocked', all, `the trigger ${fired.join(' or ')} while it can run`);
    else
      this.add('blocked', all, `the trigger ${fired.join(' or ')} on ${script.place.split('/').slice(0, 2).join(' ')}`);
  }

  /**
   * Finds the first obstacles below a list that was entered. Iterative, because lists can be nested arbitrarily deep.
   */
  private descend(root: Block): void {
    const waiting: Block[] = [root];
    for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
      const { actions } = block;
      const stop = actions.findIndex((action) => this.countOf(action) === 0);
      for (const action of stop < 0 ? actions : actions.slice(0, stop)) {
        for (const inner of action.blocks) {
          const [first] = inner.actions;
          if (first === undefined) continue;
          if (this.countOf(first) > 0) waiting.push(inner);
          else this.notEntered(action, inner);
        }
      }
      if (stop > 0) {
        const before = actionText(actions[stop - 1]!, 60);
        this.add('blocked', actions.slice(stop), `to get past "${before}", where the list always ended`);
      }
    }
  }

  private notEntered(owner: Action, { key, isDeferred, actions }: Block): void {
    const condition = owner.operands.find((operand): operand is Condition => operand.kind === 'condition');
    if (condition !== undefined) {
      this.blockedBy(condition, actions, key !== 'else');
      return;
    }
    const text = actionText(owner, 60);
    this.add(
      'blocked',
      actions,
      isDeferred ? `"${text}" to be answered, or its delay to pass` : `"${text}" to have something to iterate over`,
    );
  }

  private blockedBy(condition: Condition, actions: readonly Action[], wanted: boolean): void {
    const text = conditionText(condition);
    const constant = constantOf(condition);
    if (constant !== undefined && constant !== wanted) {
      this.add('impossible', actions, `${text} to be ${wanted}, but it is constant`);
      return;
    }
    if (!wanted) {
      this.add('blocked', actions, `${text} to be false, but it always held`);
      return;
    }
    const parts = comparisonsOf(condition);
    const proof = parts
      .filter(({ isNeeded, node }) => isNeeded && node.operator !== '!=')
      .map(({ node }) => this.proofOf(node))
      .find((message) => message !== undefined);
    if (proof !== undefined) {
      this.add('impossible', actions, text, [proof]);
      return;
    }
    this.add('blocked', actions, text, parts.flatMap(({ node }) => this.notesOf(node)).slice(0, notesMax));
  }

  private proofOf({ pointer }: Condition): string | undefined {
    for (const [place, message] of this.alwaysFalse)
      if (place === pointer || place.startsWith(`${pointer}/`)) return message;
    return undefined;
  }

  private notesOf(node: Condition): string[] {
    const near = this.nearMisses.get(node.pointer);
    if (near === undefined) return [];
    const { operator } = node;
    const isUpper = operator === '>=' || operator === '>';
    const isLower = operator === '<=' || operator === '<';
    const notes: string[] = [];
    for (const [side, value, bound] of [
      [node.sides[0], near.left, isUpper ? 'at most ' : isLower ? 'at least ' : ''],
      [node.sides[1], near.right, ''],
    ] as const) {
      if (side.kind === 'literal' || side.kind === 'nothing') continue;
      const isBound = bound !== '' && near.distance !== null;
      const shown = value === null ? 'no plain value' : JSON.stringify(value);
      notes.push(
        `${operandText(side)} was ${isBound ? bound : near.distance === null ? '' : 'at nearest '}${shown}${this.writtenBy(side)}`,
      );
    }
    return notes;
  }

  /** Which scripts could change the value of an operand. */
  private writtenBy(operand: Operand): string {
    const name = variableReadBy(operand);
    return name === undefined ? '' : writersText(this.game, this.counts, name);
  }

  private wasFalse(condition: Condition): boolean {
    return comparisonsOf(condition).some(({ node }) => this.nearMisses.has(node.pointer));
  }

  private countOf({ script, path }: Action): number {
    return this.counts.locations[`${script.place}/${path}`] ?? 0;
  }

  private add(kind: Obstacle['kind'], actions: readonly Action[], needs: string, notes: readonly string[] = []): void {
    const [first] = actions;
    const { script, path } = first!;
    let total = 0;
    for (const action of actions)
      for (const node of everyNode(action)) if (node.kind === 'action' && node.location >= 0) total++;
    if (total > 0)
      this.obstacles.push({
        kind,
        script: script.name,
        at: `${script.place}/actions/${path}`,
        actions: total,
        needs,
        notes,
      });
  }
}

/** Which scripts can change a global variable, to be put after what is said about it: `; set by "sells fish" (never ran)`. */
export function writersText({ definition }: LoadedGame, counts: Counts, variable: string): string {
  const places = new Set(
    modelOf(definition)
      .changes('variable', variable)
      .map(({ place }) => place),
  );
  const writers = scriptsOf(definition).scripts.filter(({ place }) => places.has(place));
  if (writers.length === 0) return '; no script sets it';
  const shown = writers
    .slice(0, writersMax)
    .map(({ name, place }) => `"${name}"${(counts.scripts[place] ?? 0) > 0 ? '' : ' (never ran)'}`);
  const more = writers.length > writersMax ? ` and ${writers.length - writersMax} more` : '';
  return `; set by ${shown.join(', ')}${more}`;
}

interface Comparison {
  readonly node: Condition;
  /** Whether the whole condition can hold only if this comparison does. */
  readonly isNeeded: boolean;
}

function comparisonsOf(condition: Condition): Comparison[] {
  const found: Comparison[] = [];
  const waiting: Comparison[] = [{ node: condition, isNeeded: true }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, isNeeded } = next;
    if (!node.isJunction) {
      found.push(next);
      continue;
    }
    for (const each of node.conditions.toReversed())
      waiting.push({ node: each, isNeeded: isNeeded && node.operator === 'AND' });
  }
  return found;
}
