// The extension of editors/vscode/ with stand-ins for what VS Code gives it: vscode.js EXTENSION. It prints how the server
// is started, what it is told when settings change, and what the command that runs tests does with the words of one line
// of standard input.
const Module = require('module');
const path = require('path');

const seen = { saved: 0 };
const configured = { 'server.path': 'tmlc', warnings: ['error'] };
let runTests, change;
const vscode = {
  commands: { registerCommand: (name, run) => { seen.name = name; runTests = run; return {}; } },
  tasks: { executeTask: (task) => { seen.task = task; } },
  workspace: { getConfiguration: () => ({ get: (name) => configured[name] }),
    onDidChangeConfiguration: (tell) => { change = tell; return {}; }, saveAll: async () => { seen.saved += 1; },
    createFileSystemWatcher: () => ({}) },
  ProcessExecution: class { constructor(program, words) { Object.assign(this, { program, words }); } },
  Task: class { constructor(definition, scope, name, source, run) { Object.assign(this, { definition, run }); } },
  TaskScope: { Workspace: 2 },
};
class LanguageClient {
  constructor(id, name, server, client) { Object.assign(seen, { server, client }); }
  start() {}
  sendNotification(method, parameters) { seen.sent = { method, parameters }; }
}
const load = Module._load;
Module._load = (name, ...rest) => ({ vscode, 'vscode-languageclient/node': { LanguageClient } })[name] ?? load(name, ...rest);

const context = { subscriptions: [] };
require(path.resolve(process.argv[2])).activate(context);
configured.warnings = undefined;
configured.define = { 'n.k': 3 };
change({ affectsConfiguration: (section) => section === 'tml' });
const words = JSON.parse(require('fs').readFileSync(0, 'utf8'));
runTests(...words).then(() => console.log(JSON.stringify({ ...seen, kept: context.subscriptions.length })));
