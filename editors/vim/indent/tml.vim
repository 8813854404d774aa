" Indentation of TML: a colon that ends its line opens a block, `end`, `else` and `elseif` close one, and
" the further lines of a statement keep their place, or begin one step in.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal autoindent indentexpr=TmlIndent(v:lnum) indentkeys=o,O,!^F,=end,=else,=elseif
let b:undo_indent = 'setlocal autoindent< indentexpr< indentkeys<'

if exists('*TmlIndent')
  finish
endif

" The line without strings, its comment and the blanks around.
function! s:Code(lnum) abort
  let l:text = substitute(getline(a:lnum), '"\%(\\.\|[^"\\]\)*"\|[0-9A-Za-z_)\]'']\@1<!''\%(\\.\|[^''\\]\)*''', '0', 'g')
  return trim(substitute(l:text, '#.*', '', ''))
endfunction

" How many more brackets the line opens than it closes.
function! s:Opened(code) abort
  return strlen(substitute(a:code, '[^[({]', '', 'g')) - strlen(substitute(a:code, '[^])}]', '', 'g'))
endfunction

" The last line with code before this one, or 0.
function! s:Previous(lnum) abort
  let l:line = prevnonblank(a:lnum - 1)
  while l:line > 0 && empty(s:Code(l:line))
    let l:line = prevnonblank(l:line - 1)
  endwhile
  return l:line
endfunction

" Whether the statement goes on from one line to the next by an operator, or as a header without its colon.
function! s:GoesOn(before, after) abort
  return a:before =~# '\%([-+*/%\\&|^~<>=,]\|\<and\|\<or\|\<not\)$'
  \ || a:before =~# '^fn\>.*[^:]$' || a:after =~# '^\%([-+*/%\\&|^<>=,]\|\.\*\|and\>\|or\>\)'
endfunction

function! TmlIndent(lnum) abort
  let l:line = s:Previous(a:lnum)
  if l:line == 0
    return 0
  endif
  let l:code = s:Code(l:line)
  let l:this = s:Code(a:lnum)
  " Back to the line that the statement begins on; `open` counts brackets between it and this one.
  let l:open = s:Opened(l:code)
  let l:within = l:open > 0 || s:GoesOn(l:code, l:this)
  let l:last = l:code
  while 1
    let l:above = s:Previous(l:line)
    if l:above == 0 || (l:open >= 0 && !s:GoesOn(s:Code(l:above), l:code))
      break
    endif
    let l:line = l:above
    let l:code = s:Code(l:line)
    let l:open += s:Opened(l:code)
    let l:within = l:within || l:open > 0
  endwhile
  if l:within
    return empty(l:this) ? indent(l:line) + shiftwidth() : -1
  endif
  return indent(l:line) + (l:last =~# ':$' ? shiftwidth() : 0)
  \ - (l:this =~# '^\%(end\|else\|elseif\)\>' ? shiftwidth() : 0)
endfunction
