import type { AttributeDefinition } from '../definition/attribute.ts';
import type { BodyType, State } from '../definition/body.ts';
import type { Definition } from '../definition/definition.ts';
import { projectileTypesOf } from '../definition/projectile-types.ts';
import type { VariableDefinition } from '../definition/variable.ts';
import { attributeLayout } from './attribute.ts';
import { type RuntimeState, type RuntimeType, TypeTable, type TypeTables } from './types.ts';
import { variableLayout } from './variable.ts';

interface Declared {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, AttributeDefinition>;
  readonly variables: ReadonlyMap<string, VariableDefinition>;
}

interface Embodied extends Declared {
  readonly states: ReadonlyMap<string, State>;
  readonly bodies: ReadonlyMap<string, BodyType>;
}

interface Lookups {
  /** Whether a new item gets the state with the key `dropped` if no state has the name `dropped`. */
  readonly itemsFallBackToNearestState: boolean;
  /** Whether the body `none` always means no body, even if the type has a body with the key `none`. */
  readonly unknownBodyMeansNoBody: boolean;
}

const found: Lookups = { itemsFallBackToNearestState: true, unknownBodyMeansNoBody: true };

/** The types of a definition, each prepared for run time on first use. */
export function typeTables(definition: Definition, lookups = found): TypeTables {
  const sharedEntity = definition.entityTypeVariables;
  const sharedPlayer = definition.playerTypeVariables;
  return {
    unit: embodied(definition.unitTypes, sharedEntity, lookups, 'default'),
    item: embodied(definition.itemTypes, sharedEntity, lookups, 'dropped', lookups.itemsFallBackToNearestState),
    projectile: embodied(projectileTypesOf(definition), sharedEntity, lookups, 'default'),
    player: new TypeTable(definition.playerTypes.keys(), (key, index) =>
      runtimeType(key, definition.playerTypes.get(key)!, index, sharedPlayer, [], -1),
    ),
  };
}

/**
 * `fallback` is the name of the state that new entities have. If no state has this name and `keyCounts` is true, the
 * state with this key is used.
 */
function embodied<D extends Embodied>(
  types: ReadonlyMap<string, D>,
  shared: ReadonlyMap<string, VariableDefinition>,
  { unknownBodyMeansNoBody }: Lookups,
  fallback: string,
  keyCounts = true,
): TypeTable<D> {
  return new TypeTable(types.keys(), (key, index) => {
    const type = types.get(key)!;
    const states: RuntimeState[] = [...type.states].map(([key, state]) => ({
      key,
      name: state.name,
      namesBody: state.namesBody,
      body: bodyOf(state, type, unknownBodyMeansNoBody),
    }));
    const byName = states.findIndex((state) => state.name === fallback);
    const standard = byName >= 0 || !keyCounts ? byName : states.findIndex((state) => state.key === fallback);
    return runtimeType(key, type, index, shared, states, standard);
  });
}

/**
 * The body of a state; undefined if it has none. If the state names the body `none`, the result is the type's body with
 * the key `none`, unless `noneIsNone` is set or the type has no such body.
 */
function bodyOf({ body, namesBody }: State, { bodies }: Embodied, noneIsNone: boolean): BodyType | undefined {
  if (body !== undefined) return bodies.get(body);
  return namesBody && !noneIsNone ? bodies.get('none') : undefined;
}

function runtimeType<D extends Declared>(
  key: string,
  definition: D,
  index: number,
  shared: ReadonlyMap<string, VariableDefinition>,
  states: readonly RuntimeState[],
  defaultState: number,
): RuntimeType<D> {
  return {
    index,
    key,
    name: definition.name,
    definition,
    attributes: attributeLayout(definition.attributes),
    variables: variableLayout(definition.variables, shared),
    states,
    stateIndex: new Map(states.map((state, i) => [state.key, i])),
    defaultState,
  };
}
