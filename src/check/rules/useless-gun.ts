import { type ItemType, projectileTypesOf } from '../../../engine/tools.ts';
import { bodyOf, hurts, isPhysical, passesWalls, thrustMs } from '../items.ts';
import { titleOf } from '../nodes.ts';
import type { Context, Rule } from '../rule.ts';

export const uselessGun: Rule = {
  about:
    'A gun whose shots do nothing: no projectile type, no start position, no force or distance, or a projectile without a body.',
  because: 'Players fire and nothing happens. The message says which field is missing.',
  wrong: `{ "itemTypes": { "bow": { "type": "weapon", "isGun": true, "fireRate": 500, "projectileType": "arrow", "bulletForce": 20 } }, "projectileTypes": { "arrow": {} } }`,
  right: `{
  "itemTypes": { "bow": { "type": "weapon", "isGun": true, "fireRate": 500, "projectileType": "arrow", "bulletForce": 20, "bulletStartPosition": { "x": 0, "y": 20, "rotation": 0 } } },
  "projectileTypes": {
    "arrow": {
      "states": { "default": { "body": "shaft" } },
      "bodies": { "shaft": { "type": "dynamic", "width": 4, "height": 16, "fixtures": [{ "density": 1, "shape": { "type": "rectangle" } }], "collidesWith": { "units": true, "walls": true } } }
    }
  }
}`,
  check(context) {
    const { isUseScripted } = context.itemScripts;
    for (const type of context.definition.itemTypes.values()) {
      const { isGun, pointer, bulletType, projectileType, bulletForce, damageHitBox } = type;
      if (isGun && bulletType === 'raycast' && projectileType)
        context.report(
          `${pointer}/bulletType`,
          `${titleOf(type)} fires rays, so its \`projectileType\` has no effect.`,
          'projectile',
          bulletType,
        );
      if (type.type !== 'weapon' || isUseScripted(type)) continue;
      if (isGun) gun(type, context);
      else if (projectileType !== undefined && bulletForce !== undefined && damageHitBox === undefined) {
        context.report(
          pointer,
          `${titleOf(type)} has a projectile type and a force but is not a gun, so it fires nothing.`,
          '`isGun`: true',
          'nothing',
        );
      }
    }
  },
};

function gun(item: ItemType, { definition, dialect, scripts, report, reportAs }: Context) {
  const { bulletType, bulletStartPosition, bulletForce, bulletDistance, projectileType } = item;
  const without = (field: string, what: string) =>
    report(item.pointer, `${titleOf(item)} is a gun without \`${field}\`: ${what}.`, field);
  if (bulletStartPosition === undefined) {
    without('bulletStartPosition', 'it fires nothing');
    return;
  }
  if (bulletType === 'raycast') {
    if (!(bulletDistance! > 0)) without('bulletDistance', 'its ray ends where it begins');
    return;
  }
  const own = dialect.unreadFieldsTakeEffect ? item.defaultProjectile : undefined;
  const fired = projectileTypesOf(definition).get(projectileType ?? '') ?? own;
  if (fired === undefined) {
    if (projectileType === undefined) without('projectileType', 'it fires nothing');
    return;
  }
  if ((bulletForce ?? 0) === 0 && !((fired.lifeSpan ?? Infinity) < thrustMs))
    without('bulletForce', 'its projectiles do not move');
  const { states } = fired;
  const named = (states.get('default') ?? states.values().next().value)?.body;
  const body = bodyOf(fired);
  const what = `${titleOf(item)} fires ${titleOf(fired)}, `;
  if (hurts(item) && fired.scripts.size === 0 && body !== undefined && !body.collidesWith.units) {
    report(
      `${body.pointer}/collidesWith`,
      `${what}which flies through units: its body does not name units in \`collidesWith\`.`,
      '`units`: true',
      'false',
    );
  }
  const isHandled = () =>
    scripts.some(({ script }) => script.source.triggers.some((trigger) => trigger.endsWith('TouchesWall')));
  if (passesWalls(body) && !fired.destroyOnContactWith?.walls && !isHandled()) {
    reportAs(
      'empty-body',
      `${body.pointer}/fixtures/0/isSensor`,
      `${what}which flies through walls, although \`collidesWith\` names them: all of its fixtures are sensors.`,
      '`isSensor`: false, or `destroyOnContactWith`',
      'true',
    );
  }
  if (body?.type === 'static' && (bulletForce ?? 0) !== 0) {
    report(`${body.pointer}/type`, `${what}whose body is static, so it does not fly.`, 'dynamic', 'static');
  }
  // Another rule reports a body that is named but missing.
  if (named === undefined || (body !== undefined && !isPhysical(body))) {
    report(
      fired.pointer,
      `${what}which has no body, so it does not fly and hits nothing.`,
      'a state `default` with a body',
    );
  }
}
