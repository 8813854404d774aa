" The language server of tmlc for ALE, which finds this file by its name.
function! TmlcRoot(buffer) abort
  let l:path = fnamemodify(bufname(a:buffer), ':p')
  for l:marker in [findfile('tmlc.json', l:path . ';'), finddir('.git', l:path . ';')]
    if !empty(l:marker)
      return fnamemodify(l:marker, ':p:h' . (l:marker =~# '\.git/\?$' ? ':h' : ''))
    endif
  endfor
  return fnamemodify(l:path, ':h')
endfunction

call ale#Set('tml_tmlc_executable', 'tmlc')
call ale#linter#Define('tml', {
\   'name': 'tmlc',
\   'lsp': 'stdio',
\   'executable': {buffer -> ale#Var(buffer, 'tml_tmlc_executable')},
\   'command': '%e lsp',
\   'project_root': function('TmlcRoot'),
\})
