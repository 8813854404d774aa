// See c_words.h. The macros of <stdint.h> and <float.h> are many and regular, others begin as the
// standards reserve it (C11 7.31, POSIX 2.2.2); those of <limits.h> are not: `V_MAX` is left to the
// user.
#include "codegen/unit/c_words.h"

#include "support/intern.h"

#include <ctype.h>
#include <string.h>

// Each word between blanks. Some are words of TML too, where a terminal or property may still be
// called so.
static const char words[] =
    // C and C++
    " "
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
    "char32_t char8_t class co_await co_return co_yield compl concept const const_cast "
    "consteval constexpr constinit continue decltype default delete do double "
    "dynamic_cast else enum explicit export extern false float for friend goto if inline "
    "int long mutable namespace new noexcept not not_eq nullptr offsetof operator or "
    "or_eq private protected public register reinterpret_cast requires restrict return "
    "short signed sizeof static static_assert static_cast struct switch template this "
    "thread_local throw true try typedef typeid typename typeof typeof_unqual union "
    "unsigned using virtual void volatile while xor xor_eq "
    // the header itself
    "fault int32_t int64_t none size_t tml_fault tml_model tml_scratch tml_status "
    "uint32_t uint64_t uint8_t wchar_t "
    // what compilers define
    "i386 linux unix "
    // the freestanding headers, as C and POSIX have them
    "AIO_PRIO_DELTA_MAX ARG_MAX ATEXIT_MAX BC_BASE_MAX BC_DIM_MAX BC_SCALE_MAX "
    "BC_STRING_MAX BITINT_MAXWIDTH BOOL_MAX BOOL_WIDTH CHAR_BIT CHAR_MAX CHAR_MIN "
    "CHAR_WIDTH CHARCLASS_NAME_MAX CHILD_MAX COLL_WEIGHTS_MAX DEC128_EPSILON "
    "DEC128_MANT_DIG DEC128_MAX DEC128_MAX_EXP DEC128_MIN DEC128_MIN_EXP DEC128_SNAN "
    "DEC128_TRUE_MIN DEC32_EPSILON DEC32_MANT_DIG DEC32_MAX DEC32_MAX_EXP DEC32_MIN "
    "DEC32_MIN_EXP DEC32_SNAN DEC32_TRUE_MIN DEC64_EPSILON DEC64_MANT_DIG DEC64_MAX "
    "DEC64_MAX_EXP DEC64_MIN DEC64_MIN_EXP DEC64_SNAN DEC64_TRUE_MIN DEC_EVAL_METHOD "
    "DEC_INFINITY DEC_NAN DECIMAL_DIG DELAYTIMER_MAX EXPR_NEST_MAX HOST_NAME_MAX INT_MAX "
    "INT_MIN INT_WIDTH IOV_MAX LINE_MAX LINK_MAX LLONG_MAX LLONG_MIN LLONG_WIDTH "
    "LOGIN_NAME_MAX LONG_BIT LONG_LONG_MAX LONG_LONG_MIN ULONG_LONG_MAX LONG_MAX LONG_MIN "
    "LONG_WIDTH MAX_CANON MAX_INPUT MB_LEN_MAX "
    "MQ_PRIO_MAX NAME_MAX NGROUPS_MAX NL_ARGMAX NL_LANGMAX NL_MSGMAX NL_NMAX NL_SETMAX "
    "NL_TEXTMAX noreturn NZERO OPEN_MAX PATH_MAX PIPE_BUF PTHREAD_DESTRUCTOR_ITERATIONS "
    "PTHREAD_KEYS_MAX PTHREAD_STACK_MIN PTRDIFF_MAX PTRDIFF_MIN PTRDIFF_WIDTH RE_DUP_MAX "
    "RTSIG_MAX SCHAR_MAX SCHAR_MIN SCHAR_WIDTH SEM_VALUE_MAX SHRT_MAX SHRT_MIN SHRT_WIDTH "
    "SIG_ATOMIC_MAX SIG_ATOMIC_MIN SIG_ATOMIC_WIDTH SIZE_MAX SIZE_WIDTH SSIZE_MAX "
    "STREAM_MAX SYMLINK_MAX SYMLOOP_MAX TTY_NAME_MAX TZNAME_MAX UCHAR_MAX UCHAR_WIDTH "
    "UINT_MAX UINT_WIDTH ULLONG_MAX ULLONG_WIDTH ULONG_MAX ULONG_WIDTH unreachable "
    "USHRT_MAX USHRT_WIDTH va_arg va_copy va_end va_list va_start WCHAR_MAX WCHAR_MIN "
    "WCHAR_WIDTH WINT_MAX WINT_MIN WINT_WIDTH WORD_BIT XATTR_LIST_MAX XATTR_NAME_MAX "
    "XATTR_SIZE_MAX "
    // <errno.h>, <signal.h> and <time.h>: the forms that are reserved for later ones, as `E` before
    // a capital letter, are those of names that models have
    "E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE EBADF "
    "EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM "
    "ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT "
    "EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS "
    "EINTR EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT "
    "EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP "
    "EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET "
    "ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK "
    "ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS "
    "ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY "
    "ENOTUNIQ ENXIO EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO "
    "EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS "
    "ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT "
    "ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL SIGABRT SIGALRM "
    "SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL "
    "SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTKSZ "
    "SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 "
    "SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ TIME_UTC "
    // other headers
    "assert BIG_ENDIAN BUFSIZ BYTE_ORDER CLOCKS_PER_SEC complex EOF errno EXIT_FAILURE "
    "EXIT_SUCCESS FD_SETSIZE FILENAME_MAX FOPEN_MAX HUGE_VAL HUGE_VALF HUGE_VALL I "
    "imaginary INFINITY L_ctermid L_cuserid L_tmpnam LITTLE_ENDIAN M_1_PI M_2_PI "
    "M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 "
    "MATH_ERREXCEPT math_errhandling MATH_ERRNO MAXFLOAT MB_CUR_MAX MINSIGSTKSZ NAN "
    "NFDBITS NGREG NSIG NULL ONCE_FLAG_INIT P_tmpdir PDP_ENDIAN RAND_MAX sa_handler "
    "sa_sigaction SEEK_CUR SEEK_END SEEK_SET si_addr si_addr_lsb si_arch si_band "
    "si_call_addr si_fd si_int si_lower si_overrun si_pid si_pkey si_ptr si_status "
    "si_stime si_syscall si_timerid si_uid si_upper si_utime si_value "
    "sigev_notify_attributes sigev_notify_function stderr stdin stdout TMP_MAX "
    "TSS_DTOR_ITERATIONS WCONTINUED WEOF WEXITED WNOHANG WNOWAIT WSTOPPED WUNTRACED ";

// What the standards leave to macros of later headers, too: one of these before one of `next`.
static const struct {
    const char *start, *next;
} beginnings[] = {
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define SMALL "abcdefghijklmnopqrstuvwxyz"
    {"FE_", CAPITALS},
    {"PRI", SMALL "X"},
    {"SCN", SMALL "X"},
    {"LC_", CAPITALS},
    {"FP_", CAPITALS},
    {"SIG_", CAPITALS},
    {"SIGEV_", CAPITALS},
    {"ATOMIC_", CAPITALS},
    // POSIX: <signal.h>, <time.h>
    {"BUS_", CAPITALS},
    {"CLD_", CAPITALS},
    {"CLOCK_", CAPITALS},
    {"FPE_", CAPITALS},
    {"ILL_", CAPITALS},
    {"POLL_", CAPITALS},
    {"SA_", CAPITALS},
    {"SEGV_", CAPITALS},
    {"SI_", CAPITALS},
    {"SS_", CAPITALS},
    {"TIMER_", CAPITALS},
    {"TRAP_", CAPITALS},
#undef CAPITALS
#undef SMALL
};

// INT8_MAX, UINT_FAST16_WIDTH, INT64_C, UINTPTR_MAX and the like.
static bool is_integer_limit(const char *name) {
    static const char *const kinds[] = {"_FAST", "_LEAST", "MAX", "PTR", ""};
    static const char *const ends[] = {"_MAX", "_MIN", "_WIDTH", "_C"};
    const char *at = name + (name[0] == 'U');
    if (!text_begins_with(at, "INT")) {
        return false;
    }
    at += strlen("INT");
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (text_begins_with(at, kinds[i])) {
            at += strlen(kinds[i]);
            break;
        }
    }
    at += strspn(at, "0123456789");
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        if (strcmp(at, ends[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_reserved(const char *name) {
    return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}

static bool begins_reserved(const char *name) {
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
        size_t len = strlen(beginnings[i].start);
        if (text_begins_with(name, beginnings[i].start) && name[len] != '\0' &&
            strchr(beginnings[i].next, name[len]) != NULL) {
            return true;
        }
    }
    return false;
}

static bool is_listed(const char *name) {
    size_t len = strlen(name);
    for (const char *at = strstr(words, name); at != NULL; at = strstr(at + 1, name)) {
        if (at[-1] == ' ' && at[len] == ' ') {
            return true;
        }
    }
    return false;
}

bool c_words_have(const char *name) {
    return is_reserved(name) || text_begins_with(name, "FLT_") || text_begins_with(name, "DBL_") ||
           text_begins_with(name, "LDBL_") || is_integer_limit(name) || begins_reserved(name) ||
           is_listed(name);
}
