import { describe, expect, test } from 'vitest';
import { vocabulary } from '../../../engine/index.ts';
import type { OutputEvent } from '../../../engine/world/outbox.ts';
import { joinAs, type Play, play, script, unitType } from '../../support/play.ts';

/** What an action publishes, and what it needs for it: one case for every action of these families that publishes anything. */

type Json = Record<string, unknown>;

const families = [
  'ui',
  'sound',
  'particle',
  'camera',
  'network',
  'other',
  'shop',
  'chat',
  'region',
  'map',
  'persistence',
];
/** What these publish needs more than one action to show; they have tests of their own. */
const elsewhere = [
  'savePlayerData',
  'saveUnitData',
  'sendPostRequest',
  'requestPost',
  'sendSecurePostRequest',
  'changeLayerOpacity',
];

const player = { function: 'getTriggeringPlayer' };
const unit = { function: 'getPlayerSelectedUnit', player };
const item = { function: 'getLastCreatedItem' };
const gone = { function: 'undefinedValue' };
const computer = { function: 'computerPlayer', number: 1 };
const position = { x: 3, y: 4 };
const everyone = 'everyone';
const me = 'me';

/** `to: 'me'` stands for the player that joined. */
interface Case {
  readonly action: Json & { readonly type: string };
  readonly event: Json;
}

function modal(type: string, more: Json, event: Json): Case {
  return { action: { type, player, ...more }, event: { kind: 'ui.modal', to: me, ...event } };
}
function menu(type: string, op: string): Case {
  return { action: { type, player }, event: { kind: 'ui.menu', op, to: me } };
}
function camera(type: string, more: Json, event: Json): Case {
  return { action: { type, player, ...more }, event: { kind: 'camera', to: me, ...event } };
}
function music(type: string, more: Json, event: Json): Case {
  return { action: { type, music: 'theme', ...more }, event: { kind: 'music', musicId: 'theme', ...event } };
}
function particle(type: string, more: Json, event: Json): Case {
  return {
    action: { type, particleType: 'spark', ...more },
    event: { kind: 'particle', particleTypeId: 'spark', to: everyone, ...event },
  };
}
function element(type: string, more: Json, event: Json): Case {
  return {
    action: { type, elementId: 'box', player, ...more },
    event: { kind: 'ui.element', elementId: 'box', to: me, ...event },
  };
}
function unitSeen(type: string, kind: string, op: string): Case {
  return { action: { type, entity: unit, player }, event: { kind, op, unitId: 'u1', to: me } };
}
function text(type: string, more: Json, event: Json): Case {
  return { action: { type, target: 'top', ...more }, event: { kind: 'ui.text', target: 'top', ...event } };
}

const cases: readonly Case[] = [
  text('showUiTextForEveryone', {}, { op: 'show', to: everyone }),
  text('hideUiTextForEveryone', {}, { op: 'hide', to: everyone }),
  text(
    'updateUiTextForEveryone',
    { value: '<b onclick="x()">3</b>' },
    { op: 'update', value: '<b>3</b>', to: everyone },
  ),
  text('updateUiTextForEveryone', { value: 7 }, { op: 'update', value: '7', to: everyone }),
  text('showUiTextForPlayer', { entity: player }, { op: 'show', to: me }),
  text('hideUiTextForPlayer', { entity: player }, { op: 'hide', to: me }),
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
  element('setUIElementHtml', { htmlStr: '<i>x</i><script>y</script>' }, { op: 'setHtml', html: '<i>x</i>' }),
  element('setUIElementProperty', { key: 'value', value: 'v' }, { op: 'setProperty', key: 'value', value: 'v' }),
  element('setUIElementProperty', { key: 'value', value: 5 }, { op: 'setProperty', key: 'value', value: '' }),
  {
    action: { type: 'appendRealtimeCSSForPlayer', value: 'b{}', player },
    event: { kind: 'ui.style', op: 'append', css: 'b{}', to: me },
  },
  {
    action: { type: 'updateRealtimeCSSForPlayer', value: 'i{}', player },
    event: { kind: 'ui.style', op: 'replace', css: 'i{}', to: me },
  },
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
  { action: { type: 'openBackpackForPlayer', player }, event: { kind: 'ui.backpack', op: 'open', to: me } },
  { action: { type: 'closeBackpackForPlayer', player }, event: { kind: 'ui.backpack', op: 'close', to: me } },
  {
    action: { type: 'openDialogueForPlayer', dialogue: 'hello', player },
    event: {
      kind: 'ui.dialogue',
      op: 'open',
      dialogueId: 'hello',
      title: '',
      message: 'Hi',
      options: [],
      playerName: 'Ann',
      variables: {},
      to: me,
    },
  },
  { action: { type: 'closeDialogueForPlayer', player }, event: { kind: 'ui.dialogue', op: 'close', to: me } },
  {
    action: { type: 'createFloatingText', position, text: gone },
    event: { kind: 'ui.floatingText', mode: 'world', text: 'undefined', color: 'white', position, to: everyone },
  },
  {
    action: { type: 'createDynamicFloatingText', position, text: '+5', color: 'red', duration: 300 },
    event: {
      kind: 'ui.floatingText',
      mode: 'dynamic',
      text: '+5',
      color: 'red',
      position,
      durationMs: 300,
      to: everyone,
    },
  },
  {
    action: { type: 'setFadingTextOfUnit', unit, text: 5, color: '#fff' },
    event: { kind: 'ui.floatingText', mode: 'unit', unitId: 'u1', text: '5', color: '#fff', to: everyone },
  },
  unitSeen('hideUnitFromPlayer', 'entity.visibility', 'hideUnit'),
  unitSeen('showUnitToPlayer', 'entity.visibility', 'showUnit'),
  unitSeen('hideUnitNameLabelFromPlayer', 'entity.label', 'hideLabel'),
  unitSeen('showUnitNameLabelToPlayer', 'entity.label', 'showLabel'),
  {
    action: { type: 'setUnitNameLabelColor', unit, color: 'red' },
    event: { kind: 'entity.label', op: 'color', unitId: 'u1', color: 'red', to: everyone },
  },
  {
    action: { type: 'setUnitNameLabelColorForPlayer', unit, player, color: '#91EE04' },
    event: { kind: 'entity.label', op: 'color', unitId: 'u1', color: '#91EE04', to: me },
  },
  {
    action: { type: 'showUnitInPlayerMinimap', unit, player, color: 'red' },
    event: { kind: 'ui.minimap', op: 'show', unitId: 'u1', color: 'red', to: me },
  },
  {
    action: { type: 'hideUnitInPlayerMinimap', unit, player },
    event: { kind: 'ui.minimap', op: 'hide', unitId: 'u1', to: me },
  },

  {
    action: { type: 'playSoundAtPosition', sound: 'bang', position },
    event: { kind: 'sound', op: 'playAt', soundId: 'bang', position, to: everyone },
  },
  {
    action: { type: 'playSoundForPlayer', sound: 'bang', player },
    event: { kind: 'sound', op: 'play', soundId: 'bang', to: me },
  },
  {
    action: { type: 'stopSoundForPlayer', sound: 'bang', player },
    event: { kind: 'sound', op: 'stop', soundId: 'bang', to: me },
  },
  music('playMusic', {}, { op: 'play', to: everyone }),
  music('playMusicForPlayer', { player }, { op: 'play', to: me }),
  music('playMusicForPlayerRepeatedly', { player }, { op: 'playLoop', to: me }),
  music('playMusicForPlayerAtTime', { player, time: 12 }, { op: 'playAtTime', startSeconds: 12, to: me }),
  { action: { type: 'stopMusic' }, event: { kind: 'music', op: 'stop', to: everyone } },
  { action: { type: 'stopMusicForPlayer', player }, event: { kind: 'music', op: 'stop', to: me } },

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

  {
    action: { type: 'sendDataFromServerToClient', client: player, data: { a: unit } },
    event: { kind: 'client.data', playerId: 'p1', data: { a: { function: 'getPlayerSelectedUnit', player } }, to: me },
  },
  {
    action: { type: 'runScriptOnClient', player, scriptName: 'go' },
    event: { kind: 'client.script', playerId: 'p1', scriptId: 'go', vars: { triggeredBy: { player: 'p1' } }, to: me },
  },
  {
    action: { type: 'runEntityScriptOnClient', entity: unit, player, scriptName: 'go' },
    event: {
      kind: 'client.script',
      playerId: 'p1',
      scriptId: 'go',
      entityId: 'u1',
      vars: { triggeredBy: { player: 'p1' } },
      to: me,
    },
  },
  {
    action: { type: 'sendCoinsToPlayer', coins: 3.9, player },
    event: { kind: 'coins', playerId: 'p1', amount: 3, feePaidBy: 'player' },
  },
  {
    action: { type: 'sendCoinsToPlayer2', coins: 1, player },
    event: { kind: 'coins', playerId: 'p1', amount: 1, feePaidBy: 'owner' },
  },
  {
    action: { type: 'sendPlayerToMap', player, gameId: 'there' },
    event: { kind: 'transfer', op: 'map', playerIds: ['p1'], gameId: 'there' },
  },
  {
    action: { type: 'sendPlayerToGame', player, gameId: 'there' },
    event: { kind: 'transfer', op: 'game', playerIds: ['p1'], gameId: 'there' },
  },
  {
    action: { type: 'sendPlayerToSpawningMap', player },
    event: { kind: 'transfer', op: 'spawnMap', playerIds: ['p1'] },
  },
  {
    action: { type: 'sendPlayerGroupToMap', playerGroup: { function: 'humanPlayers' }, gameId: 'there' },
    event: { kind: 'transfer', op: 'map', playerIds: ['p1'], gameId: 'there' },
  },
  { action: { type: 'startAcceptingPlayers' }, event: { kind: 'server', op: 'acceptPlayers', value: true } },
  { action: { type: 'stopAcceptingPlayers' }, event: { kind: 'server', op: 'acceptPlayers', value: false } },

  { action: { type: 'playAdForPlayer', entity: player }, event: { kind: 'ad', op: 'play', to: me } },
  { action: { type: 'playAdForEveryone' }, event: { kind: 'ad', op: 'play', to: everyone } },
  { action: { type: 'endGame' }, event: { kind: 'server', op: 'endGame' } },
  { action: { type: 'closeShopForPlayer', player }, event: { kind: 'ui.shop', op: 'close', to: me } },
  { action: { type: 'openSkinShop', player }, event: { kind: 'ui.shop', op: 'openSkinShop', to: me } },
  { action: { type: 'openSkinSubmissionPage', player }, event: { kind: 'ui.shop', op: 'openSkinSubmission', to: me } },
  {
    action: { type: 'sendChatMessage', message: 'hi' },
    event: { kind: 'chat', op: 'system', text: 'hi', to: everyone },
  },
  {
    action: { type: 'sendChatMessageToPlayer', message: 'hi', player },
    event: { kind: 'chat', op: 'system', text: 'hi', to: me },
  },
  {
    action: { type: 'addChatFilter', words: 'bad, worse ,' },
    event: { kind: 'chat', op: 'addFilter', words: ['bad', 'worse'] },
  },
  { action: { type: 'mutePlayer', player }, event: { kind: 'chat', op: 'mute', playerId: 'p1' } },
  { action: { type: 'mutePlayerMicrophone', player }, event: { kind: 'chat', op: 'muteMicrophone', playerId: 'p1' } },
  {
    action: { type: 'unmutePlayerMicrophone', player },
    event: { kind: 'chat', op: 'unmuteMicrophone', playerId: 'p1' },
  },
  {
    action: {
      type: 'changeRegionColor',
      region: { function: 'getVariable', variableName: 'yard' },
      inside: 'red',
      alpha: 0.5,
    },
    event: { kind: 'entity.style', entityId: 'r:yard', inside: 'red', alpha: 0.5, to: everyone },
  },
];

/** The game in which all actions run, when the player answers an input box: it has one unit, one item and one player with an account. */
function town(...actions: unknown[]): { game: Play; outputs: Json[] } {
  const game = play({
    unitTypes: {
      citizen: unitType({
        defaultItems: [{ key: 'stone' }],
        variables: { smoke: { dataType: 'particleEmitter', default: 'spark' } },
      }),
    },
    itemTypes: { stone: { name: 'stone', type: 'other', states: { selected: { name: 'selected', body: 'none' } } } },
    sound: { bang: { name: 'bang', file: 'bang.mp3' } },
    music: { theme: { name: 'theme', file: 'theme.mp3' } },
    dialogues: { hello: { name: 'hello', message: 'Hi', options: [] } },
    variables: { yard: { dataType: 'region', default: { x: 10, y: 10, width: 50, height: 50 } } },
    scripts: { join: joinAs('citizen'), go: script(['playerCustomInput'], actions) },
  });
  const outputs: Json[] = [];
  const human = game.sim.join({ name: 'Ann', userId: 'account' });
  game.ticks(1);
  game.sim.on('output', (event: OutputEvent) => {
    const { tick: _tick, time: _time, to, ...rest } = event;
    const isMine = typeof to === 'object' && to.player === human.entity;
    outputs.push(to === undefined ? rest : { ...rest, to: isMine ? me : to });
  });
  human.answer('');
  game.ticks(1);
  return { game, outputs };
}

describe('an action that clients or hosts perform is published:', () => {
  test.each(cases)('$action.type', ({ action, event }) => {
    const { game, outputs } = town(action);
    expect(outputs).toEqual([event]);
    expect(game.faults()).toEqual([]);
  });
});

test('every action of these families that publishes something has a case', () => {
  const rows = [...vocabulary.actions].filter(([, row]) => families.includes(row.family) && row.status === 'output');
  const tested = new Set([...cases.map(({ action }) => action.type), ...elsewhere]);
  expect(rows.map(([type]) => type).filter((type) => !tested.has(type))).toEqual([]);
});

describe('without whom or what it is about, an action publishes nothing and says so:', () => {
  const whose = ['player', 'entity', 'unit', 'item', 'client', 'position', 'sound', 'music', 'dialogue', 'region'];
  const missing = cases
    .flatMap(({ action }) => whose.filter((key) => key in action).map((key) => ({ type: action.type, key, action })))
    // Everyone is meant where no player is named.
    .filter(({ type, key }) => !(type === 'updateUiTextForTimeForPlayer' && key === 'player'));

  test.each(missing)('$type without $key', ({ action, key }) => {
    const { game, outputs } = town({ ...action, [key]: gone });
    expect(outputs).toEqual([]);
    expect(game.faults().length + game.sim.world.skips.list().length).toBe(1);
  });
});

describe('what a client cannot have is not sent to it:', () => {
  test.each([
    { case: 'a sound', action: { type: 'playSoundForPlayer', sound: 'nonsense', player }, code: 'no-such-reference' },
    { case: 'music', action: { type: 'playMusic', music: 'nonsense' }, code: 'no-such-reference' },
    {
      case: 'a dialogue',
      action: { type: 'openDialogueForPlayer', dialogue: 'nonsense', player },
      code: 'no-such-reference',
    },
    { case: 'a colour', action: { type: 'setUnitNameLabelColor', unit, color: 'red; x' }, code: 'wrong-value' },
  ])('$case the definition does not know', ({ action, code }) => {
    const { game, outputs } = town(action);
    expect(outputs).toEqual([]);
    expect(game.faults()).toEqual([expect.objectContaining({ code })]);
  });

  test.each([
    { case: 'no coins', action: { type: 'sendCoinsToPlayer', coins: 0.5, player } },
    { case: 'coins to a player without an account', action: { type: 'sendCoinsToPlayer', coins: 5, player: computer } },
    {
      case: 'a text for a time to a computer player',
      action: { type: 'updateUiTextForTimeForPlayer', target: 'top', value: 'x', player: computer },
    },
    {
      case: 'a style to a computer player',
      action: { type: 'appendRealtimeCSSForPlayer', value: 'b{}', player: computer },
    },
    { case: 'an element without an id', action: { type: 'showUiElementForPlayer', elementId: '', player } },
    { case: 'a filter without words', action: { type: 'addChatFilter', words: ' , ' } },
  ])('$case, without a fault', ({ action }) => {
    const { game, outputs } = town(action);
    expect(outputs).toEqual([]);
    expect(game.faults()).toEqual([]);
  });
});

test('advertisements for everyone are a minute apart', () => {
  const { game, outputs } = town(
    { type: 'playAdForEveryone' },
    { type: 'playAdForEveryone' },
    { type: 'playAdForPlayer', entity: player },
  );
  expect(outputs.map(({ op }) => op)).toEqual(['play', 'limitReached', 'limitReached']);
  game.seconds(60);
  game.sim.input({ kind: 'customInput', player: 'p1', text: '' });
  game.ticks(1);
  expect(outputs.slice(3).map(({ op }) => op)).toEqual(['play', 'limitReached', 'limitReached']);
});

test('styles add up until they are replaced', () => {
  const css = (type: string, value: string) => ({ type, value, player });
  const { game } = town(css('appendRealtimeCSSForPlayer', 'a{}'), css('appendRealtimeCSSForPlayer', 'b{}'));
  const style = () => game.sim.world.players.find((each) => each?.clientId === 'p1')!.realtimeCss;
  expect(style()).toBe('a{}\nb{}');
  const replaced = town(css('appendRealtimeCSSForPlayer', 'a{}'), css('updateRealtimeCSSForPlayer', 'c{}'));
  expect(replaced.game.sim.world.players.find((each) => each?.clientId === 'p1')!.realtimeCss).toBe('c{}');
});

test('who joins later sees the texts that everyone sees, and none that others see', () => {
  const { game, outputs } = town(
    { type: 'updateUiTextForEveryone', target: 'top', value: 'round 1' },
    { type: 'updateUiTextForEveryone', target: 'top', value: 'round 2' },
    { type: 'updateUiTextForPlayer', target: 'scoreboard', value: 'secret', entity: player },
    { type: 'showUiTextForEveryone', target: 'top' },
  );
  outputs.length = 0;
  const late = game.sim.join();
  game.ticks(1);
  expect(outputs).toEqual([
    { kind: 'ui.text', op: 'update', target: 'top', value: 'round 2', to: { player: late.entity } },
  ]);
});

test('the unit a camera follows is remembered until it follows none', () => {
  const tracked = (game: Play) => game.sim.world.players.find((each) => each?.clientId === 'p1')!.cameraUnit;
  const track = { type: 'playerCameraTrackUnit', player, unit };
  const { game } = town(track);
  expect(tracked(game)).toBe(game.entity('u1'));
  expect(tracked(town(track, { type: 'playerCameraStopTracking', player }).game)).toBe(0);
});
