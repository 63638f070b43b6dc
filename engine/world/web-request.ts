import { constant, entity, type FieldType, type Infer, index, oneOf, optional, record, text } from '../schema/index.ts';

/** A web request of a script, which the host answers later (reference: output-events#answers). */
export function webRequest<C>(context: FieldType<C>) {
  return constant(
    record({
      /**
       * A `post` request stores one member of the answer and fires no trigger; `request` and `secure` store the whole
       * answer.
       */
      kind: oneOf(['post', 'request', 'secure']),
      /** The global variable that receives the answer; absent if there is none. */
      variable: optional(text()),
      /** The entity whose script made the request; 0 for a global script. */
      asker: entity(),
      /**
       * The job numbers of the action lists that run on success and on failure (-1 for none), and the context in which
       * they run.
       */
      onSuccess: index('job', 'or none'),
      onFailure: index('job', 'or none'),
      state: context,
    }),
  );
}
export type WebRequest = Infer<ReturnType<typeof webRequest<unknown>>>;
