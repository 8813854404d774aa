-- Starts `tmlc lsp` for TML files, one for each project. `vim.g.tmlc` is another command than `tmlc`.
local function command()
  return vim.g.tmlc or 'tmlc'
end

-- What `vim.lsp.codelens.run()` does on a line above a test: the tests of the files as they are now, in a terminal.
vim.lsp.commands['tmlc.test'] = function(lens)
  vim.cmd('silent wall')
  vim.cmd('botright new')
  local words = vim.list_extend({ command() }, lens.arguments)
  if vim.fn.has('nvim-0.11') == 1 then
    vim.fn.jobstart(words, { term = true })
  else
    vim.fn.termopen(words)
  end
end

local function show_lenses(_, buffer)
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    buffer = buffer,
    callback = function()
      vim.lsp.codelens.refresh()
    end,
  })
  vim.lsp.codelens.refresh()
end

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'tml',
  callback = function(event)
    local marks = vim.fs and vim.fs.find({ 'tmlc.json', '.git' }, { upward = true, path = vim.fn.expand('%:p:h') })
    local config = {
      name = 'tmlc',
      cmd = { command(), 'lsp' },
      root_dir = marks and marks[1] and vim.fs.dirname(marks[1]) or vim.fn.expand('%:p:h'),
      init_options = { commands = { 'tmlc.test' } },
      on_attach = show_lenses,
    }
    if vim.fn.executable(config.cmd[1]) == 0 then
      vim.notify('tml: there is no ' .. config.cmd[1] .. ' in $PATH', vim.log.levels.WARN)
    elseif vim.lsp.start then
      vim.lsp.start(config, { bufnr = event.buf })
    else -- Neovim 0.7: one for each file
      vim.lsp.buf_attach_client(event.buf, vim.lsp.start_client(config))
    end
  end,
})
