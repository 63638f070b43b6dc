import type { Entity } from './entity.ts';

/**
 * Kinds of effects outside the simulated world (reference: output-events#kinds). They are published, never performed. Faults of scripts are no such
 * effects: see `FaultLog`.
 */
export const outputKinds = [
  'ui.text',
  'ui.element',
  'ui.style',
  'ui.modal',
  'ui.menu',
  'ui.backpack',
  'ui.dialogue',
  'ui.shop',
  'ui.minimap',
  'ui.floatingText',
  'entity.label',
  'entity.visibility',
  'entity.style',
  'animation',
  'effect',
  'camera',
  'sound',
  'music',
  'particle',
  'chat',
  'trade',
  'quest',
  'ad',
  'coins',
  'persistence',
  'http',
  'transfer',
  'client.script',
  'client.data',
  'player.kick',
  'server',
  'map.tiles',
  'map.replace',
  'map.layerOpacity',
] as const;
export type OutputKind = (typeof outputKinds)[number];

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
export type Audience = 'everyone' | { readonly player: Entity };

/** The members that a caller gives; tick, time and place are added when it is posted. */
export interface OutputDetails {
  readonly to?: Audience;
  readonly [member: string]: unknown;
}

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
