import type { ASTNode, ObjectASTNode, StringASTNode } from 'vscode-json-languageservice';
import { type CatalogueOperation, catalogue } from '../../engine/index.ts';
import { aboutOperand } from '../../src/language/operands.ts';

type Schema = { readonly [key: string]: unknown };

/**
 * A key of an object in a document, and the sentence that describes it; undefined for a key that the schema does not
 * name.
 */
export interface KeyPosition {
  readonly key: string;
  readonly offset: number;
  readonly sentence: string | undefined;
  /** The name of a field or operand, at a location where other keys are ids chosen by the author. */
  readonly isName: boolean;
}

const { actions, functions } = catalogue();
const byName = {
  type: new Map(actions.flatMap((each) => [each.type, ...each.aliases].map((name) => [name, each]))),
  function: new Map(functions.flatMap((each) => [each.type, ...each.aliases].map((name) => [name, each]))),
};

/** Every key of a document: described by the schema outside of scripts, and by the catalogue of operations inside. */
export function keyPlaces(root: ASTNode, schema: Schema): KeyPosition[] {
  const places: KeyPosition[] = [];
  const defs = schema['$defs'] as Record<string, Schema>;
  const resolved = (node: Schema): Schema =>
    node['$ref'] === undefined
      ? node
      : { ...node, ...resolved(defs[(node['$ref'] as string).slice('#/$defs/'.length)]!) };

  const visit = (node: ASTNode | undefined, described: Schema | undefined): void => {
    const here = described === undefined ? undefined : resolved(described);
    if (node?.type === 'array') for (const item of node.items) visit(item, here?.['items'] as Schema | undefined);
    if (node?.type !== 'object') return;
    for (const { keyNode, valueNode } of node.properties) {
      const key = keyNode.value;
      const fields = here?.['properties'] as Record<string, Schema> | undefined;
      const named = fields?.[key] ?? (here === schema ? metadataField(key) : undefined);
      const field = named ?? (here?.['additionalProperties'] as Schema | undefined);
      const sentence = field?.['description'] as string | undefined;
      places.push({ key, offset: keyNode.offset, sentence, isName: named !== undefined });
      const isScript = (here?.['properties'] as Schema | undefined)?.['folderName'] !== undefined;
      if (isScript && key === 'actions') visitScript(valueNode, true);
      else if (isScript && key === 'conditions') visitScript(valueNode, false);
      else visit(valueNode, field);
    }
  };
  const metadataField = (key: string): Schema | undefined =>
    (defs['Metadata']!['properties'] as Record<string, Schema>)[key];

  /** A value of a script, or a list of actions. */
  const visitScript = (node: ASTNode | undefined, isActions: boolean): void => {
    if (node?.type === 'array') for (const item of node.items) visitScript(item, isActions);
    if (node?.type !== 'object') return;
    const nameKey = isActions ? 'type' : 'function';
    const operation = byName[nameKey].get(textOf(node, nameKey) ?? '');
    for (const { keyNode, valueNode } of node.properties) {
      const key = keyNode.value;
      const operand = operation?.params.find((each) => each.key === key || each.aliases.includes(key));
      const sentence = key === nameKey ? operation?.about : sentenceOf(operand, key);
      if (sentence !== undefined) places.push({ key, offset: keyNode.offset, sentence, isName: true });
      visitScript(valueNode, operand?.type === 'actions');
    }
  };
  visit(root, schema);
  return places;
}

function sentenceOf(operand: CatalogueOperation['params'][number] | undefined, key: string): string | undefined {
  return operand === undefined ? undefined : aboutOperand(operand, key);
}

function textOf(node: ObjectASTNode, key: string): string | undefined {
  const value = node.properties.find(({ keyNode }) => keyNode.value === key)?.valueNode;
  return value?.type === 'string' ? (value as StringASTNode).value : undefined;
}
