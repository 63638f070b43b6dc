import { isRecord } from '../../../../engine/core/index.ts';
import type { Value } from '../encoding/value.ts';

export type Json = Value;
export type JsonObject = { readonly [key: string]: Json };

/** The members of an object that are objects themselves. */
export function entriesOf(given: Json | undefined): [string, JsonObject][] {
  if (!isRecord(given)) return [];
  return Object.entries(given).filter((entry): entry is [string, JsonObject] => isRecord(entry[1]));
}
