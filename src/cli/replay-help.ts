import { debuggerHelp } from '../journal/debugger-commands.ts';

export const debugHelp = `
Commands, one per line of standard input:
${debuggerHelp}

Guide: docs/why.md`;

export const replayHelp = `
Exit codes: 0 success, 2 invalid usage or unreadable file, 4 the run differs from the recording.`;

export const divergeHelp = `
Both runs are simulated again and compared tick by tick; if neither can be, their recordings are compared.
Exit codes: 0 no difference, 2 invalid usage or unreadable file, 4 a difference was found.`;
