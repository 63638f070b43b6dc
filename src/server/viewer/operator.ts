import { element, formOf } from '../../viewer/index.ts';

/** The session storage key for the admin token, which is stored for this tab only. */
const tokenKey = 'reenact-admin';

export function operatorToken(): string | undefined {
  return sessionStorage.getItem(tokenKey) ?? undefined;
}

export function keepOperatorToken(token: string | undefined) {
  if (token === undefined) sessionStorage.removeItem(tokenKey);
  else sessionStorage.setItem(tokenKey, token);
}

/** The URL of the page that inspects a room, or shows the play of a report. */
export function insightAddress(kind: 'room' | 'report', id: string): string {
  return `/insight?${new URLSearchParams({ [kind]: id })}`;
}

interface Demand {
  readonly title: string;
  readonly about: string;
  readonly verb: string;
  /** The reason why the last token was not accepted; empty if none was entered. */
  readonly why: string;
  readonly taken: (token: string) => void;
}

/** A page that asks for the admin token. */
export function demandToken(root: HTMLElement, { title, about, verb, why, taken }: Demand) {
  const input = element('input#admin', {
    type: 'password',
    autocomplete: 'off',
    placeholder: 'Admin token',
    'aria-label': 'Admin token',
  });
  const submit = () => {
    const token = input.value.trim();
    if (token === '') return;
    keepOperatorToken(token);
    taken(token);
  };
  root.replaceChildren(
    element(
      'main.lobby',
      element('h1', title),
      element('p.soft', about),
      formOf({ class: 'who' }, submit, input, element('button.main', { type: 'submit' }, verb)),
      element('output.bad', { role: 'alert' }, why),
      element('p', element('a', { href: '/' }, 'Rooms')),
    ),
  );
  document.documentElement.dataset['state'] = 'asking';
  input.focus();
}
