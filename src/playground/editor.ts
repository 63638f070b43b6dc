import { autocompletion, type CompletionContext, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
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

/** Uses the colours of the page, so that the editor follows its light or dark theme. */
const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--card)', color: 'var(--text)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--back)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 9%, transparent)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--card)',
    color: 'var(--text)',
    border: '1px solid var(--edge)',
    borderRadius: '7px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-about': {
    maxWidth: '34rem',
    maxHeight: '18rem',
    overflow: 'auto',
    padding: '.4rem .7rem',
    whiteSpace: 'pre-wrap',
  },
  '.cm-panels': { backgroundColor: 'var(--back)', color: 'var(--text)' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--card)' },
});
const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--bad)' },
]);

/** A text editor that marks the mistakes of the text. */
export class Editor {
  readonly root = element('div.editor');
  private readonly view: EditorView;

  constructor(text: string, { label, language, check, complete, hover, run }: EditorPorts) {
    const completing = async ({ state, pos, explicit, matchBefore }: CompletionContext) => {
      if (!explicit && matchBefore.call({ state, pos } as CompletionContext, /["\w]$/) === null) return null;
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
          theme,
          language === 'json' ? json() : indentUnit.of('  '),
          syntaxHighlighting(colors),
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
    this.view.dispatch({
      selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
      effects: EditorView.scrollIntoView(Math.min(from, end), { y: 'center' }),
    });
    this.view.focus();
  }
}

/** The proposals that contain the typed text; those that begin with it come first. */
function matching(found: readonly Completion[], written: string): readonly Completion[] {
  const word = written.replace(/^"|"$/g, '').toLowerCase();
  const fitting = found.filter(({ label, detail = '' }) => `${label} ${detail}`.toLowerCase().includes(word));
  const begins = fitting.filter(({ label }) => label.toLowerCase().startsWith(word));
  return [...begins, ...fitting.filter((each) => !begins.includes(each))];
}

/** A description as text; the marks of Markdown for code and emphasis are dropped. */
function aboutNode(markdown: string): HTMLElement {
  return element('div.cm-about', markdown.replaceAll(/^```\w*$\n?/gm, '').replaceAll(/\*\*|`/g, ''));
}
