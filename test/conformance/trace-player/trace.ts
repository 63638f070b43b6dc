/**
 * A recorded game, as in its file. Times are in seconds since the start of the game. Samples are delta-encoded: a
 * missing member has the value of the previous sample of the same entity.
 */
export interface TraceFile {
  readonly name: string;
  readonly family: string;
  readonly about?: string;
  readonly rates: { readonly frameRate: number; readonly engineTickRate: number };
  readonly duration: number;
  /** Physics ticks per sample. */
  readonly sampleEvery: number;
  /** If the recorded result is a defect of the recorded engine: why. */
  readonly knownBug?: string;
  readonly definition: unknown;
  readonly inputs: readonly TraceInput[];
  readonly samples: readonly SampleDelta[];
  readonly triggers: readonly TraceTrigger[];
}

export interface TraceInput {
  readonly t: number;
  readonly player: string;
  readonly kind: string;
  readonly [member: string]: unknown;
}

export interface SampleDelta {
  readonly t: number;
  readonly units?: readonly Members[];
  readonly items?: readonly Members[];
  readonly projectiles?: readonly Members[];
  readonly players?: readonly Members[];
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Members of one entity by name, `id` among them. */
export type Members = Readonly<Record<string, unknown>> & { readonly id: string };

export interface TraceTrigger {
  readonly t: number;
  readonly scope: 'global' | 'entity';
  readonly entity?: string;
  readonly type: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** At least one script listens on that scope. */
  readonly heard?: boolean;
}

export const entityLists = ['units', 'items', 'projectiles', 'players'] as const;
export type EntityListName = (typeof entityLists)[number];

/** The complete state at one sample: by list, then by label, including `players` and `variables`. */
export interface Sample {
  readonly time: number;
  readonly entities: Readonly<Record<EntityListName, ReadonlyMap<string, Members>>>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Decodes the deltas. */
export function wholeSamples(deltas: readonly SampleDelta[]): Sample[] {
  let variables: Readonly<Record<string, unknown>> = {};
  let players: ReadonlyMap<string, Members> = new Map();
  const known = new Map<string, Members>();
  const listed = (list: readonly Members[] | undefined): ReadonlyMap<string, Members> => {
    const whole = new Map<string, Members>();
    for (const members of list ?? []) {
      const merged: Members = { ...known.get(members.id), ...members };
      known.set(members.id, merged);
      whole.set(members.id, merged);
    }
    return whole;
  };
  return deltas.map((delta) => {
    if (delta.variables) variables = { ...variables, ...delta.variables };
    if (delta.players) players = listed(delta.players);
    const entities = {
      units: listed(delta.units),
      items: listed(delta.items),
      projectiles: listed(delta.projectiles),
      players,
    };
    return { time: delta.t, entities, variables };
  });
}
