/**
 * The commands of the protocol. The server chooses their numbers. Ours are codes of printable characters, which JSON
 * writes as one byte (reference: client-protocol#commands). The compression makes the first occurrence of a character
 * in a frame expensive. Therefore the most frequent commands use separators, which occur in every frame anyway, and the
 * others use digits, which are frequent in coordinates.
 */

/**
 * The commands that the server sends. The list contains only those that clients handle, because an unknown command
 * makes a client drop the rest of the frame.
 */
const serverCommands = [
  '_snapshot',
  '_taroStreamData',
  '_taroStreamTime',
  'streamUpdateData',
  '_taroStreamDestroy',
  '_taroStreamCreate',
  'updateUiText',
  'ping',
  'changePlayerCameraPanSpeed',
  'updateUiTextForTime',
  'updateUiRealtimeCSS',
  'ui',
  'sound',
  'camera',
  'gameSuggestion',
  'createFloatingText',
  'createDynamicFloatingText',
  'openShop',
  'openDialogue',
  'closeDialogue',
  'trade',
  'sendDataFromServer',
  'sendPlayerToMap',
  'sendPlayerToGame',
  'taroChatMsg',
  'taroChatJoinRoom',
  'editTile',
  'changeLayerOpacity',
] as const;
export type ServerCommand = (typeof serverCommands)[number];

/**
 * The commands that clients send. Developer commands of the original site are left out: clients do not send commands
 * that have no number.
 */
const clientOnlyCommands = [
  'playerKeyDown',
  'playerKeyUp',
  'playerMouseMoved',
  'playerAbsoluteAngle',
  'playerUnitMoved',
  'buyItem',
  'buyUnit',
  'swapInventory',
  'dropItemToCanvas',
  'playerCustomInput',
  'playerDialogueSubmit',
  'htmlUiClick',
  'sendDataFromClient',
  'playerClickTradeOption',
  'joinGame',
  'kick',
  'ban-user',
  'ban-ip',
  'ban-chat',
] as const;
const bothWays = ['ping', 'taroChatMsg', 'taroChatJoinRoom', 'trade'] as const satisfies readonly ServerCommand[];
const clientCommands = [...clientOnlyCommands, ...bothWays] as const;
export type ClientCommand = (typeof clientCommands)[number];

/** The characters for commands: separators of a frame's parts, then digits, then letters. */
const characters = [...'&,[0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The number of each command, as announced to clients. */
export const commandNumbers: Readonly<Record<ServerCommand | ClientCommand, number>> = Object.fromEntries(
  [...serverCommands, ...clientOnlyCommands].map((name, i) => [name, characters[i]!.charCodeAt(0)]),
) as Record<ServerCommand | ClientCommand, number>;

/** The character that stands for each server command in a frame. */
export const codeOf: Readonly<Record<ServerCommand, string>> = Object.fromEntries(
  serverCommands.map((name) => [name, String.fromCharCode(commandNumbers[name])]),
) as Record<ServerCommand, string>;

const clientCommandByCode: ReadonlyMap<number, ClientCommand> = new Map(
  clientCommands.map((name) => [commandNumbers[name], name]),
);

/** The client command with a number; undefined for unknown numbers. */
export function clientCommandOf(code: number): ClientCommand | undefined {
  return clientCommandByCode.get(code);
}
