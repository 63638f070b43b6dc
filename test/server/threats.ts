/**
 * The threats that docs/security.md lists, each with its answer and the files whose tests show it. `npm run hostile` tries each threat on a running server.
 */
export const threats = {
  'HTML of a game runs code': {
    answer: 'Texts are sanitised by an allow list.',
    tests: ['test/text/html.test.ts'],
  },
  'Styles of a game load from elsewhere': {
    answer: 'Only hosts of `--style-host` are allowed.',
    tests: ['test/text/html.test.ts'],
  },
  'Styles of a game cover or change the page of the server': {
    answer: 'Texts are in a shadow root, inside an element that confines positioned content.',
    tests: ['test/viewer/live.test.ts'],
  },
  "Player input becomes markup in a game's text": {
    answer: '`<`, and quotation marks that could end an attribute, are removed from names, answers, chat and data.',
    tests: ['test/text/html.test.ts'],
  },
  'A dialogue template inserts a value into a sanitised attribute': {
    answer: "Placeholders in attributes select among the author's words only.",
    tests: ['test/text/html.test.ts'],
  },
  "The server's page runs or loads foreign content": {
    answer: 'Its Content-Security-Policy allows its own files only.',
    tests: ['test/viewer/live.test.ts'],
  },
  "Sanitising a game's HTML takes too long": {
    answer: 'More than 1000 open elements make it plain text; otherwise time is linear and counts as work.',
    tests: ['test/text/html.test.ts'],
  },
  'Chat is interpreted as HTML': {
    answer: 'It is always text.',
    tests: ['test/viewer/live.test.ts'],
  },
  'A kick message carries HTML': {
    answer: 'It is sanitised for clients that show HTML, and text for others.',
    tests: ['test/server/existing-clients.test.ts'],
  },
  'Names contain terminal escape sequences': {
    answer: 'Control characters are escaped.',
    tests: ['test/text/page.test.ts'],
  },
  'Prototype pollution by keys of a document': {
    answer: '`__proto__`, `constructor` and `prototype` are refused as keys, however they are spelled.',
    tests: ['test/core/json-guard.test.ts'],
  },
  'The same in scripts': {
    answer: 'Such keys are ordinary names; prototypes are compared after each fuzzed game.',
    tests: ['test/fuzz/fuzz.test.ts', 'test/script/values/object.test.ts', 'test/script/actions/cases/variable.ts'],
  },
  'Slow regular expressions (ReDoS)': {
    answer: 'Patterns that may backtrack are a fault; others count as work.',
    tests: ['test/script/values/text.test.ts', 'test/script/work.test.ts'],
  },
  'Path traversal by names of accounts or games': {
    answer: 'File names are hashes.',
    tests: ['test/store/persistence-service.test.ts'],
  },
  'A file in the store belongs to somebody else': {
    answer: 'Files name their owner and are refused otherwise.',
    tests: ['test/store/persistence-service.test.ts'],
  },
  "Scripts request hosts of the operator's network (SSRF)": {
    answer: 'Hosts must be allowed; private addresses are refused after name resolution; redirects are not followed.',
    tests: ['test/server/http.test.ts'],
  },
  'A token for another purpose, algorithm, server or time': {
    answer: 'Algorithm, audience and expiry are required; each kind of token has its own audience.',
    tests: ['test/server/sessions.test.ts'],
  },
  'A weak secret': {
    answer: 'The server does not start.',
    tests: ['test/server/sessions.test.ts'],
  },
  'Other users of the machine read secrets or data': {
    answer: 'The server refuses such secret files; folders it creates are private.',
    tests: ['test/server/secrets.test.ts'],
  },
  "Guessing administrators' routes": {
    answer: 'They need their own token, and do not exist without one.',
    tests: ['test/server/hostile-requests.test.ts', 'test/server/http.test.ts'],
  },
  "Players or watchers see a room's scripts, hidden variables or addresses": {
    answer: "Only an administrators' route returns them; sockets never carry them.",
    tests: ['test/server/insight.test.ts'],
  },
  'Replayed inputs': {
    answer: 'Each input has a sequence number; used ones are refused, also after a crash.',
    tests: ['test/server/play.test.ts', 'test/server/recovery.test.ts'],
  },
  'Oversized messages': {
    answer: 'They are not decoded; a message above the limits of all kinds ends the connection.',
    tests: ['test/server/limits.test.ts'],
  },
  'Malformed bytes': {
    answer: 'They are refused with a code.',
    tests: ['test/server/limits.test.ts'],
  },
  'Request smuggling, path traversal, other protocols': {
    answer: "Refused, and the connection ends. Only the client's folder is served from files.",
    tests: ['test/server/hostile-requests.test.ts', 'test/server/client-page.test.ts'],
  },
  'Decompression bombs in messages or bodies': {
    answer: 'Messages are measured while inflating; bodies are not inflated.',
    tests: ['test/server/hostile-requests.test.ts'],
  },
  'A flood from one connection or many': {
    answer: 'Limits by connection and address, control frames and fragments included; quiet connections are spared.',
    tests: ['test/server/limits.test.ts'],
  },
  'Seats blocked by lost connections': {
    answer: 'They count for their address; guests that cannot resume keep no seat.',
    tests: ['test/server/existing-clients.test.ts', 'test/server/limits.test.ts'],
  },
  'Many, slow or half-open connections': {
    answer: 'Counted by address (IPv6: by network), with time limits to connect, join and answer.',
    tests: ['test/server/limits.test.ts', 'test/server/play.test.ts', 'test/simulation/regressions.test.ts'],
  },
  'A forged address header': {
    answer: 'It is only read behind a trusted proxy.',
    tests: ['test/server/limits.test.ts'],
  },
  'Deeply nested documents or messages': {
    answer: 'Depth is checked before parsing. What cannot be sent to a thread fails only its room.',
    tests: ['test/core/json-guard.test.ts', 'test/server/protocol/messages.test.ts', 'test/server/threads.test.ts'],
  },
  'A gzip bomb as document': {
    answer: 'Inflating stops at the limit.',
    tests: ['test/load/load-file.test.ts'],
  },
  'Scripts that never end': {
    answer: 'Every kind of work has a budget; the script stops with a fault at its place.',
    tests: ['test/script/limits.test.ts'],
  },
  "Another site's page opens a socket as the visitor": {
    answer: 'Its origin is refused.',
    tests: ['test/server/play.test.ts', 'test/server/http.test.ts'],
  },
  'DNS rebinding': {
    answer: 'The `Host` header is checked (`host-not-allowed`) on loopback, and wherever `--host-name` is set.',
    tests: ['test/server/hosts.test.ts'],
  },
  'Secrets in the definition sent to clients': {
    answer: 'Only what clients need is included.',
    tests: ['test/server/http.test.ts'],
  },
  'State that a player may not see': {
    answer: 'Frames contain only what the player may see.',
    tests: ['test/server/protocol/privacy.test.ts'],
  },
  'Names and addresses of players in logs': {
    answer: 'They are not logged; other texts cannot forge log lines.',
    tests: ['test/server/hostile-requests.test.ts', 'test/server/http.test.ts'],
  },
  'Tokens and secrets in logs and in the journal': {
    answer: 'They are never written.',
    tests: ['test/server/secrets.test.ts', 'test/store/persistence-service.test.ts'],
  },
} as const satisfies Readonly<Record<string, { readonly answer: string; readonly tests: readonly string[] }>>;
export type Threat = keyof typeof threats;
