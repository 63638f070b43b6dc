import type { Issues } from '../../engine/core/issue.ts';
import type { IssueCode } from '../../engine/core/issue-codes.ts';
import { type Action, type Call, type Definition, literalText, type Operand } from '../../engine/index.ts';
import {
  type BasicType,
  basicTypeOf,
  type Calculation,
  descriptorKey,
  type EntityTypes,
  loopOf,
  type Params,
  projectileTypesOf,
  type Reference,
  readOf,
  type ValueTypes,
  type Vocabulary,
} from '../../engine/internal.ts';
import { actionsAbove } from './flow.ts';
import { basicTypeNames } from './kinds.ts';
import type { WalkedScript } from './walk.ts';

const entities: readonly BasicType[] = ['unit', 'item', 'projectile'];

/** The basic types of values that an operand of each kind can use, by the name of the kind. Kinds that convert any value are absent. */
const accepted: ReadonlyMap<string, readonly BasicType[]> = new Map<string, readonly BasicType[]>([
  ['unit', ['unit']],
  ['item', ['item']],
  ['projectile', ['projectile']],
  ['player', ['player']],
  ['unit, item or projectile', entities],
  ['movable entity', entities],
  ['entity', [...entities, 'region']],
  ['entity or player', [...entities, 'region', 'player']],
  ['position', ['position', 'region']],
  ['region', ['region']],
  ['number', ['number', 'text', 'boolean']],
  ['quantity', ['number', 'text', 'boolean']],
  ['angle', ['number', 'text', 'boolean']],
  ['group', ['list', 'text']],
  ...['unit type', 'item type', 'projectile type', 'player type', 'attribute', 'state', 'shop', 'dialogue'].map(
    (name): [string, readonly BasicType[]] => [name, ['text', 'number']],
  ),
]);

/** The groups over which loops run. */
const groupsOfKinds: ReadonlyMap<string, string> = new Map([
  ['unit', 'units'],
  ['item', 'items'],
  ['projectile', 'projectiles'],
  ['player', 'players'],
]);
const groups: ReadonlySet<string> = new Set(groupsOfKinds.values());

type Declaring = EntityTypes['types'][number];

/** The names that operands of each basic type can refer to: those declared by entity types, and those that the game declares for all types. */
const declarations = {
  attribute: {
    code: 'dangling-attribute',
    noun: 'attribute',
    declared: (type: Declaring) => type.attributes.keys(),
    shared: () => [],
  },
  state: {
    code: 'dangling-state',
    noun: 'state',
    declared: (type: Declaring) => type.states.keys(),
    shared: (definition: Definition) => definition.states.keys(),
  },
  animation: {
    code: 'dangling-animation',
    noun: 'animation',
    declared: (type: Declaring) => type.animations.keys(),
    shared: (definition: Definition) => definition.animationTypes.keys(),
  },
  entityVariable: {
    code: 'dangling-variable',
    noun: 'variable',
    declared: (type: Declaring) => type.variables.keys(),
    shared: (definition: Definition) => definition.entityTypeVariables.keys(),
  },
  script: {
    code: 'dangling-script',
    noun: 'script',
    declared: (type: Declaring) => type.scripts.keys(),
    shared: (definition: Definition) => definition.scripts.keys(),
  },
} as const satisfies Readonly<
  Partial<
    Record<
      Reference,
      {
        readonly code: IssueCode;
        readonly noun: string;
        declared(type: Declaring): Iterable<string>;
        shared(definition: Definition): Iterable<string>;
      }
    >
  >
>;

/** Sorts that arithmetic converts to numbers. A text is converted if it is a numeral. */
const computable: ReadonlySet<BasicType> = new Set<BasicType>(['number', 'text', 'boolean']);

/**
 * Reports operands whose type the operation cannot use, such as a player where a unit is expected; attributes that no entity of that kind has; loops over
 * a group of another kind; and `selectedUnit` and the like where no loop selects anything.
 */
export function checkOperands(
  definition: Definition,
  scripts: readonly WalkedScript[],
  vocabulary: Vocabulary,
  types: ValueTypes,
  issues: Issues,
): void {
  const attributes = attributesOf(definition);
  const called = calledScripts(scripts);
  for (const { script, nodes } of scripts) {
    /** The loops of the script so far. A script that others call can inherit their selection. */
    const loops = called === undefined || called.has(script.source.key) ? undefined : new Map<string, string>();
    for (const node of nodes) {
      if (node.kind === 'action') {
        operands(node, planOf(vocabulary.actions.get(node.operation)?.params));
        loop(node);
        const { selects } = loopOf(node) ?? {};
        if (selects !== undefined) loops?.set(selects, node.operation);
      } else if (node.kind === 'call') {
        operands(node, planOf(vocabulary.values.get(node.operation)?.params));
        if (loops !== undefined) selected(node, loops);
      } else if (node.kind === 'calculation') arithmetic(node);
    }
  }

  function operands(node: Action | Call, plan: Plan | undefined): void {
    if (plan === undefined) return;
    let owner: BasicType | undefined;
    const { keys, kinds, names } = plan;
    for (let i = 0; i < keys.length; i++) {
      const operand = node.operands[i]!;
      if (operand.kind !== 'call') continue;
      const type = types.typeOf(operand);
      const basicType = basicTypeOf(type);
      if (basicType === undefined) continue;
      if (attributes.has(basicType)) owner = basicType;
      if (kinds[i]?.includes(basicType) !== false) continue;
      const message = `${node.operation} cannot use ${basicTypeNames[basicType]} as \`${keys[i]}\`.`;
      issues.add('wrong-kind', () => operand.pointer, message, { expected: names[i]!, found: type! });
    }
    const attribute = node.operands[plan.attribute];
    if (attribute !== undefined && owner !== undefined && ownAttribute(attribute, owner)) return;
    if (plan.reference !== undefined) ofType(node, plan.reference, node.operands[plan.named]!);
  }

  /** Reports a name that exists, but not in any type that the entity of the operation can have. */
  function ofType(node: Action | Call, reference: keyof typeof declarations, name: Operand): void {
    const key = reference === 'entityVariable' ? descriptorKey(name) : literalText(name);
    if (key === undefined || key === '') return;
    for (const operand of node.operands) {
      const of = operand === name ? undefined : types.typesOf(operand);
      if (of === undefined) continue;
      const { code, noun, declared, shared } = declarations[reference];
      const known = [...shared(definition), ...of.types.flatMap((type) => [...declared(type)])];
      // A name that nothing declares is reported as such.
      if (known.includes(key) || !everyType(definition).some((type) => [...declared(type)].includes(key))) return;
      const suggestion = issues.near(code, key, known);
      const details = {
        ...(known.length === 0 ? {} : { expected: known.slice(0, 8).join(', ') }),
        found: key,
        ...(suggestion === undefined ? {} : { suggestion }),
      };
      const whose = of.types.map((type) => `"${type.name === '' ? type.key : type.name}"`).join(' and ');
      const message = `This ${of.kind} is of type ${whose}, which has no ${noun} "${key}".`;
      issues.add(code, () => name.pointer, message, details);
      return;
    }
  }

  /** Reports an attribute that other kinds of entities have, but none of the kind that is asked. */
  function ownAttribute(node: Operand, owner: BasicType): boolean {
    const key = literalText(node);
    const own = attributes.get(owner)!;
    if (key === undefined || own.has(key) || ![...attributes.values()].some((each) => each.has(key))) return false;
    const suggestion = issues.near('dangling-attribute', key, own);
    const details = { found: key, ...(suggestion === undefined ? {} : { suggestion }) };
    issues.add('dangling-attribute', () => node.pointer, `No ${owner} type has the attribute "${key}".`, details);
    return true;
  }

  function loop(node: Action): void {
    const { selects, group } = loopOf(node) ?? {};
    const wanted = groupsOfKinds.get(selects ?? '');
    if (wanted === undefined || group === undefined) return;
    const type = types.typeOf(group);
    if (type === undefined || type === wanted || !groups.has(type)) return;
    const message = `${node.operation} needs ${wanted} and runs over ${type}.`;
    issues.add('wrong-kind', () => group.pointer, message, { expected: wanted, found: type });
  }

  function selected(node: Call, loops: ReadonlyMap<string, string>): void {
    const { kind } = readOf(node, 'element') ?? {};
    const loop = kind === undefined ? undefined : loopsOfKinds(vocabulary).get(kind);
    // Functions with operands only use the element in place of a missing one.
    if (kind === undefined || loop === undefined || node.operands.length > 0) return;
    if (loops.has(kind)) {
      for (const action of actionsAbove(node)) if (loopOf(action)?.selects === kind) return;
      const message = `\`${node.operation}\` stands after its loop: it is only the last element that \`${loop}\` selected.`;
      issues.add('nothing-selected', () => node.pointer, message, { expected: `inside \`${loop}\`` });
      return;
    }
    const message = `\`${node.operation}\` has no value here: no \`${loop}\` runs before it.`;
    issues.add('nothing-selected', () => node.pointer, message, { expected: `inside \`${loop}\`` });
  }

  function arithmetic(node: Calculation): void {
    for (const side of node.sides) {
      if (side.kind !== 'call') continue;
      const type = types.typeOf(side);
      const basicType = basicTypeOf(type);
      if (basicType === undefined || computable.has(basicType)) continue;
      const message = `\`${node.operator}\` cannot use ${basicTypeNames[basicType]}.`;
      issues.add('wrong-kind', () => side.pointer, message, { expected: 'number', found: type! });
    }
  }
}

const loopNames = new WeakMap<Vocabulary, ReadonlyMap<string, string>>();

/** The action that loops over the elements of each kind. */
function loopsOfKinds(vocabulary: Vocabulary): ReadonlyMap<string, string> {
  let names = loopNames.get(vocabulary);
  if (names === undefined) {
    names = new Map(
      [...vocabulary.actions].flatMap(([type, { effects }]) =>
        effects.flatMap((effect) =>
          effect.does === 'runs' && effect.selects ? [[effect.selects, type] as const] : [],
        ),
      ),
    );
    loopNames.set(vocabulary, names);
  }
  return names;
}

/** What the check needs of the parameters of an operation. Computed once per operation, because there are thousands of nodes. */
interface Plan {
  readonly keys: readonly string[];
  /** The name of the kind of each parameter, and what it accepts. */
  readonly names: readonly string[];
  readonly kinds: readonly (readonly BasicType[] | undefined)[];
  /** The index of the parameter that names an attribute; -1 if there is none. */
  readonly attribute: number;
  /** The first parameter that names something that types declare. */
  readonly named: number;
  readonly reference: keyof typeof declarations | undefined;
}

const plans = new Map<Params, Plan>();

function planOf(params: Params | undefined): Plan | undefined {
  if (params === undefined) return undefined;
  let plan = plans.get(params);
  if (plan === undefined) {
    const all = Object.values(params);
    const named = all.findIndex(({ refersTo }) => Object.hasOwn(declarations, refersTo ?? ''));
    plan = {
      keys: Object.keys(params),
      names: all.map(({ name }) => name),
      kinds: all.map(({ name }) => accepted.get(name)),
      attribute: all.findLastIndex(({ refersTo }) => refersTo === 'attribute'),
      named,
      reference: all[named]?.refersTo as keyof typeof declarations | undefined,
    };
    plans.set(params, plan);
  }
  return plan;
}

function everyType(definition: Definition): readonly Declaring[] {
  const { unitTypes, itemTypes } = definition;
  return [...unitTypes.values(), ...itemTypes.values(), ...projectileTypesOf(definition).values()];
}

/** The attributes that entities of each kind can have. */
function attributesOf(definition: Definition): ReadonlyMap<BasicType, ReadonlySet<string>> {
  const { unitTypes, itemTypes, playerTypes } = definition;
  const keysOf = (types: ReadonlyMap<string, { readonly attributes: ReadonlyMap<string, unknown> }>) =>
    new Set([...types.values()].flatMap(({ attributes }) => [...attributes.keys()]));
  return new Map<BasicType, ReadonlySet<string>>([
    ['unit', keysOf(unitTypes)],
    ['item', keysOf(itemTypes)],
    ['projectile', keysOf(projectileTypesOf(definition))],
    ['player', keysOf(playerTypes)],
  ]);
}

/** The keys of scripts that other scripts run; undefined if one of these keys is computed. */
function calledScripts(scripts: readonly WalkedScript[]): ReadonlySet<string> | undefined {
  const called = new Set<string>();
  for (const { actions } of scripts) {
    for (const node of actions) {
      for (const effect of node.effects) {
        if (effect.does !== 'starts') continue;
        const key = literalText(node.operand(effect.script));
        if (key === undefined) return undefined;
        called.add(key);
      }
    }
  }
  return called;
}
