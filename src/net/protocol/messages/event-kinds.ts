import type { OutputEvent, OutputKind } from '../../../../engine/index.ts';

/** Output events for the host only; never sent to a client. */
type HostKind = 'persistence' | 'http' | 'server' | 'host';
export type ClientEventKind = Exclude<OutputKind, HostKind>;

/**
 * An output event as a client receives it: without its recipient (`to`) and its source location. Once its `kind` is
 * known, its members have types.
 */
export type ClientEvent<K extends ClientEventKind = ClientEventKind> = {
  [Each in K]: Omit<
    OutputEvent<Each>,
    'to' | 'tick' | 'time' | 'actionType' | (Each extends 'client.script' ? never : 'scriptId')
  >;
}[K];

/** The kinds by their number on the wire. New kinds are appended. */
const kinds = [
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
  'transfer',
  'client.script',
  'client.data',
  'player.kick',
  'map.tiles',
  'map.replace',
  'map.layerOpacity',
] as const satisfies readonly ClientEventKind[];

export function isClientEvent(kind: OutputKind): kind is ClientEventKind {
  return (kinds as readonly OutputKind[]).includes(kind);
}

/** The number of an event kind. This function does not compile if a kind is missing in the list. */
export function indexOfEventKind(kind: ClientEventKind): number {
  return kinds.indexOf(kind);
}

/** The event kind with a number; undefined for a kind of a newer version. */
export function eventKindAt(index: number): ClientEventKind | undefined {
  return kinds[index];
}
