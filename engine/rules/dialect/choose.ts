import type { Dialect } from '../../definition/dialect.ts';
import { defaultProjectileKey } from '../../definition/item.ts';
import { failsToResume } from '../ai/ai-switch.ts';
import { lowerBuffs, takeBackBuffs } from '../combat/buff.ts';
import { beginThenRun, runThenBegin } from '../control/ability.ts';
import { builtIns } from '../control/cast-queue.ts';
import { lastKeyWins, oppositeKeysCancel } from '../control/control.ts';
import { isDiagonalByComponents, isDiagonalByKeys } from '../control/motion.ts';
import { pulsedRegeneration, setNewAttributesToDefaults, steadyRegeneration } from '../entities/attribute.ts';
import { destroyEntity, expireEntity } from '../entities/destroy.ts';
import type { DialectRules } from '../game.ts';
import {
  giveBonusAgain,
  renewBonuses,
  revertGivenBonuses,
  revertListedBonuses,
  updatePassiveBonus,
} from '../items/bonus.ts';
import { renumberSwapped } from '../items/inventory.ts';
import { fireThenRemove, removeThenFire } from '../items/use-attempt.ts';
import { addingTypeChange, clampingTypeChange } from '../lifecycle/unit-type.ts';
import { missingAttributeRefusal, priceRefusal, successAndRefusals, successOnly } from '../players/shop.ts';
import { continueWithNext, goBackByRemovals } from '../world/behaviour.ts';
import { currentBox, originalSizeBox } from '../world/region.ts';

/**
 * Chooses the rules that differ between dialects. Differences in fields of the definition are handled by
 * `applyDialect`.
 */
export function rulesOfDialect(dialect: Dialect): DialectRules {
  return Object.freeze({
    ...dialect,
    ...(dialect.regeneratesPerSecond ? steadyRegeneration : pulsedRegeneration),
    inputLeadTicks: dialect.regeneratesPerSecond ? 0 : 0.5,
    startPlayer: dialect.playersStartWithinBounds ? () => {} : setNewAttributesToDefaults,
    expireBuffs: dialect.buffsRevert ? takeBackBuffs : lowerBuffs,
    typeChange: dialect.typeChangesClamp
      ? { ...clampingTypeChange, renewBonuses, keepBonus: updatePassiveBonus }
      : { ...addingTypeChange, renewBonuses: () => {}, keepBonus: giveBonusAgain },
    startAbility: dialect.castingEvaluatesOperands ? beginThenRun : runThenBegin,
    isDiagonal: dialect.diagonalNeedsTwoKeys ? isDiagonalByKeys : isDiagonalByComponents,
    purchaseResultsFired: dialect.purchaseFiresOnSuccessOnly ? successOnly : successAndRefusals,
    staysHidden: dialect.ordersNeedAi ? () => false : failsToResume,
    firstSize: dialect.statesGiveSizes ? 0 : 40,
    directionBetween: dialect.lastKeyWins ? lastKeyWins : oppositeKeysCancel,
    endLife: dialect.expiryCleansUp ? destroyEntity : expireEntity,
    unitPriceRefusal: dialect.unitPricesAreRequired ? priceRefusal : missingAttributeRefusal,
    // In the reference, the triggers of a contact share one payload object. Delayed actions that the first trigger
    // started therefore see the payload members of the last one (reference: control-flow#payloads).
    contactPayload: dialect.contactScriptsOwnPayloads ? () => undefined : () => ({}),
    spent: dialect.emptyItemFiresBeforeRemoval ? fireThenRemove : removeThenFire,
    bonuses: dialect.itemsRevertOwnBonuses ? revertGivenBonuses : revertListedBonuses,
    refuseSwap: dialect.refusedSwapsDoNothing ? () => {} : renumberSwapped,
    regionBox: dialect.regionsResizeBoxes ? currentBox : originalSizeBox,
    afterRemovals: dialect.entitiesUpdateOncePerTick ? continueWithNext : goBackByRemovals,
    builtIns: dialect.legacyBindings ? new Set(builtIns) : nothing,
    ownProjectile: dialect.unreadFieldsTakeEffect
      ? ({ types }, itemType) => types.projectile.get(defaultProjectileKey(itemType))
      : () => undefined,
    // The 2024 reference never reads `controls.mouseBehaviour`: every item that is not welded follows the aim.
    aims: dialect.unreadFieldsTakeEffect
      ? ({ controls }) => controls?.mouseBehaviour?.rotateToFaceMouseCursor ?? false
      : () => true,
  } satisfies DialectRules);
}

const nothing: ReadonlySet<string> = new Set();
