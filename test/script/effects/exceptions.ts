/** Operands that decide what an effect does, and that no role names, because nothing asks for them. */
export const decidesToo: Readonly<Record<string, readonly string[]>> = {
  addAttributeBuffToUnit: ['time'],
  addPercentageAttributeBuffToUnit: ['time'],
  addQuestToPlayer: ['name', 'description', 'goal'],
  appendRealtimeCSSForPlayer: ['value'],
  applyForceOnEntityAngle: ['angle'],
  applyForceOnEntityAngleLT: ['angle'],
  applyImpulseOnEntityAngle: ['angle'],
  applyTorqueOnEntityToFacePosition: ['force', 'position'],
  changeLayerOpacity: ['layer', 'opacity'],
  changeRegionColor: ['inside', 'alpha'],
  changeSensorRadius: ['sensor'],
  dropItemInInventorySlot: ['slotIndex'],
  editMapTile: ['gid', 'layer', 'x', 'y'],
  editMapTiles: ['gid', 'layer', 'x', 'y', 'width', 'height'],
  rotateEntityToFacePosition: ['position'],
  setEntityVelocityAtAngle: ['angle'],
  transformRegionDimensions: ['x', 'y', 'width', 'height'],
  updateRealtimeCSSForPlayer: ['value'],
  updateUiTextForEveryone: ['target', 'value'],
};

const ofSavedData = ['changes attribute', 'changes variable'];

/** Effects that depend on the state of the game, although they happen in all cases. */
export const happensAlways: Readonly<Record<string, readonly string[]>> = {
  addBotPlayer: ['creates player'],
  addNumberElement: ['changes members'],
  addObjectElement: ['changes members'],
  changeSensorRadius: ['creates sensor'],
  dropAllItems: ['changes chance'],
  dropItemAtPosition: ['changes position'],
  forIn: ['changes variable'],
  giveNewItemToUnit: ['changes items'],
  giveNewItemWithQuantityToUnit: ['changes items'],
  loadPlayerData: [...ofSavedData, 'changes quests'],
  loadPlayerDataAndApplyIt: [...ofSavedData, 'changes quests', 'changes items', 'creates item'],
  loadPlayerDataFromString: [...ofSavedData, 'changes quests'],
  loadUnitData: [...ofSavedData, 'changes items', 'creates item'],
  loadUnitDataFromString: [...ofSavedData, 'changes items', 'creates item'],
  removeAllAttributeBuffs: ['changes buffs'],
  resetEntity: ['changes items'],
  startCastingAbility: ['changes abilities', 'starts ability'],
  stopCastingAbility: ['changes abilities', 'starts ability'],
};

/** Effects that do not show in `moddio`, which has no debris. */
export const isElsewhere: Readonly<Record<string, readonly string[]>> = {
  forAllDebris: ['runs actions'],
  moveDebris: ['changes position'],
  resetDebrisPosition: ['changes position'],
};

/**
 * Wrong declarations that the proof does not find: what also follows from another effect, and the triggering unit,
 * which only other actions show.
 */
export const unnoticed: Readonly<Record<string, readonly string[]>> = {
  dropItemAtPosition: ['changes left out'],
  loadPlayerDataAndApplyIt: [
    ...['changes left out', 'changes aspect variable', 'changes left out', 'changes aspect attribute'],
    ...['changes left out', 'changes aspect variable', 'changes left out', 'changes aspect attribute'],
  ],
  loadUnitData: ['changes left out', 'changes aspect variable'],
  loadUnitDataFromString: ['changes left out', 'changes aspect variable'],
  resetEntity: ['changes left out'],
  setTriggeringUnit: ['changes may', 'changes without to', 'changes without only', 'changes aspect variable'],
};
