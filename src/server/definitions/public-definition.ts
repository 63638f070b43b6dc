/**
 * The public part of a definition: the part with which clients draw and play sounds. The logic of the game stays here. So do
 * variables that clients do not get, lists of accounts and addresses, and members that are called a secret.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Of the metadata; the lists of accounts and addresses, and members that accounts have. */
const privateKeys: ReadonlySet<string> = new Set([
  'banUsers',
  'banIps',
  'banChat',
  'invitedUsers',
  'local',
  'email',
  'apiCredentials',
]);
const secretKey = /secret|password|passwd|credential|api_?key|private_?key|access_?token/i;

/** Scripts of this mode run on clients. */
const clientRunMode = 1;
/** Variables and attributes of these modes no other client than the owner's is shown, or none at all. */
const hiddenStreamModes: ReadonlySet<number> = new Set([0, 2, 3]);
/** Globals of this type are places that clients draw. */
const shownDataType = 'region';

export const typeSections = ['unitTypes', 'itemTypes', 'projectileTypes', 'playerTypes'] as const;

/** The data object of a document, without what no client may have. Nothing of the argument is changed. */
export function publicData(data: unknown): JsonObject {
  const open = withoutSecrets(data as JsonObject) as JsonObject;
  const shown: Record<string, Json> = { ...open };
  shown['scripts'] = clientScripts(open['scripts']);
  shown['variables'] = entriesWhere(open['variables'], ({ dataType }) => dataType === shownDataType);
  for (const section of ['entityTypeVariables', 'playerTypeVariables']) {
    if (open[section] !== undefined) shown[section] = shownVariables(open[section]);
  }
  for (const section of typeSections) {
    if (!isObject(open[section])) continue;
    shown[section] = Object.fromEntries(
      Object.entries(open[section]).map(([key, type]) => [key, isObject(type) ? publicType(type) : type]),
    );
  }
  return shown;
}

function publicType(type: JsonObject): JsonObject {
  const shown: Record<string, Json> = { ...type };
  if (type['scripts'] !== undefined) shown['scripts'] = clientScripts(type['scripts']);
  if (type['variables'] !== undefined) shown['variables'] = shownVariables(type['variables']);
  return shown;
}

function clientScripts(scripts: Json | undefined): Json {
  return entriesWhere(scripts, ({ runMode }) => Number(runMode) === clientRunMode);
}

export function shownVariables(variables: Json | undefined): Json {
  return entriesWhere(variables, ({ streamMode }) => !hiddenStreamModes.has(Number(streamMode ?? 1)));
}

function entriesWhere(given: Json | undefined, holds: (entry: JsonObject) => boolean): JsonObject {
  if (!isObject(given)) return {};
  return Object.fromEntries(Object.entries(given).filter(([, entry]) => isObject(entry) && holds(entry)));
}

/** A copy without the members that are the operator's own business. */
export function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  const open = Object.entries(value).filter(([key]) => !privateKeys.has(key) && !secretKey.test(key));
  return Object.fromEntries(open.map(([key, member]) => [key, withoutSecrets(member)]));
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
