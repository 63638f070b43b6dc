import { component } from '../ecs/component.ts';
import { text } from '../schema/index.ts';

/**
 * The key of a type that does not exist, but that a script gave the unit or player; scripts see it as the type. Only in
 * dialects without `typesMustExist`.
 */
export const UnknownType = component('unknownType', text());
