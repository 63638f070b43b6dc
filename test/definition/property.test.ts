import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Issues } from '../../engine/core/issue.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import { readDefinition } from '../../engine/definition/read-definition.ts';
import { sectionKeys } from '../../engine/definition/sections.ts';
import { runs } from '../support/property.ts';
import { follow } from './support.ts';

/** Keys that lead deep into a definition, and keys with other meanings. */
const words = fc.constantFrom(
  ...sectionKeys,
  ...[
    'name',
    'attributes',
    'variables',
    'bodies',
    'body',
    'states',
    'unSelected',
    'effects',
    'controls',
    'abilities',
    'keyDown',
    'unitAbilities',
  ],
  ...[
    'defaultItem',
    'price',
    'requiredItemTypes',
    'damage',
    'bonus',
    'passive',
    'cost',
    'itemTypes',
    'unitTypes',
    'options',
    'layers',
    'data',
  ],
  ...[
    'tilesets',
    'objects',
    'gid',
    'width',
    'height',
    'value',
    'min',
    'max',
    'dataType',
    'default',
    'type',
    'actions',
    'folderName',
    'htmlData',
  ],
  ...['__proto__', 'constructor', 'toString', '', 'a/b', '~', '0', 'DestroyedOnCollisionWithWall/unit', 'hero'],
);
const leaf = fc.oneof(
  fc.constantFrom(null, '', '5', 'none', true, 0, -1, 1e300, 'number', 'region', 'hero', 'tilelayer', '\u{1f600}'),
  fc.double(),
  fc.string(),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'large', withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(words, tie('tree'), { maxKeys: 6 }),
  ),
}));
const section = fc.dictionary(words, tree, { maxKeys: 8 });

function read(document: unknown): { definition: Definition | undefined; issues: Issues } {
  const issues = new Issues();
  return { definition: readDefinition(document, issues), issues };
}

/** Examples that once failed, named after their defect. */
const pinned: Readonly<Record<string, string>> = {
  'a key deep in a default value was reported where the value begins':
    '{"data": {"entityTypeVariables": [{"default": {"a": [{"__proto__": ""}]}}]}}',
};

describe('whatever the document', () => {
  test('reading never throws, and every issue points at something', () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.record({ data: section }),
      fc.record({ gameJson: fc.record({ status: leaf, data: section }) }),
      section,
    );
    fc.assert(
      fc.property(anything, (given) => {
        const document: unknown = JSON.parse(JSON.stringify(given));
        const { issues } = read(document);
        for (const { pointer } of issues.list) follow(document, pointer);
      }),
      { ...runs(2000), seed: 20260101, examples: Object.values(pinned).map((text) => [JSON.parse(text)]) },
    );
  });

  test('reading twice gives the same', () => {
    fc.assert(
      fc.property(section, (data) => {
        const first = read({ data });
        const second = read({ data });
        expect(second.issues.list).toEqual(first.issues.list);
        expect(second.definition).toEqual(first.definition);
      }),
      { ...runs(200), seed: 20260102 },
    );
  });

  test('no prototype is touched', () => {
    fc.assert(
      fc.property(tree, (given) => {
        const data: unknown = JSON.parse(
          `{"variables": {"v": {"dataType": "object", "default": {"__proto__": ${JSON.stringify(given)}}}}}`,
        );
        const { definition } = read({ data });
        expect(Object.getPrototypeOf(definition?.variables.get('v')?.default)).toBe(Object.prototype);
      }),
      { ...runs(), seed: 20260103 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
