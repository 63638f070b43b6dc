import type { Definition } from '../../../engine/index.ts';

/** A key or mouse button that does something for a unit. */
export interface Action {
  readonly key: string;
  /** The name in the definition, such as "Open shop"; the key itself if it has no readable name. */
  readonly name: string;
}

/** Whether the definition has a readable name for the action of a key. */
export const isNamed = ({ key, name }: Action): boolean => name !== key.toUpperCase();

/**
 * Where a game places the buttons and sticks of a unit type on phones, by key: top left corners on a screen of
 * 480 × 270 pixels.
 */
export type PhonePlaces = Readonly<Record<string, { readonly x: number; readonly y: number } | undefined>>;

export function phonePlacesOf({ unitTypes }: Definition, unitType: string | undefined): PhonePlaces {
  const abilities = unitTypes.get(unitType ?? '')?.controls?.abilities ?? [];
  return Object.fromEntries(Array.from(abilities, ([key, { mobilePosition }]) => [key, mobilePosition]));
}

const mouseNames: Readonly<Record<string, string>> = { button1: 'Use', button3: 'Use 2' };

/**
 * The actions that the keys of a unit type trigger, with the names that the author gave them, or else those of built-in
 * abilities. A key whose script does not exist has no action.
 */
export function actionsOf(definition: Definition, unitType: string | undefined, keys: readonly string[]): Action[] {
  const type = definition.unitTypes.get(unitType ?? '');
  const scriptOf = (name = '') => definition.scripts.get(name) ?? type?.scripts.get(name);
  return keys.flatMap((key) => {
    const { keyDown, keyUp } = type?.controls?.abilities.get(key) ?? type?.legacyAbilities.get(key) ?? {};
    const binding = keyDown ?? keyUp;
    if (key.startsWith('wheel') || (binding?.kind === 'script' && !scriptOf(binding.scriptName))) return [];
    const nameOf = () => {
      if (binding?.kind === 'cast') return type?.controls?.unitAbilities.get(binding.abilityId)?.name;
      if (binding?.kind === 'script') return scriptOf(binding.scriptName)?.name;
      const { abilityKey = '' } = binding ?? {};
      const { name, scriptName } = definition.abilities.get(abilityKey) ?? {};
      return name || scriptOf(scriptName)?.name || abilityKey;
    };
    return { key, name: mouseNames[key] ?? (readable(nameOf() ?? '', key) || key.toUpperCase()) };
  });
}

/** A readable name: "m - open missions", "press M to open missions" and "openMissions" all become "Open missions". */
function readable(name: string, key: string) {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/[_\s]+/g, ' ')
    .trim();
  const start = new RegExp(
    `^(?:when )?(?:press(?:ing|ed|es)? )?${key.replace(/\W/g, '\\$&')}(?: to |\\s*[-:–]\\s*)`,
    'i',
  );
  const rest = words.replace(start, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
