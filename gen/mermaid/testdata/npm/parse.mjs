// Reads a JSON list of diagrams from standard input and writes what Mermaid
// understood of each as a JSON list: {error} or {direction, states, edges}, the
// last three of state diagrams only.
// Mermaid cleans labels with DOMPurify, which needs a window: jsdom's.
import {JSDOM} from 'jsdom';
import {text} from 'node:stream/consumers';

globalThis.window = new JSDOM('').window;
globalThis.document = window.document;
const {default: mermaid} = await import('mermaid');

// Mermaid keeps #NN; in this form until it draws.
const decode = (s) => s.replace(/ﬂ°°(\d+)¶ß/g, (_, n) => String.fromCodePoint(n));

async function read(source) {
  try {
    await mermaid.parse(source);
    const {db, type} = await mermaid.mermaidAPI.getDiagramFromText(source);
    if (type !== 'stateDiagram') return {};
    const states = [...db.getStates().values()].map((s) => ({
      id: s.id,
      label: decode(s.descriptions.join('\n')),
      classes: s.classes,
    }));
    const edges = db.getRelations().map((r) => ({
      from: r.id1,
      to: r.id2,
      label: decode((r.relationTitle ?? '').replaceAll('<br>', '\n')),
    }));
    return {direction: db.getDirection(), states, edges};
  } catch (e) {
    return {error: String(e.message ?? e)};
  }
}

const results = [];
for (const source of JSON.parse(await text(process.stdin))) {
  results.push(await read(source));
}
process.stdout.write(JSON.stringify(results));
