/**
 * The threats that docs/security.md lists, each with its answer and the tests that show it: titles by file. `npm run hostile` tries each threat on a running server.
 */
export const threats = {
  'HTML of a game runs code': {
    answer: 'Texts are sanitised by an allow list.',
    tests: {
      'test/text/html.test.ts': ['what is cleaned is harmless, and stays as it is when it is cleaned again'],
    },
  },
  'Styles of a game load from elsewhere': {
    answer: 'Only hosts of `--style-host` are allowed.',
    tests: {
      'test/text/html.test.ts': ['%j is %j where only cdn.example may be asked'],
    },
  },
  'Styles of a game cover or change the page of the server': {
    answer: 'Texts are in a shadow root, inside an element that confines positioned content.',
    tests: {
      'test/viewer/live.test.ts': [
        'styles of a game reach no other part of the page, and nothing of a game covers one',
      ],
    },
  },
  "Player input becomes markup in a game's text": {
    answer: '`<`, and quotation marks that could end an attribute, are removed from names, answers, chat and data.',
    tests: {
      'test/text/html.test.ts': ['%s is text, wherever a game puts it'],
    },
  },
  'A dialogue template inserts a value into a sanitised attribute': {
    answer: "Placeholders in attributes select among the author's words only.",
    tests: {
      'test/text/html.test.ts': ['%j has no value of the game where it could end an attribute: %j'],
    },
  },
  "The server's page runs or loads foreign content": {
    answer: 'Its Content-Security-Policy allows its own files only.',
    tests: {
      'test/viewer/live.test.ts': ['the page may run and load nothing but its own'],
    },
  },
  "Sanitising a game's HTML takes too long": {
    answer: 'More than 1000 open elements make it plain text; otherwise time is linear and counts as work.',
    tests: {
      'test/text/html.test.ts': ['a text with more open elements than any page has is all text: %s'],
    },
  },
  'Chat is interpreted as HTML': {
    answer: 'It is always text.',
    tests: {
      'test/viewer/live.test.ts': ['what one says is read by all, and is never HTML'],
    },
  },
  'A kick message carries HTML': {
    answer: 'It is sanitised for clients that show HTML, and text for others.',
    tests: {
      'test/server/existing-clients.test.ts': ['the message of a script that kicks a player is sanitized'],
    },
  },
  'Names contain terminal escape sequences': {
    answer: 'Control characters are escaped.',
    tests: {
      'test/text/page.test.ts': ['a name cannot steer the terminal'],
    },
  },
  'Prototype pollution by keys of a document': {
    answer: '`__proto__`, `constructor` and `prototype` are refused as keys, however they are spelled.',
    tests: {
      'test/core/json-guard.test.ts': ['forbidden keys are found in every spelling'],
    },
  },
  'The same in scripts': {
    answer: 'Such keys are ordinary names; prototypes are compared after each fuzzed game.',
    tests: {
      'test/fuzz/fuzz.test.ts': ['no mutant of the sample %s breaks anything'],
      'test/script/values/object.test.ts': ['in %s no text that a script reads changes a prototype'],
      'test/script/actions/cases/variable.ts': ['addNumberElement'],
    },
  },
  'Slow regular expressions (ReDoS)': {
    answer: 'Patterns that may backtrack are a fault; others count as work.',
    tests: {
      'test/script/values/text.test.ts': ['%j, %j, %j'],
      'test/script/work.test.ts': [
        'a pattern that is tried at each place of a text counts by the square of its length',
      ],
    },
  },
  'Path traversal by names of accounts or games': {
    answer: 'File names are hashes.',
    tests: {
      'test/store/persistence-service.test.ts': ['accounts and games of any name are told apart'],
    },
  },
  'A file in the store belongs to somebody else': {
    answer: 'Files name their owner and are refused otherwise.',
    tests: {
      'test/store/persistence-service.test.ts': [
        'nothing half written is left behind, and nothing of others is believed',
      ],
    },
  },
  "Scripts request hosts of the operator's network (SSRF)": {
    answer: 'Hosts must be allowed; private addresses are refused after name resolution; redirects are not followed.',
    tests: {
      'test/server/http.test.ts': [
        '%s is open to them: %s',
        'have no answer where %s',
        'do not reach a private network through a name that resolves to it',
      ],
    },
  },
  'A token for another purpose, algorithm, server or time': {
    answer: 'Algorithm, audience and expiry are required; each kind of token has its own audience.',
    tests: {
      'test/server/sessions.test.ts': ['does not come from a token %s', 'of another server cannot be resumed'],
    },
  },
  'A weak secret': {
    answer: 'The server does not start.',
    tests: {
      'test/server/sessions.test.ts': ['a server with a short or missing secret does not start'],
    },
  },
  'Other users of the machine read secrets or data': {
    answer: 'The server refuses such secret files; folders it creates are private.',
    tests: {
      'test/server/secrets.test.ts': [
        '%s is refused as a secret: the server does not start',
        'not enter is a folder that the server creates',
      ],
    },
  },
  "Guessing administrators' routes": {
    answer: 'They need their own token, and do not exist without one.',
    tests: {
      'test/server/hostile-requests.test.ts': ['a token for one purpose is not valid for another'],
      'test/server/http.test.ts': [
        'open and close rooms with the admin token, and nobody can without it',
        'have no admin routes on a server without an admin token',
      ],
    },
  },
  "Players or watchers see a room's scripts, hidden variables or addresses": {
    answer: "Only an administrators' route returns them; sockets never carry them.",
    tests: {
      'test/server/insight.test.ts': ['is for the operator only', 'changes nothing that players and watchers receive'],
    },
  },
  'Replayed inputs': {
    answer: 'Each input has a sequence number; used ones are refused, also after a crash.',
    tests: {
      'test/server/play.test.ts': ['that arrive twice are refused the second time'],
      'test/server/recovery.test.ts': ['players resume as themselves, and none of their inputs is played twice'],
    },
  },
  'Oversized messages': {
    answer: 'They are not decoded; a message above the limits of all kinds ends the connection.',
    tests: {
      'test/server/limits.test.ts': [
        'that is too large for its kind is not decoded',
        'that is too large for any kind ends the connection in the transport, and is counted',
      ],
    },
  },
  'Malformed bytes': {
    answer: 'They are refused with a code.',
    tests: {
      'test/server/limits.test.ts': ['of random bytes is refused or valid, and the server continues'],
    },
  },
  'Request smuggling, path traversal, other protocols': {
    answer: "Refused, and the connection ends. Only the client's folder is served from files.",
    tests: {
      'test/server/hostile-requests.test.ts': [
        'with %s is not answered',
        'no path leads outside of what is served, or to a member of an object',
      ],
      'test/server/client-page.test.ts': ['is not served %s'],
    },
  },
  'Decompression bombs in messages or bodies': {
    answer: 'Messages are measured while inflating; bodies are not inflated.',
    tests: {
      'test/server/hostile-requests.test.ts': [
        'a compressed message that expands beyond the limit ends its connection',
        'that is compressed is not decompressed, and one that is too long is not read',
      ],
    },
  },
  'A flood from one connection or many': {
    answer: 'Limits by connection and address, control frames and fragments included; quiet connections are spared.',
    tests: {
      'test/server/limits.test.ts': [
        'by control messages of the transport is treated the same: %s',
        'in fragments of an endless message is closed by the transport',
        'is told so, ends if it continues, and does not affect others',
        'uses up the limit of its address, but does not affect a modest connection from the same address',
        'that flood repeatedly must wait ever longer to reconnect',
      ],
    },
  },
  'Seats blocked by lost connections': {
    answer: 'They count for their address; guests that cannot resume keep no seat.',
    tests: {
      'test/server/existing-clients.test.ts': [
        'a guest without a ticket, who cannot be recognized, leaves the game with its connection',
      ],
      'test/server/limits.test.ts': ['that were lost keep their seats, which count for their address'],
    },
  },
  'Many, slow or half-open connections': {
    answer: 'Counted by address (IPv6: by network), with time limits to connect, join and answer.',
    tests: {
      'test/server/limits.test.ts': [
        'are opened at a limited rate',
        'that do not read what is sent to them end, and the room continues',
        'that are %s end, and do not affect others',
        'that are refused end, even if the client keeps them half open',
        'of %s are limited with all of %s',
        'of one address that send nothing are limited, and do not affect those of others',
      ],
      'test/server/play.test.ts': ['a client that does not join in time is disconnected'],
      'test/simulation/regressions.test.ts': [
        'a connection that has fallen silent is given up, and one that answers is not',
      ],
    },
  },
  'A forged address header': {
    answer: 'It is only read behind a trusted proxy.',
    tests: {
      'test/server/limits.test.ts': [
        'count for their own address if no proxy is trusted, whatever headers they send',
        'count for the address that a trusted proxy reports',
      ],
    },
  },
  'Deeply nested documents or messages': {
    answer: 'Depth is checked before parsing. What cannot be sent to a thread fails only its room.',
    tests: {
      'test/core/json-guard.test.ts': ['ten million brackets are refused at the first too many'],
      'test/server/protocol/messages.test.ts': ['%j is %s'],
      'test/server/threads.test.ts': ['a message that cannot be sent to a thread only fails its room'],
    },
  },
  'A gzip bomb as document': {
    answer: 'Inflating stops at the limit.',
    tests: {
      'test/load/load-file.test.ts': ['what unpacks to more than the limit is refused'],
    },
  },
  'Scripts that never end': {
    answer: 'Every kind of work has a budget; the script stops with a fault at its place.',
    tests: {
      'test/script/limits.test.ts': [
        'actions of one tick, over all scripts; the next tick has its own',
        'scripts inside scripts',
        'entities',
      ],
    },
  },
  "Another site's page opens a socket as the visitor": {
    answer: 'Its origin is refused.',
    tests: {
      'test/server/play.test.ts': ['a page of another origin may not play, unless it is allowed'],
      'test/server/http.test.ts': ['may be read by pages of the same origin and of allowed ones only'],
    },
  },
  'DNS rebinding': {
    answer: 'The `Host` header is checked (`host-not-allowed`) on loopback, and wherever `--host-name` is set.',
    tests: {
      'test/server/hosts.test.ts': [
        'may neither play nor read anything on a server for the local machine',
        'may not do so either if the operator lists the hosts',
      ],
    },
  },
  'Secrets in the definition sent to clients': {
    answer: 'Only what clients need is included.',
    tests: {
      'test/server/http.test.ts': ['is served without what clients must not know'],
    },
  },
  'State that a player may not see': {
    answer: 'Frames contain only what the player may see.',
    tests: {
      'test/server/protocol/privacy.test.ts': [
        'no hidden unit, not even one that was visible before, nor its held item',
      ],
    },
  },
  'Names and addresses of players in logs': {
    answer: 'They are not logged; other texts cannot forge log lines.',
    tests: {
      'test/server/hostile-requests.test.ts': [
        'no text of players or authors can control a terminal or start a line in the log',
      ],
      'test/server/http.test.ts': ['find no names and no addresses in the log'],
    },
  },
  'Tokens and secrets in logs and in the journal': {
    answer: 'They are never written.',
    tests: {
      'test/server/secrets.test.ts': [
        'no token and no secret is in the log or in the journal',
        'the password in the address of a store is not shown when %s cannot be used',
        'the password in the address of a journal is not shown when %s cannot be used',
      ],
      'test/store/persistence-service.test.ts': [
        'nothing half written is left behind, and nothing of others is believed',
      ],
    },
  },
} as const satisfies Readonly<
  Record<string, { readonly answer: string; readonly tests: Readonly<Record<string, readonly string[]>> }>
>;
export type Threat = keyof typeof threats;
