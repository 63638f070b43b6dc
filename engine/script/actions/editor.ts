import { family, inertAction } from '../op.ts';
import * as P from '../params.ts';

export const editorActions = family('editor', {
  comment: inertAction('A comment of the author. The action does nothing.', 'A comment of the author.', {
    comment: P.optional(P.text),
  }),
});
