import { type Action, type Call, everyNode, literalText, type Node, type Operand, type Reference } from './ast.ts';
import { assignmentsBy } from './effect-queries.ts';
import { descriptorKeyNode } from './params.ts';
import type { ValueTypes } from './value-types.ts';

/** What a text refers to when it is compared with a value of this type. */
export const referenceOfType: ReadonlyMap<string, Reference> = new Map([
  ['unit type', 'unitType'],
  ['item type', 'itemType'],
  ['projectile type', 'projectileType'],
  ['player type', 'playerType'],
  ['state', 'state'],
  ['particle type', 'particle'],
]);

/** A literal in a script that names something of the game. */
interface ScriptReference {
  readonly kind: Reference;
  readonly key: string;
  readonly node: Operand;
  /** Whether it names what an action changes. */
  readonly isWritten: boolean;
}

/** What a text refers to that is compared with or assigned to something of this type. `check` reports fewer, because games compute some of these texts. */
const kindOfType: ReadonlyMap<string, Reference> = new Map<string, Reference>([
  ...referenceOfType,
  ...(['attribute', 'shop', 'dialogue', 'sound', 'music', 'animation', 'script'] as const).map(
    (kind): [string, Reference] => [kind, kind],
  ),
  ['attributeType', 'attribute'],
]);

/** Yields the references below a node, including those of disabled actions. Computed names are not references. */
export function* scriptReferences(root: Node, types: ValueTypes): Generator<ScriptReference> {
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

function changesByKey({ effects }: Action, parameter: string): boolean {
  return effects.some((effect) => effect.does === 'changes' && effect.key === parameter);
}

/** Whether a call stands for a variable that an action changes, such as a group to which it adds. */
function namesWhatItsActionChanges(call: Call): boolean {
  const action = call.parent as Node | undefined;
  return (
    action?.kind === 'action' &&
    action.effects.some(
      (effect) =>
        effect.does === 'changes' && effect.key !== undefined && action.operand(effect.key).json === call.json,
    )
  );
}

function* referenceOf(
  kind: Reference | undefined,
  node: Operand | undefined,
  isWritten: boolean,
): Generator<ScriptReference> {
  const key = node && literalText(node);
  if (kind !== undefined && key !== undefined && key !== '') yield { kind, key, node: node!, isWritten };
}
