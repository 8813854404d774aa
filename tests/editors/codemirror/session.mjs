// What clients.py asks of CodeMirror's own client: the message of table.tml, hover, the quick fix, no message.
// session.mjs SERVER..., in the folder of the file.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Window } from 'happy-dom';

// A page, in the globals that CodeMirror looks for when it is loaded.
const window = new Window({ url: 'http://localhost/' });
globalThis.window = window;
for (const name of ['document', 'MutationObserver', 'Node', 'HTMLElement']) {
    globalThis[name] = window[name];
}
for (const name of ['requestAnimationFrame', 'cancelAnimationFrame', 'getComputedStyle']) {
    globalThis[name] = window[name].bind(window);
}
const { EditorView } = await import('@codemirror/view');
const { diagnosticCount, forEachDiagnostic } = await import('@codemirror/lint');
const { LSPClient, LSPPlugin, languageServerExtensions } = await import('@codemirror/lsp-client');

// The client's way to the server: messages without their headers.
function connect([program, ...args]) {
    const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const handlers = new Set();
    let left = Buffer.alloc(0);
    server.stdout.on('data', (bytes) => {
        left = Buffer.concat([left, bytes]);
        for (let head; (head = left.indexOf('\r\n\r\n')) >= 0;) {
            const length = Number(/Content-Length: (\d+)/.exec(left.subarray(0, head))[1]);
            if (left.length < head + 4 + length) break;
            const text = left.toString('utf8', head + 4, head + 4 + length);
            left = left.subarray(head + 4 + length);
            handlers.forEach((handler) => handler(text));
        }
    });
    return {
        server,
        send(text) { server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`); },
        subscribe(handler) { handlers.add(handler); },
        unsubscribe(handler) { handlers.delete(handler); },
    };
}

async function wait(condition) {
    for (const end = Date.now() + 60000; !condition() && Date.now() < end;) {
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
}

const transport = connect(process.argv.slice(2));
let told;
transport.subscribe((text) => {
    const { method, params } = JSON.parse(text);
    told = method === 'textDocument/publishDiagnostics' ? params : told;
});
const client = new LSPClient({ extensions: languageServerExtensions() }).connect(transport);
const uri = `file://${process.cwd()}/table.tml`;
const view = new EditorView({
    doc: readFileSync('table.tml', 'utf8'), parent: document.body, extensions: [client.plugin(uri, 'tml')],
});
await client.initializing;
await wait(() => diagnosticCount(view.state) > 0);
const out = { messages: diagnosticCount(view.state) };
const plugin = LSPPlugin.get(view);
let place;
forEachDiagnostic(view.state, (message, from) => {
    place = plugin.toPosition(from);
    out.line = place.line + 1;
    out.text = message.message;
});
out.hover = (await client.request('textDocument/hover', { textDocument: { uri }, position: place })).contents.value;
const [action] = await client.request('textDocument/codeAction', {
    textDocument: { uri }, range: { start: place, end: place }, context: { diagnostics: [] },
});
out.action = action.title;
const edits = action.edit.changes?.[uri] ?? action.edit.documentChanges[0].edits;
view.dispatch({ changes: edits.map((edit) => ({
    from: plugin.fromPosition(edit.range.start), to: plugin.fromPosition(edit.range.end), insert: edit.newText,
})) });
await wait(() => told.version > 0 && told.diagnostics.length === 0 && diagnosticCount(view.state) === 0);
out.left = diagnosticCount(view.state) + told.diagnostics.length;
await client.request('shutdown', null);
client.notification('exit', null);
out.status = await new Promise((resolve) => transport.server.on('exit', resolve));
view.destroy();
writeFileSync('fixed.tml', view.state.doc.toString());
writeFileSync('out.json', JSON.stringify(out));
process.exit(0);
