import { family, inertAction } from '../op.ts';
import * as P from '../params.ts';

export const editorActions = family('editor', {
  comment: inertAction('Does nothing; a remark for readers.', 'A remark of the author.', {
    comment: P.optional(P.text),
  }),
});
