import { isRecord } from '../../engine/core/index.ts';
import type { AnyHandle, Definition } from '../../engine/index.ts';
import { valueAt } from '../model/index.ts';
import { shortened } from '../text/index.ts';
import type { Repair } from './repairs.ts';

type Path = readonly string[];

interface Type {
  readonly key: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, unknown>;
}

/**
 * Fields of types that keep things from happening: the section, the field, its values that do so, and the value without
 * this effect. `*` is any key, `OWNER` the type of the player whose unit the question is about. Fields without an empty
 * line between them are first changed together, because most of them make no difference.
 */
const fields = `
itemTypes canBeUsedBy filled []
itemTypes carriedBy filled []
itemTypes canBePurchasedBy filled []
itemTypes damage.targetsAffected filled []
itemTypes controls.permittedInventorySlots filled []
unitTypes inventorySize 0,1 9

itemTypes cost.* filled {}
itemTypes cost.quantity number 0
unitTypes controls.abilities.*.keyDown.cost.* filled {}
unitTypes controls.unitAbilities.*.cost.* filled {}
abilities cost.* filled {}

itemTypes quantity 0 null
itemTypes quantity number null
itemTypes maxQuantity 0 null

itemTypes fireRate number 1
itemTypes reloadRate number 1
itemTypes delayBeforeUse number 0
unitTypes controls.unitAbilities.*.cooldown number 0
abilities cooldown number 0

shops itemTypes.*.price.* filled {}
shops unitTypes.*.price.* filled {}
shops itemTypes.*.requirement.* filled {}
shops itemTypes.*.price.coins number 0

playerTypes relationships.OWNER null,"neutral","friendly" "hostile"

unitTypes isUnTargetable true false
unitTypes ai.enabled false true
unitTypes ai.sensorResponse "none","flee" "fight"
unitTypes ai.attackResponse "none","flee" "fight"
unitTypes ai.sensorRadius number 9999
unitTypes ai.maxAttackRange number 9999

itemTypes damageHitBox.offsetX number negated
itemTypes damageHitBox.offsetY number negated

itemTypes type "unusable",null "consumable"

itemTypes type "unusable",null "weapon"
itemTypes isGun false true

itemTypes isUsedOnPickup true false

itemTypes controls.undroppable true false

projectileTypes lifeSpan number null

unitTypes bodies.*.type "spriteOnly","none" "dynamic"
itemTypes bodies.*.type "spriteOnly","none" "dynamic"
unitTypes states.*.body null "default"

unitTypes bodies.*.type "static" "dynamic"

unitTypes bodies.*.collidesWith.* false true

itemTypes bodies.*.collidesWith.* false true
projectileTypes bodies.*.collidesWith.* false true

unitTypes bodies.*.fixtures.*.isSensor true false
itemTypes bodies.*.fixtures.*.isSensor true false
projectileTypes bodies.*.fixtures.*.isSensor true false

unitTypes bodies.*.fixtures.*.isSensor false true
`;

/** Where items say how much they change attributes of units and of players. */
const amounts = ['damage', 'bonus.consume', 'bonus.passive', 'cost'].map((path) => path.split('.'));

/**
 * The fields of the types in a play because of which a value may have stayed as it is, in groups that can be changed
 * together. `attribute`: the key of the attribute in question.
 */
export function* limitsOn(
  definition: Definition,
  subject: AnyHandle | undefined,
  attribute: string | undefined,
): Generator<readonly Repair[]> {
  const typesIn = (section: string) => [...(valueAt(definition, [section]) as ReadonlyMap<string, Type>).values()];
  const without = (section: string, { key, name }: Type, path: Path, value: unknown): Repair => {
    const keys = [section, key, ...path];
    const text = `${path.join('.')} of "${name || key}" is ${shown(valueAt(definition, keys))}.`;
    return { text, otherwise: `With ${shown(value)} instead`, keys, value };
  };
  const owner = (subject?.kind === 'unit' ? subject.owner?.type : undefined) ?? '';
  const fieldsOf = (row: string) => {
    const [section = '', field = '', limit, other = ''] = row.split(' ');
    const isLimit = (value: unknown) =>
      limit === 'filled'
        ? (Array.isArray(value) && value.length > 0) || (value instanceof Map && value.size > 0)
        : limit === 'number'
          ? typeof value === 'number' && value !== 0
          : (JSON.parse(`[${limit}]`) as unknown[]).includes(value ?? null);
    return typesIn(section).flatMap((type) =>
      pathsIn(type, field.replace('OWNER', owner).split('.')).flatMap((path) => {
        const value = valueAt(type, path);
        if (!isLimit(value) || type.key === owner) return [];
        if (other === 'negated') return [without(section, type, path, -Number(value))];
        return [without(section, type, path, other === '{}' ? new Map() : JSON.parse(other))];
      }),
    );
  };
  for (const group of fields.trim().split('\n\n')) yield group.split('\n').flatMap(fieldsOf);
  const [units, players] = ['unitTypes', 'playerTypes'].map((section) =>
    typesIn(section).flatMap(({ attributes }) => [...attributes.keys()]),
  );
  for (const type of typesIn('itemTypes'))
    for (const path of amounts) {
      const parts = valueAt(type, path);
      for (const [part, all] of isRecord(parts) ? Object.entries(parts) : [])
        for (const [key, amount] of entriesIn(all)) {
          const isUnits = part.startsWith('unit');
          const [own, others] = isUnits ? [units!, players!] : [players!, units!];
          const other = isUnits ? part.replace('unit', 'player') : part.replace('player', 'unit');
          const isAsked = key === attribute && subject?.kind === (isUnits ? 'player' : 'unit');
          // The attribute that was meant: the same one of the player or unit, or one that exists.
          const moved = isAsked || (!own.includes(key) && others.includes(key)) ? [[other, key]] : [];
          const renamed = own.includes(key) ? [] : [...new Set([attribute ?? '', ...own])].map((name) => [part, name]);
          for (const [into, name] of [...moved, ...renamed.slice(0, 4)]) {
            const left: Record<string, unknown> = { ...(parts as object) };
            left[part] = new Map(entriesIn(all).filter(([each]) => each !== key));
            const meant = new Map(entriesIn(left[into!])).set(name!, amount);
            yield [without('itemTypes', type, path, { ...left, [into!]: meant })];
          }
        }
    }
}

/** The paths that a path with `*` for any key stands for. */
function pathsIn(root: unknown, [key, ...rest]: Path): readonly Path[] {
  if (key === undefined) return [[]];
  const keys = key !== '*' ? [key] : root instanceof Map ? [...root.keys()] : Object.keys(root ?? {});
  return keys.flatMap((each: string) => pathsIn(valueAt(root, [each]), rest).map((path) => [each, ...path]));
}

function entriesIn(map: unknown): readonly (readonly [string, unknown])[] {
  return map instanceof Map ? [...(map as ReadonlyMap<string, unknown>)] : [];
}

/** A value of the definition as JSON, without what is empty. */
function shown(value: unknown) {
  const text = JSON.stringify(value ?? null, (_, each: unknown) =>
    each instanceof Map ? (each.size === 0 ? undefined : Object.fromEntries(each)) : each,
  );
  return shortened(text ?? '{}', 90);
}
