import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderTemplate } from '../../../engine/rules/client/template.ts';
import { runs } from '../../support/property.ts';

const values = {
  name: 'Ann <b>',
  score: 3,
  zero: 0,
  empty: '',
  no: false,
  yes: true,
  none: [],
  some: [1],
  '@rounds': 5,
  'two words': 'fine',
  constants: { guestMode: true, currency: 'gold' },
};

describe('a template', () => {
  test.each([
    ['nothing to fill in', 'nothing to fill in'],
    ['', ''],
    ['Hello {{name}}!', 'Hello Ann &lt;b&gt;!'],
    ['{{ score }} of {{@rounds}}', '3 of 5'],
    ['{{{name}}}', 'Ann &lt;b&gt;'],
    ['{{two words}}', 'fine'],
    ['{{yes}} {{no}} {{zero}}', 'true false 0'],
    ['{{missing}}|{{constants}}|{{some}}', '||'],
    ['{{constants.currency}} {{constants.missing.deep}}', 'gold '],
    ['{{toString}}{{constructor}}{{__proto__}}', ''],
    ['{{#each items}}{{> partial}}', '{{#each items}}{{> partial}}'],
    ['open {{name', 'open {{name'],
    ['{{#if yes}}in{{/if}} out', 'in out'],
    ['{{#if no}}in{{/if}} out', ' out'],
    ['{{#if no}}a{{else}}b{{/if}}', 'b'],
    ['{{#if yes}}a{{else}}b{{/if}}', 'a'],
    ['{{#if zero}}0{{/if}}{{#if empty}}e{{/if}}{{#if none}}n{{/if}}{{#if missing}}m{{/if}}{{#if some}}s{{/if}}', 's'],
    ['{{#if constants.guestMode }}guest {{name}}{{/if}}', 'guest Ann &lt;b&gt;'],
    ['{{#if yes}}1{{#if no}}2{{else}}3{{/if}}4{{/if}}5', '1345'],
    ['{{#if no}}1{{#if yes}}2{{else}}3{{/if}}4{{/if}}5', '5'],
    ['{{#if yes}}never closed', 'never closed'],
    ['{{#if no}}never closed', ''],
    ['{{/if}} and {{else}} alone', '{{/if}} and  alone'],
  ])('%j becomes %j', (template, expected) => {
    expect(renderTemplate(template, values)).toBe(expected);
  });

  test.each([
    // An inserted value is not parsed as a template, and cannot end the attribute that contains it.
    ['{{evil}}', '{{name}}{{#if yes}}&quot; onclick=&#39;&lt;script&gt;'],
    ['<a title="{{evil}}">', '<a title="{{name}}{{#if yes}}&quot; onclick=&#39;&lt;script&gt;">'],
    ['{{#if evil}}{{evil}}{{/if}}', '{{name}}{{#if yes}}&quot; onclick=&#39;&lt;script&gt;'],
    ['{{{{name}}}}', '{{{{name}}}}'],
    ['{{name}}}', 'Ann &lt;b&gt;}'],
    ['{{{name}}', '{{{name}}'],
    ['{{ {{name}} }}', '{{ {{name}} }}'],
    ['{{constants.__proto__.constructor}}{{name.length}}{{evil.constructor}}', ''],
    ['{{#if constants.constructor}}yes{{else}}no{{/if}}', 'no'],
    ["{{#if name)process.exit()//}}{{name}}'+alert(1)+'", "{{#if name)process.exit()//}}Ann &lt;b&gt;'+alert(1)+'"],
  ])('with a hostile value, %j becomes %j', (template, expected) => {
    const evil = `{{name}}{{#if yes}}" onclick='<script>`;
    expect(renderTemplate(template, { ...values, evil })).toBe(expected);
  });

  test.each([
    ['{{', 300_000],
    ['{{#if yes}}', 100_000],
    ['{{else}}', 100_000],
    ['{{/if}}', 100_000],
    ['{{#if no}}{{else}}{{/if}}', 30_000],
    ['{{name', 300_000],
    ['{{a.', 300_000],
    [' }}', 300_000],
  ])('of many repetitions of %j is rendered in reasonable time', (part, times) => {
    expect(typeof renderTemplate(`{{#if yes}}${part.repeat(times)}}}`, values)).toBe('string');
  });

  test('accepts any text, and inserted values never contain markup', () => {
    const part = fc.oneof(
      fc.constantFrom('{{', '}}', '{{#if name}}', '{{/if}}', '{{else}}', '{{name}}', '{{{', '}}}', ' ', 'text'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part), fc.string(), (parts, name) => {
        renderTemplate(parts.join(''), { name });
        expect(renderTemplate('{{name}}', { name })).not.toMatch(/[<>"']/);
      }),
      runs(),
    );
  });
});
