export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members that are objects. */
export function entriesOf(given: Json | undefined): [string, JsonObject][] {
  if (!isObject(given)) return [];
  return Object.entries(given).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
}
