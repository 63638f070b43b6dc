import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRecord } from '../../engine/core/index.ts';
import { scriptsOf } from '../../engine/tools.ts';
import { GameFile } from '../../src/lsp/game-file.ts';
import { modelOf } from '../../src/model/index.ts';

type Json = Record<string, unknown>;

/** Everything in a document that can be replaced: the object or list, and the key in it. */
function membersOf(document: unknown): { readonly of: Json; readonly key: string }[] {
  if (typeof document !== 'object' || document === null) return [];
  const of = document as Json;
  return Object.keys(of).flatMap((key) => [{ of, key }, ...membersOf(of[key])]);
}

const textOf = (name: string): string => readFileSync(`scenarios/games/${name}.json`, 'utf8');

/** Deletes a member, copies one over another of the same name, or replaces a value by another of the same type. */
function edited(text: string, [place, other, how]: readonly [number, number, number]): string {
  const document = JSON.parse(text) as Json;
  const all = membersOf(document);
  // Half of the edits are in scripts, as those of authors are.
  const inScripts = all.filter(({ of }) => 'type' in of || 'function' in of || 'operator' in of);
  const from = how % 2 === 0 ? inScripts : all;
  const { of, key } = from[place % from.length]!;
  const alike = all.filter((each) =>
    how < 4 ? each.key === key : typeof each.of[each.key] === typeof of[key] && !isRecord(of[key]),
  );
  const source = alike[other % Math.max(1, alike.length)];
  if (how < 1 || source === undefined) {
    if (Array.isArray(of)) of.splice(Number(key), 1);
    else delete of[key];
  } else of[key] = structuredClone(source.of[source.key]);
  return JSON.stringify(document, null, 1);
}

function known(file: GameFile): unknown {
  const { definition } = file.game!;
  const { scripts } = scriptsOf(definition);
  const places = scripts.flatMap(({ actions }) => actions.actions).map(({ pointer, location }) => [pointer, location]);
  const uses = scripts.map(({ place }) => modelOf(definition).usesIn(place));
  const names = scripts.map(({ place }) => modelOf(definition).names(place));
  const things = ['health', 'speed', 'state', 'timeLeft'].flatMap((key) => file.names!.named(key));
  return { issues: file.issues, places, uses, names, things: things.map(({ thing: _, ...rest }) => rest) };
}

test('a finding in a script that another script explains goes when that one changes, and comes back', () => {
  const on = (actions: unknown[]) => ({ triggers: [{ type: 'gameStart' }], actions });
  const set = (value: string) => ({ type: 'setVariable', variableName: 'state', value });
  const asks = {
    type: 'condition',
    conditions: [{ operandType: 'string', operator: '==' }, { function: 'getVariable', variableName: 'state' }, 'over'],
    then: [set('lobby')],
    else: [],
  };
  const text = (value: string): string =>
    JSON.stringify({
      variables: { state: { dataType: 'string', default: 'lobby' } },
      scripts: { asks: on([asks]), sets: on([set(value)]) },
    });
  let file: GameFile | undefined;
  const neverAssigned = ['ended', 'over', 'ended'].map((value) => {
    file = new GameFile(text(value), 'standard', file);
    return file.issues.some(({ code }) => code === 'never-assigned');
  });
  expect(neverAssigned).toEqual([true, false, true]);
});

test.each(['outbreak', 'team-elimination'])(
  'after edits of %s, all is found that a check from nothing finds',
  (name) => {
    const edit = fc.tuple(fc.nat(), fc.nat(), fc.nat(7));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        let text = textOf(name);
        let file = new GameFile(text, 'standard');
        void [file.issues, file.names];
        for (const each of edits) {
          text = edited(text, each);
          file = new GameFile(text, 'standard', file);
          expect(known(file)).toEqual(known(new GameFile(text, 'standard')));
        }
      }),
      { numRuns: 8, seed: 520 },
    );
  },
);

test('a definition is checked up to 16 MB of UTF-8', () => {
  const found = (letters: string): unknown =>
    new GameFile(JSON.stringify({ scripts: {}, title: letters }), 'standard').issues.map(({ code, severity }) => [
      code,
      severity,
    ]);
  const mb = 1024 * 1024;
  expect(found('x'.repeat(15 * mb))).not.toContainEqual(['too-large', 'info']);
  expect(found('é'.repeat(9 * mb))).toEqual([['too-large', 'info']]);
});
