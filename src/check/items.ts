import { literalText } from '../../engine/index.ts';
import type { BodyType, ItemType, UnitType } from '../../engine/tools.ts';
import { bindingsOf } from './controls.ts';
import type { GameFacts } from './facts.ts';
import { textsOf } from './texts.ts';

/** Triggers for the use of an item. A script that listens to one of them can give an item its effect. */
const ofUse = new Set(['unitUsesItem', 'thisUnitUsesItem']);

const touch = 'unitTouchesItem';

/**
 * Projectiles with a shorter life span than this (ms) are thrusts of melee weapons, or explosions. They need not move.
 */
export const thrustMs = 500;

/** Facts about items that follow from the scripts of a game. */
export interface ItemScripts {
  /** Whether scripts change the quantity of items. */
  readonly fill: boolean;
  /** Whether scripts let units pick up the items that they touch. */
  readonly pickUp: boolean;
  /** Whether scripts change settings of items, such as the time between uses. */
  readonly set: boolean;
  /** Whether a script that runs when items are used can give an item its effect. */
  isUseScripted(item: ItemType): boolean;
}

export function itemScriptsOf({ definition, scripts, changes, model }: GameFacts): ItemScripts {
  /**
   * For each script that runs when items are used: the item types that it names. An empty list means that the script
   * serves every type.
   */
  const served = scripts
    .filter(({ script }) => script.source.triggers.some((trigger) => ofUse.has(trigger)))
    .map(({ nodes }) =>
      nodes.flatMap((node) => {
        const text = node.kind === 'literal' ? literalText(node) : undefined;
        return text !== undefined && definition.itemTypes.has(text) ? text : [];
      }),
    );
  return {
    fill: changes('quantity').length > 0,
    pickUp:
      changes('items').some(
        ({ isGiven, place }) =>
          isGiven && model.starts(place).some(({ by, name }) => by === 'script' || name === touch),
      ) && scripts.some(({ script }) => script.source.triggers.includes(touch)),
    set: changes('itemSettings').some(({ isGiven }) => isGiven),
    isUseScripted: ({ key, scripts: own }) =>
      own.size > 0 || served.some((keys) => keys.length === 0 || keys.includes(key)),
  };
}

export function isPhysical({ type }: BodyType): boolean {
  return type !== 'none' && type !== 'spriteOnly';
}

/**
 * The body of an entity in a state. If the type lacks that state, the body in its `default` state or else in its first
 * one.
 */
export function bodyOf(
  { states, bodies }: Pick<UnitType, 'states' | 'bodies'>,
  state = 'default',
): BodyType | undefined {
  const first = states.get(state) ?? states.get('default') ?? states.values().next().value;
  return bodies.get(first?.body ?? '');
}

/**
 * Whether a body passes through walls although it is declared to collide with them, because all its fixtures are
 * sensors.
 */
export function passesWalls(body: BodyType | undefined): body is BodyType {
  if (body?.type !== 'dynamic' || !body.collidesWith.walls || body.fixtures.length === 0) return false;
  return body.fixtures.every(({ isSensor }) => isSensor);
}

/** Whether a hit with an item damages attributes. */
export function hurts({ damage }: ItemType): boolean {
  return (damage?.unitAttributes.size ?? 0) + (damage?.playerAttributes.size ?? 0) > 0;
}

/** The types of units that may carry and use items of a type. */
export function usersOf({ carriedBy, canBeUsedBy }: ItemType, unitTypes: ReadonlyMap<string, UnitType>): UnitType[] {
  const may = (listed: readonly string[], key: string) => listed.length === 0 || listed.includes(key);
  return [...unitTypes.values()].filter(({ key }) => may(carriedBy, key) && may(canBeUsedBy, key));
}

/** Whether a key binding or a script can reload items, which only the built-in ability `reloadItem` does. */
function canReload({ definition, once }: GameFacts) {
  const bindings = [...definition.unitTypes.values()].flatMap(bindingsOf);
  return once(textsOf).has(reload) || JSON.stringify(bindings).includes(reload);
}

const reload = 'reloadItem';

/** Whether a script, a reload or the offer of a shop can give an item more than the quantity of its type. */
export function isFilled({ key, reloadRate }: ItemType, { definition, dialect, once, uses }: GameFacts): boolean {
  const isMade = uses('item').some((use) => use.role === 'creates' && (use.key ?? key) === key);
  if (
    once(itemScriptsOf).fill ||
    isMade ||
    (dialect.unreadFieldsTakeEffect && reloadRate !== undefined && once(canReload))
  )
    return true;
  return [...definition.shops.values()].some(({ itemTypes }) => (itemTypes.get(key)?.quantity ?? 0) > 0);
}
