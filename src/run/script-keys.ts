import type { Definition } from '../../engine/index.ts';

/** A key that runs a script, and the type of the units that have it. */
interface ScriptKey {
  readonly key: string;
  readonly unitType: string;
}

/** The keys that run one of these scripts, by the script's own key. */
export function keysRunning({ abilities, unitTypes }: Definition, scripts: ReadonlySet<string>): ScriptKey[] {
  const found: ScriptKey[] = [];
  for (const { name, controls, legacyAbilities } of unitTypes.values()) {
    for (const [key, { keyDown, keyUp }] of [...(controls?.abilities ?? []), ...legacyAbilities]) {
      const runs = [keyDown, keyUp].some((binding) => {
        if (binding === undefined) return false;
        if (binding.kind === 'script') return scripts.has(binding.scriptName);
        const ability =
          binding.kind === 'cast' ? controls?.unitAbilities.get(binding.abilityId) : abilities.get(binding.abilityKey);
        const { startCasting, stopCasting } = ability?.eventScripts ?? {};
        return [ability?.scriptName, startCasting, stopCasting].some((each) => each !== undefined && scripts.has(each));
      });
      if (runs) found.push({ key, unitType: name });
    }
  }
  return found;
}
