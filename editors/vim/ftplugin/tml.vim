" TML: comments, indentation by four blanks, blocks for matchit.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:# commentstring=#\ %s
setlocal expandtab shiftwidth=4 softtabstop=4
let b:match_words = '\<\%(if\|for\|while\|fn\|test\)\>:\<\%(elseif\|else\)\>:\<end\>'
let b:undo_ftplugin = 'setlocal comments< commentstring< expandtab< shiftwidth< softtabstop< | unlet! b:match_words'
