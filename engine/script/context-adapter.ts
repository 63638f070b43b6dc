import { MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapter } from '../core/graph.ts';
import { anything, type Check, isCount, isNumber, isText, optional } from '../core/shape.ts';
import { EntityRef } from '../world/entity.ts';
import { ScriptContext } from './context.ts';
import type { Runtime } from './runtime.ts';

/** All there is to a context beside its simulation. */
export const contextMembers = [
  'payload',
  'selectedUnit',
  'selectedItem',
  'selectedProjectile',
  'selectedPlayer',
  'selectedRegion',
  'selectedDebris',
  'selectedEntity',
  'selectedUnitType',
  'selectedItemType',
  'selectedElement',
  'selectedElementKey',
  'roundsLeft',
  'roundPauseMs',
] as const satisfies readonly (keyof ScriptContext)[];

/** The compiler wants each member of a context to be saved, except what it gets from its runtime. */
type Missing = Exclude<
  keyof ScriptContext,
  (typeof contextMembers)[number] | 'self' | 'selfKind' | 'selfType' | 'runtime' | 'game' | 'copy' | 'fault'
>;
const missing: Missing extends never ? true : never = true;

/** Contexts wait in timers and requests: with them snapshots keep what put-off actions see. */
export function contextAdapter(runtime: Runtime): GraphAdapter<ScriptContext> {
  return {
    owns: (value): value is ScriptContext => value instanceof ScriptContext,
    save: ({ self, selfKind, selfType }) => [self, selfKind, selfType],
    restore([self, kind, type]) {
      if (!isCount(self) || !isCount(kind) || !isNumber(type) || !missing)
        throw new MalformedBytes('A context is of no entity.');
      const context = new ScriptContext(runtime, self as number);
      context.selfKind = kind as number;
      context.selfType = type as number;
      return context;
    },
    members: contextMembers,
  };
}

const isRef: Check = (value) => value instanceof EntityRef;
const checks: { readonly [K in (typeof contextMembers)[number]]: Check } = {
  payload: anything,
  selectedUnit: optional(isRef),
  selectedItem: optional(isRef),
  selectedProjectile: optional(isRef),
  selectedPlayer: optional(isRef),
  selectedRegion: (value) => value === undefined || (typeof value === 'object' && value !== null),
  selectedDebris: optional(isRef),
  selectedEntity: optional(isRef),
  selectedUnitType: optional(isText),
  selectedItemType: optional(isText),
  selectedElement: anything,
  selectedElementKey: optional(isText),
  roundsLeft: isNumber,
  roundPauseMs: isNumber,
};

/** Whether it is a context as scripts leave them. `isPayload` knows the payloads of triggers. */
export function isContext(value: unknown, isPayload: Check): boolean {
  return (
    value instanceof ScriptContext &&
    contextMembers.every((member) => checks[member](value[member])) &&
    isPayload(value.payload)
  );
}
