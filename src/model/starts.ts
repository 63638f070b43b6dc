import type { Definition } from '../../engine/index.ts';
import { projectileTypesOf } from '../../engine/internal.ts';
import type { Use } from './script-uses.ts';

/** Something that starts a script. */
export interface Start {
  readonly by: 'trigger' | 'key' | 'dialogue' | 'effect' | 'script';
  /** The trigger, the key, the dialogue, what the effect is for, or the place of the other script. */
  readonly name: string;
  /** The key of the type that has the key or the effect. */
  readonly type?: string;
  /** The key of the ability between the key and the script. */
  readonly ability?: string;
  /** The action that starts it. */
  readonly use?: Use;
}

/** What the definition itself starts, by the place of the script. */
export function startsIn(definition: Definition): ReadonlyMap<string, readonly Start[]> {
  const found = new Map<string, Start[]>();
  const add = (key: string | undefined, start: Start, section?: string, own?: ReadonlyMap<string, unknown>): void => {
    if (key === undefined) return;
    const place = own?.has(key) === true ? `${section}/${start.type}/scripts/${key}` : `scripts/${key}`;
    found.set(place, [...(found.get(place) ?? []), start]);
  };
  for (const { key: type, controls, legacyAbilities, scripts } of definition.unitTypes.values()) {
    for (const [name, { keyDown, keyUp }] of controls?.abilities ?? legacyAbilities) {
      for (const binding of [keyDown, keyUp]) {
        if (binding === undefined) continue;
        const start: Start = { by: 'key', name, type };
        if (binding.kind === 'script') {
          add(binding.scriptName, start, 'unitTypes', scripts);
          continue;
        }
        const ability = binding.kind === 'cast' ? binding.abilityId : binding.abilityKey;
        const { scriptName, eventScripts } =
          controls?.unitAbilities.get(ability) ?? definition.abilities.get(ability) ?? {};
        for (const key of new Set([scriptName, eventScripts?.startCasting, eventScripts?.stopCasting]))
          add(key, { ...start, ability }, 'unitTypes', scripts);
      }
    }
  }
  const { unitTypes, itemTypes, projectileTypes } = definition;
  const sections = { unitTypes, itemTypes, projectileTypes: projectileTypesOf(definition) };
  for (const [section, types] of Object.entries(sections)) {
    for (const [type, { effects, scripts }] of types) {
      const at = section === 'projectileTypes' && !projectileTypes.has(type) ? 'itemTypes' : section;
      for (const [name, { runScript }] of effects) add(runScript, { by: 'effect', name, type }, at, scripts);
    }
  }
  for (const [name, { options }] of definition.dialogues)
    for (const { scriptName } of options) add(scriptName, { by: 'dialogue', name });
  return found;
}
