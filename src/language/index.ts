/** The script language explained: signatures, pages, examples, and the published schema of a definition. */

// Operations and triggers for readers:
export { signature, triggerLine } from './signature.ts';
export { operationPage, triggerPage } from './page.ts';
export { exampleOf } from './example.ts';
export { everydayWords } from './everyday-words.ts';

// The schema of a definition, and the part of it that applies at a path:
export { publishedSchema } from './schema.ts';
export { operationOf, type SchemaAtPath, schemaAt } from './schema-at.ts';
