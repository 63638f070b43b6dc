import { component } from '../ecs/component.ts';
import { text } from '../schema/index.ts';

/**
 * The key of a type that a script gave the unit or player although no such type exists; scripts see this key as the
 * type of the entity. Only in dialects without `typesMustExist`.
 */
export const UnknownType = component('unknownType', text());
