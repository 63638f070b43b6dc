import { aiActions } from '../actions/ai.ts';
import { attributeActions } from '../actions/attribute.ts';
import { cameraActions } from '../actions/camera.ts';
import { chatActions } from '../actions/chat.ts';
import { controlFlow } from '../actions/control-flow.ts';
import { editorActions } from '../actions/editor.ts';
import { entityActions } from '../actions/entity.ts';
import { itemActions } from '../actions/item.ts';
import { mapActions } from '../actions/map.ts';
import { networkActions } from '../actions/network.ts';
import { otherActions } from '../actions/other.ts';
import { particleActions } from '../actions/particle.ts';
import { persistenceActions } from '../actions/persistence.ts';
import { physicsActions } from '../actions/physics.ts';
import { playerActions } from '../actions/player.ts';
import { projectileActions } from '../actions/projectile.ts';
import { questActions } from '../actions/quest.ts';
import { regionActions } from '../actions/region.ts';
import { shopActions } from '../actions/shop.ts';
import { soundActions } from '../actions/sound.ts';
import { uiActions } from '../actions/ui.ts';
import { unitActions } from '../actions/unit.ts';
import { variableActions } from '../actions/variable.ts';
import type { Vocabulary } from '../compiling/compiler.ts';
import { type ActionRow, merge, type ValueRow } from '../op.ts';
import { attributeValues } from '../values/attribute.ts';
import { calculateValues } from '../values/calculate.ts';
import { clientValues } from '../values/client.ts';
import { entityValues } from '../values/entity.ts';
import { groupValues } from '../values/group.ts';
import { itemValues } from '../values/item.ts';
import { mapValues } from '../values/map.ts';
import { mathValues } from '../values/math.ts';
import { objectValues } from '../values/object.ts';
import { playerValues } from '../values/player.ts';
import { positionValues } from '../values/position.ts';
import { projectileValues } from '../values/projectile.ts';
import { questValues } from '../values/quest.ts';
import { regionValues } from '../values/region.ts';
import { textValues } from '../values/text.ts';
import { timeValues } from '../values/time.ts';
import { triggerValues } from '../values/trigger.ts';
import { unitValues } from '../values/unit.ts';
import { variableValues } from '../values/variable.ts';

/** All operations of the script language: one table per family. */
export const vocabulary: Vocabulary = {
  actions: merge<ActionRow>(
    controlFlow,
    aiActions,
    attributeActions,
    cameraActions,
    chatActions,
    editorActions,
    entityActions,
    itemActions,
    mapActions,
    networkActions,
    otherActions,
    particleActions,
    persistenceActions,
    physicsActions,
    playerActions,
    projectileActions,
    questActions,
    regionActions,
    shopActions,
    soundActions,
    uiActions,
    unitActions,
    variableActions,
  ),
  values: merge<ValueRow>(
    attributeValues,
    calculateValues,
    clientValues,
    entityValues,
    groupValues,
    itemValues,
    mapValues,
    mathValues,
    objectValues,
    playerValues,
    positionValues,
    projectileValues,
    questValues,
    regionValues,
    textValues,
    timeValues,
    triggerValues,
    unitValues,
    variableValues,
  ),
};
