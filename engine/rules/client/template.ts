/**
 * Text templates of dialogues and views: `{{name}}` and `{{#if name}} … {{else}} … {{/if}}`, with dots in names for
 * nested members. Values are escaped, so that a player's name cannot become markup; three braces escape as well.
 * Anything else in braces is left as it is.
 */

import { escapeHtml } from '../../core/escape-html.ts';
import type { Dictionary } from '../../core/plain-object.ts';

type TemplateValues = Dictionary;

interface Block {
  /** The output that precedes the block. */
  readonly outside: string;
  readonly isTrue: boolean;
  /** The part of the block that came before `{{else}}`. */
  taken: string | undefined;
}

/** Maximum nesting depth of conditions; deeper ones are left as they are. */
const depthMax = 50;

const placeholder = /^[A-Za-z_@$][\w.@$ -]*$/;
const condition = /^#if\s+([A-Za-z_@$][\w.@$ -]*)$/;

/** Renders a template. Never throws: an unclosed condition ends at the end of the template. */
export function renderTemplate(template: string, values: TemplateValues): string {
  const blocks: Block[] = [];
  let text = '';
  let at = 0;
  for (;;) {
    const open = template.indexOf('{{', at);
    const close = open < 0 ? -1 : template.indexOf('}}', open);
    if (close < 0) {
      text += template.slice(at);
      break;
    }
    text += template.slice(at, open);
    const isTriple = template.startsWith('{{{', open) && template.startsWith('}}}', close);
    at = close + (isTriple ? 3 : 2);
    const tag = template.slice(open + (isTriple ? 3 : 2), close).trim();
    const name = condition.exec(tag)?.[1];
    const block = blocks.at(-1);
    if (name !== undefined && blocks.length < depthMax) {
      blocks.push({ outside: text, isTrue: isTrue(lookUp(values, name)), taken: undefined });
      text = '';
    } else if (tag === 'else' && block !== undefined && block.taken === undefined) {
      block.taken = text;
      text = '';
    } else if (tag === '/if' && block !== undefined) {
      blocks.pop();
      text = outcome(block, text);
    } else if (placeholder.test(tag)) {
      text += escapeHtml(shown(lookUp(values, tag)));
    } else {
      text += template.slice(open, at);
    }
  }
  for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) text = outcome(block, text);
  return text;
}

function outcome({ outside, isTrue, taken }: Block, text: string) {
  const chosen = isTrue ? (taken ?? text) : taken === undefined ? '' : text;
  return outside + chosen;
}

/** Looks up the exact name first, then the path of members. Only finds own properties. */
function lookUp(values: TemplateValues, name: string): unknown {
  if (Object.hasOwn(values, name)) return values[name];
  let value: unknown = values;
  for (const key of name.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function isTrue(value: unknown) {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function shown(value: unknown) {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
