import type { Definition, ScriptNode } from '../../engine/index.ts';
import {
  type Ability,
  type PayloadKey,
  projectileTypesOf,
  type Read,
  type TriggerTable,
  triggersOf,
  vocabulary,
} from '../../engine/tools.ts';
import type { Use } from './script-uses.ts';

/** Something that starts a script. */
export interface Start {
  readonly by: 'trigger' | 'key' | 'ability' | 'dialogue' | 'effect' | 'script';
  /** The trigger, the key, the ability, the dialogue, what the effect is for, or the place of the other script. */
  readonly name: string;
  /** What the script can learn from `getTriggering…`; a script that another one starts learns what that one does. */
  readonly provides: readonly PayloadKey[];
  /** The key of the type that has the key, the ability or the effect. */
  readonly type?: string;
  /** The key of the ability between the key and the script. */
  readonly ability?: string;
  /** The action that starts it. */
  readonly use?: Use;
}

type Owner = ScriptNode['owner'];

/** Whether a trigger ever fires for scripts of an owner. */
export function firesFor({ types, rows }: TriggerTable, trigger: number, { kind }: Pick<Owner, 'kind'>): boolean {
  const { delivery, scopes } = rows[types[trigger]!];
  return delivery !== 'never' && scopes.includes(kind === 'game' ? 'g' : kind.charAt(0));
}

/** Its triggers, as far as they fire for its owner. */
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

/** What the definition itself starts, by the place of the script. */
export function startsIn(definition: Definition): ReadonlyMap<string, readonly Start[]> {
  const found = new Map<string, Start[]>();
  const add = (key: string | undefined, start: Start, section?: string, own?: ReadonlyMap<string, unknown>): void => {
    if (key === undefined) return;
    const place = own?.has(key) === true ? `${section}/${start.type}/scripts/${key}` : `scripts/${key}`;
    const starts = found.get(place);
    if (starts === undefined) found.set(place, [start]);
    else starts.push(start);
  };
  const { unitTypes, itemTypes, projectileTypes, abilities, dialogues } = definition;
  for (const { key: type, controls, legacyAbilities, scripts } of unitTypes.values()) {
    const run = (keys: readonly (string | undefined)[], start: Pick<Start, 'by' | 'name' | 'ability'>): void => {
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
  const ofTypes = { unit: unitTypes, item: itemTypes, projectile: projectileTypesOf(definition) };
  for (const kind of ['unit', 'item', 'projectile'] as const) {
    for (const [type, { effects, scripts }] of ofTypes[kind]) {
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

/** The function that gives a member of what a trigger tells. */
export function readerOf(member: string): string | undefined {
  const isReader = ({ aspect, kind }: Read): boolean => aspect === 'payload' && kind === member;
  return [...vocabulary.values].find(([, { reads }]) => reads.some(isReader))?.[0];
}
