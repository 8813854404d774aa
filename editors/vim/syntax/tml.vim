" Colours of TML. Words that mean something only at their places are matches, and so are functions, whose
" names variables may have. The lists of words are held against the compiler's by tests/editors/words.py.
if exists('b:current_syntax')
  finish
endif

let s:control = 'fn end if elseif else for while break continue return pass macro import'
let s:modifier = 'exists feedthrough optional tunable in out'
let s:logical = 'and or not'
let s:type = 'int uint real bool str char tensor'
let s:literal = 'true false M_PI M_E nan inf'
let s:statement = 'instance connect test'
let s:function = 'sin cos tan asin acos atan floor ceil round rint trunc abs log log10 sqrt exp exp2 expm1 log2 log1p sinh cosh tanh asinh acosh atanh cbrt erf erfc isnan isinf isfinite sign atan2 hypot copysign remainder fma eq ne lt le gt ge mulhi popcount clz ctz bitreverse getbit setbit clamp select min max all any sum prod mean argmin argmax cumsum narrow broadcast_in_dim align reshape permute concat stack tile repeat nest unnest take put add_at fft ifft rfft irfft uniform normal randint eye onehot iota linspace diag trace norm cross outer det inv solve chol jacobian gradient derivative print input output assert cycle near replay debug sort argsort topk increasing searchsorted interp interp2 cumprod cummax cummin diff flip roll tril triu grid kron nonzero cmul cdiv conj cabs carg cexp qr lstsq eigh expm matrix_power c2d svd svdvals cond pinv rank deg2rad rad2deg wrap sat_int sat_uint sat sigmoid softplus lerp deadzone isclose gcd lcm philox conv correlate filter polyval polyfit unwrap var std median quantile trapz softmax logsumexp'

execute 'syntax keyword tmlControl' s:control
execute 'syntax keyword tmlModifier' s:modifier
execute 'syntax keyword tmlLogical' s:logical
execute 'syntax keyword tmlType' s:type
execute 'syntax keyword tmlLiteral' s:literal

syntax match tmlCalled '\<\h\w*\ze!\?('
execute 'syntax match tmlFunction ''\<\%(' . join(split(s:function), '\|') . '\)\ze!\?('''
execute 'syntax match tmlStatement @\<\%(' . join(split(s:statement), '\|') . '\)\ze\s\+[A-Za-z_"'']@'
" A function of the program may have the name of one that is there.
syntax match tmlCalled '\%(\<fn\s\+\)\@<=\h\w*'
syntax match tmlStatement ')\@1<=\s*\zsevery\>'
syntax match tmlStatement '\<offset\ze\s\+\%(\%(and\|or\)\>\)\@!\%(-\d\|[0-9A-Za-z_(]\)'
syntax match tmlVar '[(,]\s*\zsvar\ze\s\+\h'
" A word behind a dot is a name, whatever it is elsewhere.
syntax match tmlMember '\.\s*\h\w*'
syntax match tmlNumber '\<\%(0x[0-9A-Fa-f_]\+[uU]\?\|0b[01_]\+[uU]\?\|\d[0-9_]*[uU]\?\)\>'
syntax match tmlNumber '\<\d[0-9_]*\.\d[0-9_]*\%([eE][+-]\?\d[0-9_]*\)\?'
syntax match tmlNumber '\<\d[0-9_]*[eE][+-]\?\d[0-9_]*'
syntax match tmlEscape contained '\\\%(x\x\x\|.\)'
syntax region tmlString oneline start='"' skip='\\.' end='"' contains=tmlEscape
" Right behind an operand a `'` transposes.
syntax region tmlString oneline start=+[0-9A-Za-z_)\]}']\@1<!'+ skip=+\\.+ end=+'+ contains=tmlEscape
syntax match tmlComment '#.*' contains=@Spell

highlight default link tmlControl Statement
highlight default link tmlStatement Statement
highlight default link tmlModifier StorageClass
highlight default link tmlVar StorageClass
highlight default link tmlLogical Operator
highlight default link tmlType Type
highlight default link tmlLiteral Constant
highlight default link tmlFunction Function
highlight default link tmlNumber Number
highlight default link tmlString String
highlight default link tmlEscape SpecialChar
highlight default link tmlComment Comment

let b:current_syntax = 'tml'
