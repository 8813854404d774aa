-- Starts `tmlc lsp` for TML files, one for each project. `vim.g.tmlc` is another command than `tmlc`.
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'tml',
  callback = function(event)
    local marks = vim.fs and vim.fs.find({ 'tmlc.json', '.git' }, { upward = true, path = vim.fn.expand('%:p:h') })
    local config = {
      name = 'tmlc',
      cmd = { vim.g.tmlc or 'tmlc', 'lsp' },
      root_dir = marks and marks[1] and vim.fs.dirname(marks[1]) or vim.fn.expand('%:p:h'),
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
