import { describe, expect, test } from 'vitest';
import { rowOf, statusOf, vocabulary } from '../../../engine/tools.ts';
import type { OutputEvent } from '../../../engine/world/outbox.ts';
import { joinAs, type Play, play, script, unitType } from '../../support/play.ts';
import { type Json, withoutOrigin } from './action-game.ts';
import { computer, gone, me, player, published, unit } from './published.ts';

/**
 * The outputs of an action, and the state that it needs: one case for every action of these families with an output.
 */

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
/** Their outputs depend on more than one action, so they have tests of their own. */
const elsewhere = [
  'savePlayerData',
  'saveUnitData',
  'sendPostRequest',
  'requestPost',
  'sendSecurePostRequest',
  'changeLayerOpacity',
];

/**
 * The game in which all actions run, when the player answers an input box. It has one unit, one item and one player
 * with an account.
 */
function playing(...actions: unknown[]): { game: Play; outputs: Json[] } {
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
    scripts: { join: joinAs('citizen'), go: script('playerCustomInput', actions) },
  });
  const outputs: Json[] = [];
  const human = game.sim.join({ name: 'Ann', userId: 'account' });
  game.ticks(1);
  game.sim.on('output', (event: OutputEvent) => {
    const { to, ...rest } = withoutOrigin(event);
    const isMine = typeof to === 'object' && to.player === human.entity;
    outputs.push(to === undefined ? rest : { ...rest, to: isMine ? me : to });
  });
  human.answer('');
  game.ticks(1);
  return { game, outputs };
}

describe('an action that clients or hosts perform is published:', () => {
  test.each(published)('$action.type', ({ action, event }) => {
    const { game, outputs } = playing(action);
    expect(outputs).toEqual([event]);
    expect(game.faults()).toEqual([]);
  });
});

test('every action of these families that publishes something has a case', () => {
  const rows = [...vocabulary.actions].filter(([, row]) => families.includes(row.family) && statusOf(row) === 'output');
  const tested = new Set([...published.map(({ action }) => action.type), ...elsewhere]);
  expect(rows.map(([type]) => type).filter((type) => !tested.has(type))).toEqual([]);
});

describe('an action without a required operand publishes nothing and reports it:', () => {
  const whose = ['player', 'entity', 'unit', 'item', 'client', 'position', 'sound', 'music', 'dialogue', 'region'];
  const missing = published
    .flatMap(({ action }) => whose.filter((key) => key in action).map((key) => ({ type: action.type, key, action })))
    // Sent to everyone if no player is named.
    .filter(({ type, key }) => !(type === 'updateUiTextForTimeForPlayer' && key === 'player'));

  test.each(missing)('$type without $key', ({ action, key }) => {
    const { game, outputs } = playing({ ...action, [key]: gone });
    expect(outputs).toEqual([]);
    expect(game.faults().length + game.world.skips.list().length).toBe(1);
  });
});

describe('what a client cannot show is not published:', () => {
  const website = { type: 'openWebsiteForPlayer', string: ' javascript:alert(1)', player };
  const frame = { type: 'showWebsiteModalToPlayer', string: 'JavaScript:alert(1)', player };
  const timed = { type: 'updateUiTextForTimeForPlayer', target: 'top', value: 'x', player: computer };
  const style = { type: 'appendRealtimeCSSForPlayer', value: 'b{}', player: computer };
  test.each<[what: string, action: Json, fault?: string]>([
    ['an unknown sound', { type: 'playSoundForPlayer', sound: 'nonsense', player }, 'no-such-reference'],
    ['unknown music', { type: 'playMusic', music: 'nonsense' }, 'no-such-reference'],
    ['an unknown dialogue', { type: 'openDialogueForPlayer', dialogue: 'nonsense', player }, 'no-such-reference'],
    ['a script as a website', website, 'wrong-value'],
    ['a script as a framed website', frame, 'wrong-value'],
    ['an invalid colour', { type: 'setUnitNameLabelColor', unit, color: 'red; x' }, 'wrong-value'],
    ['no coins', { type: 'sendCoinsToPlayer', coins: 0.5, player }],
    ['coins to a player without an account', { type: 'sendCoinsToPlayer', coins: 5, player: computer }],
    ['a text for a time to a computer player', timed],
    ['a style to a computer player', style],
    ['an element without an id', { type: 'showUiElementForPlayer', elementId: '', player }],
    ['a filter without words', { type: 'addChatFilter', words: ' , ' }],
  ])('%s', (_what, action, fault) => {
    const { game, outputs } = playing(action);
    expect(outputs).toEqual([]);
    expect(game.faults().map(({ code }) => code)).toEqual(fault === undefined ? [] : [fault]);
  });
});

test('an event names the action and script that published it, if any', () => {
  const game = play({
    unitTypes: {
      citizen: unitType({
        effects: { create: {} },
        scripts: { wake: script('entityCreated', [{ type: 'stopMusic' }]) },
      }),
    },
    scripts: { join: joinAs('citizen'), go: script('playerJoinsGame', [{ type: 'sendChatMessage', message: 'hi' }]) },
  });
  const events: OutputEvent[] = [];
  game.sim.on('output', (event) => events.push(event));
  game.sim.join({ name: 'Ann' });
  game.ticks(1);
  game.sim.input({ kind: 'chat', player: 'p1', text: 'hello' });
  game.ticks(1);
  expect(events.map(({ kind, scriptId, actionType }) => [kind, scriptId, actionType])).toEqual([
    ['effect', 'scripts/join', 'createUnitAtPosition'],
    ['music', 'unitTypes/citizen/scripts/wake', 'stopMusic'],
    ['chat', 'scripts/go', 'sendChatMessage'],
    ['chat', undefined, undefined],
  ]);
});

test('advertisements for everyone are a minute apart', () => {
  const { game, outputs } = playing(
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

test('styles accumulate until they are replaced', () => {
  const css = (type: string, value: string) => ({ type, value, player });
  const { game } = playing(css('appendRealtimeCSSForPlayer', 'a{}'), css('appendRealtimeCSSForPlayer', 'b{}'));
  const style = ({ world, entity }: Play) => world.components.page[rowOf(entity('p1'))]!.css;
  expect(style(game)).toBe('a{}\nb{}');
  const replaced = playing(css('appendRealtimeCSSForPlayer', 'a{}'), css('updateRealtimeCSSForPlayer', 'c{}'));
  expect(style(replaced.game)).toBe('c{}');
});

test('a later player receives texts for everyone, and none for other players', () => {
  const { game, outputs } = playing(
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

test('the unit that a camera follows is stored until it follows none', () => {
  const tracked = (game: Play) => game.world.components.camera[rowOf(game.entity('p1'))];
  const track = { type: 'playerCameraTrackUnit', player, unit };
  const { game } = playing(track);
  expect(tracked(game)).toBe(game.entity('u1'));
  expect(tracked(playing(track, { type: 'playerCameraStopTracking', player }).game)).toBe(0);
});
