import type { Rule } from './rule.ts';
import { attributeBoundsCrossed } from './rules/attribute-bounds-crossed.ts';
import { attributeOutOfBounds } from './rules/attribute-out-of-bounds.ts';
import { badFrame } from './rules/bad-frame.ts';
import { breakOutsideLoop } from './rules/break-outside-loop.ts';
import { constantCondition } from './rules/constant-condition.ts';
import { crossedRange } from './rules/crossed-range.ts';
import { danglingAttribute } from './rules/dangling-attribute.ts';
import { danglingScript } from './rules/dangling-script.ts';
import { divisionByZero } from './rules/division-by-zero.ts';
import { emptyBody } from './rules/empty-body.ts';
import { emptyLoop } from './rules/empty-loop.ts';
import { emptyOption } from './rules/empty-option.ts';
import { emptyRegion } from './rules/empty-region.ts';
import { emptyShop } from './rules/empty-shop.ts';
import { endlessLoop } from './rules/endless-loop.ts';
import { endlessRecursion } from './rules/endless-recursion.ts';
import { freeOffer } from './rules/free-offer.ts';
import { incompleteState } from './rules/incomplete-state.ts';
import { insideWall } from './rules/inside-wall.ts';
import { itemNotCarried } from './rules/item-not-carried.ts';
import { mismatchedAssignment } from './rules/mismatched-assignment.ts';
import { negativeDamage } from './rules/negative-damage.ts';
import { negativeSize } from './rules/negative-size.ts';
import { neverAssigned } from './rules/never-assigned.ts';
import { neverChanged } from './rules/never-changed.ts';
import { neverCompared } from './rules/never-compared.ts';
import { neverTouches } from './rules/never-touches.ts';
import { noBuyer } from './rules/no-buyer.ts';
import { noEmittedTrigger } from './rules/no-emitted-trigger.ts';
import { noGameStart } from './rules/no-game-start.ts';
import { noMovement } from './rules/no-movement.ts';
import { noPlayerType } from './rules/no-player-type.ts';
import { noRefill } from './rules/no-refill.ts';
import { noTarget } from './rules/no-target.ts';
import { noThisEntity } from './rules/no-this-entity.ts';
import { noWalls } from './rules/no-walls.ts';
import { nobodyGetsAUnit } from './rules/nobody-gets-a-unit.ts';
import { nobodyMayPlay } from './rules/nobody-may-play.ts';
import { notCharged } from './rules/not-charged.ts';
import { nothingSelected } from './rules/nothing-selected.ts';
import { outOfRange } from './rules/out-of-range.ts';
import { outsideMap } from './rules/outside-map.ts';
import { pilingUp } from './rules/piling-up.ts';
import { rateNotPositive } from './rules/rate-not-positive.ts';
import { sameBranches } from './rules/same-branches.ts';
import { sameLayer } from './rules/same-layer.ts';
import { sameScript } from './rules/same-script.ts';
import { selfAssignment } from './rules/self-assignment.ts';
import { slotConflict } from './rules/slot-conflict.ts';
import { triggerFunctionUnavailable } from './rules/trigger-function-unavailable.ts';
import { unaskedTrigger } from './rules/unasked-trigger.ts';
import { unequalKinds } from './rules/unequal-kinds.ts';
import { unfilledText } from './rules/unfilled-text.ts';
import { unheardTrigger } from './rules/unheard-trigger.ts';
import { unknownKey } from './rules/unknown-key.ts';
import { unknownOperandType } from './rules/unknown-operand-type.ts';
import { unknownValue } from './rules/unknown-value.ts';
import { unpayable } from './rules/unpayable.ts';
import { unreachableAction } from './rules/unreachable-action.ts';
import { unreachableScript } from './rules/unreachable-script.ts';
import { unused } from './rules/unused.ts';
import { unusedMedia } from './rules/unused-media.ts';
import { unusedVariable } from './rules/unused-variable.ts';
import { uselessAi } from './rules/useless-ai.ts';
import { uselessGun } from './rules/useless-gun.ts';
import { uselessItem } from './rules/useless-item.ts';
import { wrongKind } from './rules/wrong-kind.ts';
import { wrongUnit } from './rules/wrong-unit.ts';

/** All rules, by code, in the order in which their issues are listed. */
export const rules = {
  'attribute-bounds-crossed': attributeBoundsCrossed,
  'attribute-out-of-bounds': attributeOutOfBounds,
  'negative-size': negativeSize,
  'unknown-key': unknownKey,
  'item-not-carried': itemNotCarried,
  'rate-not-positive': rateNotPositive,
  'nobody-may-play': nobodyMayPlay,
  'slot-conflict': slotConflict,
  'empty-body': emptyBody,
  'incomplete-state': incompleteState,
  'bad-frame': badFrame,
  'empty-option': emptyOption,
  'no-walls': noWalls,
  'same-layer': sameLayer,
  'empty-region': emptyRegion,
  'dangling-script': danglingScript,
  'unheard-trigger': unheardTrigger,
  'no-emitted-trigger': noEmittedTrigger,
  'unreachable-script': unreachableScript,
  'trigger-function-unavailable': triggerFunctionUnavailable,
  'endless-recursion': endlessRecursion,
  'unknown-operand-type': unknownOperandType,
  'constant-condition': constantCondition,
  'unequal-kinds': unequalKinds,
  'mismatched-assignment': mismatchedAssignment,
  'endless-loop': endlessLoop,
  'division-by-zero': divisionByZero,
  'unreachable-action': unreachableAction,
  'break-outside-loop': breakOutsideLoop,
  'empty-loop': emptyLoop,
  'crossed-range': crossedRange,
  'piling-up': pilingUp,
  'wrong-unit': wrongUnit,
  'same-script': sameScript,
  'self-assignment': selfAssignment,
  'same-branches': sameBranches,
  'unasked-trigger': unaskedTrigger,
  'never-touches': neverTouches,
  'empty-shop': emptyShop,
  'not-charged': notCharged,
  'free-offer': freeOffer,
  unpayable: unpayable,
  'no-buyer': noBuyer,
  'useless-ai': uselessAi,
  'no-target': noTarget,
  'negative-damage': negativeDamage,
  'never-assigned': neverAssigned,
  'dangling-attribute': danglingAttribute,
  'unfilled-text': unfilledText,
  'unknown-value': unknownValue,
  'never-compared': neverCompared,
  'wrong-kind': wrongKind,
  'nothing-selected': nothingSelected,
  'useless-item': uselessItem,
  'useless-gun': uselessGun,
  'no-refill': noRefill,
  'outside-map': outsideMap,
  'inside-wall': insideWall,
  'no-this-entity': noThisEntity,
  'out-of-range': outOfRange,
  'no-movement': noMovement,
  'no-game-start': noGameStart,
  'no-player-type': noPlayerType,
  'nobody-gets-a-unit': nobodyGetsAUnit,
  unused: unused,
  'unused-variable': unusedVariable,
  'unused-media': unusedMedia,
  'never-changed': neverChanged,
} satisfies Readonly<Record<string, Rule>>;
