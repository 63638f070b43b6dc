import type { Json } from './action-game.ts';

/** Outputs of actions that only clients and hosts perform: one action each, and its event. */

export const player = { function: 'getTriggeringPlayer' };
export const unit = { function: 'getPlayerSelectedUnit', player };
export const item = { function: 'getLastCreatedItem' };
export const gone = { function: 'undefinedValue' };
export const computer = { function: 'computerPlayer', number: 1 };
export const position = { x: 3, y: 4 };
export const everyone = 'everyone';
export const me = 'me';

/** `to: 'me'` stands for the player that joined. */
export interface Published {
  readonly action: Json & { readonly type: string };
  readonly event: Json;
}

function sends(type: string, operands: Json, kind: string, event: Json): Published {
  return { action: { type, ...operands }, event: { kind, ...event } };
}
function modal(type: string, more: Json, event: Json): Published {
  return { action: { type, player, ...more }, event: { kind: 'ui.modal', to: me, ...event } };
}
function menu(type: string, op: string): Published {
  return { action: { type, player }, event: { kind: 'ui.menu', op, to: me } };
}
function camera(type: string, more: Json, event: Json): Published {
  return { action: { type, player, ...more }, event: { kind: 'camera', to: me, ...event } };
}
function music(type: string, more: Json, event: Json): Published {
  return { action: { type, music: 'theme', ...more }, event: { kind: 'music', musicId: 'theme', ...event } };
}
function particle(type: string, more: Json, event: Json): Published {
  return {
    action: { type, particleType: 'spark', ...more },
    event: { kind: 'particle', particleTypeId: 'spark', to: everyone, ...event },
  };
}
function element(type: string, more: Json, event: Json): Published {
  return {
    action: { type, elementId: 'box', player, ...more },
    event: { kind: 'ui.element', elementId: 'box', to: me, ...event },
  };
}
function unitSeen(type: string, kind: string, op: string): Published {
  return { action: { type, entity: unit, player }, event: { kind, op, unitId: 'u1', to: me } };
}
function text(type: string, more: Json, event: Json): Published {
  return { action: { type, target: 'top', ...more }, event: { kind: 'ui.text', target: 'top', ...event } };
}

export const published: readonly Published[] = [
  text('showUiTextForEveryone', {}, { op: 'show', to: everyone }),
  text('showUiTextForEveryone', { value: 3 }, { op: 'show', value: '3', to: everyone }),
  text('hideUiTextForEveryone', {}, { op: 'hide', to: everyone }),
  text('hideUiTextForEveryone', { value: 3 }, { op: 'hide', value: '3', to: everyone }),
  text(
    'updateUiTextForEveryone',
    { value: '<b onclick="x()">3</b>' },
    { op: 'update', value: '<b onclick="x()">3</b>', to: everyone },
  ),
  text('updateUiTextForEveryone', { value: 7 }, { op: 'update', value: '7', to: everyone }),
  text('showUiTextForPlayer', { entity: player }, { op: 'show', to: me }),
  text('showUiTextForPlayer', { entity: player, value: 'hi' }, { op: 'show', value: 'hi', to: me }),
  text('hideUiTextForPlayer', { entity: player }, { op: 'hide', to: me }),
  text('hideUiTextForPlayer', { entity: player, value: 'hi' }, { op: 'hide', value: 'hi', to: me }),
  text('updateUiTextForPlayer', { entity: player, value: 'hi' }, { op: 'update', value: 'hi', to: me }),
  text(
    'updateUiTextForTimeForPlayer',
    { value: 'hi', player, time: 500 },
    { op: 'updateForTime', value: 'hi', timeMs: 500, to: me },
  ),
  text(
    'updateUiTextForTimeForPlayer',
    { value: 'hi', player: gone, time: -1 },
    { op: 'updateForTime', value: 'hi', to: everyone },
  ),
  element('showUiElementForPlayer', {}, { op: 'show' }),
  element('hideUiElementForPlayer', {}, { op: 'hide' }),
  element('addClassToUIElement', { className: 'red' }, { op: 'addClass', className: 'red' }),
  element('removeClassFromUIElement', {}, { op: 'removeClass', className: '' }),
  element('removeClassFromUIElement', { className: 'red' }, { op: 'removeClass', className: 'red' }),
  element(
    'setUIElementHtml',
    { htmlStr: '<i>x</i><script>y</script>' },
    { op: 'setHtml', html: '<i>x</i><script>y</script>' },
  ),
  element('setUIElementProperty', { key: 'value', value: 'v' }, { op: 'setProperty', key: 'value', value: 'v' }),
  element('setUIElementProperty', { key: 'value', value: 5 }, { op: 'setProperty', key: 'value', value: '' }),
  sends('appendRealtimeCSSForPlayer', { value: 'b{}', player }, 'ui.style', { op: 'append', css: 'b{}', to: me }),
  sends('updateRealtimeCSSForPlayer', { value: 'i{}', player }, 'ui.style', { op: 'replace', css: 'i{}', to: me }),
  modal('showInputModalToPlayer', { inputLabel: 'Name?' }, { modal: 'input', label: 'Name?', dismissible: false }),
  modal(
    'showDismissibleInputModalToPlayer',
    { inputLabel: 'Name?' },
    { modal: 'input', label: 'Name?', dismissible: true },
  ),
  modal(
    'showCustomModalToPlayer',
    { htmlContent: '<p>x</p>' },
    { modal: 'custom', title: '', content: '<p>x</p>', dismissible: true },
  ),
  modal(
    'showCustomModalToPlayer',
    { htmlContent: 'x', title: 'Hello' },
    { modal: 'custom', title: 'Hello', content: 'x', dismissible: true },
  ),
  modal(
    'showWebsiteModalToPlayer',
    { string: 'https://example.com' },
    { modal: 'website', url: 'https://example.com' },
  ),
  modal(
    'openWebsiteForPlayer',
    { string: 'https://example.com' },
    { modal: 'openWebsite', url: 'https://example.com' },
  ),
  modal('showSocialShareModalToPlayer', {}, { modal: 'socialShare', dismissible: true }),
  modal('showInviteFriendsModal', {}, { modal: 'friends', dismissible: true }),
  menu('showMenu', 'show'),
  menu('showMenuAndSelectCurrentServer', 'showAndSelectCurrentServer'),
  menu('showMenuAndSelectBestServer', 'showAndSelectBestServer'),
  menu('showGameSuggestionsForPlayer', 'showGameSuggestions'),
  menu('hideGameSuggestionsForPlayer', 'hideGameSuggestions'),
  sends('openBackpackForPlayer', { player }, 'ui.backpack', { op: 'open', to: me }),
  sends('closeBackpackForPlayer', { player }, 'ui.backpack', { op: 'close', to: me }),
  sends('openDialogueForPlayer', { dialogue: 'hello', player }, 'ui.dialogue', {
    op: 'open',
    dialogueId: 'hello',
    title: '',
    message: 'Hi',
    options: [],
    playerName: 'Ann',
    variables: {},
    to: me,
  }),
  sends('closeDialogueForPlayer', { player }, 'ui.dialogue', { op: 'close', to: me }),
  sends('createFloatingText', { position, text: gone }, 'ui.floatingText', {
    mode: 'world',
    text: 'undefined',
    color: 'white',
    position,
    to: everyone,
  }),
  sends('createFloatingText', { position, text: 7, color: 'red' }, 'ui.floatingText', {
    mode: 'world',
    text: '7',
    color: 'red',
    position,
    to: everyone,
  }),
  sends('createDynamicFloatingText', { position, text: '+5', color: 'red', duration: 300 }, 'ui.floatingText', {
    mode: 'dynamic',
    text: '+5',
    color: 'red',
    position,
    durationMs: 300,
    to: everyone,
  }),
  sends('setFadingTextOfUnit', { unit, text: 5, color: '#fff' }, 'ui.floatingText', {
    mode: 'unit',
    unitId: 'u1',
    text: '5',
    color: '#fff',
    to: everyone,
  }),
  unitSeen('hideUnitFromPlayer', 'entity.visibility', 'hideUnit'),
  unitSeen('showUnitToPlayer', 'entity.visibility', 'showUnit'),
  unitSeen('hideUnitNameLabelFromPlayer', 'entity.label', 'hideLabel'),
  unitSeen('showUnitNameLabelToPlayer', 'entity.label', 'showLabel'),
  sends('setUnitNameLabelColor', { unit, color: 'red' }, 'entity.label', {
    op: 'color',
    unitId: 'u1',
    color: 'red',
    to: everyone,
  }),
  sends('setUnitNameLabelColorForPlayer', { unit, player, color: '#91EE04' }, 'entity.label', {
    op: 'color',
    unitId: 'u1',
    color: '#91EE04',
    to: me,
  }),
  sends('showUnitInPlayerMinimap', { unit, player, color: 'red' }, 'ui.minimap', {
    op: 'show',
    unitId: 'u1',
    color: 'red',
    to: me,
  }),
  sends('hideUnitInPlayerMinimap', { unit, player }, 'ui.minimap', { op: 'hide', unitId: 'u1', to: me }),

  sends('playSoundAtPosition', { sound: 'bang', position }, 'sound', {
    op: 'playAt',
    soundId: 'bang',
    position,
    to: everyone,
  }),
  sends('playSoundForPlayer', { sound: 'bang', player }, 'sound', { op: 'play', soundId: 'bang', to: me }),
  sends('stopSoundForPlayer', { sound: 'bang', player }, 'sound', { op: 'stop', soundId: 'bang', to: me }),
  music('playMusic', {}, { op: 'play', to: everyone }),
  music('playMusicForPlayer', { player }, { op: 'play', to: me }),
  music('playMusicForPlayerRepeatedly', { player }, { op: 'playLoop', to: me }),
  music('playMusicForPlayerAtTime', { player, time: 12 }, { op: 'playAtTime', startSeconds: 12, to: me }),
  sends('stopMusic', {}, 'music', { op: 'stop', to: everyone }),
  sends('stopMusicForPlayer', { player }, 'music', { op: 'stop', to: me }),

  particle('startUnitParticle', { unit }, { op: 'start', entityId: 'u1' }),
  particle('stopUnitParticle', { unit }, { op: 'stop', entityId: 'u1' }),
  particle('emitUnitParticle', { unit }, { op: 'emitOnce', entityId: 'u1' }),
  particle('startItemParticle', { item }, { op: 'start', entityId: 'i1' }),
  particle('stopItemParticle', { item }, { op: 'stop', entityId: 'i1' }),
  particle('emitItemParticle', { item }, { op: 'emitOnce', entityId: 'i1' }),
  particle('emitParticleOnceAtPosition', { position }, { op: 'emitOnce', position }),
  particle('emitParticlesAtPosition', { position, angle: 90 }, { op: 'emitOnce', position, angle: 90 }),
  particle('emitParticlesFromEntity', { entity: unit, angle: 90 }, { op: 'emitOnce', entityId: 'u1', angle: 90 }),
  ...(['start', 'stop'] as const).map((op) => ({
    action: {
      type: `${op}EmittingParticles`,
      particleEmitter: {
        function: 'getValueOfEntityVariable',
        variable: { function: 'getEntityVariable', variable: { key: 'smoke' } },
        entity: unit,
      },
    },
    event: { kind: 'particle', op, entityId: 'u1', particleTypeId: 'spark', to: everyone },
  })),

  camera('playerCameraTrackUnit', { unit }, { op: 'track', unitId: 'u1' }),
  camera('playerCameraStopTracking', {}, { op: 'stopTracking' }),
  camera('playerCameraSetZoom', { zoom: 800 }, { op: 'zoom', zoom: 800 }),
  camera('playerCameraSetPitch', { angle: 30 }, { op: 'pitch', angle: 30 }),
  camera('playerCameraSetYaw', { angle: 60 }, { op: 'yaw', angle: 60 }),
  camera('changePlayerCameraPanSpeed', { panSpeed: 5 }, { op: 'panSpeed', panSpeed: 5 }),
  camera('positionCamera', { position }, { op: 'position', position }),
  sends('setCameraDeadzone', { width: 10, height: 20 }, 'camera', {
    op: 'deadzone',
    width: 10,
    height: 20,
    to: everyone,
  }),

  sends('sendDataFromServerToClient', { client: player, data: { a: unit } }, 'client.data', {
    playerId: 'p1',
    data: { a: { function: 'getPlayerSelectedUnit', player } },
    to: me,
  }),
  sends('runScriptOnClient', { player, scriptName: 'go' }, 'client.script', {
    playerId: 'p1',
    scriptId: 'go',
    vars: { triggeredBy: { playerId: 'p1' } },
    to: me,
  }),
  sends('runEntityScriptOnClient', { entity: unit, player, scriptName: 'go' }, 'client.script', {
    playerId: 'p1',
    scriptId: 'go',
    entityId: 'u1',
    vars: { triggeredBy: { playerId: 'p1' } },
    to: me,
  }),
  sends('sendCoinsToPlayer', { coins: 3.9, player }, 'coins', { playerId: 'p1', amount: 3, feePaidBy: 'player' }),
  sends('sendCoinsToPlayer2', { coins: 1, player }, 'coins', { playerId: 'p1', amount: 1, feePaidBy: 'owner' }),
  sends('sendPlayerToMap', { player, gameId: 'there' }, 'transfer', { op: 'map', playerIds: ['p1'], gameId: 'there' }),
  sends('sendPlayerToGame', { player, gameId: 'there' }, 'transfer', {
    op: 'game',
    playerIds: ['p1'],
    gameId: 'there',
  }),
  sends('sendPlayerToSpawningMap', { player }, 'transfer', { op: 'spawnMap', playerIds: ['p1'] }),
  sends('sendPlayerGroupToMap', { playerGroup: { function: 'humanPlayers' }, gameId: 'there' }, 'transfer', {
    op: 'map',
    playerIds: ['p1'],
    gameId: 'there',
  }),
  sends('startAcceptingPlayers', {}, 'server', { op: 'acceptPlayers', value: true }),
  sends('stopAcceptingPlayers', {}, 'server', { op: 'acceptPlayers', value: false }),

  sends('playAdForPlayer', { entity: player }, 'ad', { op: 'play', to: me }),
  sends('playAdForEveryone', {}, 'ad', { op: 'play', to: everyone }),
  sends('endGame', {}, 'server', { op: 'endGame' }),
  sends('closeShopForPlayer', { player }, 'ui.shop', { op: 'close', to: me }),
  sends('openSkinShop', { player }, 'ui.shop', { op: 'openSkinShop', to: me }),
  sends('openSkinSubmissionPage', { player }, 'ui.shop', { op: 'openSkinSubmission', to: me }),
  sends('sendChatMessage', { message: 'hi' }, 'chat', { op: 'system', text: 'hi', to: everyone }),
  sends('sendChatMessageToPlayer', { message: 'hi', player }, 'chat', { op: 'system', text: 'hi', to: me }),
  sends('addChatFilter', { words: 'bad, worse ,' }, 'chat', { op: 'addFilter', words: ['bad', 'worse'] }),
  sends('mutePlayer', { player }, 'chat', { op: 'mute', playerId: 'p1' }),
  sends('mutePlayerMicrophone', { player }, 'chat', { op: 'muteMicrophone', playerId: 'p1' }),
  sends('unmutePlayerMicrophone', { player }, 'chat', { op: 'unmuteMicrophone', playerId: 'p1' }),
  sends(
    'changeRegionColor',
    { region: { function: 'getVariable', variableName: 'yard' }, inside: 'red', alpha: 0.5 },
    'entity.style',
    { entityId: 'r:yard', inside: 'red', alpha: 0.5, to: everyone },
  ),
];
