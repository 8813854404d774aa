// Threads for the large loops of a program that was compiled with --threads. They start with the
// first such loop, sleep between loops, and end with the process. The caller is one of them and
// begins at once: it waits in the end only for those that took a part, never for one that has yet
// to wake up. Who comes takes the next part, so that a thread which is held up does less.
//
// One loop at a time has them. Another one meanwhile, of a simulation that runs its instances in
// threads already, is done by its caller alone.
#include "runtime/abi/abi.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    WORKER_LIMIT = 255,
    STACK_BYTES = 1 << 20, // what a part needs are vectors that are saved, and a panel of 48 KB
    PARTS_EACH = 4,        // of a thread, so that the last ones end at about the same time
};

// A loop. Who works at it is counted under the lock of the pool.
typedef struct Job {
    tml_part *part;
    void *context;
    int64_t count, length; // turns, and those of a part
    _Atomic int64_t next;
} Job;

typedef struct Pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    pthread_t threads[WORKER_LIMIT];
    int32_t started; // of them
    bool is_busy;    // a loop has the pool
    bool is_open;    // and takes more threads
    bool ends;
    int32_t inside; // threads at the loop, but for its caller
    int32_t wanted; // that may still come
    Job job;
} Pool;

static Pool pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .wake = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
};

static void work(Job *job) {
    int64_t first;
    while ((first = atomic_fetch_add_explicit(&job->next, job->length, memory_order_relaxed)) <
           job->count) {
        int64_t left = job->count - first;
        job->part(job->context, first, left < job->length ? job->count : first + job->length);
    }
}

static void *worker(void *none) {
    (void)none;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.ends && !(pool.is_open && pool.wanted > 0)) {
            pthread_cond_wait(&pool.wake, &pool.lock);
        }
        if (pool.ends) {
            break;
        }
        pool.wanted--;
        pool.inside++;
        pthread_mutex_unlock(&pool.lock);
        work(&pool.job);
        pthread_mutex_lock(&pool.lock);
        pool.is_open = false; // nothing is left of the loop
        if (--pool.inside == 0) {
            pthread_cond_signal(&pool.done);
        }
    }
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

static void end_threads(void) {
    pthread_mutex_lock(&pool.lock);
    pool.ends = true;
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
    for (int32_t i = 0; i < pool.started; i++) {
        pthread_join(pool.threads[i], NULL);
    }
    pool.started = 0;
}

// Under the lock. Fewer where the system has no more; signals are for the first thread.
static void start_threads(int32_t count) {
    if (pool.started >= count || (pool.started == 0 && atexit(end_threads) != 0)) {
        return;
    }
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    while (pool.started < count &&
           pthread_create(&pool.threads[pool.started], &attributes, worker, NULL) == 0) {
        pool.started++;
    }
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool take_pool(int32_t workers, const Job *job) {
    pthread_mutex_lock(&pool.lock);
    bool is_free = !pool.is_busy && !pool.ends;
    if (is_free) {
        start_threads(workers);
        pool.is_busy = pool.is_open = true;
        pool.wanted = workers;
        pool.job.part = job->part;
        pool.job.context = job->context;
        pool.job.count = job->count;
        pool.job.length = job->length;
        atomic_store_explicit(&pool.job.next, 0, memory_order_relaxed);
        for (int32_t i = 0; i < workers && i < pool.started; i++) {
            pthread_cond_signal(&pool.wake);
        }
    }
    pthread_mutex_unlock(&pool.lock);
    return is_free;
}

static void leave_pool(void) {
    pthread_mutex_lock(&pool.lock);
    pool.is_open = false;
    while (pool.inside > 0) {
        pthread_cond_wait(&pool.done, &pool.lock);
    }
    pool.is_busy = false;
    pthread_mutex_unlock(&pool.lock);
}

void tml_parallel(tml_part *part, void *context, int64_t count, int64_t grain, int32_t threads) {
    if (count <= 0) {
        return;
    }
    int64_t length = count / ((int64_t)threads * PARTS_EACH);
    Job job = {.part = part, .context = context, .count = count};
    job.length = length < grain ? grain : length;
    int64_t parts = (count + job.length - 1) / job.length;
    int64_t workers = parts < threads ? parts - 1 : threads - 1;
    workers = workers < WORKER_LIMIT ? workers : WORKER_LIMIT;
    if (workers < 1 || !take_pool((int32_t)workers, &job)) {
        part(context, 0, count);
        return;
    }
    work(&pool.job);
    leave_pool();
}
