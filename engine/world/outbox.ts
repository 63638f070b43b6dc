import type { Entity } from './entity.ts';

/**
 * Kinds of effects outside the simulated world (reference: output-events#kinds), and the members that events of each can have beside `to`. They are
 * published, never performed. Faults of scripts are no such effects: see `FaultLog`.
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
    ...['entityId', 'flip', 'opacity', 'scale', 'depth', 'width', 'height', 'inside', 'alpha'],
    ...['flags', 'value', 'description', 'inventorySlotColor', 'inventoryImage', 'teleport', 'camera'],
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
  persistence: ['op', 'playerId', 'userId', 'data', 'highscore', 'since'],
  http: ['op', 'url', 'body', 'options', 'credentialsId', 'resultField', 'resultVariable', 'requestId'],
  transfer: ['op', 'playerIds', 'gameId'],
  'client.script': ['playerId', 'scriptId', 'entityId', 'vars'],
  'client.data': ['playerId', 'data'],
  'player.kick': ['playerId', 'message'],
  server: ['op', 'value', 'reason'],
  'map.tiles': ['layer', 'x', 'y', 'width', 'height', 'gid'],
  'map.replace': ['map'],
  'map.layerOpacity': ['layer', 'opacity'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type OutputKind = keyof typeof outputMembers;
export const outputKinds = Object.keys(outputMembers) as readonly OutputKind[];

/**
 * Members of events that are HTML, a slash before each deeper member. They are published as the game wrote them, with all that players typed into
 * them, names included. A host cleans them before a browser shows them. `ui.style` is a style sheet, `ui.modal` may have an address (`url`).
 */
export const htmlMembers: { readonly [kind in OutputKind]?: readonly string[] } = {
  'ui.text': ['value'],
  'ui.element': ['html'],
  'ui.modal': ['title', 'label', 'content'],
  'ui.dialogue': ['title', 'message', 'options/name'],
};

/** The receivers of an effect: everyone, or one player. */
type Audience = 'everyone' | { readonly player: Entity };

/** The members that a caller gives; tick, time and place are added when it is posted. */
interface OutputDetails {
  readonly to?: Audience;
  readonly [member: string]: unknown;
}

/** Those that an event of this kind can have. */
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
 * An event as it is published. Without a source where no script caused it; In `client.script` the member `scriptId` is the script for the client to
 * run.
 */
export interface OutputEvent extends OutputDetails, Partial<OutputSource> {
  readonly kind: OutputKind;
  readonly tick: number;
  /** Simulated seconds. */
  readonly time: number;
}

/** Counts every event, and hands it on when somebody listens. */
export class Outbox {
  readonly counts = new Map<OutputKind, number>();
  /** Undefined without a listener; an event then costs one count. */
  listener: ((event: OutputEvent) => void) | undefined;

  constructor(listener?: (event: OutputEvent) => void) {
    this.listener = listener;
  }

  post(kind: OutputKind, tick: number, time: number, details: OutputDetails): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (this.listener) this.listener({ ...details, kind, tick, time });
  }
}
