/**
 * The official TypeScript clients against `everything` and `trip`.
 *
 * - `typescript-1`: `@modelcontextprotocol/sdk` 1.x, which begins with `initialize`.
 * - `typescript-2`: `@modelcontextprotocol/client` 2.x, held to revision 2026-07-28.
 * - `typescript-2-legacy`: the same package without negotiation, as it comes: it begins with `initialize`.
 *
 * Run by `clients.py`, once a client and transport; `everything` may serve other clients at the same time.
 */
import { openSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    client: { type: 'string' },
    'bin-dir': { type: 'string' },
    'log-dir': { type: 'string' },
    lock: { type: 'string' },
    url: { type: 'string' },
    'trip-url': { type: 'string' }
  }
});

const REQUEST_MS = 15_000;
const WAIT_MS = 10_000;
const TOTAL_MS = 90_000;
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const MODERN = '2026-07-28';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const WATCHED = 'test://watched-resource';

const second = options.client !== 'typescript-1';
const modern = options.client === 'typescript-2';
const http = Boolean(options.url);
const where = `${options.client} ${http ? 'http' : 'stdio'}`;

/** The two packages, where they differ. */
const sdk = second ? await version2() : await version1();

async function version1() {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const schemas = {
    'elicitation/create': types.ElicitRequestSchema,
    'sampling/createMessage': types.CreateMessageRequestSchema,
    'roots/list': types.ListRootsRequestSchema,
    'notifications/message': types.LoggingMessageNotificationSchema,
    'notifications/resources/updated': types.ResourceUpdatedNotificationSchema,
    'notifications/tools/list_changed': types.ToolListChangedNotificationSchema
  };
  return {
    StdioClientTransport,
    StreamableHTTPClientTransport,
    client: (capabilities) => new Client({ name: 'typescript-1', version: '1.0' }, { capabilities }),
    answer: (client, method, handler) => client.setRequestHandler(schemas[method], handler),
    listen: (client, method, handler) => client.setNotificationHandler(schemas[method], handler),
    call: (client, params, how) => client.callTool(params, undefined, how)
  };
}

async function version2() {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const versionNegotiation = modern ? { mode: { pin: MODERN } } : undefined;
  return {
    StdioClientTransport,
    StreamableHTTPClientTransport,
    client: (capabilities) =>
      new Client({ name: 'typescript-2', version: '2.0' }, { capabilities, versionNegotiation }),
    answer: (client, method, handler) => client.setRequestHandler(method, handler),
    listen: (client, method, handler) => client.setNotificationHandler(method, handler),
    call: (client, params, how) => client.callTool(params, how)
  };
}

// Checks, as in harness.py.

let passed = 0;
let failed = 0;

const shorten = (value) => {
  const text = (typeof value === 'string' ? value : JSON.stringify(value) ?? String(value)).replace(/\s+/g, ' ');
  return text.length <= 600 ? text : `${text.slice(0, 599)}…`;
};

const describe = (error) =>
  `${error?.constructor?.name}${error?.code === undefined ? '' : ` ${error.code}`}: ${error?.message ?? error}`;

/** One check: `test` throws, or gives what it found wrong, or nothing. */
async function check(name, test) {
  let wrong;
  try {
    wrong = await within(TOTAL_MS, test());
  } catch (error) {
    wrong = describe(error);
  }
  if (wrong) {
    failed += 1;
    console.log(`FAIL  ${where} ${name}: ${shorten(wrong)}`);
  } else {
    passed += 1;
    console.log(`ok    ${where} ${name}`);
  }
}

function notApplicable(name, why) {
  console.log(`n/a   ${where} ${name} (${why})`);
}

// Waiting, always for a bounded time.

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function within(ms, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function until(what) {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(20)) {
    if (await what()) return true;
  }
  return false;
}

/** One client at a time, for what changes the server for all of them. */
async function turn(act) {
  let mine = false;
  const take = () => mkdir(options.lock).then(() => (mine = true), () => false);
  for (const end = Date.now() + TOTAL_MS; !mine && Date.now() < end; ) {
    if (!(await take())) await sleep(20);
  }
  if (!mine) throw new Error('it is never this client’s turn');
  try {
    return await act();
  } finally {
    await rmdir(options.lock);
  }
}

// The client, and whoever is behind it.

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const accept = (content) => (content ? { action: 'accept', content } : { action: 'accept' });

async function connect(server) {
  const person = { answers: [], asked: [], sampled: [], logged: [], updated: [], changed: 0, odd: [], wire: [] };
  const client = sdk.client({ elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } });
  client.onerror = (error) => person.odd.push(describe(error));
  sdk.answer(client, 'elicitation/create', async ({ params }) => {
    person.asked.push(params);
    return person.answers.shift() ?? { action: 'cancel' };
  });
  sdk.answer(client, 'sampling/createMessage', async ({ params }) => {
    person.sampled.push(params);
    const content = { type: 'text', text: 'Paris, I think.' };
    return { role: 'assistant', content, model: 'a-model', stopReason: 'endTurn' };
  });
  sdk.answer(client, 'roots/list', async () => ({ roots: [{ uri: 'file:///home/ada/project', name: 'project' }] }));
  sdk.listen(client, 'notifications/message', async ({ params }) => void person.logged.push(params));
  sdk.listen(client, 'notifications/resources/updated', async ({ params }) => void person.updated.push(params.uri));
  sdk.listen(client, 'notifications/tools/list_changed', async () => void (person.changed += 1));
  const url = server === 'trip' ? options['trip-url'] : options.url;
  let transport;
  if (url) {
    transport = new sdk.StreamableHTTPClientTransport(new URL(url));
  } else {
    const stderr = openSync(path.join(options['log-dir'], `${options.client}-${server}-stderr.log`), 'a');
    transport = new sdk.StdioClientTransport({ command: path.join(options['bin-dir'], server), stderr });
  }
  await client.connect(transport, { timeout: REQUEST_MS });
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    person.wire.push(message);
    onmessage(message, extra);
  };
  return { client, person, transport };
}

async function features() {
  const { client, person, transport } = await connect('everything');
  const how = { timeout: REQUEST_MS };

  const call = async (name, args, more) => {
    const result = await sdk.call(client, { name, arguments: args ?? {}, ...more?.params }, { ...how, ...more?.how });
    if (result.isError) throw new Error(`${name} failed: ${shorten(result.content)}`);
    return result.content[0].text;
  };
  /** The code is that on the wire: the second package has one error for what the eras say by different codes. */
  const refused = async (request, code) => {
    try {
      return `no error, but ${shorten(await request)}`;
    } catch (error) {
      const came = person.wire.findLast((message) => message.error)?.error.code;
      return came === code && error.code !== undefined ? '' : `${came}, ${describe(error)}`;
    }
  };
  /** All pages. The second package gathers them by itself, and keeps what it got. */
  const listed = async (method, field) => {
    if (second) return (await client[method](undefined, { ...how, cacheMode: 'refresh' }))[field];
    const found = [];
    for (let cursor, pages = 0; pages < 100; pages += 1) {
      const page = await client[method]({ cursor }, how);
      found.push(...page[field]);
      cursor = page.nextCursor;
      if (cursor === undefined) return found;
    }
    throw new Error('more than 100 pages');
  };
  const read = async (uri) => (await client.readResource({ uri }, how)).contents[0];

  await check('looks at the server', async () => {
    const info = client.getServerVersion();
    const can = client.getServerCapabilities();
    const revision = second ? client.getNegotiatedProtocolVersion?.() : transport.protocolVersion ?? REVISIONS[0];
    const found = {
      name: info?.name === 'everything',
      version: Boolean(info?.version),
      title: info?.title === 'Everything',
      instructions: client.getInstructions()?.startsWith('A catalogue of examples.') ?? false,
      revision: revision === (modern ? MODERN : REVISIONS[0]),
      completions: Boolean(can?.completions),
      logging: Boolean(can?.logging),
      prompts: Boolean(can?.prompts),
      'resources.subscribe': can?.resources?.subscribe === true,
      'tools.listChanged': can?.tools?.listChanged === true
    };
    const missing = Object.keys(found).filter((what) => !found[what]);
    return missing.length ? `lacks ${missing}: ${shorten([revision, info, can])}` : '';
  });

  if (modern) notApplicable('ping', 'the revision has none');
  else await check('ping', async () => void (await client.ping(how)));

  await check('list tools', async () => {
    const tools = new Map((await listed('listTools', 'tools')).map((tool) => [tool.name, tool]));
    const described = tools.get('run.described');
    if (!described?.title || !described.annotations || !described.icons) return described ?? 'no run.described';
    return tools.get('result_structured').outputSchema ? '' : 'result_structured has no outputSchema';
  });
  await check('list resources', async () => {
    const resources = new Map((await listed('listResources', 'resources')).map((one) => [one.uri, one]));
    const templates = (await listed('listResourceTemplates', 'resourceTemplates')).map((one) => one.uriTemplate);
    if (!resources.has('test://static-text') || resources.get('demo://manual')?.size !== 23) return [...resources];
    return templates.includes('test://template/{id}/data') ? '' : templates;
  });
  await check('list prompts', async () => {
    const prompts = new Map((await listed('listPrompts', 'prompts')).map((one) => [one.name, one]));
    const args = prompts.get('test_prompt_with_arguments').arguments.map((one) => [one.name, one.required]);
    return same(args, [['arg1', true], ['arg2', true]]) ? '' : args;
  });

  await check('call text', async () => {
    const text = await call('test_simple_text');
    return text === 'This is a simple text response for testing.' ? '' : text;
  });
  await check('call structured', async () => {
    // The client validates it against the tool's outputSchema.
    const result = await sdk.call(client, { name: 'result_structured', arguments: {} }, how);
    const wanted = { name: 'temperature', value: 21.5, unit: '°C' };
    return same(result.structuredContent, wanted) && same(JSON.parse(result.content[0].text), wanted) ? '' : result;
  });
  await check('call failing', async () => {
    const result = await sdk.call(client, { name: 'test_error_handling', arguments: {} }, how);
    return result.isError && result.content[0].text.startsWith('This tool intentionally') ? '' : result;
  });
  await check('call unknown', () =>
    refused(sdk.call(client, { name: 'no_such_tool', arguments: {} }, how), -32602)
  );

  await check('read text', async () => {
    const contents = await read('test://static-text');
    const right = contents.text === 'This is the content of the static text resource.';
    return right && contents.mimeType === 'text/plain' ? '' : contents;
  });
  await check('read binary', async () => {
    const contents = await read('test://static-binary');
    return contents.blob.startsWith('iVBORw0KGgo') && contents.mimeType === 'image/png' ? '' : contents;
  });
  await check('read template', async () => {
    const contents = await read('test://template/123/data');
    return JSON.parse(contents.text).id === '123' ? '' : contents;
  });
  await check('read unknown', () => refused(read('test://no-such-resource'), modern ? -32602 : -32002));

  await check('get prompt', async () => {
    const asked = { name: 'test_prompt_with_arguments', arguments: { arg1: 'one', arg2: 'two' } };
    const { messages } = await client.getPrompt(asked, how);
    return messages[0].content.text === "Prompt with arguments: arg1='one', arg2='two'" ? '' : messages;
  });
  await check('complete', async () => {
    const ref = { type: 'ref/resource', uri: 'demo://places/{country}/{city}' };
    const context = { arguments: { country: 'norway' } };
    const cities = await client.complete({ ref, argument: { name: 'city', value: '' }, context }, how);
    const prompt = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
    const values = await client.complete({ ref: prompt, argument: { name: 'arg1', value: 'test' } }, how);
    const came = [cities.completion.values, values.completion.values];
    return same(came, [['bergen', 'oslo', 'tromso'], ['testValue1', 'testValue2']]) ? '' : came;
  });

  await check('progress', async () => {
    const told = [];
    person.wire.length = 0;
    await call('test_tool_with_progress', {}, { how: { onprogress: ({ progress }) => void told.push(progress) } });
    const steps = person.wire.map(({ params, result }) =>
      result ? 'result' : [params.progress, params.total, params.message]
    );
    const wanted = [0, 50, 100].map((done) => [done, 100, `${done} of 100`]);
    if (!same(steps, [...wanted, 'result'])) return steps;
    // These clients take a result at once and progress a little later, so what comes just before the result can be lost.
    return told.length && same(told, [0, 50, 100].slice(0, told.length)) ? '' : told;
  });

  await check('logging', async () => {
    const wanted = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];
    const run = async (level) => {
      person.logged.length = 0;
      if (modern) {
        await call('test_tool_with_logging', {}, { params: level && { _meta: { [LOG_LEVEL]: level } } });
      } else {
        await client.setLoggingLevel(level ?? 'emergency', how);
        await call('test_tool_with_logging');
      }
      return person.logged.filter(({ data }) => wanted.includes(data)).map(({ level, data }) => [level, data]);
    };
    for (const level of ['warning', undefined]) {
      const logged = await run(level);
      if (logged.length) return `logged at ${level}: ${shorten(logged)}`;
    }
    const came = await run('info');
    return same(came, wanted.map((data) => ['info', data])) ? '' : came;
  });

  await check('cancel', async () => {
    const before = Number(await call('run_given_up'));
    const stop = new AbortController();
    const onprogress = () => stop.abort('enough');
    const slow = sdk.call(
      client,
      { name: 'run_slowly', arguments: { seconds: 300 } },
      { ...how, onprogress, signal: stop.signal }
    );
    const ended = await slow.then((result) => shorten(result), () => '');
    if (ended) return `it was not cancelled: ${ended}`;
    if (!(await until(async () => Number(await call('run_given_up')) > before))) return 'the server ran on';
    return (await call('test_simple_text')) ? '' : 'the session is dead';
  });

  const elicit = async (answer) => {
    person.answers = [answer];
    person.asked.length = 0;
    return await call('test_elicitation', { message: 'Who are you?' });
  };
  await check('elicit accept', async () => {
    const text = await elicit(accept({ username: 'ada', email: 'ada@example.com' }));
    const [asked] = person.asked;
    if (asked?.message !== 'Who are you?' || !same(asked.requestedSchema.required, ['username', 'email'])) return asked;
    return text.includes('action=accept') && text.includes('ada@example.com') ? '' : text;
  });
  for (const action of ['decline', 'cancel']) {
    await check(`elicit ${action}`, async () => {
      const text = await elicit({ action });
      return text.includes(`action=${action}`) ? '' : text;
    });
  }
  await check('elicit url', async () => {
    person.answers = [accept()];
    person.asked.length = 0;
    const text = await call('ask_for_page');
    const [asked] = person.asked;
    if (asked?.mode !== 'url' || asked.url !== 'https://example.com/connect') return asked ?? 'it did not ask';
    if (!modern && !asked.elicitationId) return 'no elicitationId, which 2025-11-25 requires';
    return text === 'the page was opened' ? '' : text;
  });
  await check('elicit over two rounds', async () => {
    person.answers = [accept({ name: 'Ada' }), accept({ color: 'blue' })];
    const text = await call('test_input_required_result_multi_round');
    if (text !== 'Ada likes blue.') return text;
    person.answers = [accept({ name: 'Ada' })];
    const byHand = await call('ask_by_hand');
    return byHand === 'hello, Ada, after 1 question(s)' ? '' : byHand;
  });
  await check('elicit with defaults and choices', async () => {
    const filled = { name: 'Jane', age: 25, score: 88.5, status: 'inactive', verified: false };
    person.answers = [accept(filled)];
    const text = await call('test_elicitation_sep1034_defaults');
    if (!text.includes('action=accept') || !text.includes('"age":25')) return text;
    const chosen = {
      untitledSingle: 'option1',
      titledSingle: 'value1',
      legacyEnum: 'opt1',
      untitledMulti: ['option1'],
      titledMulti: ['value1', 'value2']
    };
    person.answers = [accept(chosen)];
    const choices = await call('test_elicitation_sep1330_enums');
    return choices.includes('"titledMulti":["value1","value2"]') ? '' : choices;
  });
  await check('sample', async () => {
    const text = await call('test_sampling', { prompt: 'What is the capital of France?' });
    const asked = person.sampled.at(-1);
    const [message] = asked.messages;
    const content = Array.isArray(message.content) ? message.content[0] : message.content;
    if (asked.maxTokens !== 100 || content.text !== 'What is the capital of France?') return asked;
    return text === 'LLM response: Paris, I think.' ? '' : text;
  });
  await check('list roots', async () => {
    const text = await call('test_input_required_result_list_roots');
    return text === 'file:///home/ada/project' ? '' : text;
  });
  await check('ask for three things at once', async () => {
    person.answers = [accept({ name: 'Ada' })];
    const text = await call('test_input_required_result_multiple_inputs');
    return text === 'Ada: Paris, I think. You work in 1 folder(s).' ? '' : text;
  });

  await check('subscribe', async () => {
    person.updated.length = 0;
    const stream = modern
      ? await client.listen({ resourceSubscriptions: [WATCHED] }, how)
      : void (await client.subscribeResource({ uri: WATCHED }, how));
    await call('update_watched_resource');
    if (!(await until(() => person.updated.includes(WATCHED)))) return 'no notifications/resources/updated';
    await read(WATCHED);
    await (modern ? stream.close() : client.unsubscribeResource({ uri: WATCHED }, how));
    return '';
  });
  await check('list changed', () =>
    turn(async () => {
      const stream = modern ? await client.listen({ toolsListChanged: true }, how) : undefined;
      const offered = async () => (await listed('listTools', 'tools')).some((tool) => tool.name === 'extra_tool');
      const before = await offered();
      for (const on of [!before, before]) {
        person.changed = 0;
        await call('toggle_extra_tool', { on });
        if (!(await until(() => person.changed > 0))) return 'no notifications/tools/list_changed';
        if ((await offered()) !== on) return `toggle_extra_tool ${on} did not change the list`;
      }
      await stream?.close();
      return '';
    })
  );

  if (!http) notApplicable('reconnect', 'only HTTP has connections that can be let go');
  else if (modern) notApplicable('reconnect', 'the revision has no resumption');
  else
    await check('fetches the answer of a call whose connection was closed', async () => {
      const result = await sdk.call(client, { name: 'test_reconnection', arguments: {} }, how);
      return result.isError ? result : '';
    });

  if (!http || modern) notApplicable('end of a session', http ? 'the revision has no sessions' : 'no DELETE');
  else
    await check('ends its session', async () => {
      const session = transport.sessionId;
      if (!session) return 'no Mcp-Session-Id';
      await transport.terminateSession();
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': session,
        'mcp-protocol-version': REVISIONS[0]
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 'late', method: 'ping' });
      const { status } = await fetch(options.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(WAIT_MS) });
      return status === 404 ? '' : `a request of the ended session gets ${status}`;
    });
  await client.close();
  const late = /progress notification for an unknown token/;
  const odd = person.odd.filter((error) => !late.test(error));
  await check('gives the client nothing that it cannot read', async () => odd.join('; '));
}

async function trip() {
  const { client, person, transport } = await connect('trip');
  const how = { timeout: REQUEST_MS };
  await check('books a trip over several questions', async () => {
    const city = `Oslo for ${where}`;
    const right = { from: '2026-08-01', until: '2026-08-09' };
    const book = async () => {
      const result = await sdk.call(client, { name: 'book_trip', arguments: { destination: city } }, how);
      return result.isError ? `an error: ${shorten(result.content)}` : result.content[0].text;
    };
    person.answers = [
      accept({ from: right.until, until: right.from }),
      accept(right),
      accept({ seat: 'window' }),
      accept()
    ];
    const text = await book();
    const wanted = `${city} from ${right.from} until ${right.until}, at the window.`;
    if (!text.startsWith('Held until the payment arrives') || !text.endsWith(wanted)) return text;
    const modes = person.asked.map((asked) => asked.mode ?? 'form');
    if (!same(modes, ['form', 'form', 'form', 'url'])) return person.asked;
    if (!person.asked[1].message.includes('is before')) return person.asked[1];
    const { contents } = await client.readResource({ uri: 'trip://bookings' }, how);
    const mine = JSON.parse(contents[0].text).filter(({ destination }) => destination === city);
    if (!same(mine.map(({ status }) => status), ['awaiting_payment'])) return mine;
    person.answers = [accept(right), { action: 'decline' }];
    const declined = await book();
    return declined === 'Nothing was booked.' ? '' : declined;
  });
  if (http && !modern) await transport.terminateSession();
  await client.close();
}

for (const part of [features, trip]) {
  try {
    await part();
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${where} ${part.name}: ${shorten(describe(error))}`);
  }
}
console.log(`checks: ${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
