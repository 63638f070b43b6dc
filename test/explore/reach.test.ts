import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadDefinition } from '../../engine/index.ts';
import { programsOfGame } from '../../engine/tools.ts';
import { leadsTo, wordsIn } from '../../src/explore/searching/leads.ts';
import { episodeOf, episodesFor } from '../../src/explore/searching/plan.ts';
import { searchEpisode } from '../../src/explore/searching/search.ts';
import { calculate, each, explored, gameOf, planOf, rate, set, variable } from './support.ts';

const infection = loadDefinition(JSON.parse(readFileSync('scenarios/games/infection.json', 'utf8'))).game!;

test('leads go back from a name to items, shops, regions, keys and words', () => {
  const interests = leadsTo(infection.definition, ...wordsIn('any players have (isVip)'));
  // The pass is sold in the store, which a region or a key opens; or a moderator types "vip NAME".
  expect([...interests.wanted]).toEqual(expect.arrayContaining(['vipPass', 'store']));
  expect([...interests.keys]).toEqual(['b']);
  expect(interests.phrases.answers).toEqual(['vip ']);
});

test('a goal that takes a typed command, or three rounds of saving, is reached', () => {
  const game = programsOfGame(infection).watched('conditions');
  const plan = planOf({ goal: 'any players have (isVip)', players: [1, 12] });
  const reached = episodesFor(plan, rate, 0, 12_000).some(
    (episode) => searchEpisode(game, plan, episode).sightings.length > 0,
  );
  expect(reached).toBe(true);
});

test('a search ends with the first play that reaches the goal', async () => {
  const game = gameOf(
    { chat: each('playerSendsChatMessage', set('steps', calculate(variable('steps'), '+', 1))) },
    { variables: { steps: { dataType: 'number', default: 0 } } },
  );
  const plan = planOf({ goal: 'steps >= 1', players: [2, 2], seed: 'steps' });
  const { tick } = searchEpisode(game, plan, episodeOf(plan, rate, 0)).sightings[0]!;
  const { findings, progress } = await explored(game, plan, 60);
  expect(progress).toMatchObject({ next: 1, ticks: tick });
  expect(findings[0]!.recording.ticks).toBeLessThanOrEqual(tick);
});
