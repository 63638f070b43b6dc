/** What is loaded on demand, apart from the door: a bundler would put what both name into one file. */

export const loadRecording = () => import('./recording.ts');
export const loadJournalBytes = () => import('./journal-bytes.ts');
