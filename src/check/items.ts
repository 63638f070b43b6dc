import { literalText } from '../../engine/index.ts';
import type { BodyType, ItemType, UnitType } from '../../engine/tools.ts';
import type { GameContext } from './context.ts';

/** Triggers of scripts that can give an item an effect. */
const ofUse: ReadonlySet<string> = new Set(['unitUsesItem', 'thisUnitUsesItem']);

/** Projectiles that end sooner than this, ms, are those of weapons that thrust, or explosions: they need not move. */
export const thrustMs = 500;

/** What scripts do with items. */
interface ItemScripts {
  /** Whether they give items more of their quantity. */
  readonly fill: boolean;
  readonly create: boolean;
  /** Whether units pick up what they touch. */
  readonly pickUp: boolean;
  /** Whether they set times between uses. */
  readonly set: boolean;
  /** Whether scripts about uses can give an item an effect. */
  isUseScripted(item: ItemType): boolean;
}

export function itemScriptsOf({ definition, scripts, changes, uses }: GameContext): ItemScripts {
  /** The item types that each script about uses asks for; empty if it serves every type. */
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
    create: uses('item').some(({ role }) => role === 'creates'),
    pickUp:
      scripts.some(({ script }) => script.source.triggers.includes('unitTouchesItem')) &&
      changes('items').some(({ isGiven }) => isGiven),
    set: changes('itemSettings').some(({ isGiven }) => isGiven),
    isUseScripted: ({ key, scripts: own }) =>
      own.size > 0 || served.some((keys) => keys.length === 0 || keys.includes(key)),
  };
}

export function isPhysical({ type }: BodyType): boolean {
  return type !== 'none' && type !== 'spriteOnly';
}

/** The body of an entity in a state; without that state, in its first one. */
export function bodyOf(
  { states, bodies }: Pick<UnitType, 'states' | 'bodies'>,
  state = 'default',
): BodyType | undefined {
  const first = states.get(state) ?? states.get('default') ?? states.values().next().value;
  return bodies.get(first?.body ?? '');
}

/** Whether a body goes through walls although it is to collide with them, because it only has sensors. */
export function passesWalls(body: BodyType | undefined): body is BodyType {
  if (body?.type !== 'dynamic' || !body.collidesWith.walls || body.fixtures.length === 0) return false;
  return body.fixtures.every(({ isSensor }) => isSensor);
}

/** The types of units that may carry and use items of a type. */
export function usersOf({ carriedBy, canBeUsedBy }: ItemType, unitTypes: ReadonlyMap<string, UnitType>): UnitType[] {
  const may = (listed: readonly string[], key: string): boolean => listed.length === 0 || listed.includes(key);
  return [...unitTypes.values()].filter(({ key }) => may(carriedBy, key) && may(canBeUsedBy, key));
}

/** Whether a script, a reload or the offer of a shop can give an item more than the quantity of its type. */
export function isFilled({ key, reloadRate }: ItemType, { definition, dialect, once }: GameContext): boolean {
  const { fill, create } = once(itemScriptsOf);
  if (fill || create || (dialect.unreadFieldsTakeEffect && reloadRate !== undefined)) return true;
  return [...definition.shops.values()].some(({ itemTypes }) => (itemTypes.get(key)?.quantity ?? 0) > 0);
}
