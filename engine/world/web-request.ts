import { constant, entity, type Infer, index, type Kind, oneOf, optional, record, text } from '../schema/index.ts';

/** A request that a script made to the web and that the host answers later (reference: output-events#answers). */
export function webRequest<C>(context: Kind<C>) {
  return constant(
    record({
      /** `post` stores one member of the answer and fires no trigger; `request` and `secure` store all of it. */
      kind: oneOf(['post', 'request', 'secure']),
      /** Global variable that the answer goes to; undefined for none. */
      variable: optional(text()),
      /** The entity whose script asked; 0 for a global script. */
      asker: entity(),
      /** Numbers of the action lists that go on with the answer or without one, and what they need for it; -1 for none. */
      onSuccess: index('job', 'or none'),
      onFailure: index('job', 'or none'),
      state: context,
    }),
  );
}
export type WebRequest = Infer<ReturnType<typeof webRequest<unknown>>>;
