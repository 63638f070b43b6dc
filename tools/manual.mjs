// Leaves the manual out of bundles for pages: what operations, triggers, fields and codes are about is written beside
// them, for editors and documentation, and players read none of it.
import { parseAst } from 'rolldown/parseAst';

/** Where descriptions are written. */
const described = /engine\/(?:script\/(?:actions|values)|definition|world\/triggers\.ts$|core\/issue-codes\.ts$)/;

/** A plugin that empties the descriptions of tables. Texts inside of functions stay: they are what faults say. */
export const withoutManual = {
  name: 'without manual',
  transform: {
    filter: { id: described },
    handler(code, id) {
      const cuts = [];
      const empty = (node) => cuts.push(node);
      walk(parseAst(code, { lang: 'ts' }, id), (node) => {
        if (isFunction(node)) return false;
        if (node.type === 'Property' && members.has(node.key.name)) {
          empty(node.value);
          return false;
        }
        const texts =
          node.type === 'CallExpression' ? node.arguments : node.type === 'ArrayExpression' ? node.elements : [];
        for (const text of texts) if (isSentence(text)) empty(text);
        return true;
      });
      cuts.sort((a, b) => b.start - a.start);
      return cuts.reduce((text, { start, end }) => `${text.slice(0, start)}''${text.slice(end)}`, code);
    },
  },
};

const members = new Set(['about', 'why']);

function isFunction({ type }) {
  return /^(?:ArrowFunctionExpression|FunctionExpression|FunctionDeclaration|ClassDeclaration)$/.test(type);
}

function isSentence(node) {
  return node?.type === 'Literal' && typeof node.value === 'string' && /^[A-Z`"].* .*\.$/s.test(node.value);
}

/** Visits a node and, unless `visit` returns false, what is in it. */
function walk(node, visit) {
  if (!visit(node)) return;
  for (const child of Object.values(node)) {
    for (const each of Array.isArray(child) ? child : [child]) if (typeof each?.type === 'string') walk(each, visit);
  }
}
