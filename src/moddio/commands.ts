/**
 * The commands of the protocol. A server chooses their numbers, so each has the code of a printable character, which JSON writes as one
 * byte (reference: client-protocol#commands). The commands that every frame has get digits: a character costs most where it is met first,
 * and places are full of digits.
 */

/** From the server. Only commands that clients handle: one that they do not handle makes them lose the rest of its frame. */
const serverCommands = [
  ...['_snapshot', '_taroStreamData', '_taroStreamTime', 'streamUpdateData', '_taroStreamDestroy'],
  ...[
    '_taroStreamCreate',
    'updateUiText',
    'ping',
    'changePlayerCameraPanSpeed',
    'hideUnitFromPlayer',
    'showUnitFromPlayer',
  ],
  ...['hideUnitNameLabelFromPlayer', 'showUnitNameLabelFromPlayer', 'updateUiTextForTime'],
  ...['updateUiRealtimeCSS', 'ui', 'sound', 'camera', 'gameSuggestion', 'createFloatingText'],
  ...['createDynamicFloatingText', 'openShop', 'openDialogue', 'closeDialogue', 'trade', 'sendDataFromServer'],
  ...['sendPlayerToMap', 'sendPlayerToGame', 'taroChatMsg', 'taroChatJoinRoom', 'editTile', 'changeLayerOpacity'],
] as const;
export type ServerCommand = (typeof serverCommands)[number];

/** From clients. Commands of developers and moderators of the original site are not among them: clients then do not even send them. */
const clientOnlyCommands = [
  ...['playerKeyDown', 'playerKeyUp', 'playerMouseMoved', 'playerAbsoluteAngle', 'playerUnitMoved', 'buyItem'],
  ...['buyUnit', 'swapInventory', 'dropItemToCanvas', 'playerCustomInput', 'playerDialogueSubmit', 'htmlUiClick'],
  ...['sendDataFromClient', 'playerClickTradeOption', 'joinGame', 'kick'],
] as const;
const bothWays = ['ping', 'taroChatMsg', 'taroChatJoinRoom', 'trade'] as const satisfies readonly ServerCommand[];
const clientCommands = [...clientOnlyCommands, ...bothWays] as const;
export type ClientCommand = (typeof clientCommands)[number];

/** Digits, then letters. */
const characters = [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The number of each command, as clients receive it. */
export const commandNumbers: Readonly<Record<ServerCommand | ClientCommand, number>> = Object.fromEntries(
  [...serverCommands, ...clientOnlyCommands].map((name, i) => [name, characters[i]!.charCodeAt(0)]),
) as Record<ServerCommand | ClientCommand, number>;

/** The characters of the commands of the server, as they stand in a frame. */
export const codeOf: Readonly<Record<ServerCommand, string>> = Object.fromEntries(
  serverCommands.map((name) => [name, String.fromCharCode(commandNumbers[name])]),
) as Record<ServerCommand, string>;

const clientCommandByCode: ReadonlyMap<number, ClientCommand> = new Map(
  clientCommands.map((name) => [commandNumbers[name], name]),
);

/** The command of a client by its number; undefined for what no client sends. */
export function clientCommandOf(code: number): ClientCommand | undefined {
  return clientCommandByCode.get(code);
}
