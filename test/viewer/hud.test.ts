import { expect, test } from 'vitest';
import { hudContent } from '../../src/viewer/play/hud.ts';
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
