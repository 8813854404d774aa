// Starts `tmlc lsp` for TML files; all that the editor shows comes from it. Tests run in a terminal.
const { commands, tasks, workspace, ProcessExecution, Task, TaskScope } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const SETTINGS = ['define', 'connect', 'real', 'rankPromotion', 'warnings'];

let client;

// Those that are not set are null.
function settings() {
  const tml = workspace.getConfiguration('tml');
  return Object.fromEntries(SETTINGS.map((name) => [name, tml.get(name) ?? null]));
}

function sendSettings(change) {
  if (change.affectsConfiguration('tml')) {
    client.sendNotification('workspace/didChangeConfiguration', { settings: { tmlc: settings() } });
  }
}

async function runTests(...words) {
  await workspace.saveAll(false);
  const command = workspace.getConfiguration('tml').get('server.path');
  const run = new ProcessExecution(command, words);
  return tasks.executeTask(new Task({ type: 'process' }, TaskScope.Workspace, 'test', 'tmlc', run));
}

exports.activate = (context) => {
  const command = workspace.getConfiguration('tml').get('server.path');
  context.subscriptions.push(commands.registerCommand('tmlc.test', runTests));
  context.subscriptions.push(workspace.onDidChangeConfiguration(sendSettings));
  client = new LanguageClient(
    'tml',
    'TML',
    { command, args: ['lsp'] },
    {
      documentSelector: [{ language: 'tml' }],
      initializationOptions: { commands: ['tmlc.test'], ...settings() },
      synchronize: { fileEvents: workspace.createFileSystemWatcher('**/{*.tml,tmlc.json}') },
    },
  );
  return client.start();
};

exports.deactivate = () => client && client.stop();
