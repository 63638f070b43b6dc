import { Buffer } from 'node:buffer';
import { fromJsonSchema, type JsonSchemaValidatorResult, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { messageOf } from '../../../engine/core/index.ts';
import { UsageError } from '../../../engine/index.ts';
import { errorTexts, type Schema } from '../../schema/index.ts';
import type { Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import type { Call } from '../settings.ts';
import { packageVersion } from '../version.ts';
import { Folder } from './mcp-folder.ts';
import { type Tool, type ToolContext, toolsOf } from './mcp-tools.ts';

/** Longer answers are truncated, because assistants pay for each word that they read. */
const answerBytesMax = 200_000;

const instructions =
  'Reenact runs 2D game definitions (one JSON document each) without their client. Use `check` after each change of a definition, `ops` to look up script operations, `run` to see what a game does, `why` to learn why a value is what it is, `explore` to find mistakes, `test` to run its scenarios. Paths are relative to the folder in which the server was started.';

/** Serves the tools over standard input and output until the client closes them. */
export async function mcp(_options: object, terminal: Terminal, { main, program }: Call) {
  const context = { folder: new Folder('.'), env: terminal.env, main };
  const tools = toolsOf(await program());
  const handle = serveStdio(() => createServer(tools, context));
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    terminal.onInterrupt(resolve);
  });
  await handle.close();
  return exitCodes.ok;
}

function createServer(tools: readonly Tool[], context: Omit<ToolContext, 'signal'>) {
  const server = new McpServer({ name: 'reenact', version: packageVersion() }, { instructions });
  for (const tool of tools) {
    const { name, description, parameters, writes } = tool;
    // The schema is copied, because `readonly` members are not assignable to the type that the library expects.
    const inputSchema = fromJsonSchema<object>(JSON.parse(JSON.stringify(parameters)), {
      getValidator: () => (input) => verdictOn(parameters, input),
    });
    const annotations = { readOnlyHint: writes !== true, destructiveHint: false, openWorldHint: false };
    server.registerTool(name, { description, inputSchema, annotations }, async (values, { mcpReq }) =>
      content(await answer(tool, values, { ...context, signal: mcpReq.signal })),
    );
  }
  return server;
}

/** Lists what is wrong with the arguments, and what was probably meant. */
function verdictOn(parameters: Schema, input: unknown): JsonSchemaValidatorResult<never> {
  const wrong = errorTexts(parameters, input);
  return wrong.length === 0
    ? { valid: true, data: input as never, errorMessage: undefined }
    : { valid: false, data: undefined, errorMessage: wrong.join(' ') };
}

/** Turns errors of a tool into an answer, so that they do not end the server. */
async function answer(tool: Tool, values: object, context: ToolContext): ReturnType<Tool['call']> {
  try {
    return await tool.call({ ...values }, context);
  } catch (error) {
    const message = messageOf(error);
    const code = error instanceof Failure || error instanceof UsageError ? error.code : 'internal';
    const details = error instanceof Failure ? error.details : [];
    return { text: [`${code}: ${message}`, ...details].join('\n'), isError: true };
  }
}

function content({ text, isError, data }: Awaited<ReturnType<Tool['call']>>) {
  const bytes = Buffer.from(text);
  const cut = `${bytes.subarray(0, answerBytesMax).toString()}\n… truncated after ${answerBytesMax} of ${bytes.length} bytes`;
  const json = data && JSON.stringify(data);
  return {
    content: [{ type: 'text' as const, text: bytes.length > answerBytesMax ? cut : text }],
    isError,
    // Data that is too long is left out, because half an object is of no use.
    ...(json && Buffer.byteLength(json) <= answerBytesMax && { structuredContent: JSON.parse(json) }),
  };
}
