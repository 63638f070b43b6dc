import { cached, type Dictionary } from '../../engine/core/index.ts';
import type { OutputEvent } from '../../engine/index.ts';
import { type Internals, Kind, rowOf } from '../../engine/tools.ts';
import { cleanTemplate, type StyleHosts } from '../html/index.ts';
import { outputForBrowser } from '../net/index.ts';
import type { ServerCommand } from './commands.ts';
import { type Element, element } from './frames.ts';
import { clientValue, wireId } from './members.ts';

/** The output events of a tick in the form of the clients' protocol. */
export interface Translation {
  readonly elements: Element[];
  /** Events that are sent as updates of entities: JSON, by id and member. */
  readonly updates: Map<string, Map<string, string>>;
  /**
   * Entities that clients must move immediately instead of interpolating. The value tells whether cameras that follow
   * them jump, too.
   */
  readonly jumps: Map<string, boolean>;
  isMapReplaced: boolean;
}

type Translate = (event: Dictionary, say: Speaker) => void;

/** The effects that are sent to clients. Clients play all others by themselves (reference: client-protocol#effects). */
const effects: ReadonlySet<unknown> = new Set('move idle none attacked'.split(' '));

const modals: Dictionary<(event: Dictionary) => Dictionary> = {
  input: ({ label, dismissible }) => ({ command: 'showInputModal', fieldLabel: label, isDismissible: dismissible }),
  custom: ({ title, content, dismissible }) => ({
    command: 'showCustomModal',
    title,
    content,
    isDismissible: dismissible,
  }),
  website: ({ url }) => ({ command: 'showWebsiteModal', url }),
  openWebsite: ({ url }) => ({ command: 'openWebsite', url }),
  socialShare: () => ({ command: 'showSocialShareModal' }),
  friends: () => ({ command: 'showFriendsModal' }),
};

const menus: Dictionary<string> = {
  show: 'showMenu',
  showAndSelectCurrentServer: 'showMenuAndSelectCurrentServer',
  showAndSelectBestServer: 'showMenuAndSelectBestServer',
};

/** Members of `updateUiElement` messages, by operation, which is also their action if they name no other. */
const elementMembers: Dictionary<(event: Dictionary) => Dictionary> = {
  show: () => ({}),
  hide: () => ({}),
  setHtml: ({ html }) => ({ htmlStr: html }),
  addClass: ({ className }) => ({ className }),
  removeClass: ({ className }) => ({ className }),
  setProperty: ({ key, value }) => ({ action: 'setUIElementProperty', key, value }),
};

/** Purchase results that clients can show. */
const responses: ReadonlySet<unknown> = new Set(['purchase', 'inventory_full']);

const music: Dictionary<(event: Dictionary) => Dictionary> = {
  play: ({ musicId }) => ({ cmd: 'playMusicForPlayer', music: musicId }),
  playLoop: ({ musicId }) => ({ cmd: 'playMusicForPlayerRepeatedly', music: musicId }),
  playAtTime: ({ musicId, startSeconds }) => ({ cmd: 'playMusicForPlayerAtTime', music: musicId, time: startSeconds }),
  stop: () => ({ cmd: 'stopMusicForPlayer' }),
};

/**
 * Translations by kind of event. Kinds without a message in the protocol are left out: minimap, particles, the camera's
 * dead zone and yaw. Kinds that are sent as state are left out, too: appearance, the unit that a camera follows, chat
 * bans.
 */
const translations: { readonly [kind in OutputEvent['kind']]?: Translate } = {
  'ui.text': ({ op, target, value, timeMs }, { send }) => {
    if (op === 'updateForTime') send('updateUiTextForTime', { target, value, time: timeMs ?? 0 });
    // An `updateUiText` without an action replaces the text by the value.
    else send('updateUiText', op === 'update' ? { target, value } : { target, action: op });
  },
  'ui.element': (event, { send }) => {
    const { op: action, elementId } = event;
    const members = elementMembers[String(action)]?.(event);
    if (members !== undefined) send('ui', { command: 'updateUiElement', elementId, action, ...members });
  },
  'ui.style': ({ op, css }, { send }) =>
    send('updateUiRealtimeCSS', { action: op === 'append' ? 'append' : 'update', style: css }),
  'ui.modal': (event, { send }) => {
    const modal = modals[String(event['modal'])]?.(event);
    if (modal !== undefined) send('ui', modal);
  },
  'ui.menu': ({ op }, { send }) => {
    const command = menus[String(op)];
    if (command !== undefined) send('ui', { command });
    else send('gameSuggestion', { type: op === 'showGameSuggestions' ? 'show' : 'hide' });
  },
  'ui.backpack': ({ op }, { send }) => send('ui', { command: 'updateBackpack', action: op }),
  'ui.dialogue': ({ op, dialogueId, playerName, variables }, { send, from, styleHosts }) => {
    if (op === 'close') send('closeDialogue', {});
    else
      send('openDialogue', {
        dialogueId,
        extraData: { playerName, variables, dialogueTemplate: dialogueTemplate(from, styleHosts) },
      });
  },
  'ui.shop': ({ op, shopId, itemTypeId, result }, { send }) => {
    if (op === 'open') send('openShop', { type: shopId });
    else if (op === 'close') send('ui', { command: 'closeShop' });
    else if (op === 'purchase')
      send('ui', { command: 'shopPurchase', shopId, entityId: itemTypeId, action: 'openEntityPurchaseModal' });
    else if (op === 'response') {
      if (responses.has(result)) send('ui', { command: 'shopResponse', type: result });
    } else
      send('ui', {
        command: 'skinShop',
        action: op === 'openSkinSubmission' ? 'openSkinSubmissionPage' : 'openSkinShop',
      });
  },
  'ui.floatingText': ({ mode, text, color, position, durationMs, unitId }, { send, update }) => {
    if (mode === 'unit') update(unitId, 'setFadingText', `${text}|-|${color}`);
    else if (mode === 'dynamic') send('createDynamicFloatingText', { text, position, color, duration: durationMs });
    else send('createFloatingText', { text, position, color });
  },
  'entity.label': ({ op, unitId, color, to }, { update }) => {
    if (op === 'color') {
      if (to !== 'everyone') update(unitId, 'nameLabelColor', color);
    } else update(unitId, op === 'hideLabel' ? 'hideNameLabel' : 'showNameLabel', true);
  },
  // Clients also have commands for hiding and showing units, but these commands have no effect.
  'entity.visibility': ({ op, unitId }, { update }) => update(unitId, 'isHidden', op === 'hideUnit'),
  'entity.style': ({ entityId, teleport, camera }, { jump }) => {
    if (teleport === true) jump(entityId, camera === true);
  },
  animation: ({ entityId, animationId }, { update }) => update(entityId, 'anim', animationId),
  effect: ({ entityId, effect, attackerId }, { update, idOf }) => {
    if (!effects.has(effect)) return;
    const data = attackerId === undefined ? {} : { data: { attackerId: idOf(attackerId) } };
    update(entityId, 'effect', { type: effect, ...data });
  },
  camera: ({ op, zoom, position, panSpeed, angle }, { send, updateSelf }) => {
    if (op === 'zoom') send('camera', { cmd: 'zoom', zoom });
    else if (op === 'position') send('camera', { cmd: 'positionCamera', position });
    else if (op === 'panSpeed') send('changePlayerCameraPanSpeed', { panSpeed });
    else if (op === 'pitch') updateSelf('cameraPitch', angle);
  },
  sound: ({ op, soundId, position }, { send }) => {
    if (op === 'playAt') send('sound', { id: soundId, position });
    else send('sound', { cmd: op === 'stop' ? 'stopSoundForPlayer' : 'playSoundForPlayer', sound: soundId });
  },
  music: (event, { send }) => {
    const { op, musicId, to } = event;
    if (to === 'everyone') send('sound', op === 'stop' ? { cmd: 'stopMusic' } : { cmd: 'playMusic', id: musicId });
    else {
      const data = music[String(op)]?.(event);
      if (data !== undefined) send('sound', data);
    }
  },
  chat: ({ op, text, fromPlayerId }, { send, clientIdOf }) => {
    if (op === 'system') send('taroChatMsg', { roomId: '1', text });
    else if (op === 'player') send('taroChatMsg', { roomId: '1', text, from: clientIdOf(fromPlayerId) });
  },
  trade: ({ op, fromPlayerId, toPlayerId, items }, { send, idOf }) => {
    const [from, to] = [idOf(fromPlayerId), idOf(toPlayerId)];
    if (op === 'init') send('trade', { type: op, from });
    else if (op === 'offer') send('trade', { type: op, from, to, tradeItems: items });
    else send('trade', { type: op, between: { playerA: from, playerB: to } });
  },
  quest: ({ op, playerId, questId, data }, { update }) => {
    const quest = data as Dictionary | null;
    const entry =
      op === 'questAdded'
        ? quest
        : op === 'questRemoved'
          ? { removed: true }
          : op === 'questCompleted'
            ? { completed: true }
            : { progress: quest?.['progress'] };
    update(playerId, 'quests', { [String(questId)]: entry });
  },
  transfer: ({ op, gameId }, { send }) => {
    if (op === 'spawnMap') return;
    const type = op === 'game' ? 'sendPlayerToGame' : 'sendPlayerToMap';
    send(type, { type, gameSlug: gameId, gameId });
  },
  'client.script': ({ playerId, scriptId, entityId, vars }, { update, idOf }) => {
    const of = entityId === undefined ? {} : { entityId: idOf(entityId) };
    update(playerId, 'script', { name: scriptId, params: clientValue(vars), ...of });
  },
  'client.data': ({ data }, { send }) => send('sendDataFromServer', { data }),
  'map.tiles': ({ layer, x, y, width, height, gid }, { send }) => {
    const edit = { shape: 'rectangle', layer: [layer], x, y };
    const isOne = width === 1 && height === 1;
    const tiles = isOne
      ? { selectedTiles: [{ [String(x)]: { [String(y)]: gid } }], size: 'fitContent' }
      : { selectedTiles: [{ 0: { 0: gid } }], size: { x: width, y: height } };
    send('editTile', { edit: { ...tiles, ...edit } });
  },
  'map.replace': (_event, { translation }) => {
    translation.isMapReplaced = true;
  },
  'map.layerOpacity': ({ layer, opacity }, { send }) => send('changeLayerOpacity', { layer, opacity }),
};

interface Speaker {
  readonly from: Internals;
  readonly styleHosts: StyleHosts;
  readonly translation: Translation;
  readonly send: (command: ServerCommand, data: Dictionary) => void;
  /**
   * Sets a member of an entity. If it is set several times in one tick, the last value is sent; values of `quests` are
   * merged.
   */
  readonly update: (id: unknown, member: string, value: unknown) => void;
  /** Like `update`, for the player who receives the event. */
  readonly updateSelf: (member: string, value: unknown) => void;
  readonly jump: (id: unknown, camera: boolean) => void;
  readonly idOf: (label: unknown) => string;
  readonly clientIdOf: (label: unknown) => string | undefined;
}

/** Translates the events of one tick that have the same recipients. HTML is sanitized. */
export function translate(events: readonly OutputEvent[], from: Internals, styleHosts: StyleHosts = []): Translation {
  const translation: Translation = { elements: [], updates: new Map(), jumps: new Map(), isMapReplaced: false };
  if (events.length === 0) return translation;
  const { elements, updates, jumps } = translation;
  const { world } = from;
  let audience: OutputEvent['to'];
  const update = (id: unknown, member: string, value: unknown) => {
    if (typeof id !== 'string') return;
    const own = cached(updates, wireId(id), () => new Map<string, string>());
    const before = member === 'quests' ? own.get(member) : undefined;
    const merged = before === undefined ? value : { ...(JSON.parse(before) as object), ...(value as object) };
    // Deleting first moves the member to the end, because updates are sent in the order of their last values.
    own.delete(member);
    own.set(member, JSON.stringify(merged ?? null));
  };
  const speaker: Speaker = {
    from,
    styleHosts,
    translation,
    send: (command, data) => elements.push(element(command, data)),
    update,
    updateSelf: (member, value) => {
      if (typeof audience === 'object') update(world.ref(audience.player)?.id, member, value);
    },
    jump: (id, camera) => {
      if (typeof id === 'string') jumps.set(wireId(id), camera || jumps.get(wireId(id)) === true);
    },
    idOf: (label) => wireId(String(label)),
    clientIdOf: (label) => {
      for (const player of world.lists[Kind.player]!.entries) {
        if (world.exists(player) && world.ref(player)!.id === label)
          return world.components.player[rowOf(player)]!.clientId;
      }
      return undefined;
    },
  };
  for (const event of events) {
    const clean = outputForBrowser(event, styleHosts);
    if (clean === undefined) continue;
    audience = clean.to;
    translations[clean.kind]?.(clean, speaker);
  }
  return translation;
}

/** The game's own HTML template for dialogues; empty if the game uses that of the clients. */
function dialogueTemplate({ world }: Internals, styleHosts: StyleHosts) {
  const view = world.definition.views.get('dialogueview') as { readonly htmlData?: unknown } | undefined;
  return typeof view?.htmlData === 'string' ? cleanTemplate(view.htmlData, styleHosts) : '';
}
