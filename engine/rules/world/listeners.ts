import {
  dropHiddenTarget,
  dropTargets,
  reactToDamage,
  reactToSensor,
  reconsiderTargets,
  stopAttackingDefeated,
} from '../ai/ai-reactions.ts';
import { followUnitType, restForHiding, resumeAfterHiding, startAi } from '../ai/ai-switch.ts';
import { removeSensor } from '../ai/sensor.ts';
import { touchDamage } from '../combat/damage.ts';
import { destroyOnContact } from '../combat/projectile.ts';
import { chooseMovementMethod } from '../control/motion.ts';
import type { Listeners } from '../events.ts';
import type { Game } from '../game.ts';
import { giveDefaultItems, refreshItemsForType } from '../items/equipment.ts';
import { destroyCarriedItems, detachItem, selectFirstSlot } from '../items/inventory.ts';
import { showCarriedItems } from '../items/item.ts';
import { settleEnteredState } from '../items/item-state.ts';
import { stopUsingHeldItem } from '../items/use.ts';
import { joinOwner, keepInOwnersList, leaveFormerOwner, leaveOwner } from '../players/ownership.ts';

/**
 * The rules that listen to each event of other rules. They are called in the order of the list, which scripts can
 * observe.
 */
export const listeners: Listeners<Game> = {
  stateEntered: [settleEnteredState],
  defeated: [stopAttackingDefeated],
  destroying: [leaveOwner, removeSensor, dropTargets, destroyCarriedItems, detachItem],
  expiring: [keepInOwnersList, removeSensor, dropTargets],
  hiding: [restForHiding],
  hidden: [showCarriedItems, dropHiddenTarget],
  shown: [showCarriedItems, resumeAfterHiding],
  unitMade: [startAi],
  outfitting: [giveDefaultItems],
  ownerChanging: [leaveFormerOwner],
  ownerChanged: [joinOwner],
  typeChanging: [chooseMovementMethod, refreshItemsForType],
  typeChanged: [selectFirstSlot, followUnitType],
  playerTypeChanged: [reconsiderTargets],
  damaged: [reactToDamage],
  stunned: [stopUsingHeldItem],
  hitByProjectile: [touchDamage],
  sensed: [reactToSensor],
  touched: [destroyOnContact],
};
