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

/** Event numbers on the wire. New kinds get the next higher number. */
const numbers: Readonly<Record<ClientEventKind, number>> = {
  'ui.text': 0,
  'ui.element': 1,
  'ui.style': 2,
  'ui.modal': 3,
  'ui.menu': 4,
  'ui.backpack': 5,
  'ui.dialogue': 6,
  'ui.shop': 7,
  'ui.minimap': 8,
  'ui.floatingText': 9,
  'entity.label': 10,
  'entity.visibility': 11,
  'entity.style': 12,
  animation: 13,
  effect: 14,
  camera: 15,
  sound: 16,
  music: 17,
  particle: 18,
  chat: 19,
  trade: 20,
  quest: 21,
  ad: 22,
  coins: 23,
  transfer: 24,
  'client.script': 25,
  'client.data': 26,
  'player.kick': 27,
  'map.tiles': 28,
  'map.replace': 29,
  'map.layerOpacity': 30,
};
const kinds = Object.keys(numbers) as readonly ClientEventKind[];
const byNumber: ReadonlyMap<number, ClientEventKind> = new Map(kinds.map((kind) => [numbers[kind], kind]));

export function isClientEvent(kind: OutputKind): kind is ClientEventKind {
  return Object.hasOwn(numbers, kind);
}

export function indexOfEventKind(kind: ClientEventKind): number {
  return numbers[kind];
}

/** The event kind with a number; undefined for a kind of a newer version. */
export function eventKindAt(index: number): ClientEventKind | undefined {
  return byNumber.get(index);
}
