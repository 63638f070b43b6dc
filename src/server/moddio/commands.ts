/**
 * The commands of the protocol. A server chooses their numbers, so each has the code of a printable character, which JSON writes as one
 * byte (reference: client-protocol#commands). A character costs most where a frame has it first. So the commands of every frame are
 * called by characters that divide its parts, and the others by digits, of which places are full.
 */

/** From the server. Only commands that clients handle: one that they do not handle makes them lose the rest of its frame. */
const serverCommands = [
  ...['_snapshot', '_taroStreamData', '_taroStreamTime', 'streamUpdateData', '_taroStreamDestroy'],
  ...['_taroStreamCreate', 'updateUiText', 'ping', 'changePlayerCameraPanSpeed', 'updateUiTextForTime'],
  ...['updateUiRealtimeCSS', 'ui', 'sound', 'camera', 'gameSuggestion', 'createFloatingText'],
  ...['createDynamicFloatingText', 'openShop', 'openDialogue', 'closeDialogue', 'trade', 'sendDataFromServer'],
  ...['sendPlayerToMap', 'sendPlayerToGame', 'taroChatMsg', 'taroChatJoinRoom', 'editTile', 'changeLayerOpacity'],
] as const;
export type ServerCommand = (typeof serverCommands)[number];

/** From clients. Commands of developers of the original site are not among them: clients then do not even send them. */
const clientOnlyCommands = [
  ...['playerKeyDown', 'playerKeyUp', 'playerMouseMoved', 'playerAbsoluteAngle', 'playerUnitMoved', 'buyItem'],
  ...['buyUnit', 'swapInventory', 'dropItemToCanvas', 'playerCustomInput', 'playerDialogueSubmit', 'htmlUiClick'],
  ...['sendDataFromClient', 'playerClickTradeOption', 'joinGame', 'kick', 'ban-user', 'ban-ip', 'ban-chat'],
] as const;
const bothWays = ['ping', 'taroChatMsg', 'taroChatJoinRoom', 'trade'] as const satisfies readonly ServerCommand[];
const clientCommands = [...clientOnlyCommands, ...bothWays] as const;
export type ClientCommand = (typeof clientCommands)[number];

/** Those that divide the parts of a frame, then digits, then letters. */
const characters = [...'&,[0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

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
