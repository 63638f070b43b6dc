import { vocabulary } from '../../../engine/script/language/vocabulary.ts';
import type { ScriptContext } from '../../../engine/script/running/context.ts';
import type { World } from '../../../engine/world/world.ts';
import { aspectOfMember } from './world-changes.ts';

/** Parts of a world that functions read, and their aspects; members of components are those of `world-changes.ts`. */
const ofWorld: Readonly<Record<string, string>> = {
  clock: 'time',
  random: 'chance',
  map: 'tiles',
  shown: 'look',
  lists: 'entities',
  order: 'entities',
};
const parts = [...Object.keys(ofWorld), 'globals', 'memory', 'components', 'attributes'] as const;

const ofComponents: Readonly<Record<string, string | undefined>> = {
  // Every value of an entity is read through these.
  identity: undefined,
  'attributes/start': undefined,
  // Every region and player is told by these, whatever is read of it.
  region: undefined,
  player: undefined,
  ownedUnits: 'owner',
  account: 'account',
  wallet: 'account',
  controls: 'pointer',
  clientData: 'answers',
  score: 'score',
  rayPoint: 'last',
  'identity/type': 'type',
  'movement/moving': 'direction',
};

const ofContext: Readonly<Record<string, string>> = { self: 'self', payload: 'payload' };

/** What a function also reads in order to read an aspect. */
const through: Readonly<Record<string, readonly string[]>> = {
  // An item in a hand is where its carrier is.
  position: ['owner', 'state', 'angle', 'size'],
  attribute: ['type'],
  attributeMin: ['type'],
  attributeMax: ['type'],
  attributeRate: ['type'],
  entities: ['type', 'account', 'owner'],
  relation: ['type'],
  items: ['type', 'quantity', 'owner', 'slot', 'entities'],
  slot: ['items'],
  state: ['type'],
  ai: ['type'],
  aiEnabled: ['type', 'ai'],
  sensorRadius: ['type', 'attribute'],
  owner: ['selectedUnit'],
  selectedUnit: ['owner'],
  look: ['type'],
  payload: ['variable', 'position'],
  carrier: ['owner'],
  // The entities that a variable of the definition names.
  variable: ['entities'],
  type: ['items'],
};

/** Records the aspects that are read while an expression is evaluated. */
export function recordReads<T>(
  world: World,
  context: ScriptContext,
  run: (context: ScriptContext) => T,
): { readonly result: T; readonly reads: ReadonlySet<string> } {
  const reads = new Set<string>();
  const note = (aspect: string | undefined): void => {
    if (aspect !== undefined) reads.add(aspect);
  };
  const noting = <O extends object>(object: O, aspectOf: (key: string) => string | undefined): O =>
    new Proxy(object, {
      get(target, key) {
        if (typeof key === 'string') note(aspectOf(key));
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const components = noting(world.components, () => undefined);
  const stores = new Proxy(components, {
    get(target, name) {
      const store = Reflect.get(target, name) as object;
      if (typeof name !== 'string') return store;
      const of = (path: string) => (path in ofComponents ? ofComponents[path] : aspectOfMember(path));
      if (!Array.isArray(store)) return noting(store, (column) => of(`${name}/${column}`));
      note(of(name));
      return store;
    },
  });
  const { attributes, globals, memory } = world;
  const shown: Partial<Record<(typeof parts)[number], object>> = {
    components: stores,
    memory: noting(memory, (key) => ({ lastChatMessage: 'chat', lastQuestId: 'quests' })[key] ?? 'last'),
    globals: noting(globals, (key) => (key === 'lastUpdated' ? 'last' : 'variable')),
    attributes: noting(attributes, (key) => aspectOfMember(`attributes/#/${key}`)),
  };
  const saved = parts.map(
    (part) => [part, Object.getOwnPropertyDescriptor(world, part), world[part as keyof World]] as const,
  );
  for (const [part, , value] of saved)
    Object.defineProperty(world, part, {
      configurable: true,
      get() {
        note(ofWorld[part]);
        return shown[part] ?? value;
      },
    });
  try {
    const result = run(
      noting(context, (key) => ofContext[key] ?? (key.startsWith('selected') ? 'element' : undefined)),
    );
    return { result, reads };
  } finally {
    for (const [part, own] of saved) {
      if (own === undefined) delete (world as unknown as Record<string, unknown>)[part];
      else Object.defineProperty(world, part, own);
    }
  }
}

/** The aspects that an expression may read, by the rows of the functions in it. */
export function readsOf(expression: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (aspect: string): void => {
    if (found.has(aspect)) return;
    found.add(aspect);
    for (const each of through[aspect] ?? []) found.add(each);
  };
  const visit = (json: unknown): void => {
    if (typeof json !== 'object' || json === null) return;
    const name = (json as { readonly function?: unknown }).function;
    for (const { aspect } of (typeof name === 'string' ? vocabulary.values.get(name)?.reads : undefined) ?? [])
      add(aspect);
    for (const member of Object.values(json)) visit(member);
  };
  visit(expression);
  return found;
}
