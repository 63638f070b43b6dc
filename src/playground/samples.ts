/** A game of the gallery. `key` is the name of its files in the folder `games` of the page. */
export interface Sample {
  readonly key: string;
  readonly title: string;
  readonly about: string;
  /** The path of the game in the project. */
  readonly source: string;
  /** The path of the game's scenario file in the project. */
  readonly scenario: string;
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
    scenario: 'scenarios/outbreak.scenario.yaml',
    bots: 8,
  },
  {
    key: 'team-elimination',
    title: 'Team elimination',
    about: 'Two teams, closed gates, and a minute to fight.',
    source: 'scenarios/games/team-elimination.json',
    scenario: 'scenarios/team-elimination.scenario.yaml',
    bots: 8,
  },
  {
    key: 'infection',
    title: 'Infection',
    about: 'One player in ten is infected. Buy an antidote in time.',
    source: 'scenarios/games/infection.json',
    scenario: 'scenarios/infection.scenario.yaml',
    bots: 12,
  },
  {
    key: 'ray-casting',
    title: 'Ray casting',
    about: 'A maze seen from inside, computed by scripts.',
    source: 'scenarios/games/ray-casting.json',
    scenario: 'scenarios/ray-casting.scenario.yaml',
    bots: 4,
  },
  {
    key: 'coins',
    title: 'Coins',
    about: 'The smallest game: collect coins before the others.',
    source: 'templates/coins/game.json',
    scenario: 'templates/coins/game.scenario.yaml',
    bots: 4,
  },
];
