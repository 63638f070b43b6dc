import { component } from '../ecs/component.ts';
import { list, optional, part, record } from '../schema/index.ts';
import type { VariableLayout } from './variables.ts';

/**
 * For an entity that changed its type: for each slot of its variables, the earlier layout that still defines the
 * variable, or undefined if the layout of the new type does. Only in dialects without `typeChangesRedefineVariables`.
 */
export const KeptVariables = component(
  'keptVariables',
  record({ layouts: list(optional(part<VariableLayout>('layout'))) }),
);
