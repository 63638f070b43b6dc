import type { WholeReport } from '../report/index.ts';

/** Shares in percent below which a run fails. */
interface Thresholds {
  readonly coverageMin?: number;
  readonly mutationMin?: number;
}

/** One line for each game that does not meet a threshold. */
export function unmetThresholds(
  { coverage, mutation }: Pick<WholeReport, 'coverage' | 'mutation'>,
  { coverageMin = 0, mutationMin = 0 }: Thresholds,
): string[] {
  const share = (part: number, total: number, min: number, text: (share: string) => string) => {
    if (part * 100 >= min * total) return [];
    const percent = Math.floor((part * 1000) / total) / 10;
    return [`${text(`${part} of ${total}`)} (${percent} %), but ${min} % is required`];
  };
  return [
    ...coverage.flatMap(({ game, actions: { ran, total } }) =>
      share(ran, total, coverageMin, (found) => `coverage of ${game}: ${found} actions ran`),
    ),
    ...mutation.flatMap(({ game, noticed, total }) =>
      share(noticed, total, mutationMin, (found) => `mutation of ${game}: ${found} changes were detected`),
    ),
  ];
}
