import {
  type Action,
  type Condition,
  type Definition,
  everyNode,
  type Node,
  type Operand,
} from '../../../engine/index.ts';
import { descriptorKey, scriptsOf } from '../../../engine/tools.ts';
import { type Interests, phrasesIn } from '../../bots/index.ts';
import { tokenize } from '../../expression/index.ts';
import { modelOf, variableReadBy } from '../../model/index.ts';

/**
 * How many steps back the search goes: from a script to what its conditions read, and on to the scripts that write
 * that.
 */
const depthMax = 3;

/**
 * Collects what leads to something with one of these names, or to the scripts at these places. Goes back to the actions
 * that write or create it, to the conditions on those actions, to what the conditions read, and so on; and from items
 * to the shops that sell them, and to their prices.
 */
export function leadsTo(definition: Definition, about: readonly string[]): Interests {
  const { scripts } = scriptsOf(definition);
  const names = new Names(definition);
  const wanted = new Set<string>();
  const places = new Set<string>();
  const ways = new Set<Condition>();
  let words = new Set(about.flatMap((word) => names.keys(word)));
  const known = new Set<string>();
  for (let depth = 0; depth < depthMax && words.size > 0; depth++) {
    for (const word of words) known.add(word);
    const next = new Set<string>();
    const note = (word: string): void => {
      next.add(word);
      if (names.isSought(word)) wanted.add(word);
    };
    for (const word of words) {
      if (names.isSought(word)) wanted.add(word);
      for (const [key, shop] of definition.shops) {
        const price = shop.itemTypes.get(word)?.price.playerAttributes;
        if (price === undefined && !shop.unitTypes.has(word)) continue;
        next.add(key);
        for (const attribute of price?.keys() ?? []) next.add(attribute);
      }
    }
    for (const { actions, conditions, owner, place, source } of scripts) {
      const causes = [...everyNode(actions)].flatMap((node) =>
        node.kind === 'action' && (words.has(place) || causesAny(node, words)) ? node : [],
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
          for (const side of each.sides) {
            const read = variableReadBy(side);
            if (read !== undefined) note(read);
            for (const part of everyNode(side)) {
              const text = part.kind === 'literal' ? String(part.json) : descriptorKey(part as Operand);
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
  return { wanted, keys: keysOf(definition, places), phrases };
}

/** The keys and the names of the things in a game. */
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

  /** A word of an expression, and the keys that it may stand for. Scripts refer to types and attributes by key. */
  keys(word: string): string[] {
    return [word, ...(this.byName.get(word) ?? [])];
  }

  isRegion(word: string): boolean {
    return this.regions.has(word);
  }

  /** Whether bots can look for it: it is a type or a region. */
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

/** The names and strings in an expression. */
export function wordsIn(expression: string): string[] {
  return tokenize(expression).flatMap(wordOf);
}

function wordOf(token: ReturnType<typeof tokenize>[number]): string[] {
  return token.kind === 'string' || token.kind === 'name' ? [token.value] : [];
}

/** Whether an action names one of these words itself: it may write a value, create something or run a script. */
function causesAny(node: Action, words: ReadonlySet<string>): boolean {
  if (node.blocks.length > 0 || node.location < 0) return false;
  return node.operands.some((operand) =>
    words.has(operand.kind === 'literal' ? String(operand.json) : (descriptorKey(operand) ?? '')),
  );
}

/** The conditions under which an action runs. */
function conditionsAbove(action: Action): Condition[] {
  const found: Condition[] = [];
  for (let at = action.parent as Node | undefined; at !== undefined; at = at.parent as Node | undefined)
    if (at.kind === 'action') for (const operand of at.operands) if (operand.kind === 'condition') found.push(operand);
  return found;
}

/** The keyboard keys that start one of these scripts. */
function keysOf(definition: Definition, places: ReadonlySet<string>): Set<string> {
  const starts = [...places].flatMap((place) => modelOf(definition).starts(place));
  return new Set(starts.flatMap(({ by, name }) => (by === 'key' ? name : [])));
}
