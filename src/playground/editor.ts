import { autocompletion, type CompletionContext, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { defined } from '../../engine/core/index.ts';
import { element } from '../viewer/index.ts';
import type { Completion, Hover, LocatedProblem } from './worker-messages.ts';

interface EditorPorts {
  /** The purpose of the text, for screen readers. */
  readonly label: string;
  readonly language: 'json' | 'yaml';
  readonly check: (text: string) => Promise<readonly LocatedProblem[]>;
  readonly complete?: (text: string, offset: number) => Promise<readonly Completion[]>;
  readonly hover?: (text: string, offset: number) => Promise<Hover | null>;
  /** Called when the keyboard shortcut for playing the text is pressed. */
  readonly run: () => void;
}

/** The delay between a change and the check of the text, ms. */
const checkDelayMs = 400;

/** A text editor that marks the mistakes of the text. */
export class Editor {
  readonly root = element('div.editor');
  private readonly view: EditorView;

  constructor(text: string, { label, language, check, complete, hover, run }: EditorPorts) {
    const completing = async (context: CompletionContext) => {
      const { state, pos, explicit } = context;
      if (!explicit && context.matchBefore(/["\w]$/) === null) return null;
      const found = (await complete?.(state.doc.toString(), pos)) ?? [];
      const [first] = found;
      if (first === undefined) return null;
      return {
        from: first.from,
        to: first.to,
        // CodeMirror's filter is turned off, because the typed text may begin with a quotation mark, which labels do
        // not have.
        filter: false,
        options: matching(found, state.sliceDoc(first.from, pos)).map(({ label, detail, about, text: written }) => ({
          label,
          ...defined({ detail }),
          ...(about === undefined ? {} : { info: () => aboutNode(about) }),
          apply: written,
        })),
      };
    };
    this.view = new EditorView({
      parent: this.root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          lintGutter(),
          language === 'json' ? json() : indentUnit.of('  '),
          syntaxHighlighting(classHighlighter),
          autocompletion({ override: [completing] }),
          linter(
            async (view) =>
              (await check(view.state.doc.toString())).map(({ from, to, severity, message, code }) => ({
                from,
                to: Math.min(to, view.state.doc.length),
                severity,
                message,
                source: code,
              })),
            { delay: checkDelayMs },
          ),
          hoverTooltip(async (view, at) => {
            const found = await hover?.(view.state.doc.toString(), at);
            return found == null
              ? null
              : { pos: found.from, end: found.to, create: () => ({ dom: aboutNode(found.markdown) }) };
          }),
          keymap.of([
            {
              key: 'Mod-Enter',
              run: () => {
                run();
                return true;
              },
            },
            // `indentWithTab` is left out, so that the Tab key can leave the editor.
            ...completionKeymap,
            ...lintKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Selects a range and scrolls to it. */
  go(from: number, to: number) {
    const end = this.view.state.doc.length;
    const anchor = Math.min(from, end);
    this.view.dispatch({
      selection: { anchor, head: Math.min(to, end) },
      effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
    });
    this.view.focus();
  }

  /** Selects a line, counted from 1. */
  goToLine(number: number) {
    const { doc } = this.view.state;
    const { from, to } = doc.line(Math.min(number, doc.lines));
    this.go(from, to);
  }
}

/** The proposals that contain the typed text; those that begin with it come first. */
function matching(found: readonly Completion[], written: string) {
  const word = written.replace(/^"|"$/g, '').toLowerCase();
  const fitting = found.filter(({ label, detail = '' }) => `${label} ${detail}`.toLowerCase().includes(word));
  const begins = fitting.filter(({ label }) => label.toLowerCase().startsWith(word));
  return [...begins, ...fitting.filter((each) => !begins.includes(each))];
}

/** A description as text; the marks of Markdown for code and emphasis are dropped. */
function aboutNode(markdown: string) {
  return element('div.cm-about', markdown.replaceAll(/^```\w*$\n?/gm, '').replaceAll(/\*\*|`/g, ''));
}
