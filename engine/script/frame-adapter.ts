import { MalformedBytes } from '../base/bytes.ts';
import type { GraphAdapter } from '../base/graph.ts';
import { anything, type Check, isCount, isNumber, isText, optional } from '../base/shape.ts';
import { EntityRef } from '../world/entity.ts';
import { Frame } from './frame.ts';
import type { Runtime } from './runtime.ts';

/** All there is to a frame beside its simulation. */
export const frameMembers = [
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
] as const satisfies readonly (keyof Frame)[];

/** The compiler wants each member of a frame to be saved, except what it gets from its runtime. */
type Missing = Exclude<
  keyof Frame,
  (typeof frameMembers)[number] | 'self' | 'selfKind' | 'selfType' | 'runtime' | 'game' | 'copy' | 'fault'
>;
const missing: Missing extends never ? true : never = true;

/** Frames wait in timers and requests: with them snapshots keep what put-off actions see. */
export function frameAdapter(runtime: Runtime): GraphAdapter<Frame> {
  return {
    owns: (value): value is Frame => value instanceof Frame,
    save: ({ self, selfKind, selfType }) => [self, selfKind, selfType],
    restore([self, kind, type]) {
      if (!isCount(self) || !isCount(kind) || !isNumber(type) || !missing)
        throw new MalformedBytes('A frame is of no entity.');
      const frame = new Frame(runtime, self as number);
      frame.selfKind = kind as number;
      frame.selfType = type as number;
      return frame;
    },
    members: frameMembers,
  };
}

const isRef: Check = (value) => value instanceof EntityRef;
const checks: { readonly [K in (typeof frameMembers)[number]]: Check } = {
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

/** Whether it is a frame as scripts leave them. `isPayload` knows what triggers tell. */
export function isFrame(value: unknown, isPayload: Check): boolean {
  return (
    value instanceof Frame && frameMembers.every((member) => checks[member](value[member])) && isPayload(value.payload)
  );
}
