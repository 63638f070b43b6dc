import { describe, expect, test } from 'vitest';
import { loadDefinition, type OutputEvent, Simulation } from '../../engine/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { codeOf } from '../../src/modd-client/commands.ts';
import { translate } from '../../src/modd-client/outputs.ts';
import { moddio } from '../../src/server/client-protocols/moddio.ts';
import type { SentMessage } from '../../src/server/session/codec.ts';
import { lazily } from '../support/lazily.ts';
import { document, joinAs, unitType } from '../support/play.ts';
import { ModelClient } from './model-client.ts';

const play = lazily(() => {
  const { game } = loadDefinition(document({ unitTypes: { walker: unitType() }, scripts: { join: joinAs('walker') } }));
  const sim = new Simulation(game!, { dialect: 'moddio' });
  sim.join({ clientId: 'ann' });
  sim.step();
  return sim;
});
/** The player that an event is for. */
const to = 'ann';

const names = new Map(Object.entries(codeOf).map(([name, code]) => [code, name]));

/** The commands with their data, and the changed members of entities. */
function said(...events: Record<string, unknown>[]): { commands: unknown[]; updates: Record<string, unknown> } {
  const sim = play();
  const audience = { player: sim.player('ann').entity };
  const given = events.map(
    (event) =>
      ({ tick: 1, time: 0, ...event, ...(event['to'] === to ? { to: audience } : {}) }) as unknown as OutputEvent,
  );
  const { elements, updates } = translate(given, internalsOf(sim));
  return {
    commands: elements.map((json) => {
      const [code, data] = JSON.parse(json) as [string, unknown];
      return [names.get(code), data];
    }),
    updates: Object.fromEntries(
      [...updates].map(([id, members]) => [
        id,
        Object.fromEntries([...members].map(([member, json]) => [member, JSON.parse(json) as unknown])),
      ]),
    ),
  };
}

describe('output events as commands of the client', () => {
  test.each<[Record<string, unknown>, string, Record<string, unknown>]>([
    [{ kind: 'ui.text', op: 'hide', target: 'top' }, 'updateUiText', { target: 'top', action: 'hide' }],
    [
      { kind: 'ui.text', op: 'updateForTime', target: 'top', value: '<b onclick=x>a</b>', timeMs: 900 },
      'updateUiTextForTime',
      { target: 'top', value: '<b>a</b>', time: 900 },
    ],
    [
      { kind: 'ui.modal', modal: 'input', label: 'Name?', dismissible: true },
      'ui',
      { command: 'showInputModal', fieldLabel: 'Name?', isDismissible: true },
    ],
    [
      { kind: 'ui.modal', modal: 'custom', title: 't', content: '<script>x</script>c', dismissible: true },
      'ui',
      { command: 'showCustomModal', title: 't', content: 'c', isDismissible: true },
    ],
    [
      { kind: 'ui.modal', modal: 'website', url: 'https://a.org' },
      'ui',
      { command: 'showWebsiteModal', url: 'https://a.org' },
    ],
    [{ kind: 'ui.menu', op: 'show' }, 'ui', { command: 'showMenu' }],
    [{ kind: 'ui.menu', op: 'showGameSuggestions' }, 'gameSuggestion', { type: 'show' }],
    [{ kind: 'ui.backpack', op: 'open' }, 'ui', { command: 'updateBackpack', action: 'open' }],
    [
      { kind: 'ui.element', op: 'setHtml', elementId: 'a', html: '<i>x</i>' },
      'ui',
      { command: 'updateUiElement', elementId: 'a', action: 'setHtml', htmlStr: '<i>x</i>' },
    ],
    [
      { kind: 'ui.element', op: 'setProperty', elementId: 'a', key: 'hidden', value: 'x' },
      'ui',
      { command: 'updateUiElement', elementId: 'a', action: 'setUIElementProperty', key: 'hidden', value: 'x' },
    ],
    [{ kind: 'ui.style', op: 'replace', css: 'a{}' }, 'updateUiRealtimeCSS', { action: 'update', style: 'a{}' }],
    [{ kind: 'ui.shop', op: 'open', shopId: 's' }, 'openShop', { type: 's' }],
    [{ kind: 'ui.shop', op: 'close' }, 'ui', { command: 'closeShop' }],
    [
      { kind: 'ui.shop', op: 'response', result: 'inventory_full' },
      'ui',
      { command: 'shopResponse', type: 'inventory_full' },
    ],
    [{ kind: 'ui.dialogue', op: 'close' }, 'closeDialogue', {}],
    [
      { kind: 'ui.dialogue', op: 'open', dialogueId: 'd', playerName: 'n', variables: { a: 1 } },
      'openDialogue',
      { dialogueId: 'd', extraData: { playerName: 'n', variables: { a: 1 }, dialogueTemplate: '' } },
    ],
    [
      { kind: 'ui.floatingText', mode: 'world', text: 'a', color: 'red', position: { x: 1, y: 2 } },
      'createFloatingText',
      { text: 'a', position: { x: 1, y: 2 }, color: 'red' },
    ],
    [{ kind: 'camera', op: 'zoom', zoom: 2 }, 'camera', { cmd: 'zoom', zoom: 2 }],
    [
      { kind: 'camera', op: 'position', position: { x: 1, y: 2 } },
      'camera',
      { cmd: 'positionCamera', position: { x: 1, y: 2 } },
    ],
    [{ kind: 'camera', op: 'panSpeed', panSpeed: 3 }, 'changePlayerCameraPanSpeed', { panSpeed: 3 }],
    [
      { kind: 'sound', op: 'playAt', soundId: 's', position: { x: 1, y: 2 } },
      'sound',
      { id: 's', position: { x: 1, y: 2 } },
    ],
    [{ kind: 'sound', op: 'stop', soundId: 's' }, 'sound', { cmd: 'stopSoundForPlayer', sound: 's' }],
    [{ kind: 'music', op: 'play', musicId: 'm', to: 'everyone' }, 'sound', { cmd: 'playMusic', id: 'm' }],
    [{ kind: 'music', op: 'playLoop', musicId: 'm', to }, 'sound', { cmd: 'playMusicForPlayerRepeatedly', music: 'm' }],
    [{ kind: 'music', op: 'stop', to }, 'sound', { cmd: 'stopMusicForPlayer' }],
    [{ kind: 'chat', op: 'system', text: 'a' }, 'taroChatMsg', { roomId: '1', text: 'a' }],
    [
      { kind: 'chat', op: 'player', text: 'a', fromPlayerId: 'ann' },
      'taroChatMsg',
      { roomId: '1', text: 'a', from: 'ann' },
    ],
    [{ kind: 'trade', op: 'init', fromPlayerId: 'ann', toPlayerId: 'p2' }, 'trade', { type: 'init', from: 'ann' }],
    [
      { kind: 'trade', op: 'offer', fromPlayerId: 'ann', toPlayerId: 'p2', items: ['i1', null] },
      'trade',
      { type: 'offer', from: 'ann', to: 'p2', tradeItems: ['i1', null] },
    ],
    [
      { kind: 'trade', op: 'success', fromPlayerId: 'ann', toPlayerId: 'p2' },
      'trade',
      { type: 'success', between: { playerA: 'ann', playerB: 'p2' } },
    ],
    [{ kind: 'client.data', data: { a: 1 } }, 'sendDataFromServer', { data: { a: 1 } }],
    [
      { kind: 'map.tiles', layer: 1, x: 3, y: 4, width: 1, height: 1, gid: 5 },
      'editTile',
      {
        edit: { selectedTiles: [{ 3: { 4: 5 } }], size: 'fitContent', shape: 'rectangle', layer: [1], x: 3, y: 4 },
      },
    ],
    [
      { kind: 'map.tiles', layer: 1, x: 3, y: 4, width: 2, height: 6, gid: 0 },
      'editTile',
      {
        edit: { selectedTiles: [{ 0: { 0: 0 } }], size: { x: 2, y: 6 }, shape: 'rectangle', layer: [1], x: 3, y: 4 },
      },
    ],
    [{ kind: 'map.layerOpacity', layer: 2, opacity: 0.5 }, 'changeLayerOpacity', { layer: 2, opacity: 0.5 }],
  ])('%j', (event, command, data) => {
    expect(said(event).commands).toEqual([[command, data]]);
  });

  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ kind: 'animation', entityId: 'u1', animationId: 'a' }, { ',1': { anim: 'a' } }],
    [{ kind: 'entity.visibility', op: 'hideUnit', unitId: 'u1' }, { ',1': { isHidden: true } }],
    [{ kind: 'entity.visibility', op: 'showUnit', unitId: 'u1' }, { ',1': { isHidden: false } }],
    [{ kind: 'entity.label', op: 'showLabel', unitId: 'u1' }, { ',1': { showNameLabel: true } }],
    [
      { kind: 'effect', entityId: 'u1', effect: 'attacked', attackerId: 'u2' },
      { ',1': { effect: { type: 'attacked', data: { attackerId: ',2' } } } },
    ],
    [
      { kind: 'ui.floatingText', mode: 'unit', unitId: 'u1', text: 'a', color: 'red' },
      { ',1': { setFadingText: 'a|-|red' } },
    ],
    [{ kind: 'entity.label', op: 'color', unitId: 'u1', color: 'red', to }, { ',1': { nameLabelColor: 'red' } }],
    [{ kind: 'camera', op: 'pitch', angle: 30, to }, { ann: { cameraPitch: 30 } }],
    [
      { kind: 'quest', op: 'questRemoved', playerId: 'ann', questId: 'q', data: null },
      { ann: { quests: { q: { removed: true } } } },
    ],
    [
      { kind: 'client.script', playerId: 'ann', scriptId: 's', vars: { a: 1 } },
      { ann: { script: { name: 's', params: { a: 1 } } } },
    ],
  ])('%j is sent as a member', (event, updates) => {
    expect(said(event)).toEqual({ commands: [], updates });
  });

  test.each([
    [{ kind: 'effect', entityId: 'u1', effect: 'create' }],
    [{ kind: 'particle', op: 'start', entityId: 'u1', particleTypeId: 'x' }],
    [{ kind: 'ui.minimap', op: 'show', unitId: 'u1', color: 'red' }],
    [{ kind: 'camera', op: 'deadzone', width: 1, height: 1 }],
    [{ kind: 'ui.shop', op: 'response', result: 'not_affordable' }],
    [{ kind: 'ui.element', op: 'setProperty', elementId: 'a', key: 'onclick', value: 'x()' }],
  ])('%j has no command', (event) => {
    expect(said(event)).toEqual({ commands: [], updates: {} });
  });

  test('several quests in one tick are all sent', () => {
    const quest = (questId: string) => ({ kind: 'quest', op: 'questCompleted', playerId: 'ann', questId, data: {} });
    expect(said(quest('a'), quest('b')).updates).toEqual({
      ann: { quests: { a: { completed: true }, b: { completed: true } } },
    });
  });
});

test('players read in the chat that their room is slow, and why', () => {
  const client = new ModelClient({});
  const send = (message: SentMessage): void => {
    for (const bytes of moddio.codec.encode(message)) client.receive(new TextDecoder().decode(bytes));
  };
  const welcome = { room: 'r', player: 'p1', tick: 0, rate: 20, resume: '', sequence: 0, slug: '', hash: '' };
  send({ kind: 'welcome', protocol: 2, ...welcome });
  send({ kind: 'pace', speed: 0.2, reason: 'long-ticks' });
  const text = 'The game is slow: the server cannot compute it fast enough.';
  expect(client.said).toEqual([['taroChatMsg', { roomId: '1', text }]]);
});
