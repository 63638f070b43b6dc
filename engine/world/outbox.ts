import type { Entity } from './entity.ts';

/**
 * The kinds of output events (reference: output-events#kinds), and the members that events of each kind can have
 * besides `to`. Output events are published, never performed. Faults of scripts are not output events: see `FaultLog`.
 */
export const outputMembers = {
  'ui.text': ['op', 'target', 'value', 'timeMs'],
  'ui.element': ['op', 'elementId', 'className', 'html', 'key', 'value'],
  'ui.style': ['op', 'css'],
  'ui.modal': ['modal', 'label', 'title', 'content', 'url', 'dismissible'],
  'ui.menu': ['op'],
  'ui.backpack': ['op'],
  'ui.dialogue': ['op', 'dialogueId', 'title', 'message', 'options', 'playerName', 'variables'],
  'ui.shop': ['op', 'shopId', 'itemTypeId', 'unitTypeId', 'result'],
  'ui.minimap': ['op', 'unitId', 'color'],
  'ui.floatingText': ['mode', 'text', 'color', 'position', 'durationMs', 'unitId'],
  'entity.label': ['op', 'unitId', 'color'],
  'entity.visibility': ['op', 'unitId'],
  'entity.style': [
    'entityId',
    'flip',
    'opacity',
    'scale',
    'depth',
    'width',
    'height',
    'inside',
    'alpha',
    'flags',
    'value',
    'description',
    'inventorySlotColor',
    'inventoryImage',
    'teleport',
    'camera',
  ],
  animation: ['entityId', 'animationId'],
  effect: ['entityId', 'effect', 'attackerId'],
  camera: ['op', 'unitId', 'zoom', 'angle', 'panSpeed', 'position', 'width', 'height'],
  sound: ['op', 'soundId', 'position'],
  music: ['op', 'musicId', 'startSeconds'],
  particle: ['op', 'particleTypeId', 'entityId', 'position', 'angle'],
  chat: ['op', 'text', 'fromPlayerId', 'playerId', 'words'],
  trade: ['op', 'fromPlayerId', 'toPlayerId', 'items'],
  quest: ['op', 'playerId', 'questId', 'data'],
  ad: ['op'],
  coins: ['playerId', 'amount', 'feePaidBy'],
  persistence: ['op', 'playerId', 'userId', 'data', 'highscore'],
  http: ['op', 'url', 'body', 'options', 'credentialsId', 'resultField', 'resultVariable', 'requestId'],
  transfer: ['op', 'playerIds', 'gameId'],
  'client.script': ['playerId', 'scriptId', 'entityId', 'vars'],
  'client.data': ['playerId', 'data'],
  'player.kick': ['playerId', 'message'],
  server: ['op', 'value', 'reason'],
  host: ['operation', 'values'],
  'map.tiles': ['layer', 'x', 'y', 'width', 'height', 'gid'],
  'map.replace': ['map'],
  'map.layerOpacity': ['layer', 'opacity'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type OutputKind = keyof typeof outputMembers;
export const outputKinds = Object.keys(outputMembers) as readonly OutputKind[];

/**
 * Members of events that contain HTML; a slash separates nested members. They are published unsanitised and may contain
 * text typed by players, such as their names: a host must sanitise them before a browser shows them. Beware also of
 * `ui.style`, a style sheet, and of the `url` of `ui.modal`.
 */
export const htmlMembers: { readonly [kind in OutputKind]?: readonly string[] } = {
  'ui.text': ['value'],
  'ui.element': ['html'],
  'ui.modal': ['title', 'label', 'content'],
  'ui.dialogue': ['title', 'message', 'options/name'],
};

/** The receivers of an event: everyone, or one player. */
type Audience = 'everyone' | { readonly player: Entity };

/** The members that a caller provides; `post` adds kind, tick and time. */
interface OutputDetails {
  readonly to?: Audience;
  readonly [member: string]: unknown;
}

/** The members that an event of this kind can have. */
export type DetailsOf<K extends OutputKind> = { readonly to?: Audience } & {
  readonly [member in (typeof outputMembers)[K][number]]?: unknown;
};

/** The action that caused an event. */
export interface OutputSource {
  /** `scripts/<key>` or `unitTypes/<type>/scripts/<key>`. */
  readonly scriptId: string;
  readonly actionType: string;
}

/**
 * An event as published. It has no source if no script caused it. In a `client.script` event, `scriptId` is the script
 * that the client must run.
 */
export interface OutputEvent extends OutputDetails, Partial<OutputSource> {
  readonly kind: OutputKind;
  readonly tick: number;
  /** Simulated seconds. */
  readonly time: number;
}

/** Counts all events and passes them to the listener, if any. */
export class Outbox {
  readonly counts = new Map<OutputKind, number>();
  /** Without a listener, an event is only counted. */
  listener: ((event: OutputEvent) => void) | undefined;

  constructor(listener?: (event: OutputEvent) => void) {
    this.listener = listener;
  }

  post(kind: OutputKind, tick: number, time: number, details: OutputDetails): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (this.listener) this.listener({ ...details, kind, tick, time });
  }
}
