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
      'test/server/existing-clients.test.ts': ['what a script says when it sends somebody away is cleaned'],
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
      'test/core/json-guard.test.ts': ['no spelling of a forbidden key gets past'],
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
        'do not reach a private network by a name that resolves to it',
      ],
    },
  },
  'A token for another purpose, algorithm, server or time': {
    answer: 'Algorithm, audience and expiry are required; each kind of token has its own audience.',
    tests: {
      'test/server/sessions.test.ts': ['says no token %s', 'of another server cannot be taken up'],
    },
  },
  'A weak secret': {
    answer: 'The server does not start.',
    tests: {
      'test/server/sessions.test.ts': ['a secret that is short or missing keeps the server from starting'],
    },
  },
  'Other users of the machine read secrets or data': {
    answer: 'The server refuses such secret files; folders it creates are private.',
    tests: {
      'test/server/secrets.test.ts': [
        '%s holds no secret: the server does not start',
        'not enter is a folder that the server makes',
      ],
    },
  },
  "Guessing administrators' routes": {
    answer: 'They need their own token, and do not exist without one.',
    tests: {
      'test/server/hostile-requests.test.ts': ['the token of one use opens nothing of another'],
      'test/server/http.test.ts': [
        'open and end rooms with their token, and nobody without',
        'without a token of theirs there are no such routes',
      ],
    },
  },
  "Players or watchers see a room's scripts, hidden variables or addresses": {
    answer: "Only an administrators' route returns them; sockets never carry them.",
    tests: {
      'test/server/insight.test.ts': [
        'is for the operator alone',
        'adds nothing to what players and watchers are sent',
      ],
    },
  },
  'Replayed inputs': {
    answer: 'Each input has a sequence number; used ones are refused, also after a crash.',
    tests: {
      'test/server/play.test.ts': ['that come twice are turned down the second time'],
      'test/server/recovery.test.ts': ['players come back as themselves, and what they sent before is not done twice'],
    },
  },
  'Oversized messages': {
    answer: 'They are not decoded; one beyond every limit ends the connection.',
    tests: {
      'test/server/limits.test.ts': [
        'larger than one of its kind may be is not decoded',
        'larger than any may be ends the connection in the transport, and is counted',
      ],
    },
  },
  'Malformed bytes': {
    answer: 'They are refused with a code.',
    tests: {
      'test/server/limits.test.ts': ['of any bytes is refused or has its meaning, and the server plays on'],
    },
  },
  'Request smuggling, path traversal, other protocols': {
    answer: "Refused, and the connection ends. Only the client's folder is served from files.",
    tests: {
      'test/server/hostile-requests.test.ts': [
        'with %s is not answered',
        'a path leads to nothing outside of what is served, and to no member of an object',
      ],
      'test/server/client-page.test.ts': ['does not get %s'],
    },
  },
  'Decompression bombs in messages or bodies': {
    answer: 'Messages are measured while inflating; bodies are not inflated.',
    tests: {
      'test/server/hostile-requests.test.ts': [
        'a message that unpacks to more than any may have ends its connection',
        'that is packed is not unpacked, and one that is too long is not read',
      ],
    },
  },
  'A flood from one connection or many': {
    answer: 'Limits by connection and address, control frames and fragments included; quiet connections are spared.',
    tests: {
      'test/server/limits.test.ts': [
        'by control messages of the transport is no different: %s',
        'of parts of a message that never ends is closed in the transport',
        'is told, ends when it goes on, and costs nobody else anything',
        'uses up what its address may send; who sends little from there is not the one that pays',
        'that flood and come again come ever later',
      ],
    },
  },
  'Seats blocked by lost connections': {
    answer: 'They count for their address; guests that cannot resume keep no seat.',
    tests: {
      'test/server/existing-clients.test.ts': [
        'a guest without a ticket, that nothing could bring back, is out of the game with its connection',
      ],
      'test/server/limits.test.ts': ['that are lost hold their places, and these count for their address'],
    },
  },
  'Many, slow or half-open connections': {
    answer: 'Counted by address (IPv6: by network), with time limits to connect, join and answer.',
    tests: {
      'test/server/limits.test.ts': [
        'are opened at a pace',
        'that do not take what is sent to them end, and the room plays on',
        'that are %s end, and cost nobody else anything',
        'that are turned away end, also when the other side keeps them half open',
        'of %s are limited with all of %s',
        'of one address that say nothing are so many, and take nothing from those of others',
      ],
      'test/server/play.test.ts': ['who does not join in time is sent away'],
      'test/simulation/regressions.test.ts': [
        'a connection that has fallen silent is given up, and one that answers is not',
      ],
    },
  },
  'A forged address header': {
    answer: 'It is only read behind a trusted proxy.',
    tests: {
      'test/server/limits.test.ts': [
        'go by their own address where no proxy is trusted, whatever they say',
        'go by the address that a trusted proxy names',
      ],
    },
  },
  'Deeply nested documents or messages': {
    answer: 'Depth is checked before parsing. What cannot be sent to a thread fails only its room.',
    tests: {
      'test/core/json-guard.test.ts': ['ten million brackets are refused at the first too many'],
      'test/server/protocol/messages.test.ts': ['%j is %s'],
      'test/server/threads.test.ts': ['what no thread can be sent costs its room alone'],
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
      'test/server/play.test.ts': ['a page of another site may not play, unless it is named'],
      'test/server/http.test.ts': ['is read by pages of its own site and of those that are named, and by no others'],
    },
  },
  'DNS rebinding': {
    answer: 'The `Host` header is checked (`host-not-allowed`) on loopback, and wherever `--host-name` is set.',
    tests: {
      'test/server/hosts.test.ts': [
        'may neither play nor read anything where the server is for its own machine',
        'may not either where the operator names the hosts',
      ],
    },
  },
  'Secrets in the definition sent to clients': {
    answer: 'Only what clients need is included.',
    tests: {
      'test/server/http.test.ts': ['keeps for itself what is no client of it to know'],
    },
  },
  'State that a player may not see': {
    answer: 'Frames contain only what the player may see.',
    tests: {
      'test/server/protocol/privacy.test.ts': ['no hidden unit, also one that was seen before, nor what it holds'],
    },
  },
  'Names and addresses of players in logs': {
    answer: 'They are not logged; other texts cannot forge log lines.',
    tests: {
      'test/server/hostile-requests.test.ts': [
        'no text of players and authors steers a terminal or begins a line in the log',
      ],
      'test/server/http.test.ts': ['read no names and no addresses in the log'],
    },
  },
  'Tokens and secrets in logs and in the journal': {
    answer: 'They are never written.',
    tests: {
      'test/server/secrets.test.ts': [
        'no token and no secret stands in the log or in the journal',
        'the password in the address of a store is not said when %s cannot be used',
        'the password in the address of a journal is not said when %s cannot be used',
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
