import { component } from '../ecs/component.ts';
import { list, optional, part, record } from '../schema/index.ts';
import type { VariableLayout } from './variables.ts';

/**
 * For entities that changed their type: by slot of their variables, the layout that still defines a variable that the
 * entity had before. Only in dialects without `typeChangesRedefineVariables`.
 */
export const KeptVariables = component(
  'keptVariables',
  record({ layouts: list(optional(part<VariableLayout>('layout'))) }),
);
