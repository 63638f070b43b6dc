import type { Issues } from '../../engine/core/issue.ts';
import { type Definition, type Dialect, literalText, type Node } from '../../engine/index.ts';
import {
  type BodyType,
  changesOf,
  creationsBy,
  type ItemType,
  type ProjectileType,
  projectileTypesOf,
  type UnitType,
} from '../../engine/internal.ts';
import { isSteered } from './play.ts';
import type { WalkedScript } from './walk.ts';

/** Triggers of scripts that can give an item an effect. */
const ofUse: ReadonlySet<string> = new Set(['unitUsesItem', 'thisUnitUsesItem']);

/** Guns whose projectiles end sooner than this, ms, are weapons that thrust: their projectiles need not move. */
const thrustMs = 500;

/** Reports items that can never be used, guns whose shots do nothing, and ammunition that runs out for good. */
export function checkItems(
  definition: Definition,
  scripts: readonly WalkedScript[],
  dialect: Dialect,
  issues: Issues,
): void {
  /** Whether scripts give items more of their quantity, create further items, let units pick items up, or set times between uses. */
  let fills = false;
  let creates = false;
  let picksUp = false;
  let setsItems = false;
  const triggers = new Set<string>();
  /** The item types that each script about uses asks for; empty if it serves every type. */
  const served: ReadonlySet<string>[] = [];
  for (const { script, nodes, actions } of scripts) {
    for (const trigger of script.source.triggers) triggers.add(trigger);
    for (const action of actions) {
      fills ||= changesOf(action, 'quantity').length > 0;
      creates ||= creationsBy(action).some(({ kind }) => kind === 'item');
      picksUp ||= changesOf(action, 'items').some(({ to }) => to !== undefined);
      setsItems ||= changesOf(action, 'itemSettings').some(({ to }) => to !== undefined);
    }
    if (script.source.triggers.some((trigger) => ofUse.has(trigger)))
      served.push(new Set(nodes.flatMap((node) => keysOf(node, definition))));
  }
  /** Whether units pick up what they touch. */
  const isPickedUp = triggers.has('unitTouchesItem') && picksUp;
  /** Whether scripts about uses can give an item an effect. */
  const isUseScripted = ({ key, scripts: own }: ItemType): boolean =>
    own.size > 0 || served.some((keys) => keys.size === 0 || keys.has(key));
  const sold = new Set([...definition.shops.values()].flatMap(({ itemTypes }) => [...itemTypes.keys()]));
  const projectiles = projectileTypesOf(definition);
  for (const type of definition.itemTypes.values()) {
    use(type);
    if (type.isGun && type.type === 'weapon') gun(type);
    if (!type.isGun && type.type === 'weapon' && type.projectileType !== undefined && type.bulletForce !== undefined) {
      const message = `"${type.name}" has a projectile type and a force but is not a gun: it fires nothing.`;
      if (!isUseScripted(type) && type.damageHitBox === undefined)
        issues.add('useless-gun', type.pointer, message, { expected: '`isGun`: true', found: 'nothing' });
    }
    if (isPickedUp) lying(type);
  }
  if (isPickedUp) for (const type of definition.unitTypes.values()) if (isSteered(type)) collector(type);

  /** Reports an item that units are to touch to pick it up, and cannot. */
  function lying({ states, bodies, name }: ItemType): void {
    const body = bodies.get((states.get('dropped') ?? states.get('default'))?.body ?? '');
    if (body === undefined || !isPhysical(body) || body.collidesWith.units) return;
    const message = `Units cannot touch "${name}" on the ground: this body does not name them in \`collidesWith\`.`;
    issues.add('never-touches', `${body.pointer}/collidesWith`, message, { expected: '`units`: true', found: 'false' });
  }

  function collector({ states, bodies, name }: UnitType): void {
    const body = bodies.get(states.get('default')?.body ?? '');
    if (body === undefined || !isPhysical(body) || body.collidesWith.items) return;
    const message = `"${name}" cannot touch items on the ground: its body does not name them in \`collidesWith\`.`;
    issues.add('never-touches', `${body.pointer}/collidesWith`, message, { expected: '`items`: true', found: 'false' });
  }

  function use(item: ItemType): void {
    const does = item.isGun ? 'shoot' : item.damage !== undefined ? 'hurt anybody' : undefined;
    if (item.type === undefined && does !== undefined && !isUseScripted(item)) {
      add(item, `has no \`type\`, so using it does not ${does}`, { expected: '`type`: weapon' });
    } else if (item.type === 'weapon' && item.fireRate === undefined && !setsItems) {
      const expected = '`fireRate`, ms between two uses';
      add(item, 'is a weapon without `fireRate` and can never be used', { expected });
    } else if (
      !dialect.itemsFallBackToNearestState &&
      (item.type === 'weapon' || item.type === 'consumable') &&
      !item.states.has('dropped')
    ) {
      const expected = 'a state with the key `dropped`';
      const found = [...item.states.keys()].join(', ');
      add(item, 'has no state `dropped` and can never be used in this dialect', { expected, found });
    }
    ammunition(item);
  }

  function ammunition(item: ItemType): void {
    const { type, quantity, cost, removeWhenEmpty, reloadRate, key, name, pointer } = item;
    if (quantity === 0 && type === 'weapon' && cost.quantity !== 0 && !isFilled(item))
      issues.add(
        'useless-item',
        `${pointer}/quantity`,
        `"${name}" starts empty, and nothing fills it: it can never be used.`,
        {
          expected: '1 or more',
          found: '0',
        },
      );
    if (type !== 'weapon' || quantity === null || quantity <= 0 || cost.quantity === 0 || removeWhenEmpty) return;
    if (dialect.unreadFieldsTakeEffect && reloadRate !== undefined) return;
    if (sold.has(key) || fills || creates) return;
    const message = `"${name}" can be used ${quantity} times: nothing in the game refills it.`;
    issues.add('no-refill', `${pointer}/quantity`, message, { found: String(quantity) });
  }

  /** Whether a script or the offer of a shop can give an item more than the quantity of its type. */
  function isFilled({ key, reloadRate }: ItemType): boolean {
    if (dialect.unreadFieldsTakeEffect && reloadRate !== undefined) return true;
    if (fills || creates) return true;
    return [...definition.shops.values()].some(({ itemTypes }) => (itemTypes.get(key)?.quantity ?? 0) > 0);
  }

  function gun(item: ItemType): void {
    const { bulletType, bulletStartPosition, bulletForce, bulletDistance, projectileType, defaultProjectile } = item;
    const without = (field: string, what: string): void => {
      issues.add('useless-gun', item.pointer, `"${item.name}" is a gun without \`${field}\`: ${what}.`, {
        expected: field,
      });
    };
    if (isUseScripted(item)) return;
    if (bulletStartPosition === undefined) {
      without('bulletStartPosition', 'it fires nothing');
      return;
    }
    if (bulletType === 'raycast') {
      if (!(bulletDistance! > 0)) without('bulletDistance', 'its ray ends where it begins');
      return;
    }
    const own = dialect.unreadFieldsTakeEffect ? defaultProjectile : undefined;
    const fired = (projectileType === undefined ? undefined : projectiles.get(projectileType)) ?? own;
    if (fired === undefined) {
      if (projectileType === undefined) without('projectileType', 'it fires nothing');
      return;
    }
    if ((bulletForce ?? 0) === 0 && !((fired.lifeSpan ?? Number.POSITIVE_INFINITY) < thrustMs))
      without('bulletForce', 'what it fires does not move');
    const body = fired.bodies.get((fired.states.get('default') ?? fired.states.values().next().value)?.body ?? '');
    const hurts = (item.damage?.unitAttributes.size ?? 0) + (item.damage?.playerAttributes.size ?? 0) > 0;
    if (hurts && fired.scripts.size === 0 && body !== undefined && !body.collidesWith.units) {
      const message = `"${item.name}" fires "${fired.name}", which flies through units: its body does not name them in \`collidesWith\`.`;
      issues.add('useless-gun', `${body.pointer}/collidesWith`, message, { expected: '`units`: true', found: 'false' });
    }
    if (body?.type === 'static' && (bulletForce ?? 0) !== 0) {
      const message = `"${item.name}" fires "${fired.name}", whose body is static: it stays where it appears.`;
      issues.add('useless-gun', `${body.pointer}/type`, message, { expected: 'dynamic', found: 'static' });
    }
    if (isBodiless(fired)) {
      const message = `"${item.name}" fires "${fired.name}", which has no body: it flies nowhere and hits nothing.`;
      issues.add('useless-gun', fired.pointer, message, { expected: 'a state `default` with a body' });
    }
  }

  function add(item: ItemType, what: string, details: { expected: string; found?: string }): void {
    issues.add('useless-item', item.pointer, `"${item.name}" ${what}.`, details);
  }
}

/** The key of an item type that a node spells. */
function keysOf(node: Node, { itemTypes }: Definition): string[] {
  const text = node.kind === 'literal' ? literalText(node) : undefined;
  return text !== undefined && itemTypes.has(text) ? [text] : [];
}

function isPhysical({ type }: BodyType): boolean {
  return type !== 'none' && type !== 'spriteOnly';
}

/** Whether the state in which a projectile is created gives it no physical body. A body that is named but missing is reported elsewhere. */
function isBodiless({ states, bodies }: ProjectileType): boolean {
  const state = states.get('default') ?? states.values().next().value;
  if (state?.body === undefined) return true;
  const body = bodies.get(state.body);
  return body !== undefined && !isPhysical(body);
}
