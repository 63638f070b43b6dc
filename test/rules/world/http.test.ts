import { describe, expect, test } from 'vitest';
import { answerHttp } from '../../../engine/rules/world/http.ts';
import type { OutputEvent } from '../../../engine/world/outbox.ts';
import { append, createUnitAt } from '../../support/actions.ts';
import { play, script, unitType } from '../../support/play.ts';

const log = (textB: unknown) => append('log', textB);

function web(...actions: unknown[]) {
  const game = play({
    unitTypes: {
      asker: unitType({
        scripts: {
          ask: script('entityCreated', [
            { type: 'requestPost', data: { a: 1 }, url: 'https://example.com', varName: 'answer' },
          ]),
          heard: script('onPostResponse', [log('unit heard,')]),
        },
      }),
    },
    variables: { answer: { dataType: 'string', default: 'none' }, log: { dataType: 'string', default: '' } },
    scripts: {
      go: script('playerCustomInput', actions),
      heard: script('onPostResponse', [log('game heard,')]),
    },
  });
  const outputs: OutputEvent<'http'>[] = [];
  game.sim.on('output', (event) => {
    if (event.kind === 'http') outputs.push(event);
  });
  const human = game.sim.join();
  human.answer('');
  game.ticks(1);
  return {
    game,
    outputs,
    world: game.world,
    answer: (id: number, body: unknown) => answerHttp(game.game, id, { ok: true, body }),
  };
}

const post = { type: 'sendPostRequest', string: '{"name":"Ann"}', url: 'https://example.com', varName: 'answer' };
const request = { type: 'requestPost', data: { form: { who: 'Ann' } }, url: 'https://example.com', varName: 'answer' };
const secure = {
  type: 'sendSecurePostRequest',
  apiCredentials: 'bank',
  data: { amount: 3 },
  varName: 'answer',
  onSuccess: [log('paid,')],
  onFailure: [log('refused,')],
};

describe('an HTTP request', () => {
  test('is published with an id for its answer', () => {
    const { outputs } = web(post, request, secure);
    expect(outputs.map(({ op, requestId, resultVariable }) => [op, requestId, resultVariable])).toEqual([
      ['post', 1, 'answer'],
      ['request', 2, 'answer'],
      ['securePost', 3, 'answer'],
    ]);
    expect(outputs[0]).toMatchObject({ url: 'https://example.com', body: { name: 'Ann' }, resultField: 'response' });
    expect(outputs[1]).toMatchObject({ options: { form: { who: 'Ann' } } });
    expect(outputs[2]).toMatchObject({ credentialsId: 'bank', body: { amount: 3 } });
  });

  test('`sendPostRequest` stores the member `response` of its answer, without a trigger', () => {
    const { game, world, answer } = web(post);
    expect(answer(1, { response: 'hi', other: 3 })).toBe(true);
    expect(game.variable('answer')).toBe('hi');
    expect(game.variable('log')).toBe('');
    expect(world.globals.lastUpdated).not.toBe('answer');
  });

  test.each([[null], ['text'], [{ other: 1 }], [[]]])('`sendPostRequest` stores nothing of the answer %j', (body) => {
    const { game, answer } = web(post);
    answer(1, body);
    expect(game.variable('answer')).toBe('none');
  });

  test('`requestPost` stores its answer and fires a trigger', () => {
    const { game, world, answer } = web(request);
    answer(1, 'hi');
    expect(game.variable('answer')).toBe('hi');
    expect(world.memory.lastPostResponse).toBe('hi');
    expect(game.variable('log')).toBe('game heard,');
  });

  test("of a unit's script fires for the unit only", () => {
    const player = { function: 'getTriggeringPlayer' };
    const { game, answer } = web(createUnitAt('asker', player, { x: 99, y: 99 }));
    answer(1, 'hi');
    expect(game.of('onPostResponse').map(({ entity, payload }) => [entity, payload])).toEqual([['u1', { unit: 'u1' }]]);
    expect(game.variable('log')).toBe('unit heard,');
  });

  test.each([
    { case: 'answered', ok: true, log: 'paid,', stored: 'thanks' },
    { case: 'not answered', ok: false, log: 'refused,', stored: 'none' },
  ])('with credentials continues with its actions when it is $case', ({ ok, log: expected, stored }) => {
    const { game } = web(secure);
    answerHttp(game.game, 1, ok ? { ok: true, body: 'thanks' } : { ok: false });
    game.ticks(1);
    expect(game.variable('log')).toBe(expected);
    expect(game.variable('answer')).toBe(stored);
  });

  test('can be answered once', () => {
    const { answer } = web(request);
    expect([answer(1, 'a'), answer(1, 'b'), answer(7, 'c')]).toEqual([true, false, false]);
  });

  test('without a variable stores nothing; with an unknown variable is a fault', () => {
    const { game, answer } = web({ ...request, varName: '' }, { ...request, varName: 'nonsense' });
    answer(1, 'a');
    expect(game.faults()).toEqual([]);
    answer(2, 'b');
    expect(game.faults()).toEqual([expect.objectContaining({ code: 'no-such-variable' })]);
  });

  test('is limited to 30 in 10 s', () => {
    const { game, outputs } = web({ type: 'repeat', count: 40, actions: [request] });
    expect(outputs.length).toBe(30);
    expect(game.faults()).toEqual([expect.objectContaining({ code: 'limit-requests', count: 10 })]);
    game.seconds(10.1);
    game.sim.input({ kind: 'customInput', player: 'p1', text: '' });
    game.ticks(1);
    expect(outputs.length).toBe(60);
  });

  test('with invalid JSON is not sent', () => {
    const { game, outputs } = web({ ...post, string: '{name' });
    expect(outputs).toEqual([]);
    expect(game.faults()).toEqual([expect.objectContaining({ code: 'malformed-json' })]);
  });

  test('is answered once by an input', () => {
    const { game } = web(secure);
    const refused: unknown[] = [];
    game.sim.on('refused', ({ input, reason }) => refused.push([input.kind, reason]));
    game.sim.input({ kind: 'httpAnswer', requestId: 1, body: { paid: true } });
    game.sim.input({ kind: 'httpAnswer', requestId: 1, body: 'again' });
    game.sim.input({ kind: 'httpAnswer', requestId: 9 });
    game.ticks(1);
    expect(game.variable('answer')).toEqual({ paid: true });
    // The script that continues with the answer runs in the same tick, with the timers.
    expect(game.variable('log')).toBe('paid,');
    expect(refused).toEqual([
      ['httpAnswer', 'refused'],
      ['httpAnswer', 'refused'],
    ]);
  });
});
