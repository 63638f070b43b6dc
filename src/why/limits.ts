import { isRecord } from '../../engine/core/index.ts';
import type { AnyHandle, Simulation } from '../../engine/index.ts';
import { modelOf, valueAt } from '../model/index.ts';
import { shortened } from '../text/index.ts';
import { namedBy } from './author-names.ts';
import type { Repair } from './repairs.ts';

type Path = readonly string[];

interface Type {
  readonly key: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, unknown>;
}

/**
 * Fields of types that keep things from happening: the section, the field, its values that do so, and the value without
 * this effect; `x10` is ten times the number. `*` is any key, `OWNER` the type of the player whose unit the question is
 * about. Fields without an empty line between them are first changed together,
 * because most of them make no difference.
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
itemTypes fireRate number 1
itemTypes reloadRate number 1
itemTypes delayBeforeUse number 0
unitTypes controls.unitAbilities.*.cooldown number 0
abilities cooldown number 0

itemTypes quantity 0 null
itemTypes quantity number null
itemTypes maxQuantity 0 null

shops itemTypes.*.price.* filled {}
shops unitTypes.*.price.* filled {}
shops itemTypes.*.requirement.* filled {}
shops itemTypes.*.price.coins number 0
shops itemTypes.*.isPurchasable false true
shops unitTypes.*.isPurchasable false true

playerTypes relationships.OWNER null,"neutral","friendly" "hostile"

unitTypes isUnTargetable true false
unitTypes ai.enabled false true
unitTypes ai.sensorResponse "none","flee" "fight"
unitTypes ai.attackResponse "none","flee" "fight"
unitTypes ai.sensorRadius number 9999
unitTypes ai.sensorRadius 0,null 9999
unitTypes ai.letGoDistance number 9999
unitTypes ai.maxAttackRange number 9999

unitTypes bodies.*.collidesWith.* false true
itemTypes bodies.*.collidesWith.* false true
projectileTypes bodies.*.collidesWith.* false true

itemTypes damageHitBox.offsetX number x-1
itemTypes damageHitBox.offsetY number x-1

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

unitTypes bodies.*.fixtures.*.isSensor true false
itemTypes bodies.*.fixtures.*.isSensor true false
projectileTypes bodies.*.fixtures.*.isSensor true false

unitTypes bodies.*.fixtures.*.isSensor false true
`;

/** Other rates of the attribute in question. */
const rates = `
unitTypes attributes.ATTRIBUTE.regenerateSpeed number x0.1
playerTypes attributes.ATTRIBUTE.regenerateSpeed number x0.1

unitTypes attributes.ATTRIBUTE.regenerateSpeed number x10
playerTypes attributes.ATTRIBUTE.regenerateSpeed number x10
`;

/** Other values of fields, which count only if they fulfil an expectation. */
const variations = `
itemTypes damage.unitAttributes.* number x10
itemTypes bulletDistance number x10
itemTypes bulletForce number x10

itemTypes damageHitBox.width number x10
itemTypes damageHitBox.height number x10

itemTypes isUsedOnPickup false true

unitTypes ai.sensorRadius number x0.1
unitTypes ai.sensorResponse "fight" "none"

playerTypes relationships.OWNER "hostile" "neutral"

itemTypes damage.unitAttributes.* number x0.1

unitTypes bodies.*.collidesWith.* true false
`;

/** Where types say which script runs. */
const bindings = `
unitTypes controls.abilities.*.keyDown.scriptName filled
unitTypes controls.abilities.*.keyUp.scriptName filled
unitTypes controls.unitAbilities.*.eventScripts.* filled
abilities eventScripts.* filled
dialogues options.*.scriptName filled
`;

/** Where items say how much they change attributes of units and of players. */
const amounts = ['damage', 'bonus.consume', 'bonus.passive', 'cost'].map((path) => path.split('.'));

/**
 * The fields of the types in a play because of which a value may have stayed as it is, in groups that can be changed
 * together. `attribute`: the key of the attribute in question. `isExpected`: whether it is known what was expected of
 * the value.
 */
export function* limitsOn(
  sim: Simulation,
  subject: AnyHandle | undefined,
  attribute: string | undefined,
  isExpected: boolean,
): Generator<readonly Repair[]> {
  const { definition } = sim;
  const typesIn = (section: string) => [...(valueAt(definition, [section]) as ReadonlyMap<string, Type>).values()];
  const named = namedBy(definition);
  const without = (section: string, { key, name }: Type, path: Path, value: unknown): Repair => {
    const keys = [section, key, ...path];
    const text = `${path.map(named).join('.')} of "${name || key}" is ${shown(valueAt(definition, keys), named)}.`;
    return { text, otherwise: `With ${shown(value, named)} instead`, keys, value };
  };
  const model = modelOf(definition);
  const owner = subject?.kind === 'unit' ? subject.owner?.type : undefined;
  const owners = owner === undefined ? typesIn('playerTypes').map(({ key }) => key) : [owner];
  const present = new Set([...sim.units(), ...sim.items()].map(({ type }) => type));
  const isHere = ({ key }: Type, section: string) => !/^(?:unit|item)Types$/.test(section) || present.has(key);
  const fieldsOf = (row: string) => {
    const [section = '', field = '', limit, other = ''] = row.split(' ');
    const isLimit = (value: unknown) =>
      limit === 'filled'
        ? ((Array.isArray(value) || typeof value === 'string') && value.length > 0) ||
          (value instanceof Map && value.size > 0)
        : limit === 'number'
          ? (typeof value === 'number' || typeof value === 'string') && Math.abs(Number(value)) > 0
          : (JSON.parse(`[${limit}]`) as unknown[]).includes(value ?? null);
    // Types of which there is nothing are changed only where that may be the reason.
    const all = typesIn(section).filter((type) => limit === 'filled' || isHere(type, section));
    return all.flatMap((type) =>
      pathsIn(type, field.split('.'), owners).flatMap((path) => {
        const value = valueAt(type, path);
        if (!isLimit(value) || path.includes(type.key)) return [];
        if (other.startsWith('x'))
          return [without(section, type, path, Number((Number(value) * Number(other.slice(1))).toPrecision(6)))];
        return [without(section, type, path, other === '{}' ? new Map() : JSON.parse(other))];
      }),
    );
  };
  const groups = (table: string) =>
    table
      .trim()
      .split('\n\n')
      .map((group) => group.split('\n').flatMap(fieldsOf));
  const exact = (group: readonly Repair[]) => group.map((each) => ({ ...each, isExact: true, cost: 3 }));
  if (isExpected) yield* groups(rates.replaceAll('ATTRIBUTE', attribute ?? '*')).map(exact);
  yield* groups(fields);
  for (const place of model.places)
    if (model.starts(place).length === 0 && valueAt(definition, [...place.split('/'), 'triggers', 0]) === undefined) {
      const key = JSON.stringify(place.slice(place.lastIndexOf('/') + 1));
      yield bindings
        .trim()
        .split('\n')
        .flatMap((row) => fieldsOf(`${row} ${key}`));
    }
  const [units, players] = ['unitTypes', 'playerTypes'].map((section) =>
    typesIn(section).flatMap(({ attributes }) => [...attributes.keys()]),
  );
  for (const type of typesIn('itemTypes'))
    for (const path of amounts) {
      const parts = valueAt(type, path);
      for (const [part, all] of isRecord(parts) ? Object.entries(parts) : [])
        for (const [key, amount] of entriesIn(all)) {
          const isUnits = part.startsWith('unit');
          const own = (isUnits ? units : players)!;
          const other = isUnits ? part.replace('unit', 'player') : part.replace('player', 'unit');
          const isAsked = key === attribute && subject?.kind === (isUnits ? 'player' : 'unit');
          // The attribute that was meant: the same one of the player or unit, or the one in question.
          if (isAsked || (attribute !== undefined && !own.includes(key))) {
            const [into, name] = isAsked ? [other, key] : [part, attribute];
            const left: Record<string, unknown> = { ...(parts as object) };
            left[part] = new Map(entriesIn(all).filter(([each]) => each !== key));
            const meant = new Map(entriesIn(left[into])).set(name!, amount);
            yield [without('itemTypes', type, path, { ...left, [into]: meant })];
          }
        }
    }
  if (isExpected) yield* groups(variations).map(exact);
}

/** The paths that a path stands for, with `*` for any key and `OWNER` for those of the owners. */
function pathsIn(root: unknown, [key, ...rest]: Path, owners: Path): readonly Path[] {
  if (key === undefined) return [[]];
  const all = root instanceof Map ? [...root.keys()] : Object.keys(root ?? {});
  const keys = key === '*' ? all : key === 'OWNER' ? owners : [key];
  return keys.flatMap((each: string) => pathsIn(valueAt(root, [each]), rest, owners).map((path) => [each, ...path]));
}

function entriesIn(map: unknown): readonly (readonly [string, unknown])[] {
  return map instanceof Map ? [...(map as ReadonlyMap<string, unknown>)] : [];
}

/** A value of the definition as JSON, without what is empty, and with names in place of keys. */
function shown(value: unknown, named: ReturnType<typeof namedBy>) {
  const text = JSON.stringify(value ?? null, (_, each: unknown) => {
    if (!(each instanceof Map)) return typeof each === 'string' ? named(each) : each;
    const entries = [...(each as ReadonlyMap<string, unknown>)].map(([key, of]) => [named(key), of] as const);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  });
  return shortened(text ?? '{}', 90);
}
