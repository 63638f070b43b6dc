import type { Dialect } from '../../definition/dialect.ts';
import { defaultProjectileKey } from '../../definition/item.ts';
import { failsToResume } from '../ai/ai-switch.ts';
import { lowerBuffs, takeBackBuffs } from '../combat/buff.ts';
import { beginThenRun, runThenBegin } from '../control/ability.ts';
import { builtIns } from '../control/cast-queue.ts';
import { lastKeyCounts, oppositeKeysCancel } from '../control/control.ts';
import { byComponents, byKeys } from '../control/motion.ts';
import { pulsedRegeneration, startAsGiven, steadyRegeneration } from '../entities/attribute.ts';
import { destroyEntity, expireEntity } from '../entities/destroy.ts';
import type { ChosenRules } from '../game.ts';
import { giveBonusAgain, listedBonuses, owedBonuses, renewBonuses, settleBonus } from '../items/bonus.ts';
import { renumberSwapped } from '../items/inventory.ts';
import { fireThenRemove, removeThenFire } from '../items/use-attempt.ts';
import { addingTypeChange, clampingTypeChange } from '../lifecycle/unit-type.ts';
import { priceRefusal, successAndRefusals, successOnly, unpayable } from '../players/shop.ts';
import { backByRemoved, onwards } from '../world/behaviour.ts';
import { firstBox, presentBox } from '../world/region.ts';

/** Chooses the rules that differ between dialects. Differences in fields of the definition are handled by `applyDialect`. */
export function chooseRules(dialect: Dialect): ChosenRules {
  return Object.freeze({
    ...(dialect.regeneratesPerSecond ? steadyRegeneration : pulsedRegeneration),
    inputLeadTicks: dialect.regeneratesPerSecond ? 0 : 0.5,
    passesFrames: !dialect.oneRate,
    startPlayer: dialect.playersStartWithinBounds ? () => {} : startAsGiven,
    expireBuffs: dialect.buffsTakeBack ? takeBackBuffs : lowerBuffs,
    typeChange: dialect.typeChangesClamp
      ? { ...clampingTypeChange, renewBonuses, keepBonus: settleBonus }
      : { ...addingTypeChange, renewBonuses: () => {}, keepBonus: giveBonusAgain },
    startAbility: dialect.castingSeesScript ? beginThenRun : runThenBegin,
    isDiagonal: dialect.straightIsFast ? byKeys : byComponents,
    purchaseResultsFired: dialect.purchasesFireOnSuccess ? successOnly : successAndRefusals,
    pickUpsFireOnItem: dialect.pickUpsFireOnItem,
    slotRebuildsBody: !dialect.bodiesAreBuiltOnce,
    aiFollowsType: dialect.aiFollowsType,
    huntersActByAge: dialect.huntersActByAge,
    blindSensorsStayBlind: dialect.blindSensorsStayBlind,
    unknownBodiesAreNone: dialect.unknownBodiesAreNone,
    routesAreSound: dialect.routesAreSound,
    mindsNeedSettings: dialect.ordersNeedAi,
    staysHidden: dialect.ordersNeedAi ? () => false : failsToResume,
    kicksAtOnce: dialect.kicksAtOnce,
    firstSize: dialect.statesGiveSizes ? 0 : 40,
    statesGiveSizes: dialect.statesGiveSizes,
    itemsFindStates: dialect.itemsFindStates,
    savesKeepBonuses: dialect.savesKeepBonuses,
    foreignWords: dialect.foreignWords,
    directionBetween: dialect.lastKeyCounts ? lastKeyCounts : oppositeKeysCancel,
    silentStacksMerge: dialect.silentStacksMerge,
    scalesUnbuiltBodies: dialect.scalesUnbuiltBodies,
    dropsAsSeen: dialect.dropsAsSeen,
    resetsWithinBounds: dialect.resetsWithinBounds,
    unitsKnowQuestPlayer: dialect.questsFireOnUnit,
    botsCanBeKicked: dialect.botsHaveOwnIds,
    endLife: dialect.lifeSpansCleanUp ? destroyEntity : expireEntity,
    unitPriceRefusal: dialect.unitPricesAreAsked ? priceRefusal : unpayable,
    // Delayed actions of the first trigger see the payload members of the last one (reference: control-flow#payloads).
    contactPayload: dialect.contactsKeepPayloads ? () => undefined : () => ({}),
    spent: dialect.emptyFiresFirst ? fireThenRemove : removeThenFire,
    bonuses: dialect.bonusesAreOwed ? owedBonuses : listedBonuses,
    refuseSwap: dialect.refusedSwapsDoNothing ? () => {} : renumberSwapped,
    regionBox: dialect.regionsResizeBoxes ? presentBox : firstBox,
    afterRemovals: dialect.oneTurnPerTick ? onwards : backByRemoved,
    builtIns: dialect.olderBindings ? new Set(builtIns) : nothing,
    ownProjectile: dialect.dormantFields
      ? ({ types }, itemType) => types.projectile.get(defaultProjectileKey(itemType))
      : () => undefined,
    // The 2024 reference never reads the field: every item that is not welded follows the aim.
    aims: dialect.dormantFields
      ? ({ controls }) => controls?.mouseBehaviour?.rotateToFaceMouseCursor ?? false
      : () => true,
  } satisfies ChosenRules);
}

const nothing: ReadonlySet<string> = new Set();
