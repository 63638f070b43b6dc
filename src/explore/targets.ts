import { type Definition, everyNode, literalText } from '../../engine/index.ts';
import { assignmentsBy, scriptsOf, variableReadBy } from '../../engine/internal.ts';

type Texts = ReadonlyMap<string, ReadonlySet<string>>;
const known = new WeakMap<Definition, Texts>();

/** The texts that scripts assign to each text variable, or compare it with. Each definition is searched once. */
function enumeratedTexts(definition: Definition): Texts {
  let texts = known.get(definition);
  if (texts === undefined) {
    texts = textsIn(definition);
    known.set(definition, texts);
  }
  return texts;
}

function textsIn(definition: Definition): Texts {
  const found = new Map<string, Set<string>>();
  for (const { key, dataType, default: initial } of definition.variables.values())
    if (dataType === 'string') found.set(key, new Set(typeof initial === 'string' ? [initial] : []));
  const add = (name: string | undefined, value: string | undefined): void => {
    if (name !== undefined && value !== undefined) found.get(name)?.add(value);
  };
  for (const { actions, conditions } of scriptsOf(definition).scripts) {
    for (const root of [actions, conditions]) {
      for (const node of everyNode(root)) {
        if (node.kind === 'action')
          for (const { name, value, by } of assignmentsBy(node))
            add(name, value === undefined || by !== undefined ? undefined : literalText(value));
        else if (node.kind === 'condition' && node.isList && !node.isJunction) {
          const [left, right] = node.sides;
          add(variableReadBy(left), literalText(right));
          add(variableReadBy(right), literalText(left));
        }
      }
    }
  }
  for (const [name, texts] of found) if (texts.size < 2) found.delete(name);
  return found;
}

const knownSwitches = new WeakMap<Definition, readonly string[]>();

/**
 * Variables that take one of few values on which something depends: booleans, and texts and numbers that scripts set
 * only to fixed values and compare with such. Each definition is searched once.
 */
export function switchesOf(definition: Definition): readonly string[] {
  let names = knownSwitches.get(definition);
  if (names === undefined) {
    names = switchesIn(definition);
    knownSwitches.set(definition, names);
  }
  return names;
}

function switchesIn(definition: Definition): string[] {
  const fixed = new Map<string, Set<number>>();
  /** Variables that are also set to something other than a number, or than a literal. */
  const notNumbers = new Set<string>();
  const computed = new Set<string>();
  const compared = new Set<string>();
  for (const { actions, conditions } of scriptsOf(definition).scripts) {
    for (const node of [...everyNode(actions), ...everyNode(conditions)]) {
      if (node.kind === 'condition' && node.isList && !node.isJunction) {
        const [left, right] = node.sides;
        for (const [side, other] of [[left, right] as const, [right, left] as const]) {
          const name = typeof other.json === 'number' ? variableReadBy(side) : undefined;
          if (name !== undefined) compared.add(name);
        }
      }
      if (node.kind !== 'action') continue;
      for (const { name, value: operand, by } of assignmentsBy(node)) {
        if (name === undefined) continue;
        const value = by === undefined ? operand?.json : undefined;
        if (value === undefined || (typeof value === 'object' && value !== null)) computed.add(name);
        if (typeof value !== 'number') notNumbers.add(name);
        else fixed.set(name, (fixed.get(name) ?? new Set()).add(value));
      }
    }
  }
  const texts = enumeratedTexts(definition);
  return [...definition.variables.values()].flatMap(({ key, dataType }) => {
    const isFixed = (fixed.get(key)?.size ?? 0) > 1 && !notNumbers.has(key) && compared.has(key);
    const isText = texts.has(key) && !computed.has(key);
    return dataType === 'boolean' || (dataType === 'number' && isFixed) || isText ? key : [];
  });
}
