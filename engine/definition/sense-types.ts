import type { AnimationType } from './animation.ts';
import type { State } from './body.ts';
import type { Definition } from './definition.ts';
import type { ItemType } from './item.ts';
import type { ProjectileType } from './projectile.ts';
import { projectileTypesOf } from './projectile-types.ts';
import type { ReferenceReport } from './reference-report.ts';
import type { UnitType } from './unit.ts';

/** Times below this, ms, that are neither 0 nor 1 were probably meant in seconds: they end in the tick in which they begin. */
const secondsMax = 10;

/** Whether a time in milliseconds was probably meant in seconds. 1 is how games write "as soon as possible". */
export function isSeconds(ms: number | undefined): ms is number {
  return ms !== undefined && ms > 0 && ms < secondsMax && ms !== 1;
}

/** Reports types whose states, animations, bodies or times do not do what they look like. */
export function checkTypeSense(definition: Definition, report: ReferenceReport): void {
  const { unitTypes, itemTypes } = definition;
  for (const type of unitTypes.values()) {
    states(type, true);
    looks(type);
    sensors(type);
    abilities(type);
    ai(type);
  }
  falling();
  for (const type of itemTypes.values()) {
    states(type, false);
    held(type);
    looks(type);
    times(type);
    hitBox(type);
  }
  for (const type of projectileTypesOf(definition).values()) {
    states(type, true);
    looks(type);
    // A delay of 1 ms means "in the next tick"; a projectile that ends there has not moved.
    seconds('lifeSpan', type.lifeSpan, 'ends', type.pointer, type.lifeSpan === 1);
  }

  /** Reports gravity in a game that is seen from above: units that walk in all directions fall all the time. */
  function falling(): void {
    const { settings, pointer } = definition;
    if (settings.gravity.x === 0 && settings.gravity.y === 0) return;
    const walkers = [...unitTypes.values()].filter(({ controls }) => controls?.movementControlScheme !== undefined);
    if (walkers.some(({ controls }) => controls?.movementControlScheme === 'ad')) return;
    const fallers = walkers.filter(({ bodies }) =>
      [...bodies.values()].some(({ type, affectedByGravity }) => type === 'dynamic' && affectedByGravity),
    );
    const [first] = fallers;
    if (first === undefined) return;
    const message = `Gravity pulls "${first.name}" while it walks in all directions (${first.controls!.movementControlScheme}).`;
    const details = {
      expected: '0, 0; or `affectedByGravity`: false',
      found: `${settings.gravity.x}, ${settings.gravity.y}`,
    };
    report.add('out-of-range', message, details, pointer, 'settings', 'gravity');
  }

  /** Reports an item for use without a state in which units hold it. */
  function held({ type, states: all, name, pointer }: ItemType): void {
    if (type === undefined || all.size === 0 || all.has('selected') || all.has('default')) return;
    const message = `"${name}" has no state \`selected\`: a unit that holds it holds it in another state.`;
    const details = { expected: 'selected', found: [...all.keys()].slice(0, 8).join(', ') };
    report.add('incomplete-state', message, details, pointer, 'states');
  }

  function states(type: UnitType | ItemType | ProjectileType, needsDefault: boolean): void {
    const { name, states: all, bodies, pointer } = type;
    if (all.size === 0) {
      if (bodies.size === 0 || !needsDefault) return;
      const message = `"${name}" has \`bodies\` but no \`states\`, so none of the bodies is used.`;
      report.add('incomplete-state', message, { expected: 'a state `default` with a `body`' }, pointer);
      return;
    }
    const standard = all.get('default') ?? [...all.values()].find((each: State) => each.name === 'default');
    if (standard === undefined) {
      if (!needsDefault) return;
      const message = `"${name}" has no state \`default\`: new entities of this type have no body and no animation.`;
      const details = { expected: 'default', found: [...all.keys()].slice(0, 8).join(', ') };
      report.add('incomplete-state', message, details, pointer, 'states');
    } else if (!standard.namesBody && bodies.size > 0) {
      const message = `The state \`default\` of "${name}" names no body: it collides with nothing.`;
      report.add(
        'incomplete-state',
        message,
        { expected: `\`body\`: one of ${[...bodies.keys()].slice(0, 8).join(', ')}, or \`none\`` },
        standard.pointer,
      );
    }
  }

  function looks({ cellSheet, animations }: UnitType | ItemType | ProjectileType): void {
    const { rowCount, columnCount, url } = cellSheet ?? {};
    if (url === undefined || url === '') return;
    const count = Math.max(1, rowCount ?? 1) * Math.max(1, columnCount ?? 1);
    for (const { key, name, frames, framesPerSecond, pointer } of animations.values() as Iterable<AnimationType>) {
      const wrong = frames.find((frame) => frame < 1 || frame > count);
      if (wrong !== undefined) {
        const message = `The animation "${name === '' ? key : name}" shows frame ${wrong}, but the cell sheet has ${count}: ${columnCount ?? 1} x ${rowCount ?? 1}, counted from 1.`;
        report.add('bad-frame', message, { expected: `1 to ${count}`, found: String(wrong) }, pointer, 'frames');
      } else if (new Set(frames).size > 1 && !((framesPerSecond ?? 0) > 0)) {
        const message = `The animation "${name === '' ? key : name}" has several frames and no \`framesPerSecond\`: it stands still.`;
        const details = { expected: 'more than 0', found: String(framesPerSecond ?? 'nothing') };
        report.add('bad-frame', message, details, pointer, 'framesPerSecond');
      }
    }
  }

  /** Reports a walking unit whose body says that walls stop it, and whose fixtures let it through. */
  function sensors({ bodies, states: all, controls, name }: UnitType): void {
    if (controls?.movementControlScheme === undefined) return;
    const body = bodies.get(all.get('default')?.body ?? '');
    if (body === undefined || body.type !== 'dynamic' || !body.collidesWith.walls || body.fixtures.length === 0) return;
    if (!body.fixtures.every(({ isSensor }) => isSensor)) return;
    const message = `All fixtures of "${name}" are sensors: it goes through walls, although \`collidesWith\` names them.`;
    const details = { expected: '`isSensor`: false', found: 'true' };
    report.add('empty-body', message, details, body.pointer, 'fixtures', '0', 'isSensor');
  }

  function abilities({ controls }: UnitType): void {
    for (const { cooldown, castDuration, pointer } of controls?.unitAbilities.values() ?? []) {
      seconds('cooldown', cooldown, 'is over', pointer);
      seconds('castDuration', castDuration, 'is over', pointer);
    }
  }

  /** An editor writes `enabled`. Settings that a person wrote without it do nothing. */
  function ai({ ai: settings, name, pointer }: UnitType): void {
    if (settings === undefined || settings.enabled || report.has(`${pointer}/ai/enabled`)) return;
    const acts =
      settings.idleBehaviour === 'wander' ||
      [settings.sensorResponse, settings.attackResponse].some((word) => word === 'fight' || word === 'flee');
    if (!acts) return;
    const message = `The AI of "${name}" has settings but is not \`enabled\`: it only acts after \`enableAI\`.`;
    report.add('useless-ai', message, { expected: '`enabled`: true', found: 'nothing' }, pointer, 'ai');
  }

  function times({ fireRate, reloadRate, lifeSpan, delayBeforeUse, pointer }: ItemType): void {
    // Guns that fire in every tick are written as 0 or as some ms.
    if (fireRate !== undefined && !Number.isInteger(fireRate)) seconds('fireRate', fireRate, 'is over', pointer);
    seconds('reloadRate', reloadRate, 'is over', pointer);
    seconds('delayBeforeUse', delayBeforeUse, 'is over', pointer);
    seconds('lifeSpan', lifeSpan, 'ends', pointer);
  }

  function seconds(
    field: string,
    ms: number | undefined,
    ends: string,
    pointer: string,
    isWrong = isSeconds(ms),
  ): void {
    if (ms === undefined || !(isWrong || isSeconds(ms))) return;
    const message = `\`${field}\` is in milliseconds: ${ms} ms ${ends} at once.`;
    const details = { expected: 'milliseconds', found: String(ms), suggestion: String(ms * 1000) };
    report.add('wrong-unit', message, details, pointer, field);
  }

  function hitBox({ type, isGun, damage, damageHitBox, scripts, name, pointer }: ItemType): void {
    if (type !== 'weapon' || isGun || damage === undefined || scripts.size > 0) return;
    if (damage.unitAttributes.size + damage.playerAttributes.size === 0 || (damageHitBox?.width ?? 0) > 0) return;
    const message = `"${name}" hurts nobody: it is not a gun, and has no \`damageHitBox\` with a width.`;
    report.add('useless-item', message, { expected: '`damageHitBox`: {width, height, …}', found: 'none' }, pointer);
  }
}
