/** The state of a view as the fragment of its URL: `#tick=280&tab=value&value=timeLeft`. */
export interface ViewAddress<Tab extends string = string> {
  readonly tick: number;
  readonly tab: Tab;
  /** The id of the selected entity. */
  readonly entity?: string | undefined;
  /** The expression of the tab “Value”. */
  readonly value?: string | undefined;
  /** The script of the tab “Scripts”, as `scripts/KEY`, and the path of the chosen action in it. */
  readonly script?: string | undefined;
  readonly line?: string | undefined;
  /** The expressions that are plotted on the time line. */
  readonly watch: readonly string[];
}

const names = ['entity', 'value', 'script', 'line'] as const;

export function addressText({ tick, tab, watch, ...others }: ViewAddress): string {
  const query = new URLSearchParams({ tick: String(tick), tab });
  for (const name of names) {
    const text = others[name];
    if (text !== undefined) query.set(name, text);
  }
  for (const each of watch) query.append('watch', each);
  return `#${query}`;
}

/** The parts of a view that a fragment contains; anything else in it is ignored. */
export function addressIn<Tab extends string>(hash: string, tabs: readonly Tab[]): Partial<ViewAddress<Tab>> {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const tick = Number(query.get('tick') ?? NaN);
  const tab = tabs.find((each) => each === query.get('tab'));
  return {
    ...Object.fromEntries(names.map((name) => [name, query.get(name) || undefined])),
    watch: query.getAll('watch').slice(0, watchedMax),
    ...(Number.isFinite(tick) && { tick }),
    ...(tab !== undefined && { tab }),
  };
}

/** The maximum number of plotted values: more would leave no room for the stage. */
export const watchedMax = 6;
