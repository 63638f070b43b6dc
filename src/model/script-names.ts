import { cached } from '../../engine/core/index.ts';
import {
  type Action,
  type Call,
  everyNode,
  literalText,
  type Node,
  type Operand,
  type ScriptNode,
} from '../../engine/index.ts';
import { descriptorKeyNode, type Reference } from '../../engine/tools.ts';
import { assignmentsBy } from './effect-queries.ts';
import { referenceOfType, type ValueTypes } from './value-types.ts';

/**
 * A literal in a script that refers to a thing of the game by name. Plain data that depends only on the script and the
 * types of variables.
 */
export interface NameUse {
  readonly kind: Reference;
  readonly key: string;
  /** The JSON Pointer from the script to the literal. */
  readonly path: string;
  /** Whether an action changes the thing. */
  readonly isWritten: boolean;
}

/**
 * The kind of thing that a string refers to if it is compared with, or assigned to, something of this type. `check`
 * reports fewer of these references, because games compute some of the strings.
 */
const kindOfType: ReadonlyMap<string, Reference> = new Map<string, Reference>([
  ...referenceOfType,
  ...(['attribute', 'shop', 'dialogue', 'sound', 'music', 'animation', 'script'] as const).map(
    (kind): [string, Reference] => [kind, kind],
  ),
  ['attributeType', 'attribute'],
]);

const known = new WeakMap<ScriptNode, readonly NameUse[]>();

/** The names in a script, including those in disabled actions. Computed names are not included. */
export function namesIn(script: ScriptNode, types: ValueTypes): readonly NameUse[] {
  return cached(known, script, () => {
    const nodes = new Set<Node>();
    const { length } = script.pointer;
    return [...referencesIn(script, types)].flatMap(({ node, ...name }) => {
      if (nodes.has(node)) return [];
      nodes.add(node);
      return { ...name, path: node.pointer.slice(length) };
    });
  });
}

interface Found extends Omit<NameUse, 'path'> {
  readonly node: Operand;
}

function* referencesIn(root: ScriptNode, types: ValueTypes): Generator<Found> {
  for (const node of everyNode(root)) {
    if (node.kind === 'action' || node.kind === 'call') {
      let index = 0;
      for (const [key, { refersTo }] of Object.entries(node.rule?.params ?? {})) {
        const operand = node.operands[index++]!;
        const isDescriptor = refersTo === 'entityVariable' || refersTo === 'playerVariable';
        const isWritten = node.kind === 'action' ? changesByKey(node, key) : namesWhatItsActionChanges(node);
        yield* referenceOf(refersTo, isDescriptor ? descriptorKeyNode(operand) : operand, isWritten);
      }
      if (node.kind === 'action')
        for (const { name, value, by } of assignmentsBy(node))
          if (value !== undefined && by === undefined)
            yield* referenceOf(kindOfType.get(types.typeOfVariable(undefined, name) ?? ''), value, false);
    } else if (node.kind === 'condition' && node.isList && !node.isJunction) {
      const [left, right] = node.sides;
      yield* referenceOf(kindOfType.get(types.typeOf(right) ?? ''), left, false);
      yield* referenceOf(kindOfType.get(types.typeOf(left) ?? ''), right, false);
    }
  }
}

function changesByKey({ effects }: Action, parameter: string) {
  return effects.some((effect) => effect.does === 'changes' && effect.key === parameter);
}

/** Whether a call stands for a variable that an action changes, such as a group to which it adds. */
function namesWhatItsActionChanges(call: Call) {
  const action = call.parent as Node | undefined;
  return (
    action?.kind === 'action' &&
    action.effects.some(
      (effect) =>
        effect.does === 'changes' && effect.key !== undefined && action.operand(effect.key).json === call.json,
    )
  );
}

function* referenceOf(kind: Reference | undefined, node: Operand | undefined, isWritten: boolean): Generator<Found> {
  const key = node && literalText(node);
  if (kind !== undefined && key !== undefined && key !== '') yield { kind, key, node: node!, isWritten };
}
