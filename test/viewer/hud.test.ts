import { expect, test } from 'vitest';
import { hudContent, teamOf } from '../../src/viewer/play/hud.ts';
import { attribute, load } from '../support/play.ts';

test('bars show as many decimal places as the attribute has', () => {
  const speed = attribute(1.02, { name: 'Speed', isVisible: ['centerBar'], decimalPlaces: 2 });
  const health = attribute(60.4, { name: 'Health', max: 100, isVisible: ['centerBar'] });
  const { definition } = load({ unitTypes: { bear: { name: 'Bear', attributes: { speed, health } } } });
  const levels = { speed: { value: 1.0213, min: 0, max: 3 }, health: { value: 60.4, min: 0, max: 100 } };
  const bear = { type: { key: 'bear' }, attribute: (key: string) => levels[key as keyof typeof levels] };
  const { bars } = hudContent(definition, undefined, bear, []);
  expect(JSON.stringify(bars)).toMatch(/Speed 1\.02 \/ 3.*Health 60 \/ 100/);
});

test('the scoreboard says what it counts, gives equal scores one place, and names the own player', () => {
  const { definition } = load({
    settings: { scoreAttributeId: 'kills' },
    playerTypes: { human: { name: 'Human', attributes: { kills: attribute(0, { name: 'Kills' }) } } },
  });
  const scorer = (name: string, value: number) => ({
    id: name,
    name,
    type: { key: 'human' },
    attribute: (key: string) => (key === 'kills' ? { value, min: 0, max: 99 } : undefined),
  });
  const players = [scorer('Ada', 3), scorer('user55', 3), scorer('Bob', 7), scorer('Eve', 1)];
  const placesOf = (all: typeof players) => {
    const { scores, counts } = hudContent(definition, all[1], undefined, all);
    return [counts, ...scores.map((place) => JSON.stringify(place).replaceAll(/.*?"children":\["([^"]*)"\]/g, '$1 '))];
  };
  expect(placesOf(players).map((text) => text.replace(/ *[\]}].*/, ''))).toEqual([
    'Kills',
    '1 Bob 7',
    '2 Ada 3',
    '2 You (user55) 3',
    '4 Eve 1',
  ]);
  const { scores } = hudContent(definition, players[0], undefined, [players[0]!]);
  expect(JSON.stringify(scores)).toContain('Nobody else plays here now.');
});

test('players are told their team if types of players are hostile to each other', () => {
  const teamIn = (relationships: object) => {
    const { definition } = load({
      playerTypes: { guards: { name: 'Guards', relationships }, robbers: { name: 'Robbers' }, animals: {} },
    });
    return ['robbers', 'guards', 'animals', 'nobody'].map((type) => teamOf(definition, type));
  };
  expect(teamIn({ robbers: 'hostile' })).toEqual(['Robbers', 'Guards', '', '']);
  expect(teamIn({ robbers: 'neutral' })).toEqual(['', '', '', '']);
});
