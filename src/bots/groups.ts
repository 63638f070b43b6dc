/** The number of options that a winner compares per decision, unless the caller gives another. */
export const triesDefault = 6;

/** Bots that play in the same way. Plain data. */
export interface BotGroup {
  readonly count: number;
  /** The expression that the bots try to make as large as possible; undefined for bots that wander. */
  readonly objective?: string;
}

const format = /^(?:(\d+)|(?:(\d+):)?winner:(.*\S.*))$/s;

/** Parses a group such as `8`, `winner:score` or `2:winner:score`; undefined for any other string. */
export function readGroup(text: string): BotGroup | undefined {
  const [, count, winners = '1', objective] = format.exec(text.trim()) ?? [];
  if (count !== undefined) return { count: Number(count) };
  return objective === undefined ? undefined : { count: Number(winners), objective: objective.trim() };
}

export function countBots(groups: readonly BotGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}
