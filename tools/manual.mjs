// Leaves the manual out of bundles for pages. What operations, triggers, fields and codes are about is written beside
// them, for editors and documentation; a page of players reads none of it.
import { parseAst } from 'rolldown/parseAst';

/** Where descriptions are written. `why` prints those of triggers, so that only pages without it leave them out. */
const described = 'engine/(?:script/(?:actions|values)/.*|definition/.*|core/issue-codes';

export const withoutManual = emptying(`${described})\\.ts$`);
export const withoutAnyManual = emptying(`${described}|world/triggers)\\.ts$`);

/**
 * A plugin that empties the descriptions of tables. Texts inside of functions stay: they are what faults and issues
 * say.
 */
function emptying(files) {
  return {
    name: 'without manual',
    transform: { filter: { id: new RegExp(files) }, handler: withoutDescriptions },
  };
}

/** By file, because each page has its own bundle. */
const known = new Map();

function withoutDescriptions(code, id) {
  if (!known.has(id)) known.set(id, cut(code, id));
  return known.get(id);
}

function cut(code, id) {
  const cuts = [];
  const visit = (node) => {
    if (functions.has(node.type)) return;
    if (node.type === 'Property' && told.includes(node.key.name) && isText(node.value)) cuts.push([node.value, "''"]);
    else if (node.type === 'Property' && node.key.name === 'operands' && node.value.type === 'ObjectExpression')
      cuts.push([node.value, '{}']);
    else {
      for (const each of node.arguments ?? node.elements ?? []) if (isSentence(each)) cuts.push([each, "''"]);
      for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') visit(child);
    }
  };
  visit(parseAst(code, { lang: 'ts' }, id));
  cuts.sort(([a], [b]) => b.start - a.start);
  return cuts.reduce((text, [{ start, end }, rest]) => text.slice(0, start) + rest + text.slice(end), code);
}

/** The members that hold descriptions, reasons and examples. */
const told = ['about', 'sentence', 'why', 'because', 'wrong', 'right'];

const functions = new Set(['ArrowFunctionExpression', 'ClassDeclaration', 'FunctionDeclaration', 'FunctionExpression']);

const isText = (node) =>
  (node?.type === 'Literal' && typeof node.value === 'string') ||
  (node?.type === 'TemplateLiteral' && node.expressions.length === 0);
const isSentence = (node) => isText(node) && typeof node.value === 'string' && /^\W*[A-Z`"].* .*\.$/s.test(node.value);
