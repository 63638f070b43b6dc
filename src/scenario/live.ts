import type { Entity, EntityRef, Simulation, TriggerType } from '../../engine/index.ts';
import type { Lexicon } from './lexicon.ts';

/** A game being played, as expressions and events see it. */
export interface Live {
  readonly sim: Simulation;
  readonly lexicon: Lexicon;
  /** What a name of the scenario stands for now; also ids (`u1`) and names of players. */
  named(name: string): EntityRef | undefined;
  /** Whether a name can stand for something, now or later. */
  isKnown(name: string): boolean;
  names(): readonly string[];
  /** Why a name stands for nothing now. */
  absence(name: string): string;
  /** An entity as people know it. */
  textOf(ref: EntityRef): string;
  /** Any value as people write it. */
  valueText(value: unknown): string;
  /** Whether the region is there; scripts can take it away. */
  hasRegion(region: string): boolean;
  isInRegion(entity: Entity, region: string): boolean;
  /** How often a trigger has fired since the game began. */
  firedCount(trigger: TriggerType): number;
}
