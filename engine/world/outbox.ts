import type { Point } from '../components/point.ts';
import type { Dictionary } from '../core/plain-object.ts';
import type { Entity } from './entity.ts';

/** The types that members of events can have. */
interface MemberTypes {
  text: string;
  number: number;
  flag: boolean;
  place: Point;
  texts: readonly string[];
  /** A value of a script or of the definition, unchecked. */
  any: unknown;
}

/**
 * The kinds of output events (reference: output-events#kinds), and the members that events of each kind can have
 * besides `to`, with their types. Output events are only published: it is up to the host to perform them. Faults of
 * scripts are not output events: see `FaultLog`.
 */
export const outputMembers = {
  'ui.text': { op: 'text', target: 'text', value: 'text', timeMs: 'number' },
  'ui.element': { op: 'text', elementId: 'text', className: 'text', html: 'text', key: 'text', value: 'text' },
  'ui.style': { op: 'text', css: 'text' },
  'ui.modal': { modal: 'text', label: 'text', title: 'text', content: 'text', url: 'text', dismissible: 'flag' },
  'ui.menu': { op: 'text' },
  'ui.backpack': { op: 'text' },
  'ui.dialogue': {
    op: 'text',
    dialogueId: 'text',
    title: 'text',
    message: 'text',
    options: 'any',
    playerName: 'text',
    variables: 'any',
  },
  'ui.shop': { op: 'text', shopId: 'text', itemTypeId: 'text', unitTypeId: 'text', result: 'text' },
  'ui.minimap': { op: 'text', unitId: 'text', color: 'text' },
  'ui.floatingText': {
    mode: 'text',
    text: 'text',
    color: 'text',
    position: 'place',
    durationMs: 'number',
    unitId: 'text',
  },
  'entity.label': { op: 'text', unitId: 'text', color: 'text' },
  'entity.visibility': { op: 'text', unitId: 'text' },
  'entity.style': {
    entityId: 'text',
    flip: 'number',
    opacity: 'number',
    scale: 'number',
    depth: 'number',
    width: 'number',
    height: 'number',
    inside: 'text',
    alpha: 'number',
    flags: 'texts',
    value: 'flag',
    description: 'text',
    inventorySlotColor: 'text',
    inventoryImage: 'text',
    teleport: 'flag',
    camera: 'flag',
  },
  animation: { entityId: 'text', animationId: 'text' },
  effect: { entityId: 'text', effect: 'text', attackerId: 'text' },
  camera: {
    op: 'text',
    unitId: 'text',
    zoom: 'number',
    angle: 'number',
    panSpeed: 'number',
    position: 'place',
    width: 'number',
    height: 'number',
  },
  sound: { op: 'text', soundId: 'text', position: 'place' },
  music: { op: 'text', musicId: 'text', startSeconds: 'number' },
  particle: { op: 'text', particleTypeId: 'text', entityId: 'text', position: 'place', angle: 'number' },
  chat: { op: 'text', text: 'text', fromPlayerId: 'text', playerId: 'text', words: 'texts' },
  trade: { op: 'text', fromPlayerId: 'text', toPlayerId: 'text', items: 'any' },
  quest: { op: 'text', playerId: 'text', questId: 'text', data: 'any' },
  ad: { op: 'text' },
  coins: { playerId: 'text', amount: 'number', feePaidBy: 'text' },
  persistence: { op: 'text', playerId: 'text', userId: 'text', data: 'any', highscore: 'number' },
  http: {
    op: 'text',
    url: 'text',
    body: 'any',
    options: 'any',
    credentialsId: 'text',
    resultField: 'text',
    resultVariable: 'text',
    requestId: 'number',
  },
  transfer: { op: 'text', playerIds: 'texts', gameId: 'text' },
  'client.script': { playerId: 'text', scriptId: 'text', entityId: 'text', vars: 'any' },
  'client.data': { playerId: 'text', data: 'any' },
  'player.kick': { playerId: 'text', message: 'text' },
  server: { op: 'text', value: 'any', reason: 'text' },
  host: { operation: 'text', values: 'any' },
  'map.tiles': { layer: 'number', x: 'number', y: 'number', width: 'number', height: 'number', gid: 'number' },
  'map.replace': { map: 'any' },
  'map.layerOpacity': { layer: 'number', opacity: 'number' },
} as const satisfies Dictionary<Dictionary<keyof MemberTypes>>;
export type OutputKind = keyof typeof outputMembers;
export const outputKinds = Object.keys(outputMembers) as readonly OutputKind[];

/**
 * Members of events that contain HTML; a slash separates nested members. They are published unsanitised and may contain
 * text typed by players, such as their names: a host must sanitise them before a browser shows them. It must also check
 * `ui.style`, which contains a style sheet, and the `url` of `ui.modal`.
 */
export const htmlMembers: { readonly [kind in OutputKind]?: readonly string[] } = {
  'ui.text': ['value'],
  'ui.element': ['html'],
  'ui.modal': ['title', 'label', 'content'],
  'ui.dialogue': ['title', 'message', 'options/name'],
};

/** The receivers of an event: everyone, or one player. */
type Audience = 'everyone' | { readonly player: Entity };

type Members<K extends OutputKind> = (typeof outputMembers)[K];

/** The members of an event of this kind that a caller provides; `post` adds kind, tick and time. */
export type DetailsOf<K extends OutputKind> = { readonly to?: Audience } & {
  readonly [M in keyof Members<K>]?: MemberTypes[Members<K>[M] & keyof MemberTypes] | undefined;
};

/** The action that caused an event. */
export interface OutputSource {
  /** `scripts/<key>` or `unitTypes/<type>/scripts/<key>`. */
  readonly scriptId: string;
  readonly actionType: string;
}

/**
 * An event as published. Checking its `kind` gives its members their types. An event that no script caused has no
 * source. In a `client.script` event, `scriptId` is the script that the client must run.
 */
export type OutputEvent<K extends OutputKind = OutputKind> = {
  [Each in K]: DetailsOf<Each> &
    Partial<OutputSource> & {
      readonly kind: Each;
      readonly tick: number;
      /** The simulated time in seconds. */
      readonly time: number;
    };
}[K];

/** Counts all events and passes them to the listener, if any. */
export class Outbox {
  readonly counts = new Map<OutputKind, number>();

  /** Without a listener, an event is only counted. */
  constructor(public listener?: (event: OutputEvent) => void) {}

  post<K extends OutputKind>(kind: K, tick: number, time: number, details: DetailsOf<K>): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (this.listener) this.listener({ ...details, kind, tick, time } as OutputEvent);
  }
}
