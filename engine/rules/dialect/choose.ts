import type { Dialect } from '../../definition/dialect.ts';
import { defaultProjectileKey } from '../../definition/item.ts';
import { builtIns } from '../control/cast-queue.ts';
import { pulsedRegeneration, steadyRegeneration } from '../entities/attribute.ts';
import type { ChosenRules } from '../game.ts';

/** The rules that a dialect has of its own; what is a field of the definition, `applyDialect` has changed already. */
export function chooseRules(dialect: Dialect): ChosenRules {
  return Object.freeze({
    ...(dialect.regeneration === 'pulse' ? pulsedRegeneration : steadyRegeneration),
    inputLeadTicks: dialect.regeneration === 'pulse' ? 0.5 : 0,
    passesFrames: dialect.rates === 'two',
    builtIns: dialect.olderBindings ? new Set(builtIns) : nothing,
    ownProjectile: dialect.dormantFields
      ? ({ types }, itemType) => types.projectile.get(defaultProjectileKey(itemType))
      : () => undefined,
    // The reference of 2024 never reads the field: there everything that is not welded follows the aim.
    aims: dialect.dormantFields
      ? ({ controls }) => controls?.mouseBehaviour?.rotateToFaceMouseCursor ?? false
      : () => true,
  } satisfies ChosenRules);
}

const nothing: ReadonlySet<string> = new Set();
