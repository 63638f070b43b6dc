import { isRecord, mapMembers } from '../../../../engine/core/index.ts';
import { entriesOf, type Json, type JsonObject } from './json.ts';
import { constantsOf, type MovingData, movingScripts } from './moving-scripts.ts';
import { audienceOf } from './sent-members.ts';
import { shopRegions } from './shop-regions.ts';

/**
 * The public part of a definition, with which clients draw and play sounds. It excludes the logic of the game,
 * variables that clients do not receive, lists of accounts and addresses, and members whose names suggest secrets. Of
 * the logic, it includes scripts that only move a unit, which clients predict; of other scripts that keys start, it
 * includes the names; and it tells in which regions scripts open shops.
 */

/** Private members of the metadata: lists of accounts and addresses, and members of accounts. */
const privateKeys = new Set('banUsers banIps banChat invitedUsers local email apiCredentials'.split(' '));
const secretKey = /secret|password|passwd|credential|api_?key|private_?key|access_?token/i;

/** The `runMode` of scripts that run on clients. */
const clientRunMode = 1;
/** Clients draw global variables of this type. */
const shownDataType = 'region';

export const typeSections = ['unitTypes', 'itemTypes', 'projectileTypes', 'playerTypes'] as const;

/** The public part of a document's data object. Does not modify its argument. */
export function publicData(data: unknown): JsonObject {
  const open = withoutSecrets(data as JsonObject) as JsonObject;
  const shown: Record<string, Json> = { ...open };
  const started = new Set(scriptNamesIn([open['unitTypes'] ?? null, open['abilities'] ?? null]));
  shown['scripts'] = clientScripts(open['scripts'], started);
  const regions = entriesWhere(open['variables'], ({ dataType }) => dataType === shownDataType);
  shown['variables'] = regions;
  shown['shopRegions'] = shopRegions([open['scripts'], open['unitTypes']]).filter((name) => name in regions);
  for (const section of ['entityTypeVariables', 'playerTypeVariables']) {
    if (open[section] !== undefined) shown[section] = shownVariables(open[section]);
  }
  const { scripts, abilities } = open;
  const moving: MovingData = { scripts, abilities, constants: constantsOf(data as JsonObject) };
  for (const section of typeSections) {
    if (!isRecord(open[section])) continue;
    shown[section] = mapMembers(open[section], (type) => (isRecord(type) ? publicType(type, moving, started) : type));
  }
  return shown;
}

function publicType(type: JsonObject, data: MovingData, started: ReadonlySet<string>): JsonObject {
  const shown: Record<string, Json> = { ...type };
  const moving = movingScripts(type, data).scripts;
  if (type['scripts'] !== undefined || Object.keys(moving).length > 0)
    shown['scripts'] = { ...clientScripts(type['scripts'], started), ...moving };
  if (type['variables'] !== undefined) shown['variables'] = shownVariables(type['variables']);
  return shown;
}

/** The scripts that run on clients, and the names of scripts that keys start, which pages show on buttons. */
function clientScripts(scripts: Json | undefined, started: ReadonlySet<string>): JsonObject {
  const own = entriesOf(scripts).filter(([key]) => started.has(key));
  return {
    ...Object.fromEntries(own.map(([key, { name }]) => [key, typeof name === 'string' ? { name } : {}])),
    ...entriesWhere(scripts, ({ runMode }) => Number(runMode) === clientRunMode),
  };
}

/** All script names in bindings and abilities, at any depth. */
function scriptNamesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(scriptNamesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'scriptName' && typeof member === 'string' ? [member] : scriptNamesIn(member),
  );
}

export function shownVariables(variables: Json | undefined): Json {
  return entriesWhere(variables, ({ streamMode }) => audienceOf(Number(streamMode ?? 1)) === 'everybody');
}

function entriesWhere(given: Json | undefined, holds: (entry: JsonObject) => boolean): JsonObject {
  return Object.fromEntries(entriesOf(given).filter(([, entry]) => holds(entry)));
}

/** A copy without private members and secrets. */
export function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  const open = Object.entries(value).filter(([key]) => !privateKeys.has(key) && !secretKey.test(key));
  return Object.fromEntries(open.map(([key, member]) => [key, withoutSecrets(member)]));
}
