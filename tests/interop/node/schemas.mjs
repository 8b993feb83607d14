/**
 * Prints the JSON Schemas of the protocol's revisions, as `{revision: schema}`, from the official conformance suite.
 *
 * The suite holds the published `schema.json` of 2025-03-26 and of every later revision, to check what comes over the
 * wire. Its bundle has no files of them, but the objects as literals: here they are found by their `$schema`, evaluated
 * with nothing in reach, and told apart by what each revision brought.
 */
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const BROUGHT = [
  ['2026-07-28', 'DiscoverResult'],
  ['2025-11-25', 'Icon'],
  ['2025-06-18', 'ElicitRequest'],
  ['2025-03-26', 'JSONRPCBatchRequest']
];

const bundle = new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url);
const text = readFileSync(bundle, 'utf8');

/** The end of the object literal that begins at `start`. */
function end(start) {
  let depth = 0;
  for (let at = start, quote; at < text.length; at += 1) {
    const char = text[at];
    if (quote) {
      if (char === '\\') at += 1;
      else if (char === quote) quote = undefined;
    } else if ('"\'`'.includes(char)) quote = char;
    else if ('{['.includes(char)) depth += 1;
    else if ('}]'.includes(char) && (depth -= 1) === 0) return at + 1;
  }
  throw new Error('the literal has no end');
}

const found = {};
for (const { index } of text.matchAll(/\{\$schema:/g)) {
  const literal = text.slice(index, end(index));
  // The suite has small schemas of other things too, in expressions that name variables.
  if (!literal.includes('CallToolResult:{')) continue;
  const schema = vm.runInNewContext(`(${literal})`, {}, { timeout: 5000 });
  const names = schema.definitions ?? schema.$defs;
  const revision = BROUGHT.find(([, name]) => name in names)?.[0];
  if (!revision || revision in found) throw new Error(`an unexpected schema, of ${revision}`);
  found[revision] = schema;
}
if (Object.keys(found).length !== BROUGHT.length) throw new Error(`only found ${Object.keys(found)}`);
process.stdout.write(JSON.stringify(found));
