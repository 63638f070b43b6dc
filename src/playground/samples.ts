/** A game of the gallery. `key` is the name of its files in the folder `games` of the page. */
export interface Sample {
  readonly key: string;
  readonly title: string;
  readonly about: string;
  /** The path of the game in the project. */
  readonly source: string;
  readonly bots: number;
}

/** The tick that the pictures of the gallery show. It is late enough to show some action in every game. */
export const pictureTick = 160;

/** The games of the gallery, best first. */
export const samples: readonly Sample[] = [
  {
    key: 'outbreak',
    title: 'Outbreak',
    about: 'A harbour town, a sickness that spreads, and a stun gun.',
    source: 'scenarios/games/outbreak.json',
    bots: 8,
  },
  {
    key: 'team-elimination',
    title: 'Team elimination',
    about: 'Two teams, closed gates, and a minute to fight.',
    source: 'scenarios/games/team-elimination.json',
    bots: 8,
  },
  {
    key: 'infection',
    title: 'Infection',
    about: 'One player in ten is infected. Buy an antidote in time.',
    source: 'scenarios/games/infection.json',
    bots: 12,
  },
  {
    key: 'ray-casting',
    title: 'Ray casting',
    about: 'A maze seen from inside, computed by scripts.',
    source: 'scenarios/games/ray-casting.json',
    bots: 4,
  },
  {
    key: 'coins',
    title: 'Coins',
    about: 'The smallest game: collect coins before the others.',
    source: 'templates/coins/game.json',
    bots: 4,
  },
];
