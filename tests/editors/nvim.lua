-- What clients.py asks of Neovim's own client: the message of table.tml, hover, the quick fix, no message, a test.
local out = {}
local function wait(condition)
  return vim.wait(20000, condition, 20)
end
local function request(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 20000) or {}) do
    return answer.result
  end
end

vim.cmd('edit table.tml')
wait(function() return #vim.diagnostic.get(0) > 0 end)
local message = vim.diagnostic.get(0)[1]
out.messages = #vim.diagnostic.get(0)
out.line = message.lnum + 1
out.code = message.code
out.text = message.message
vim.api.nvim_win_set_cursor(0, { message.lnum + 1, message.col })
out.hover = request('textDocument/hover', vim.lsp.util.make_position_params()).contents.value
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local action = request('textDocument/codeAction', params)[1]
out.action = action.title
local id = next(vim.lsp.buf_get_clients(0))
vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(id).offset_encoding)
wait(function() return #vim.diagnostic.get(0) == 0 end)
out.left = #vim.diagnostic.get(0)
vim.cmd('write! fixed.tml')

-- The lens of the second test runs that one, with what has not been saved.
vim.cmd('edit tests.tml')
vim.api.nvim_buf_set_lines(0, 0, 1, false, { 'x = 2' })
wait(function() return #vim.lsp.codelens.get(0) == 3 end)
vim.api.nvim_win_set_cursor(0, { 5, 0 })
vim.lsp.codelens.run()
local function said()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), ' ')
end
wait(function() return vim.bo.buftype == 'terminal' and said():find('passed') or said():find('failed') end)
out.test = said()
vim.fn.writefile({ vim.fn.json_encode(out) }, 'out.json')
vim.cmd('qa!')
