import type { Issue } from '../core/issue.ts';
import type { Dialect } from '../world/dialect.ts';
import type { Payload, PayloadKey } from '../world/triggers.ts';
import type { Evaluate, Step } from './context.ts';

/** A script of the definition, compiled. Shared by all simulations of a program: it holds no state. */
export interface CompiledScript {
  readonly index: number;
  readonly key: string;
  readonly name: string;
  /** Where its actions stand in the document. */
  readonly pointer: string;
  /** For people: `scripts/<key>` or `unitTypes/<type>/scripts/<key>`. */
  readonly place: string;
  /** Trigger numbers, as listed; a trigger listed twice runs twice. */
  readonly triggers: readonly number[];
  /** The gate of the standard dialect; undefined where there is none or it is always true. */
  readonly condition: Evaluate<boolean> | undefined;
  readonly body: Step;
}

/** The scripts of the game or of one type, by key and by trigger. */
export interface ScriptSet {
  readonly byKey: ReadonlyMap<string, CompiledScript>;
  /** By trigger number; undefined where nothing listens. */
  readonly byTrigger: readonly (readonly CompiledScript[] | undefined)[];
  /** Whether any script of the set listens to a queued trigger. */
  readonly hearsQueued: boolean;
}

/** A place in a script: one action. Faults, profiles and coverage name it. */
export interface SourceLocation {
  readonly script: CompiledScript | { readonly place: string; readonly pointer: string };
  /** `2/then/0`: the path below the script's actions. */
  readonly path: string;
  /** Action type. */
  readonly type: string;
}

/** What a script is known to use and call; the reachability and trigger checks read it. */
export interface ScriptUses {
  readonly payloadKeys: { readonly key: PayloadKey; readonly pointer: string; readonly operation: string }[];
  /** Scripts it runs by name: its own or the game's, or with `onEntity` those of an entity of whatever type. */
  readonly calls: { readonly key: string; readonly onEntity: boolean; readonly pointer: string }[];
}

/** A definition's scripts in executable form, for one dialect. */
export interface Program {
  readonly dialect: Dialect;
  readonly scripts: readonly CompiledScript[];
  readonly global: ScriptSet;
  /** By type index. */
  readonly unit: readonly ScriptSet[];
  readonly item: readonly ScriptSet[];
  readonly projectile: readonly ScriptSet[];
  readonly locations: readonly SourceLocation[];
  /** Action lists that can be put off; timers name them by number. */
  readonly jobs: readonly Step[];
  /** 1 per trigger number that any script listens to. */
  readonly heard: Uint8Array;
  readonly issues: readonly Issue[];
  /** Operations without a row, or not performed by this version: name -> number of nodes. */
  readonly unknown: ReadonlyMap<string, number>;
  readonly uses: ReadonlyMap<CompiledScript, ScriptUses>;
}

export const emptyPayload: Payload = Object.freeze({});
