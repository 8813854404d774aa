autocmd BufNewFile,BufRead *.tml setfiletype tml
