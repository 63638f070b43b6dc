import { type Action, type Condition, type Definition, everyNode, type Node } from '../../engine/index.ts';
import { scriptsOf, variableReadBy } from '../../engine/internal.ts';
import type { Interests } from '../bots/habits.ts';
import { phrasesIn } from '../bots/phrases.ts';
import { tokenize } from '../expression/tokens.ts';
import { keysRunning } from '../run/script-keys.ts';

/** What leads to a goal, according to the scripts. */
interface Leads {
  readonly interests: Interests;
  /** The places of the scripts in which these were found. */
  readonly scripts: ReadonlySet<string>;
  /** Expressions that hold when a condition on the way does; those of scripts nearer to the goal weigh more. */
  readonly needs: ReadonlyMap<string, number>;
}

/** How many steps back it goes from a script to what its conditions read, and to the scripts that write that. */
const depthMax = 3;
/** The weight of a need, compared with that of one that is a step nearer to the goal. */
const needDecay = 0.5;

/**
 * Goes back from what a goal names to the actions that write or create it, to the conditions in their way, to what these
 * read, and so on; and from items to the shops that sell them, and their prices.
 */
export function leadsTo(definition: Definition, expressions: readonly string[]): Leads {
  const { scripts } = scriptsOf(definition);
  const names = new Names(definition);
  const wanted = new Set<string>();
  const places = new Set<string>();
  const needs = new Map<string, number>();
  const ways = new Set<Condition>();
  let words = new Set(
    expressions.flatMap((text) => tokenize(text).flatMap(wordOf)).flatMap((word) => names.keys(word)),
  );
  const known = new Set<string>();
  for (let depth = 0; depth < depthMax && words.size > 0; depth++) {
    for (const word of words) known.add(word);
    const next = new Set<string>();
    const note = (word: string): void => {
      next.add(word);
      if (names.isSought(word)) wanted.add(word);
    };
    const need = (text: string | undefined): void => {
      if (text !== undefined && !needs.has(text)) needs.set(text, needDecay ** depth);
    };
    for (const word of words) {
      if (names.isSought(word)) wanted.add(word);
      for (const [key, shop] of definition.shops) {
        const price = shop.itemTypes.get(word)?.price.playerAttributes;
        if (price === undefined && !shop.unitTypes.has(word)) continue;
        next.add(key);
        for (const [attribute, amount] of price ?? []) {
          next.add(attribute);
          need(`any players have (\`${attribute}\` >= ${amount})`);
        }
        need(price === undefined ? undefined : holding(word));
      }
    }
    for (const { actions, conditions, owner, place, source } of scripts) {
      const causes = [...everyNode(actions)].flatMap((node) =>
        node.kind === 'action' && causesAny(node, words) ? node : [],
      );
      if (causes.length === 0) continue;
      places.add(place);
      next.add(place.slice(place.lastIndexOf('/') + 1));
      if (owner.kind === 'unit') wanted.add([...definition.unitTypes.keys()][owner.type]!);
      if (owner.kind === 'item') note([...definition.itemTypes.keys()][owner.type]!);
      const inTheWay = new Set([conditions, ...causes.flatMap((cause) => conditionsAbove(cause))]);
      let namesRegion = false;
      for (const condition of inTheWay) {
        ways.add(condition);
        for (const each of everyNode(condition)) {
          if (each.kind !== 'condition' || !each.isList || each.isJunction) continue;
          need(needOf(each));
          for (const side of each.sides) {
            const read = variableReadBy(side);
            if (read !== undefined) note(read);
            for (const part of everyNode(side)) {
              const text = part.kind === 'literal' ? String(part.json) : keyOfVariable(part);
              if (text === undefined || !names.isKnown(text)) continue;
              namesRegion ||= names.isRegion(text);
              note(text);
            }
          }
        }
      }
      if (!namesRegion && source.triggers.some((trigger) => trigger.endsWith('EntersRegion')))
        for (const region of names.regions) wanted.add(region);
    }
    words = new Set([...next].filter((word) => !known.has(word)));
  }
  const phrases = phrasesIn(definition, ways);
  return { interests: { wanted, keys: keysOf(definition, places), phrases }, scripts: places, needs };
}

/** The keys and names of a game. */
class Names {
  readonly regions: ReadonlySet<string>;
  private readonly types: ReadonlySet<string>;
  private readonly others: ReadonlySet<string>;
  private readonly byName = new Map<string, string[]>();

  constructor({ itemTypes, unitTypes, playerTypes, variables }: Definition) {
    const kinds = [...itemTypes, ...unitTypes] as [string, { readonly name: string }][];
    for (const [key, { name }] of kinds) this.add(name, key);
    const attributes = [...itemTypes.values(), ...unitTypes.values(), ...playerTypes.values()].flatMap((type) => [
      ...type.attributes,
    ]);
    for (const [key, { name }] of attributes) if (name !== undefined) this.add(name, key);
    this.types = new Set(kinds.map(([key]) => key));
    this.others = new Set([...attributes.map(([key]) => key), ...variables.keys()]);
    this.regions = new Set([...variables.values()].flatMap(({ key, dataType }) => (dataType === 'region' ? key : [])));
  }

  /** A word of an expression and the keys that it stands for. Scripts know types and attributes by key. */
  keys(word: string): string[] {
    return [word, ...(this.byName.get(word) ?? [])];
  }

  isRegion(word: string): boolean {
    return this.regions.has(word);
  }

  /** Whether players can look for it. */
  isSought(word: string): boolean {
    return this.types.has(word) || this.regions.has(word);
  }

  isKnown(word: string): boolean {
    return this.isSought(word) || this.others.has(word);
  }

  private add(name: string, key: string): void {
    const keys = this.byName.get(name) ?? [];
    if (!keys.includes(key)) this.byName.set(name, [...keys, key]);
  }
}

function wordOf(token: ReturnType<typeof tokenize>[number]): string[] {
  return token.kind === 'string' || token.kind === 'name' ? [token.value] : [];
}

/** Whether an action names one of these words itself: it may write a value, create something or run a script. */
function causesAny(node: Action, words: ReadonlySet<string>): boolean {
  if (node.blocks.length > 0 || node.location < 0) return false;
  return node.operands.some((operand) =>
    words.has(operand.kind === 'literal' ? String(operand.json) : (keyOfVariable(operand) ?? '')),
  );
}

/** The key of the variable of a player or an entity that an operand names. */
function keyOfVariable(operand: Node): string | undefined {
  if (operand.kind !== 'call' || !operand.calls('getPlayerVariable', 'getEntityVariable')) return undefined;
  const { key } = (operand.member('variable').json ?? {}) as { readonly key?: unknown };
  return typeof key === 'string' ? key : undefined;
}

/** The conditions of the lists that contain an action. */
function conditionsAbove(action: Action): Condition[] {
  const found: Condition[] = [];
  for (let at = action.parent as Node | undefined; at !== undefined; at = at.parent as Node | undefined)
    if (at.kind === 'action') for (const operand of at.operands) if (operand.kind === 'condition') found.push(operand);
  return found;
}

const flipped: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** An expression that holds when a comparison with a literal can; undefined for other comparisons. */
function needOf({ sides: [left, right], operator = '==' }: Condition): string | undefined {
  const [read, literal, relation] =
    right.kind === 'literal' ? [left, right, operator] : [right, left, flipped[operator] ?? operator];
  if (literal.kind !== 'literal' || read.kind !== 'call') return undefined;
  const value = JSON.stringify(literal.json);
  const variable = variableReadBy(read);
  if (variable !== undefined) return `\`${variable}\` ${relation} ${value}`;
  const literalOf = (parameter: string): string | undefined => {
    const operand = read.member(parameter);
    return operand.kind === 'literal' ? String(operand.json) : undefined;
  };
  const anyHas = (kind: 'players' | 'units', key: string | undefined): string | undefined =>
    key === undefined ? undefined : `any ${kind} have (\`${key}\` ${relation} ${value})`;
  switch (read.operation) {
    case 'getPlayerAttribute':
      return anyHas('players', literalOf('attribute'));
    case 'getEntityAttribute':
      return anyHas('units', literalOf('attribute'));
    case 'getValueOfPlayerVariable':
      return anyHas('players', keyOfVariable(read.member('variable')));
    case 'getValueOfEntityVariable':
      return anyHas('units', keyOfVariable(read.member('variable')));
    case 'getNumberOfUnitsOfUnitType': {
      const type = literalOf('unitType');
      return type === undefined ? undefined : `units of type ${JSON.stringify(type)} ${relation} ${value}`;
    }
    case 'getItemTypeOfItem':
      return operator === '==' ? holding(String(literal.json)) : undefined;
    default:
      return undefined;
  }
}

function holding(itemType: string): string {
  return `any units have (holding.type == ${JSON.stringify(itemType)})`;
}

/** The keys that run one of these scripts. */
function keysOf(definition: Definition, places: ReadonlySet<string>): Set<string> {
  const scripts = new Set([...places].map((place) => place.slice(place.lastIndexOf('/') + 1)));
  return new Set(keysRunning(definition, scripts).map(({ key }) => key));
}
