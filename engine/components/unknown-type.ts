import { component } from '../ecs/component.ts';
import { text } from '../schema/index.ts';

/**
 * For units and players that scripts gave a type that does not exist: its key, which scripts see. Only in dialects
 * without `typesMustExist`.
 */
export const UnknownType = component('unknownType', text());
