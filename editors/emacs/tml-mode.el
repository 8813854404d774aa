;;; tml-mode.el --- Major mode for TML  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: languages

;;; Commentary:

;; Colours and indentation of TML, and the entry by which eglot finds the language server `tmlc lsp'.
;; The lists of words are held against the compiler's by tests/editors/words.py.

;;; Code:

(defgroup tml nil "The tensor language TML." :group 'languages)

(defcustom tml-indent-offset 4 "Blanks per block." :type 'integer :safe #'integerp)

(defcustom tml-server-command '("tmlc" "lsp") "The language server." :type '(repeat string))

(defconst tml--control '("fn" "end" "if" "elseif" "else" "for" "while" "break" "continue" "return" "pass" "macro" "import"))
(defconst tml--modifier '("exists" "feedthrough" "optional" "tunable" "in" "out"))
(defconst tml--logical '("and" "or" "not"))
(defconst tml--type '("int" "uint" "real" "bool" "str" "char" "tensor"))
(defconst tml--literal '("true" "false" "M_PI" "M_E" "nan" "inf"))
(defconst tml--statement '("instance" "connect" "test"))
(defconst tml--function '("sin" "cos" "tan" "asin" "acos" "atan" "floor" "ceil" "round" "rint" "trunc" "abs" "log" "log10" "sqrt" "exp" "exp2" "expm1" "log2" "log1p" "sinh" "cosh" "tanh" "asinh" "acosh" "atanh" "cbrt" "erf" "erfc" "isnan" "isinf" "isfinite" "sign" "atan2" "hypot" "copysign" "remainder" "fma" "eq" "ne" "lt" "le" "gt" "ge" "mulhi" "popcount" "clz" "ctz" "bitreverse" "getbit" "setbit" "clamp" "select" "min" "max" "all" "any" "sum" "prod" "mean" "argmin" "argmax" "cumsum" "narrow" "broadcast_in_dim" "align" "reshape" "permute" "concat" "stack" "tile" "repeat" "nest" "unnest" "take" "put" "add_at" "fft" "ifft" "rfft" "irfft" "uniform" "normal" "randint" "eye" "onehot" "iota" "linspace" "diag" "trace" "norm" "cross" "outer" "det" "inv" "solve" "chol" "jacobian" "gradient" "derivative" "print" "input" "output" "assert" "cycle" "near" "replay" "debug" "sort" "argsort" "topk" "increasing" "searchsorted" "interp" "interp2" "cumprod" "cummax" "cummin" "diff" "flip" "roll" "tril" "triu" "grid" "kron" "nonzero" "cmul" "cdiv" "conj" "cabs" "carg" "cexp" "qr" "lstsq" "eigh" "expm" "matrix_power" "c2d" "svd" "svdvals" "cond" "pinv" "rank" "deg2rad" "rad2deg" "wrap" "sat_int" "sat_uint" "sat" "sigmoid" "softplus" "lerp" "deadzone" "isclose" "gcd" "lcm" "philox" "conv" "correlate" "filter" "polyval" "polyfit" "unwrap" "var" "std" "median" "quantile" "trapz" "softmax" "logsumexp"))

(defconst tml--font-lock
  `(("\\.[ \t]*\\(\\_<[A-Za-z_][A-Za-z0-9_]*\\)" 1 'default t) ; whatever the word is elsewhere
    ("\\_<fn[ \t]+\\([A-Za-z_][A-Za-z0-9_]*\\)" 1 font-lock-function-name-face)
    (,(concat (regexp-opt tml--statement 'symbols) "[ \t]+[A-Za-z_\"']") 1 font-lock-keyword-face)
    (")[ \t]*\\(every\\)\\_>" 1 font-lock-keyword-face)
    ("\\_<\\(offset\\)[ \t]+\\(-?[0-9A-Za-z_]+\\|(\\)"
     1 (unless (member (match-string 2) '("and" "or")) 'font-lock-keyword-face))
    ("[(,][ \t]*\\(var\\)[ \t]+[A-Za-z_]" 1 font-lock-keyword-face)
    (,(regexp-opt (append tml--control tml--modifier tml--logical) 'symbols) . font-lock-keyword-face)
    (,(regexp-opt tml--type 'symbols) . font-lock-type-face)
    (,(regexp-opt tml--literal 'symbols) . font-lock-constant-face)
    (,(concat (regexp-opt tml--function 'symbols) "!?(") 1 font-lock-builtin-face)))

(defvar tml-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?' "\"" table)
    (modify-syntax-entry ?_ "_" table)
    (dolist (mark (string-to-list "+-*/%&|^~<>=.?!"))
      (modify-syntax-entry mark "." table))
    table))

;; Right behind an operand a quote transposes; a backslash escapes in strings only.
(defun tml--propertize (start end)
  "Give quotes and backslashes between START and END their syntax."
  (goto-char start)
  (while (re-search-forward "['\\]" end t)
    (let ((mark (1- (point))))
      (save-excursion
        (let ((outside (not (nth 8 (syntax-ppss mark)))))
          (when (and outside
                     (or (eq (char-after mark) ?\\)
                         (memq (char-syntax (or (char-before mark) ?\s)) '(?w ?_ ?\)))
                         (eq (char-before mark) ?')))
            (put-text-property mark (1+ mark) 'syntax-table '(1))))))))

(defun tml--code-end ()
  "The end of this line's code: behind it are blanks or a comment."
  (save-excursion
    (end-of-line)
    (let ((state (syntax-ppss)))
      (when (nth 4 state) (goto-char (nth 8 state))))
    (skip-chars-backward " \t" (line-beginning-position))
    (point)))

(defun tml--back ()
  "Go to the indentation of the last line with code above; nil if there is none."
  (let (found)
    (while (and (not found) (zerop (forward-line -1)))
      (back-to-indentation)
      (setq found (< (point) (tml--code-end))))
    found))

(defun tml--within ()
  "Whether the statement of the line above goes on in this one."
  (beginning-of-line)
  (or (> (car (syntax-ppss)) 0)
      (looking-at "[ \t]*\\(?:[-+*/%\\&|^<>=,]\\|\\.\\*\\|\\(?:and\\|or\\)\\_>\\)")
      (save-excursion
        (when (tml--back)
          (or (and (looking-at "fn\\_>") (not (eq (char-before (tml--code-end)) ?:)))
              (progn (goto-char (tml--code-end)) nil)
              (looking-back "\\(?:[-+*/%\\&|^~<>=,]\\|\\_<\\(?:and\\|or\\|not\\)\\)" (line-beginning-position)))))))

(defun tml--indentation ()
  "Where this line begins, or nil to leave it where it is."
  (save-excursion
    (let ((closes (progn (back-to-indentation) (looking-at "\\(?:end\\|else\\|elseif\\)\\_>")))
          (empty (= (point) (tml--code-end)))
          (within (tml--within))
          opens)
      (cond
       ((not (tml--back)) 0)
       ((and within (not empty)) nil)
       (t
        (setq opens (eq (char-before (tml--code-end)) ?:))
        (while (and (tml--within) (tml--back)))
        (max 0 (+ (current-indentation)
                  (if (or opens within) tml-indent-offset 0)
                  (if closes (- tml-indent-offset) 0))))))))

(defun tml-indent-line ()
  "Indent this line as the block that it stands in."
  (interactive)
  (let ((column (tml--indentation)))
    (when column
      (if (<= (current-column) (current-indentation))
          (indent-line-to column)
        (save-excursion (indent-line-to column))))))

(defun tml--closes (_typed)
  "Whether the line is now a word that closes a block."
  (when (save-excursion (back-to-indentation) (looking-at "\\(?:end\\|else\\|elseif\\)$"))
    'do-indent))

;; eglot shows no lenses, so this finds tests by itself.
(defun tml-test (all)
  "Run the test that point is in with `tmlc test'; with a prefix argument, or elsewhere, ALL of the file."
  (interactive "P")
  (let ((line (save-excursion
                (beginning-of-line)
                (and (or (looking-at "test[ \t]*[\"']")
                         (re-search-backward "^\\(?:test[ \t]*[\"']\\|end\\>\\)" nil t))
                     (looking-at "test")
                     (line-number-at-pos)))))
    (compile (format "%s test %s%s" (shell-quote-argument (car tml-server-command))
                     (shell-quote-argument (buffer-file-name))
                     (if (and line (not all)) (format ":%d" line) "")))))

;;;###autoload
(define-derived-mode tml-mode prog-mode "TML"
  "Major mode for TML, a language of fixed-size tensors."
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "#+[ \t]*")
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'tml-indent-line)
  (add-hook 'electric-indent-functions #'tml--closes nil t)
  (setq-local syntax-propertize-function #'tml--propertize)
  (setq-local font-lock-defaults '(tml--font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.tml\\'" . tml-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'tml-mode tml-server-command)))

(provide 'tml-mode)

;;; tml-mode.el ends here
