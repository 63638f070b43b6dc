import { visit } from 'jsonc-parser';
import { type CodeLens, type DocumentSymbol, type FoldingRange, SymbolKind } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Dictionary } from '../../engine/core/index.ts';
import type { ScriptNode } from '../../engine/index.ts';
import { scriptsOf } from '../../engine/tools.ts';
import { triggersText } from '../review/index.ts';
import { conditionText } from '../run/index.ts';
import { amount } from '../text/index.ts';
import type { GameFile } from './game-file.ts';
import { type Span, spansOf } from './json-text.ts';

/** The scripts that have a place in the text, each with its span and that of its key, `head`. */
function placedScripts(file: GameFile, text: string) {
  if (file.game === undefined) return [];
  const { scripts } = scriptsOf(file.game.definition);
  const places = scripts.flatMap(({ pointer }) => [
    { pointer, isMember: true },
    { pointer, isMember: false },
  ]);
  const spans = spansOf(text, places);
  return scripts.flatMap((script, i) => {
    const whole = spans[2 * i + 1];
    return whole === undefined
      ? []
      : [{ script, whole, head: spans[2 * i] ?? { start: whole.start, end: whole.start + 1 } }];
  });
}

/** The outline of a definition: its scripts, grouped by owner, each with its name and its triggers. */
export function outline(file: GameFile, document: TextDocument): DocumentSymbol[] {
  const owners = new Map<string, DocumentSymbol>();
  for (const { script, head, whole } of placedScripts(file, document.getText())) {
    const [section = '', type] = script.place.split('/');
    const name = script.owner.kind === 'game' ? 'scripts' : `${section} ${typeName(file, script) ?? type}`;
    const range = rangeOf(document, { start: head.start, end: whole.end });
    const symbol = {
      name: script.name,
      detail: script.source.triggers.join(', '),
      kind: SymbolKind.Function,
      range,
      selectionRange: rangeOf(document, head),
    };
    const owner = owners.get(name);
    if (owner === undefined) {
      const kind = script.owner.kind === 'game' ? SymbolKind.Namespace : SymbolKind.Class;
      owners.set(name, { name, kind, range, selectionRange: symbol.selectionRange, children: [symbol] });
    } else {
      owner.children!.push(symbol);
      owner.range = { start: owner.range.start, end: range.end };
    }
  }
  return [...owners.values()];
}

function typeName(file: GameFile, { owner }: ScriptNode) {
  const { unitTypes, itemTypes } = file.game!.definition;
  const types = owner.kind === 'unit' ? unitTypes : owner.kind === 'item' ? itemTypes : undefined;
  return types && [...types.values()][owner.type]?.name;
}

/**
 * The code lenses above each script: what starts it and how many actions it has, how often it ran in the last tests,
 * and those commands that the client supports.
 */
export function lenses(
  file: GameFile,
  document: TextDocument,
  commands: ReadonlySet<string>,
  runs: Dictionary<number> | undefined,
): CodeLens[] {
  return placedScripts(file, document.getText()).flatMap(({ script, head }) => {
    const range = rangeOf(document, head);
    const known = (['run', 'debug'] as const).filter((verb) => commands.has(`reenact.${verb}`));
    return [
      { range, command: { title: summary(script), command: '' } },
      ...(runs !== undefined && Object.hasOwn(runs, script.pointer)
        ? [{ range, command: { title: `coverage ${runs[script.pointer]}×`, command: '' } }]
        : []),
      ...known.map((verb) => ({
        range,
        command: {
          title: verb,
          command: `reenact.${verb}`,
          arguments: [document.uri, script.place, script.source.triggers],
        },
      })),
    ];
  });
}

/** The objects and lists of a JSON text that are longer than a line. */
export function foldings(text: string): FoldingRange[] {
  const found: FoldingRange[] = [];
  const open: number[] = [];
  const begin = (_offset: number, _length: number, line: number) => {
    open.push(line);
  };
  const end: typeof begin = (_offset, _length, line) => {
    const startLine = open.pop()!;
    if (startLine < line - 1) found.push({ startLine, endLine: line - 1 });
  };
  visit(text, { onObjectBegin: begin, onArrayBegin: begin, onObjectEnd: end, onArrayEnd: end });
  return found;
}

/** A summary of a script, such as `when secondTick, only if count > 3: 12 actions`. */
function summary(script: ScriptNode) {
  const { conditions, actions } = script;
  const guard = conditions.isEmpty || conditions.isDefaultGuard ? '' : `, only if ${conditionText(conditions)}`;
  return `${triggersText(script)}${guard}: ${amount(actions.actions.length, 'action')}`;
}

export function rangeOf(document: TextDocument, { start, end }: Span) {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}
