-- A user in Neovim who types the commands of $TYPED, a list: the first on the message of table.tml, the others on its `+`.
-- What each shows in a window, and what is left of the file, goes to out.json.
local shown = {}
local function wait(condition)
  return vim.wait(20000, condition, 20)
end
local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return window
    end
  end
end
vim.ui.select = function(items, _, choose)
  choose(items[1], 1)
end

wait(function() return #vim.diagnostic.get(0) > 0 end)
local message = vim.diagnostic.get(0)[1]
vim.api.nvim_win_set_cursor(0, { message.lnum + 1, message.col })
for _, command in ipairs(vim.fn.json_decode(vim.env.TYPED)) do
  local before = vim.b.changedtick
  vim.cmd(command:sub(2))
  wait(function() return float() or vim.b.changedtick ~= before end)
  local window = float()
  if window then
    local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
    table.insert(shown, table.concat(lines, '\n'))
    vim.api.nvim_win_close(window, true)
  end
end
wait(function() return #vim.diagnostic.get(0) == 0 end)
local out = { shown = shown, left = #vim.diagnostic.get(0), text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n' }
vim.fn.writefile({ vim.fn.json_encode(out) }, 'out.json')
vim.cmd('qa!')
