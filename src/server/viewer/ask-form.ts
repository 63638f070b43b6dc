import type { Dictionary } from '../../../engine/core/index.ts';
import { element, formOf, textButton } from '../../viewer/index.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  /** The labels of the choices, by value; undefined for a text. */
  readonly choices?: Dictionary<string>;
  readonly required?: boolean;
}

export interface Form {
  readonly title: string;
  /** The label of the button that submits the form. */
  readonly verb: string;
  /** Without fields, the form asks for a confirmation. */
  readonly fields?: readonly Field[];
  readonly about?: string;
}

/** The values that were entered, without fields that were left empty. */
export type Answer = Dictionary<string>;

const unitsMax = 500;

/**
 * The class of a button: `danger` if its label names an action that takes something away, such as `Kick`; otherwise
 * `other`.
 */
export function lookOf(label: string, other?: string): string | undefined {
  return /^(?:Drain|Close|End|Kick|Ban|Delete)\b/.test(label) ? 'danger' : other;
}

/**
 * Shows a form in a modal dialog. Resolves with undefined if the user cancels. A form without fields asks for a
 * confirmation: `about` should say what would be lost, and Enter cancels, because users may press it without thinking.
 */
export function askForm(
  root: HTMLElement,
  { title, verb, fields = [], about = '' }: Form,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const inputs = fields.map(({ name, choices, required }) =>
      choices !== undefined
        ? element(
            'select',
            { name, id: `field-${name}` },
            ...Object.entries(choices).map(([value, text]) => element('option', { value }, text)),
          )
        : element('input', {
            name,
            id: `field-${name}`,
            type: 'text',
            maxlength: unitsMax,
            required,
            autocomplete: 'off',
          }),
    );
    const isQuestion = fields.length === 0;
    const close = (answer: Answer | undefined) => {
      dialog.remove();
      resolve(answer);
    };
    const submit = () => {
      const entered = inputs.map(({ name, value }) => [name, value.trim()] as const);
      close(Object.fromEntries(entered.filter(([, value]) => value !== '')));
    };
    const cancel = textButton('Cancel', () => close(undefined), { autofocus: isQuestion, class: isQuestion && 'main' });
    const form = formOf(
      {},
      submit,
      element('h2#asks', title),
      about !== '' && element('p#about', about),
      ...fields.map(({ label }, i) => element('label', element('span', label), inputs[i]!)),
      element(
        'p.acts',
        element('button', { type: 'submit', class: lookOf(verb, isQuestion ? undefined : 'main') }, verb),
        cancel,
      ),
    );
    const dialog = element(
      'dialog.ask',
      { 'aria-labelledby': 'asks', 'aria-describedby': about === '' ? undefined : 'about' },
      form,
    );
    dialog.addEventListener('cancel', () => close(undefined));
    root.append(dialog);
    dialog.showModal();
  });
}
