import { cached } from '../../engine/core/index.ts';
import type { Definition, ScriptNode } from '../../engine/index.ts';
import {
  type Ability,
  type PayloadKey,
  type Read,
  type TriggerTable,
  triggersOf,
  typesByKind,
  vocabulary,
} from '../../engine/tools.ts';
import type { Use } from './script-uses.ts';

/** Something that starts a script. */
export interface Start {
  readonly by: 'trigger' | 'key' | 'ability' | 'dialogue' | 'effect' | 'script';
  /** The name of the trigger, key, ability, dialogue or effect, or the path of the other script. */
  readonly name: string;
  /**
   * The payload members that the script can read with `getTriggering…`. Empty for a script that another script starts:
   * it gets the payload of that script.
   */
  readonly provides: readonly PayloadKey[];
  /** The key of the type that defines the key binding, the ability or the effect. */
  readonly type?: string;
  /** For a keyboard or mouse key that casts an ability, the id of the ability. */
  readonly ability?: string;
  /** The action that starts the script. */
  readonly use?: Use;
}

type Owner = ScriptNode['owner'];

/** Whether a trigger ever fires for scripts of an owner. */
export function firesFor({ types, rows }: TriggerTable, trigger: number, { kind }: Pick<Owner, 'kind'>): boolean {
  const { delivery, scopes } = rows[types[trigger]!];
  return delivery !== 'never' && scopes.includes(kind === 'game' ? 'g' : kind.charAt(0));
}

/** The triggers of a script that fire for its owner. */
export function triggersStarting({ source, owner }: ScriptNode, definition: Definition): Start[] {
  const table = triggersOf(definition);
  return source.triggers.flatMap((listed) => {
    const trigger = table.index(listed);
    if (trigger < 0 || !firesFor(table, trigger, owner)) return [];
    const name = table.types[trigger]!;
    const { required, optional } = table.rows[name];
    return { by: 'trigger', name, provides: [...required, ...optional] };
  });
}

/**
 * Effects whose scripts run in the simulation. Scripts of other effects (`use`, `reload` …) run on clients (reference:
 * units#effects).
 */
const playedEffects = {
  unit: ['create', 'destroy', 'attacked', 'move', 'idle'],
  item: ['create', 'destroy'],
  projectile: ['create', 'destroy'],
} as const satisfies Readonly<Record<Exclude<Owner['kind'], 'game'>, readonly string[]>>;

/** The scripts that the definition itself starts, by path of the script. */
export function startsIn(definition: Definition): ReadonlyMap<string, readonly Start[]> {
  const found = new Map<string, Start[]>();
  const add = (key: string | undefined, start: Start, section?: string, own?: ReadonlyMap<string, unknown>) => {
    if (key === undefined) return;
    const place = own?.has(key) === true ? `${section}/${start.type}/scripts/${key}` : `scripts/${key}`;
    cached(found, place, () => []).push(start);
  };
  const { unitTypes, projectileTypes, abilities, dialogues } = definition;
  for (const { key: type, controls, legacyAbilities, scripts } of unitTypes.values()) {
    const run = (keys: readonly (string | undefined)[], start: Pick<Start, 'by' | 'name' | 'ability'>) => {
      for (const key of new Set(keys)) add(key, { ...start, type, provides: ['unit'] }, 'unitTypes', scripts);
    };
    // A script can make any unit cast an ability.
    for (const [name, { scriptName = '' }] of abilities)
      if (scripts.has(scriptName)) run([scriptName], { by: 'ability', name });
    for (const [name, ability] of controls?.unitAbilities ?? []) run(scriptsOf(ability), { by: 'ability', name });
    for (const [name, { keyDown, keyUp }] of [...(controls?.abilities ?? []), ...legacyAbilities]) {
      for (const binding of [keyDown, keyUp]) {
        if (binding === undefined) continue;
        const start = { by: 'key', name } as const;
        if (binding.kind === 'script') {
          run([binding.scriptName], start);
          continue;
        }
        const ability = binding.kind === 'cast' ? binding.abilityId : binding.abilityKey;
        const cast = binding.kind === 'cast' ? controls?.unitAbilities.get(ability) : abilities.get(ability);
        run(scriptsOf(cast), { ...start, ability });
      }
    }
  }
  for (const [name, { scriptName }] of abilities) add(scriptName, { by: 'ability', name, provides: ['unit'] });
  for (const kind of ['unit', 'item', 'projectile'] as const) {
    for (const [type, { effects, scripts }] of typesByKind(definition)[kind]) {
      const at = kind === 'projectile' && !projectileTypes.has(type) ? 'itemTypes' : `${kind}Types`;
      for (const name of playedEffects[kind])
        add(effects.get(name)?.runScript, { by: 'effect', name, type, provides: [kind] }, at, scripts);
    }
  }
  for (const [name, { options }] of dialogues)
    for (const { scriptName } of options) add(scriptName, { by: 'dialogue', name, provides: [] });
  return found;
}

function scriptsOf(ability: Ability | undefined): (string | undefined)[] {
  const { startCasting, stopCasting } = ability?.eventScripts ?? {};
  return [ability?.scriptName, startCasting, stopCasting];
}

/** The name of the function that reads a payload member; undefined if there is none. */
export function readerOf(member: string): string | undefined {
  const isReader = ({ aspect, kind }: Read) => aspect === 'payload' && kind === member;
  return [...vocabulary.values].find(([, { reads }]) => reads.some(isReader))?.[0];
}
