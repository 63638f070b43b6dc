import type { CatalogueTrigger } from '../../engine/index.ts';
import { readerOf } from '../model/index.ts';

/** The functions that return parts of a trigger's payload, always or only for some kinds of entity. */
export function payloadFunctionsOf({ tells, tellsSometimes }: Pick<CatalogueTrigger, 'tells' | 'tellsSometimes'>): {
  always: string[];
  sometimes: string[];
} {
  const named = (members: readonly string[]): string[] => members.flatMap((member) => readerOf(member) ?? []);
  return { always: named(tells), sometimes: named(tellsSometimes) };
}
