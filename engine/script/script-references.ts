import { everyNode, literalText, type Node, type Operand, type Reference } from './ast.ts';
import { referenceOfType } from './check-literals.ts';
import type { Vocabulary } from './compiler.ts';
import { assignmentsBy } from './effect-queries.ts';
import { descriptorKeyNode } from './params.ts';
import type { ValueTypes } from './value-types.ts';

/** A literal in a script that names something of the game. */
interface ScriptReference {
  readonly kind: Reference;
  readonly key: string;
  readonly node: Operand;
  /** The action or function that it is an operand of; undefined for a side of a comparison. */
  readonly operation: string | undefined;
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
export function* scriptReferences(root: Node, types: ValueTypes, vocabulary: Vocabulary): Generator<ScriptReference> {
  for (const node of everyNode(root)) {
    if (node.kind === 'action' || node.kind === 'call') {
      const { operation, operands } = node;
      const rows = node.kind === 'action' ? vocabulary.actions : vocabulary.values;
      let index = 0;
      for (const { refersTo } of Object.values(rows.get(operation)?.params ?? {})) {
        const operand = operands[index++]!;
        const isDescriptor = refersTo === 'entityVariable' || refersTo === 'playerVariable';
        yield* referenceOf(refersTo, isDescriptor ? descriptorKeyNode(operand) : operand, operation);
      }
      if (node.kind === 'action')
        for (const { name, value, by } of assignmentsBy(node))
          if (value !== undefined && by === undefined)
            yield* referenceOf(kindOfType.get(types.typeOfVariable(undefined, name) ?? ''), value, operation);
    } else if (node.kind === 'condition' && node.isList && !node.isJunction) {
      const [left, right] = node.sides;
      yield* referenceOf(kindOfType.get(types.typeOf(right) ?? ''), left, undefined);
      yield* referenceOf(kindOfType.get(types.typeOf(left) ?? ''), right, undefined);
    }
  }
}

function* referenceOf(
  kind: Reference | undefined,
  node: Operand | undefined,
  operation: string | undefined,
): Generator<ScriptReference> {
  const key = node && literalText(node);
  if (kind !== undefined && key !== undefined && key !== '') yield { kind, key, node: node!, operation };
}
