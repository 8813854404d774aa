// Starts `tmlc lsp` for TML files; all that the editor shows comes from it.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = () => {
  const command = workspace.getConfiguration('tml').get('server.path');
  client = new LanguageClient(
    'tml',
    'TML',
    { command, args: ['lsp'] },
    { documentSelector: [{ language: 'tml' }] },
  );
  return client.start();
};

exports.deactivate = () => client && client.stop();
