;;; Tells steps.py, which types, what Emacs shows: state.json, ten times a second.  -*- lexical-binding: t -*-
(require 'json)
(setq native-comp-deferred-compilation nil) ; in a new home it would compile Emacs's own files
(defvar echo "") ; all that the echo area has shown
(defun text-of (buffer)
  (with-current-buffer buffer (buffer-substring-no-properties (point-min) (point-max))))
(defun tell ()
  (when (get-buffer "table.tml") (write-state)))
(defun write-state ()
  (let* ((file (get-buffer "table.tml"))
         (others (remq file (mapcar #'window-buffer (window-list nil 'no-minibuffer))))
         (message (current-message)))
    (when message (setq echo (concat echo "\n" (substring-no-properties message))))
    (write-region (json-encode `((text . ,(text-of file)) (echo . ,echo) (shown . ,(mapconcat #'text-of others "\n"))
                                 (asks . ,(if (active-minibuffer-window) t json-false))
                                 (messages . ,(with-current-buffer file
                                                (if (fboundp 'flymake-diagnostics) (length (flymake-diagnostics)) 0)))))
                  nil "state.new" nil 'quiet)
    (rename-file "state.new" "state.json" t)))
(run-with-timer 0 0.1 #'tell)
