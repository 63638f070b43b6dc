import type { AttributeDefinition } from '../../engine/tools.ts';
import { changesOf } from '../model/index.ts';
import type { GameFacts } from './facts.ts';
import { listIn } from './nodes.ts';

/** A change of an attribute by a script or a built-in rule. */
export interface AttributeChange {
  /** The key of the attribute; undefined if it is computed. */
  readonly key: string | undefined;
  /** The name of the built-in rule that makes the change. */
  readonly rule?: string;
  /** The types of the entities whose attribute can change; undefined if they are not known. */
  readonly types?: readonly unknown[] | undefined;
  readonly rises: boolean;
  readonly falls: boolean;
  /** Whether the change leaves a value of 0 as it is. */
  readonly isFactor?: boolean;
}

/** All changes of the values and bounds of attributes, except those that restore earlier values. */
export function attributeChangesOf({
  changes,
  model,
  types,
  bounds,
  areTypesKept,
}: GameFacts): readonly AttributeChange[] {
  const byScripts = changingKinds.flatMap((kind) =>
    changes(kind).flatMap((use): AttributeChange | [] => {
      const { key, aspect, by, value, isWhole, place } = use;
      if (isWhole && aspect === 'attribute') return [];
      const node = model.action(place, use)!;
      const [effect] = changesOf(node, aspect!);
      const entity = effect?.of === undefined ? undefined : types.typesOf(node.operand(effect.of));
      // `step` is the amount by which the attribute rises; NaN if it is not known, so that the attribute may rise and
      // fall.
      const number = typeof value === 'number' ? value : NaN;
      const { min = NaN, max = NaN } = bounds.anywhere(key ?? '') ?? {};
      const step = { adding: number, subtracting: -number, counting: NaN }[by ?? 'counting'];
      const isSet = aspect === 'attribute' && by === undefined;
      return {
        key,
        types: areTypesKept ? entity?.types : undefined,
        rises: !(isSet ? number <= min : aspect === 'attribute' && step <= 0),
        falls: !(isSet ? number >= max : aspect === 'attribute' && step >= 0),
      };
    }),
  );
  const byRules = model.attributeRules.map(
    ({ by, amount = NaN, ...more }): AttributeChange => ({
      ...more,
      rule: by,
      rises: !(amount <= 0),
      falls: !(amount >= 0),
    }),
  );
  return [...byScripts, ...byRules];
}

/** Whether a change can concern an attribute of a type. */
export function concerns({ key, types }: AttributeChange, attribute: string, type: unknown): boolean {
  return (key ?? attribute) === attribute && (types?.includes(type) ?? true);
}

const changingKinds = ['attribute', 'attributeMin', 'attributeMax', 'attributeRate', 'buffs'] as const;

/** The declarations of attributes in all types. */
export function attributesOfTypes({ definition, entityTypes }: GameFacts): readonly AttributeDefinition[] {
  const { playerTypes, factions } = definition;
  const types = [...entityTypes, ...playerTypes.values(), ...factions.values()];
  return types.flatMap(({ attributes }) => [...attributes.values()]);
}

/** All declarations of each attribute. */
export function declaredAttributes({ once }: GameFacts): ReadonlyMap<string, readonly AttributeDefinition[]> {
  const declared = new Map<string, AttributeDefinition[]>();
  for (const each of once(attributesOfTypes)) listIn(declared, each.key).push(each);
  return declared;
}
