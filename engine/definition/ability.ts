import { costs } from './attribute.ts';
import { emptyMap } from './frozen-map.ts';
import { position } from './geometry.ts';
import {
  boolean,
  convert,
  defaulted,
  entry,
  type Infer,
  ignoredFields,
  type Json,
  key,
  map,
  notNegative,
  object,
  openEnum,
  rawObject,
  shapes,
  string,
} from './schema.ts';
import { name, streamMode } from './shared-fields.ts';

/** The cost of a cast. `cast` has no effect (reference: units#ability-costs). */
export const cost = object({
  unitAttributes: ['The amount taken from each attribute of the unit, by id.', defaulted(costs, emptyMap)],
  playerAttributes: ['The amount taken from each attribute of the player, by id.', defaulted(costs, emptyMap)],
  /** For items: how much of the quantity one use consumes. */
  quantity: ['How much of the quantity of an item one use takes.', notNegative],
  cast: ['How the ability is cast.', rawObject],
});
export type Cost = Infer<typeof cost>;
/** The cost of an ability or binding whose definition has no `cost`. Dialects recognise this object by identity. */
export const free: Cost = Object.freeze({
  unitAttributes: emptyMap,
  playerAttributes: emptyMap,
  quantity: undefined,
  cast: undefined,
});

/**
 * The cost of a cast that is free. A different object from `free`, because the queue of casts compares costs by
 * identity.
 */
export const noCost: Cost = Object.freeze({ ...free });

const eventScripts = object({
  startCasting: ['The script that runs when casting starts.', key],
  stopCasting: ['The script that runs when casting ends.', key],
});

const fullAbility = entry('Ability', 'Something that a unit can do, started by a key or a script.', {
  name,
  scriptName: ['The script that runs.', key],
  cost: ['The cost of one use or cast.', defaulted(cost, free)],
  type: ['The kind of the entry.', string],
  entity: ['The entity.', rawObject],
  eventScripts: [
    'Scripts that run when the ability is cast.',
    defaulted(eventScripts, Object.freeze({ startCasting: undefined, stopCasting: undefined })),
  ],
  /** Time after which the cast ends by itself and the stop script runs, ms. */
  castDuration: ['The duration of the cast, in milliseconds.', notNegative],
  /** Minimum time between the starts of two casts, ms. */
  cooldown: ['The time until the ability can be cast again, in milliseconds.', notNegative],
  iconUrl: ['The URL of an image.', string],
  streamMode,
  visibility: ['Which players see the ability.', string],
  ...ignoredFields({
    handle: 'The id of an uploaded file.',
    description: 'A description for readers.',
    icon: 'The URL of an image.',
  }),
});
export type Ability = Infer<typeof fullAbility>;

/** An ability (specification, Ability). A string is the key of its script. */
const ability = shapes<Ability>('an ability object or the key of a script', {
  object: fullAbility,
  string: convert(key, (scriptName, place): Ability => {
    return Object.freeze({
      key: place.key,
      pointer: place.pointer(),
      name: '',
      scriptName,
      cost: free,
      type: undefined,
      entity: undefined,
      eventScripts: Object.freeze({ startCasting: undefined, stopCasting: undefined }),
      castDuration: undefined,
      cooldown: undefined,
      iconUrl: undefined,
      streamMode: undefined,
      visibility: undefined,
      handle: undefined,
      description: undefined,
      icon: undefined,
    });
  }),
});
export const abilities = map(ability);

/** The effect of pressing or releasing a key. */
export type Binding =
  | { readonly kind: 'script'; readonly scriptName: string; readonly cost: Cost; readonly isEntityScript: boolean }
  /** `abilityKey` is looked up in the top-level `abilities`. */
  | { readonly kind: 'ability'; readonly abilityKey: string }
  /** `abilityId` is looked up in the unit's `controls.unitAbilities`. */
  | { readonly kind: 'cast'; readonly event: 'startCasting' | 'stopCasting'; readonly abilityId: string };

const bindingObject = object({
  scriptName: ['The script that runs.', key],
  cost: ['The cost of one use or cast.', defaulted(cost, free)],
  isEntityScript: ['Whether the script belongs to an entity type rather than the game.', defaulted(boolean, false)],
  event: [
    'Whether the key starts or stops casting: startCasting or stopCasting.',
    openEnum(['startCasting', 'stopCasting']),
  ],
  abilityId: ['The ability.', key],
});

/**
 * A binding to an ability takes precedence over a binding to a script. Documents from the transition between engine
 * versions have both; the script is then a copy of the ability's script for older engines.
 */
function toBinding(
  value: Infer<typeof bindingObject>,
  whenNotSaid: 'startCasting' | 'stopCasting',
): Binding | undefined {
  if (value.abilityId !== undefined) {
    const { event = whenNotSaid, abilityId } = value;
    return Object.freeze({ kind: 'cast', event, abilityId });
  }
  if (value.scriptName === undefined) return undefined;
  const { scriptName, isEntityScript } = value;
  return Object.freeze({ kind: 'script', scriptName, cost: value.cost, isEntityScript });
}

function binding(whenNotSaid: 'startCasting' | 'stopCasting') {
  return shapes<Binding | undefined>('a binding object or the key of an ability', {
    object: convert(bindingObject, (value): Binding | undefined => toBinding(value, whenNotSaid)),
    string: convert(key, (abilityKey): Binding => Object.freeze({ kind: 'ability', abilityKey })),
  });
}

const fullKeyBinding = entry('KeyBinding', 'What an input key does when it is pressed and released.', {
  keyDown: ['What happens when the key is pressed.', binding('startCasting')],
  keyUp: ['What happens when the key is released.', binding('stopCasting')],
  /** The position at which a touch screen shows the button or wheel. */
  mobilePosition: ['The position of the button for this key on phones.', position],
});
export type KeyBinding = Infer<typeof fullKeyBinding>;

/** An object `{keyDown, keyUp}`, or a string: the key of the ability that pressing the key uses. */
const keyBinding = shapes<KeyBinding>('a binding object or a string', {
  object: fullKeyBinding,
  string: convert(string, (_text: string, place, given: Json): KeyBinding => {
    const keyDown = place.read(binding('startCasting'), given);
    return Object.freeze({
      key: place.key,
      pointer: place.pointer(),
      keyDown,
      keyUp: undefined,
      mobilePosition: undefined,
    });
  }),
});
export const keyBindings = map(keyBinding);
